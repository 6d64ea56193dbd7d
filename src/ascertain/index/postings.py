"""Which entries hold a term, and how often: arrays sorted by the hash of the term.

How much a term adds to a score depends on how often it stands in the entry and on how long the
entry is. A family knows few such pairs, so a posting keeps the number of its pair (`codes`), and
a question works out a score once per pair instead of once per posting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain

import numpy as np
import numpy.typing as npt

BLOCK = 1 << 21
"""Postings worked on at a time while building: bounds what a build needs beside its result."""

MOST = (1 << 16) - 1
"""A term is counted up to here in one entry."""


def term_hash(term: str) -> int:
    """64 bits that stand for a term, the same on every machine and in every run."""
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Postings of one segment. T terms, N entries, P postings, C pairs.

    hashes:   (T,) uint64, ascending.
    starts:   (T + 1,) int64: the postings of term t stand at starts[t]:starts[t + 1].
    entries:  (P,) uint32, ascending within a term.
    codes:    (P,) uint16 or uint32: which pair.
    code_counts: (C,) uint32: how often the term stands there, by code, up to 65,535.
    code_lengths: (C,) uint32: how many terms the entry has, by code.
    peaks:    (T,) uint32: the largest count of a term; shortest: (T,) uint32: its shortest entry.
    forward_starts, forward: (N + 1,) int64 and (P,) uint32: the terms of an entry, by number, so
              that what a removed entry counted for can be taken back.
    """

    hashes: npt.NDArray[np.uint64]
    starts: npt.NDArray[np.int64]
    entries: npt.NDArray[np.uint32]
    codes: npt.NDArray[np.uint16] | npt.NDArray[np.uint32]
    code_counts: npt.NDArray[np.uint32]
    code_lengths: npt.NDArray[np.uint32]
    peaks: npt.NDArray[np.uint32]
    shortest: npt.NDArray[np.uint32]
    forward_starts: npt.NDArray[np.int64]
    forward: npt.NDArray[np.uint32]

    def find(self, hashes: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """The number of each term; -1 for one that isn't here."""
        if not len(self.hashes):
            return np.full(len(hashes), -1, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        return np.where(self.hashes[places] == hashes, places, -1)

    def terms_of(self, entries: Iterable[int]) -> npt.NDArray[np.uint32]:
        """Numbers of the terms of these entries, one after another."""
        parts = [self.forward[self.forward_starts[e] : self.forward_starts[e + 1]] for e in entries]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.uint32)


class Vocabulary(dict[str, int]):
    """term → a number, given on first sight."""

    def __missing__(self, term: str) -> int:
        self[term] = number = len(self)
        return number


class PostingsBuilder:
    """Takes texts in any order; `build` puts them in the order it is told."""

    def __init__(self) -> None:
        self._vocabulary = Vocabulary()
        self._chunks: list[tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.uint16]]] = []
        self._lengths: list[npt.NDArray[np.uint32]] = []
        self._texts = 0

    def add(self, texts: Sequence[str]) -> None:
        """texts: blank-separated terms, one text per entry; those given first get the lowest places."""
        split = [text.split() for text in texts]
        lengths = np.fromiter(map(len, split), dtype=np.uint32, count=len(split))
        number = self._vocabulary.__getitem__
        flat = np.fromiter(map(number, chain.from_iterable(split)), dtype=np.uint64, count=int(lengths.sum()))
        places = np.repeat(np.arange(self._texts, self._texts + len(split), dtype=np.uint64), lengths)
        packed = np.sort(places << np.uint64(32) | flat)
        changes = np.ones(len(packed), dtype=bool)
        changes[1:] = packed[1:] != packed[:-1]
        first = np.flatnonzero(changes)
        counts = np.minimum(np.diff(np.append(first, len(packed))), MOST).astype(np.uint16)
        kept = packed[first]
        self._chunks.append(((kept >> np.uint64(32)).astype(np.uint32), kept.astype(np.uint32), counts))
        self._lengths.append(lengths)
        self._texts += len(split)

    def lengths(self) -> npt.NDArray[np.uint32]:
        """(texts,): how many terms each text has, in the order in which they were given."""
        return np.concatenate(self._lengths) if self._lengths else np.zeros(0, dtype=np.uint32)

    def build(self, order: npt.NDArray[np.intp]) -> Postings:
        """The postings. order: (N,), the place of the text that becomes entry 0, 1, …; a place that
        is not in it is left out. The builder is empty afterwards."""
        lengths = self.lengths()[order]
        hashes, packed, widths = self._pack(order)
        packed.sort()
        return _unpack(hashes, packed, widths, lengths)

    def _pack(
        self, order: npt.NDArray[np.intp]
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64], tuple[int, int, int]]:
        """Hashes of the terms, and every posting as one number, term before entry before count, so that
        one sort in place orders them without an index array of eight more bytes each."""
        hashes = np.fromiter(map(term_hash, self._vocabulary), dtype=np.uint64, count=len(self._vocabulary))
        by_hash = np.argsort(hashes)
        term_rank = np.empty(len(hashes), dtype=np.uint64)
        term_rank[by_hash] = np.arange(len(hashes), dtype=np.uint64)
        entry_rank = np.full(self._texts, -1, dtype=np.int64)
        entry_rank[order] = np.arange(len(order))
        most = max((int(counts.max()) for _, _, counts in self._chunks if len(counts)), default=1)
        widths = (len(hashes).bit_length(), max(len(order), 1).bit_length(), most.bit_length())
        assert sum(widths) <= 64, "too many entries and terms for one segment"
        packed = np.empty(sum(len(terms) for _, terms, _ in self._chunks), dtype=np.uint64)
        end = 0
        self._chunks.reverse()
        while self._chunks:  # from the front, each chunk freed once it is packed
            places, terms, counts = self._chunks.pop()
            entries = entry_rank[places]
            kept = np.flatnonzero(entries >= 0)
            value = term_rank[terms[kept]] << np.uint64(widths[1])
            value |= entries[kept].astype(np.uint64)
            value <<= np.uint64(widths[2])
            value |= counts[kept]
            packed[end : end + len(kept)] = value
            end += len(kept)
        self._vocabulary, self._lengths, self._texts = Vocabulary(), [], 0
        return hashes[by_hash], packed[:end], widths


def _unpack(
    hashes: npt.NDArray[np.uint64],
    packed: npt.NDArray[np.uint64],
    widths: tuple[int, int, int],
    lengths: npt.NDArray[np.uint32],
) -> Postings:
    """Sorted numbers to arrays; `packed` is overwritten on the way."""
    _, entry_bits, count_bits = widths
    starts = _starts(packed, len(hashes), entry_bits + count_bits)
    # A term stands here without postings if all its texts were left out.
    held = np.flatnonzero(np.diff(starts))
    hashes, starts = hashes[held], np.append(starts[held], len(packed))

    def counts_and_entries(at: slice) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        part = packed[at]
        entries = (part >> np.uint64(count_bits)) & np.uint64((1 << entry_bits) - 1)
        return part & np.uint64((1 << count_bits) - 1), entries.astype(np.uint32)

    def pairs_of(counts: npt.NDArray[np.uint64], entries: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
        return counts << np.uint64(32) | lengths[entries]

    pairs = np.zeros(0, dtype=np.uint64)
    for at in _blocks(len(packed)):
        pairs = np.union1d(pairs, pairs_of(*counts_and_entries(at)))
    entries = np.empty(len(packed), dtype=np.uint32)
    codes: npt.NDArray[np.uint16] | npt.NDArray[np.uint32]
    small = len(pairs) <= MOST + 1
    codes = np.empty(len(packed), dtype=np.uint16) if small else np.empty(len(packed), dtype=np.uint32)
    for at in _blocks(len(packed)):
        some_counts, some_entries = counts_and_entries(at)
        entries[at] = some_entries
        codes[at] = np.searchsorted(pairs, pairs_of(some_counts, some_entries))
    counts, pair_lengths = (pairs >> np.uint64(32)).astype(np.uint32), pairs.astype(np.uint32)
    peaks, shortest = np.empty(len(hashes), dtype=np.uint32), np.empty(len(hashes), dtype=np.uint32)
    for terms in _term_blocks(starts):
        at = slice(int(starts[terms.start]), int(starts[terms.stop]))
        offsets = starts[terms] - at.start
        peaks[terms] = np.maximum.reduceat(counts[codes[at]], offsets)
        shortest[terms] = np.minimum.reduceat(pair_lengths[codes[at]], offsets)

    number_bits = len(hashes).bit_length()
    numbers = np.repeat(np.arange(len(hashes), dtype=np.uint32), np.diff(starts))
    for at in _blocks(len(packed)):
        packed[at] = entries[at].astype(np.uint64) << np.uint64(number_bits) | numbers[at]
    del numbers
    packed.sort()
    forward_starts = _starts(packed, len(lengths), number_bits)
    forward = np.empty(len(packed), dtype=np.uint32)
    for at in _blocks(len(packed)):
        forward[at] = packed[at] & np.uint64((1 << number_bits) - 1)
    return Postings(hashes, starts, entries, codes, counts, pair_lengths, peaks, shortest, forward_starts, forward)


def _starts(packed: npt.NDArray[np.uint64], groups: int, bits: int) -> npt.NDArray[np.int64]:
    """(groups + 1,): where each group begins among sorted numbers that have it above `bits`."""
    edges = np.arange(groups, dtype=np.uint64) << np.uint64(bits)
    return np.append(np.searchsorted(packed, edges), len(packed)).astype(np.int64)


def _blocks(size: int) -> Iterator[slice]:
    return (slice(low, min(low + BLOCK, size)) for low in range(0, size, BLOCK))


def _term_blocks(starts: npt.NDArray[np.int64]) -> Iterator[slice]:
    """Runs of whole terms with some BLOCK postings each."""
    low, terms = 0, len(starts) - 1
    while low < terms:
        high = int(np.searchsorted(starts, starts[low] + BLOCK, side="right")) - 1
        high = min(max(high, low + 1), terms)
        yield slice(low, high)
        low = high
