"""What the tools take and give, as typed dictionaries: their JSON schemas are made of these."""

from __future__ import annotations

from typing import (
    Any,
    Literal,
    NotRequired,  # pydantic reads those of typing from 3.12 only
)

from typing_extensions import TypedDict


class Offered(TypedDict):
    """One candidate, with enough of it to choose by."""

    id: str
    kind: str
    title: str
    beginning: NotRequired[str]
    moment: NotRequired[str | None]
    valid_from: str | None
    valid_to: str | None
    retired_at: str | None
    differs_by: NotRequired[dict[str, str]]


class Answer(TypedDict):
    """One of three states. resolved: `node` is meant, and `material` tells what to use of it.
    choose: several could be meant; whoever asked picks one of `candidates` with the pick tool and
    `choice_id`. none: the memory holds nothing that is meant."""

    state: Literal["resolved", "choose", "none"]
    question: str
    node: str | None
    reason: str
    picked_by_user: bool
    candidates: list[Offered]
    hidden: int
    ask_back: str | None
    choice_id: str | None
    material: dict[str, Any] | None


class Found(TypedDict):
    """The best pieces of documents, best first."""

    question: str
    pieces: list[dict[str, Any]]


class Kept(TypedDict):
    """The node that stands after a write. added: False where it was there before (a twin), unchanged."""

    id: str
    kind: str
    title: str
    added: bool
    version: int
    valid_from: str | None
    valid_to: str | None
    retired_at: str | None
    superseded_by: str | None
    note: str


class Versions(TypedDict):
    """All recorded versions of a node, oldest first."""

    node: str
    versions: list[dict[str, Any]]


class Shown(TypedDict):
    """A node, document or piece as it stands, with its edges."""

    thing: dict[str, Any]


class Picked(TypedDict):
    """What was written down: which node was meant by a question; None for none of these."""

    question: str
    picked: str | None
    number: int
