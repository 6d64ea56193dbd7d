"""The four kinds of node: what a question can mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Literal

from ascertain.errors import InvalidInput

Kind = Literal["concept", "record", "decision", "episode"]
KINDS: tuple[Kind, ...] = ("concept", "record", "decision", "episode")


@dataclass(frozen=True, kw_only=True)
class Node:
    """What every kind has.

    id:          unique in the store, chosen by who wrote it; stable over imports.
    title:       as written. aliases: other names for the same thing, in any language.
    lang:        BCP 47, or empty where not stated.
    source:      where it came from: a piece's id, a URL or free text; may be empty.
    about:       ids of the Concepts it is about (Concepts have none).
    supersedes:  ids of older nodes whose place it takes.
    valid_from, valid_to:      when it holds in the world; half-open; None is no limit.
    recorded_at, retired_at:   when the store learnt it and withdrew it.
    """

    kind: ClassVar[Kind]

    id: str
    title: str
    aliases: tuple[str, ...] = ()
    lang: str = ""
    source: str = ""
    about: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    recorded_at: datetime | None = None
    retired_at: datetime | None = None

    @property
    def text(self) -> str:
        """What may be matched beside the title. Never an Episode's summary."""
        return ""

    @property
    def moment(self) -> datetime | None:
        """When it was observed, decided or began; None for Concepts or where not stated."""
        return None


@dataclass(frozen=True, kw_only=True)
class Concept(Node):
    """What something means."""

    kind: ClassVar[Kind] = "concept"
    body: str = ""

    @property
    def text(self) -> str:
        return self.body


@dataclass(frozen=True, kw_only=True)
class Record(Node):
    """One fact, observed at one moment."""

    kind: ClassVar[Kind] = "record"
    body: str = ""
    observed_at: datetime | None = None

    @property
    def text(self) -> str:
        return self.body

    @property
    def moment(self) -> datetime | None:
        return self.observed_at


@dataclass(frozen=True, kw_only=True)
class Decision(Node):
    """What was decided, and why."""

    kind: ClassVar[Kind] = "decision"
    body: str = ""
    decided_at: datetime | None = None

    @property
    def text(self) -> str:
        return self.body

    @property
    def moment(self) -> datetime | None:
        return self.decided_at


@dataclass(frozen=True, kw_only=True)
class Episode(Node):
    """What happened, and when. The summary is answer material: no arm ever matches it."""

    kind: ClassVar[Kind] = "episode"
    summary: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None

    @property
    def moment(self) -> datetime | None:
        return self.started_at


NODE_TYPES: Mapping[Kind, type[Concept] | type[Record] | type[Decision] | type[Episode]] = {
    "concept": Concept,
    "record": Record,
    "decision": Decision,
    "episode": Episode,
}


def check_kind(value: object, *, where: str = "") -> Kind:
    """One of the four kinds, or InvalidInput."""
    for kind in KINDS:
        if value == kind:
            return kind
    raise InvalidInput(f"unknown kind {value!r}", where=where, hint="A node is a concept, record, decision or episode.")
