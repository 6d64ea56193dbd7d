"""Enough of each candidate of a list to choose by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ascertain.model.nodes import Episode, Kind, Node
from ascertain.model.resolution import Offer

BEGINNING = 200
"""How many characters of a candidate's text are told."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A candidate as told to whoever is to choose.

    beginning: the first 200 characters of its text (of an Episode: its summary), on one line.
    moment, valid_from, valid_to, retired_at: ISO 8601 in UTC or None. mark: why it no longer holds.
    """

    id: str
    kind: Kind
    title: str
    beginning: str
    moment: str | None
    valid_from: str | None
    valid_to: str | None
    retired_at: str | None
    mark: str
    differs_by: Mapping[str, str]


def glimpses(offers: Sequence[Offer], nodes: Mapping[str, Node]) -> list[Glimpse]:
    """One for each offer, in order. nodes: id → the node as its reader sees it; one that is gone has
    no text."""
    return [
        Glimpse(
            id=one.node,
            kind=one.kind,
            title=one.title,
            beginning=_beginning(nodes.get(one.node)),
            moment=one.moment,
            valid_from=one.valid_from,
            valid_to=one.valid_to,
            retired_at=one.retired_at,
            mark=one.hidden_why,
            differs_by=offer.differs_by,
        )
        for offer in offers
        for one in (offer.candidate,)
    ]


def _beginning(node: Node | None) -> str:
    if node is None:
        return ""
    text = " ".join((node.summary if isinstance(node, Episode) else node.text).split())
    return text if len(text) <= BEGINNING else text[: BEGINNING - 1].rstrip() + "…"
