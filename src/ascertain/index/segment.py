"""One segment of a family: its entries in key order, their postings, their bits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from ascertain.index import bits
from ascertain.index.postings import Postings, PostingsBuilder
from ascertain.store.base import Entry

AT_ONCE = 16_384
"""Entries read at a time while building."""

KEEPS_VECTORS = 400_000
"""A segment of more entries keeps no vectors, only their bits: theirs are read from the store. Reading
300 rows there takes some 3 ms; a mapped copy costs a kilobyte of disk an entry and no memory."""


@dataclass(frozen=True, slots=True)
class Row:
    """An entry as a segment keeps it. bits: its row of signs. vector: its float16 bytes, or empty;
    blank: there was nothing to read."""

    key: int
    owner: int
    slot: int
    terms: str
    bits: bytes
    blank: bool
    vector: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """N entries, numbered in key order.

    keys, owners: (N,) int64. slots, lengths: (N,) uint32; a length counts terms, repeats too.
    blank:       (N,) bool, whose vector is all zeros.
    bit_rows:    (N, words) uint64; bit_columns: the same turned around, or empty in a small segment.
    vectors:     (N, dimension) little-endian float16, or (0, dimension) in a large segment.
    Where all are blank, as words are, none of these three holds anything.
    """

    keys: npt.NDArray[np.int64]
    owners: npt.NDArray[np.int64]
    slots: npt.NDArray[np.uint32]
    lengths: npt.NDArray[np.uint32]
    blank: npt.NDArray[np.bool_]
    bit_rows: npt.NDArray[np.uint64]
    bit_columns: npt.NDArray[np.uint64]
    vectors: npt.NDArray[np.float16]
    postings: Postings

    def __len__(self) -> int:
        return len(self.keys)

    def find(self, keys: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
        """Numbers of those of these keys that are here, ascending."""
        if not len(self.keys):
            return np.zeros(0, dtype=np.intp)
        wanted = np.unique(keys)
        places = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.asarray(places[self.keys[places] == wanted])


def rows(entries: Sequence[Entry], dimension: int, *, keep_vectors: bool) -> list[Row]:
    """Entries as rows, in the same order."""
    vectors = _vectors([entry.vector for entry in entries], dimension)
    signs = bits.rows_of(vectors)
    blank = _blank(vectors, signs).tolist()
    kept = [vector.tobytes() for vector in vectors] if keep_vectors else [b""] * len(entries)
    return [
        Row(e.key, e.owner, e.slot, e.terms, sign.tobytes(), nothing, vector)
        for e, sign, nothing, vector in zip(entries, signs, blank, kept, strict=True)
    ]


def from_rows(rows: Sequence[Row], dimension: int, *, columns_from: int) -> Segment:
    """A segment of rows with distinct keys, in any order. Vectors are kept if all rows have theirs."""
    builder = _Builder(dimension)
    words = -(-dimension // 64)
    with_vectors = all(row.vector for row in rows)
    builder.keep_vectors = with_vectors
    builder.add(
        [(row.key, row.owner, row.slot) for row in rows],
        [row.terms for row in rows],
        np.frombuffer(b"".join(row.bits for row in rows), dtype=np.uint64).reshape(-1, words),
        np.array([row.blank for row in rows], dtype=bool),
        _vectors([row.vector for row in rows] if with_vectors else [], dimension),
    )
    return builder.build(columns_from=columns_from)


def from_entries(entries: Iterable[Entry], dimension: int, *, columns_from: int) -> Segment:
    """A segment of entries read one after another, in any order; of a key that comes twice, the later
    one counts. Holds no more of their texts and vectors than AT_ONCE at a time."""
    builder = _Builder(dimension)
    source = iter(entries)
    while some := list(islice(source, AT_ONCE)):
        vectors = _vectors([entry.vector for entry in some], dimension)
        signs = bits.rows_of(vectors)
        identity = [(entry.key, entry.owner, entry.slot) for entry in some]
        terms = [entry.terms for entry in some]
        blank = _blank(vectors, signs)
        del some
        builder.add(identity, terms, signs, blank, vectors)
    return builder.build(columns_from=columns_from)


class _Builder:
    """Collects parts of a segment in the order they come in, then puts them in key order."""

    def __init__(self, dimension: int) -> None:
        self.keep_vectors = True
        self._dimension = dimension
        self._count = 0
        self._postings = PostingsBuilder()
        self._identity: list[npt.NDArray[np.int64]] = []
        self._signs: list[npt.NDArray[np.uint64]] = []
        self._blank: list[npt.NDArray[np.bool_]] = []
        self._vectors: list[npt.NDArray[np.float16]] = []

    def add(
        self,
        identity: list[tuple[int, int, int]],
        terms: list[str],
        signs: npt.NDArray[np.uint64],
        blank: npt.NDArray[np.bool_],
        vectors: npt.NDArray[np.float16],
    ) -> None:
        self._count += len(identity)
        self._identity.append(np.array(identity, dtype=np.int64).reshape(-1, 3))
        self._signs.append(signs)
        self._blank.append(blank)
        self._postings.add(terms)
        self.keep_vectors = self.keep_vectors and self._count <= KEEPS_VECTORS
        self._vectors = [*self._vectors, vectors] if self.keep_vectors else []

    def build(self, *, columns_from: int) -> Segment:
        words = -(-self._dimension // 64)
        identity = np.concatenate([*self._identity, np.zeros((0, 3), dtype=np.int64)])
        order = _last_of_each(identity[:, 0])
        identity = identity[order]
        keys, owners, slots = (np.ascontiguousarray(column) for column in identity.T)
        signs = np.concatenate([*self._signs, np.zeros((0, words), dtype=np.uint64)])[order]
        self._signs.clear()
        blank = np.concatenate([*self._blank, np.zeros(0, dtype=bool)])[order]
        vectors = np.zeros((0, self._dimension), dtype="<f2")
        if self._vectors:
            vectors = np.concatenate(self._vectors)[order]
        lengths = self._postings.lengths()[order]
        postings = self._postings.build(order)
        columns = np.zeros((words * 64, 0), dtype=np.uint64)
        if blank.all():
            signs, vectors = signs[:0], vectors[:0]
        elif len(keys) >= columns_from:
            columns = bits.columns_of(signs)
        return Segment(keys, owners, slots.astype(np.uint32), lengths, blank, signs, columns, vectors, postings)


def _last_of_each(keys: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """Places of the keys in ascending order; of equal keys only the last place."""
    order = np.argsort(keys, kind="stable")
    if not len(order):
        return order
    ordered = keys[order]
    return np.asarray(order[np.append(ordered[1:] != ordered[:-1], True)])


def _vectors(vectors: Sequence[bytes], dimension: int) -> npt.NDArray[np.float16]:
    """(n, dimension) little-endian float16; zeros where there are no bytes."""
    nothing = bytes(2 * dimension)
    return np.frombuffer(b"".join(v or nothing for v in vectors), dtype="<f2").reshape(-1, dimension)


def _blank(vectors: npt.NDArray[np.float16], signs: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """Which vectors are all zeros. Only those without a positive component are looked at."""
    blank = np.asarray(~signs.any(axis=1))
    suspects = np.flatnonzero(blank)
    blank[suspects] = ~vectors[suspects].any(axis=1)
    return blank
