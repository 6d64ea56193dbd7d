"""What a store is to the layers above. Both databases implement these three Protocols."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from ascertain.model.documents import Document, Piece
from ascertain.model.edges import EdgeType
from ascertain.model.nodes import Node
from ascertain.model.times import TimeView, format_instant, holds

Family = Literal["title", "body", "piece", "word"]
"""What an indexed entry is: a title or alias of a node, a node's text, a piece, or a word that
stands in titles (its entry's terms are `=WORD` and the grams of its spelling; it has no vector)."""

FAMILIES: tuple[Family, ...] = ("title", "body", "piece", "word")


@dataclass(frozen=True, slots=True)
class Entry:
    """One indexed text. key: 63 bits, from what it belongs to (never from when it was written).
    owner: the key of its node or piece. slot: 0 for a title, a text or a piece, 1… for aliases.
    terms: the tokeniser's index terms, blank-separated, repeated as often as they stand.
    vector: float16, little endian, as bytes; all zeros where there was nothing to read."""

    family: Family
    key: int
    owner: int
    slot: int
    terms: str
    vector: bytes


@dataclass(frozen=True, slots=True)
class Taker:
    """A node that takes another's place.

    starts: when it begins to hold: as stated, else when it was observed, decided or began, else
            when the store learnt it; None where none of these is stated.
    known_from, known_to: while the store knew of it and that it takes the place; half-open.
    """

    id: str
    starts: datetime | None
    known_from: datetime | None
    known_to: datetime | None


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A recorded version of a node as stored.

    key:     its index key. version: from 0; since, until: when this version stood in the store,
             None for no limit. reason: why it was withdrawn, else why it was corrected.
    takers:  what takes its place, in no particular order, at whatever time that was known.
    older:   ids it supersedes, directly or not; newer: the other way. Both are filled where one
             node is asked for; `Reader.lineage` gives them for many.
    """

    key: int
    node: Node
    version: int = 0
    since: datetime | None = None
    until: datetime | None = None
    reason: str = ""
    takers: tuple[Taker, ...] = ()
    older: tuple[str, ...] = ()
    newer: tuple[str, ...] = ()

    @property
    def holds_from(self) -> datetime | None:
        """When it begins to hold: as stated, and for what takes another's place else its own moment."""
        return self.node.valid_from or (self.node.moment if self.node.supersedes else None)

    @property
    def holds_to(self) -> datetime | None:
        """When it ends to hold, by all that is known now."""
        return self.ends_at(_LAST)

    @property
    def superseded_by(self) -> str | None:
        """The first that takes its place, by all that is known now."""
        return next((taker.id for taker in self.takers_at(_LAST)), None)

    def takers_at(self, known_at: datetime) -> list[Taker]:
        """What takes its place as far as the store knew at that moment, the first to begin first,
        those that state no time last. What was withdrawn takes nobody's place."""
        if not self.takers:
            return []
        known = [taker for taker in self.takers if holds(taker.known_from, taker.known_to, known_at)]
        return sorted(known, key=lambda one: (one.starts is None, one.starts or 0, one.id))

    def ends_at(self, known_at: datetime) -> datetime | None:
        """When it ends to hold as far as the store knew at that moment: where it says so itself or
        where the first that takes its place begins, whichever comes first."""
        if not self.takers:
            return self.node.valid_to
        ends = [self.node.valid_to, *(taker.starts for taker in self.takers_at(known_at))]
        return min((end for end in ends if end is not None), default=None)

    def known(self, known_at: datetime) -> bool:
        """Had the store learnt this version at that moment (whether or not it was withdrawn since)?"""
        return not self._unknown_before(known_at)

    def hidden_since(self, view: TimeView) -> str:
        """Why a reader with this view may not see it, in words; empty where it may.

        What the store learnt later than `known_at` is never seen; what was corrected, withdrawn or
        does not hold is seen with `include_retired`.
        """
        if unknown := self._unknown_before(view.known_at):
            return f"was not known before {format_instant(unknown)}"
        return "" if view.include_retired else self.retired_since(view)

    def retired_since(self, view: TimeView) -> str:
        """Why it no longer (or not yet) holds for this view, in words; empty where it does."""
        node = self.node
        if self.until is not None and self.until <= view.known_at:
            return f"was corrected at {format_instant(self.until)}"
        if node.retired_at is not None and node.retired_at <= view.known_at:
            return f"was withdrawn at {format_instant(node.retired_at)}"
        if self.holds_from is not None and view.valid_at < self.holds_from:
            return f"does not hold before {format_instant(self.holds_from)}"
        end = self.ends_at(view.known_at)
        if end is not None and end <= view.valid_at:
            return f"no longer holds since {format_instant(end)}"
        if end is None and self.takers_at(view.known_at):
            return "no longer holds: superseded, at a time that is not stated"
        return ""

    def _unknown_before(self, known_at: datetime) -> datetime | None:
        starts = [start for start in (self.node.recorded_at, self.since) if start is not None]
        first = max(starts, default=None)
        return first if first is not None and known_at < first else None


_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A piece as stored, with the document it is part of and its place there, from 0."""

    key: int
    piece: Piece
    document: str
    position: int


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a store holds."""

    nodes: dict[str, int]
    documents: int
    pieces: int
    edges: dict[str, int]


class Source(Protocol):
    """What an index is built from and kept up to date with."""

    @property
    def uuid(self) -> str:
        """Made when the store was made; tells a replaced store from a grown one."""

    @property
    def dimension(self) -> int: ...

    def generation(self) -> int:
        """Grows by one with every transaction that wrote."""

    def entries(self, family: Family, *, since: int = -1) -> Iterator[Entry]:
        """Entries written in a generation above `since`, in no particular order."""

    def entry_count(self, family: Family, *, since: int = -1) -> int:
        """How many `entries` would yield."""

    def gone(self, family: Family, *, since: int) -> list[int]:
        """Keys of entries removed in a generation above `since`; a key may also have been written again."""

    def terms(self, keys: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """key → the entry's terms, repeated as often as they stand."""

    def vectors(self, keys: Sequence[int]) -> npt.NDArray[np.float32]:
        """Shape (len(keys), dimension), row for row. A key that isn't there gives a row of zeros."""


class Reader(Source, Protocol):
    """Reading nodes, pieces and edges. Unknown keys and ids are left out, not errors."""

    @property
    def encoder(self) -> str: ...

    def counts(self) -> Counts: ...

    def nodes(self, keys: Sequence[int]) -> dict[int, NodeRow]:
        """key → row, without its lineage."""

    def node(self, id: str) -> NodeRow | None:
        """The version that stands, with its lineage."""

    def nodes_at(self, ids: Iterable[str], known_at: datetime | None = None) -> dict[str, NodeRow]:
        """id → the version that stood at that moment (None: that stands), without its lineage."""

    def lineage(self, ids: Iterable[str]) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
        """id → the ids it supersedes and those that supersede it, directly or not, in id order, by the
        edges that stand; ids without any are left out."""

    def merged(self, id: str, known_at: datetime) -> list[str]:
        """Ids of the nodes of which it was known at that moment that they are this one, directly or not,
        in id order."""

    def keys_of(self, ids: Iterable[str]) -> dict[str, int]:
        """id → key of each node's version that stands."""

    def pieces(self, keys: Sequence[int]) -> dict[int, PieceRow]: ...

    def piece_ids(self, keys: Sequence[int]) -> dict[int, str]:
        """key → id of each piece, without reading its text."""

    def piece(self, id: str) -> PieceRow | None: ...

    def beside(self, keys: Sequence[int]) -> list[tuple[str, str]]:
        """(piece id, id of a piece right before or after it in its document), in id order."""

    def goes_on(self, keys: Sequence[int], *, at_most: int = 256) -> list[tuple[str, str]]:
        """(piece id, id of the nearest piece before it in its document that a node was drawn from), for
        pieces that none was drawn from; at_most: so many pieces back. In id order."""

    def follows(self, ids: Sequence[str], *, at_most: int = 256) -> list[str]:
        """Ids of the pieces behind each of these in its document, in reading order, up to the next that a
        node was drawn from and at most so many."""

    def document(self, id: str) -> Document | None: ...

    def documents_named(self, ids: Iterable[str]) -> dict[str, tuple[str, str]]:
        """id → (title, source) of each document."""

    def edges(
        self,
        type: EdgeType,
        *,
        start: Sequence[str] = (),
        end: Sequence[str] = (),
        known_at: datetime | None = None,
    ) -> list[tuple[str, str]]:
        """(start, end) ids of that type with one of these starts and one of these ends (empty: any),
        in id order: those that stood at a moment (None: that stand)."""

    def in_degree(self, type: EdgeType, ids: Sequence[str], *, at_most: int = 256) -> dict[str, int]:
        """How many edges of the type end at each of these nodes, counted no further than `at_most`."""

    def named(self, names: Sequence[str], *, earlier: bool = False) -> dict[str, list[tuple[int, int]]]:
        """name key → (node key, slot) of the nodes that bear it, in key order; slot 0 is the title.
        earlier: of versions that were corrected too."""

    def versions(self, id: str) -> list[NodeRow]:
        """All recorded versions of a node, oldest first."""

    def all_nodes(self) -> Iterator[Node]:
        """In id order."""

    def all_documents(self) -> Iterator[Document]:
        """In id order."""


class Store(Reader, Protocol):
    """A Reader that also writes."""

    def close(self) -> None: ...
