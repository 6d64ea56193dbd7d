"""What a store is to the layers above. Both databases implement these three Protocols."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from ascertain.model.documents import Document, Piece
from ascertain.model.edges import EdgeType
from ascertain.model.nodes import Node
from ascertain.model.times import TimeView, format_instant

Family = Literal["title", "body", "piece"]
"""What an indexed entry is: a title or alias of a node, a node's text, a piece."""

FAMILIES: tuple[Family, ...] = ("title", "body", "piece")


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
class NodeRow:
    """A recorded version of a node as stored.

    key:       its index key. version: from 0; since, until: when this version stood in the store,
               None for no limit. reason: why it was withdrawn or corrected.
    holds_from, holds_to: when it holds in the world with its successors taken into account.
    older:     ids it supersedes, directly or not; newer: the other way.
    """

    key: int
    node: Node
    holds_from: datetime | None
    holds_to: datetime | None
    older: tuple[str, ...] = ()
    newer: tuple[str, ...] = ()
    superseded_by: str | None = None
    version: int = 0
    since: datetime | None = None
    until: datetime | None = None
    reason: str = ""

    def hidden_since(self, view: TimeView) -> str:
        """Why a reader with this view may not see it, in words; empty where it may.

        A version of a node that was corrected is seen only by who asks what the store knew then.
        """
        if view.include_retired and self.until is None:
            return ""
        node = self.node
        known_from, known_to = node.recorded_at or self.since, node.retired_at
        if known_from is not None and view.known_at < known_from:
            return f"not known before {format_instant(known_from)}"
        if self.until is not None and self.until <= view.known_at:
            return f"corrected at {format_instant(self.until)}"
        if self.since is not None and view.known_at < self.since:
            return f"not known before {format_instant(self.since)}"
        if view.include_retired:
            return ""
        if known_to is not None and known_to <= view.known_at:
            return f"withdrawn at {format_instant(known_to)}"
        if self.holds_from is not None and view.valid_at < self.holds_from:
            return f"does not hold before {format_instant(self.holds_from)}"
        if self.holds_to is not None and self.holds_to <= view.valid_at:
            return f"no longer holds since {format_instant(self.holds_to)}"
        if self.superseded_by is not None and self.holds_to is None:
            return "no longer holds: superseded, at a time that is not stated"
        return ""


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

    def nodes(self, keys: Sequence[int]) -> dict[int, NodeRow]: ...

    def node(self, id: str) -> NodeRow | None: ...

    def keys_of(self, ids: Iterable[str]) -> dict[str, int]:
        """id → key of each node."""

    def pieces(self, keys: Sequence[int]) -> dict[int, PieceRow]: ...

    def piece(self, id: str) -> PieceRow | None: ...

    def document(self, id: str) -> Document | None: ...

    def edges(self, type: EdgeType, *, start: Sequence[str] = (), end: Sequence[str] = ()) -> list[tuple[str, str]]:
        """(start, end) ids of that type with one of these starts and one of these ends (empty: any),
        in id order."""

    def in_degree(self, type: EdgeType, ids: Sequence[str]) -> dict[str, int]:
        """How many edges of the type end at each id."""

    def named(self, names: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
        """name key → (node key, slot) of the nodes that bear it, in key order; slot 0 is the title."""

    def versions(self, id: str) -> list[NodeRow]:
        """All recorded versions of a node, oldest first."""

    def all_nodes(self) -> Iterator[Node]:
        """In id order."""

    def all_documents(self) -> Iterator[Document]:
        """In id order."""


class Store(Reader, Protocol):
    """A Reader that also writes."""

    def close(self) -> None: ...
