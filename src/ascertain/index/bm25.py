"""The best entries for a question's terms, by BM25. Exact, without scoring every entry.

Terms are taken from rare to frequent. What is known to be enough for the k-th place shuts out
entries that only hold frequent terms: they could not reach it any more, whatever else they hold.

Sources: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009,
with the logarithm kept positive as in Lucene; MaxScore: Turtle and Flood, "Query evaluation:
strategies and optimizations", 1995.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ascertain.index.hits import SLACK, Hit, best, kth_largest
from ascertain.index.postings import term_hash
from ascertain.index.segment import Segment

K1 = 1.2
B = 0.75

MOST_TERMS = 64
"""Of the terms that stand anywhere, so many count: the rarest. Bounds what one question may cost."""

LONG = 8_192
"""Shorter posting lists are taken whole: looking for what may be left out would cost more."""

SAMPLE = 65_536
"""The k-th score so far is taken among so many candidates at most: still a lower bound."""


@dataclass(frozen=True, slots=True, eq=False)
class Shelf:
    """A segment to look in. alive: (N,) or None where all are. dead_df: (T,), in how many dead entries
    a term stands, or None. average: length of a living entry, in all shelves together. gains: (C,),
    what a posting adds, by code, for a term of weight 1."""

    segment: Segment
    alive: npt.NDArray[np.bool_] | None
    dead_df: npt.NDArray[np.int64] | None
    average: float
    gains: npt.NDArray[np.float64]

    def dead(self, number: int) -> int:
        """In how many dead entries a term stands."""
        return 0 if self.dead_df is None else int(self.dead_df[number])


def saturation(
    counts: npt.NDArray[np.uint32], lengths: npt.NDArray[np.uint32], average: float
) -> npt.NDArray[np.float64]:
    """What a term of weight 1 adds that stands `counts` times in an entry of `lengths` terms."""
    tf = counts.astype(np.float64)
    relative = lengths / average if average else np.ones(len(lengths))
    return np.asarray(tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * relative)))


def weight(df: int, size: int) -> float:
    """How much a term says that stands in df of so many entries; above 0."""
    return math.log1p((size - df + 0.5) / (df + 0.5))


@dataclass(frozen=True, slots=True)
class _Term:
    """A term of the question: numbers holds its number on each shelf, or -1."""

    df: int
    hash: int
    numbers: tuple[int, ...]


def frequencies(shelves: Sequence[Shelf], terms: Sequence[str]) -> dict[str, int]:
    """In how many living entries each distinct term stands."""
    distinct = list(dict.fromkeys(terms))
    found = _found(shelves, [term_hash(term) for term in distinct])
    return {term: known.df for term, known in zip(distinct, found, strict=True)}


def _found(shelves: Sequence[Shelf], hashes: Sequence[int]) -> list[_Term]:
    wanted = np.array(hashes, dtype=np.uint64)
    df = np.zeros(len(wanted), dtype=np.int64)
    numbers = []
    for shelf in shelves:
        postings = shelf.segment.postings
        found = postings.find(wanted)
        numbers.append(found.tolist())
        here = np.flatnonzero(found >= 0)
        at = found[here]
        df[here] += postings.starts[at + 1] - postings.starts[at]
        if shelf.dead_df is not None:
            df[here] -= shelf.dead_df[at]
    by_term = zip(*numbers, strict=True) if numbers else ((),) * len(hashes)
    return [_Term(int(n), h, tuple(at)) for n, h, at in zip(df, hashes, by_term, strict=True)]


def top(shelves: Sequence[Shelf], terms: Sequence[str], k: int, size: int) -> list[Hit]:
    """The k best of `size` living entries, best first; each distinct term counts once.

    Scores are summed from the rarest term to the most frequent in the same order for every entry,
    so that they are the same to the last bit wherever an entry lies.
    """
    if k <= 0 or not size:
        return []
    found = _found(shelves, sorted({term_hash(term) for term in terms}))
    present = sorted((term for term in found if term.df > 0), key=lambda term: (term.df, term.hash))
    search = _Search(shelves, present[:MOST_TERMS], k, size)
    try:
        search.run()
        return search.hits()
    finally:
        search.clear()


_scratch = threading.local()


def _zeros(shelf: int, size: int) -> npt.NDArray[np.float64]:
    """An array of zeros that this thread keeps: whoever takes it puts the zeros back."""
    kept: dict[int, npt.NDArray[np.float64]] = _scratch.__dict__.setdefault("arrays", {})
    array = kept.get(shelf)
    if array is None or len(array) < size:
        array = kept[shelf] = np.zeros(size)
    return array


class _Search:
    """One question. scores: per shelf, (N,), 0 where an entry holds no term so far; candidates: per
    shelf, numbers of entries that may still be among the best."""

    def __init__(self, shelves: Sequence[Shelf], terms: Sequence[_Term], k: int, size: int) -> None:
        self.shelves = shelves
        self.k = k
        self.terms = terms
        self.weights = [weight(term.df, size) for term in terms]
        self.scores = [_zeros(at, len(shelf.segment))[: len(shelf.segment)] for at, shelf in enumerate(shelves)]
        self.candidates: list[list[npt.NDArray[np.intp]]] = [[] for _ in shelves]
        self.touched: list[list[npt.NDArray[np.intp]]] = [[] for _ in shelves]

    def run(self) -> None:
        """Scores all terms."""
        bounds = [self._bound(term, heft) for term, heft in zip(self.terms, self.weights, strict=True)]
        for at, term in enumerate(self.terms):
            rest = sum(bounds[at + 1 :])
            if self._length(term) > LONG:
                floor = max(self._kth_so_far(), self._kth_of(term, self.weights[at])) - SLACK
                self._drop_below(floor - bounds[at] - rest)
            else:
                floor = -math.inf
            for shelf, number in enumerate(term.numbers):
                if number >= 0:
                    self._add(shelf, number, self.weights[at], floor - rest)

    def hits(self) -> list[Hit]:
        """The best, after `run`."""
        floor = self._kth_so_far() - SLACK
        self._drop_below(floor)
        places = [self._candidates(shelf) for shelf in range(len(self.shelves))]
        segments = [shelf.segment for shelf in self.shelves]
        if not places:
            return []
        keys = np.concatenate([s.keys[p] for s, p in zip(segments, places, strict=True)])
        scores = np.concatenate([s[p] for s, p in zip(self.scores, places, strict=True)])
        owners = np.concatenate([s.owners[p] for s, p in zip(segments, places, strict=True)])
        slots = np.concatenate([s.slots[p] for s, p in zip(segments, places, strict=True)])
        return [
            Hit(int(keys[i]), int(owners[i]), int(slots[i]), round(float(scores[i]), 6))
            for i in best(scores, keys, self.k)
        ]

    def clear(self) -> None:
        """Puts the zeros back."""
        for scores, parts in zip(self.scores, self.touched, strict=True):
            for part in parts:
                scores[part] = 0.0

    def _range(self, shelf: int, number: int) -> tuple[int, int]:
        if number < 0:
            return 0, 0
        starts = self.shelves[shelf].segment.postings.starts
        return int(starts[number]), int(starts[number + 1])

    def _bound(self, term: _Term, heft: float) -> float:
        """No entry gets more than this from the term."""
        gains = [0.0]
        for shelf, number in zip(self.shelves, term.numbers, strict=True):
            if number >= 0:
                postings, average = shelf.segment.postings, shelf.average
                one = slice(number, number + 1)
                gains.append(float(saturation(postings.peaks[one], postings.shortest[one], average)[0]))
        return heft * max(gains)

    def _kth_so_far(self) -> float:
        parts, left = [], SAMPLE
        for shelf, scores in enumerate(self.scores):
            some = self._candidates(shelf)[:left]
            left -= len(some)
            parts.append(scores[some])
        return kth_largest(np.concatenate(parts), self.k) if parts else -math.inf

    def _kth_of(self, term: _Term, heft: float) -> float:
        """What the k-th best entry of this list gets from this term alone, or somewhat less."""
        found = -math.inf
        for shelf, number in enumerate(term.numbers):
            low, high = self._range(shelf, number)
            here = self.shelves[shelf]
            enough = self.k + (here.dead(number) if number >= 0 else 0)
            if high - low < enough:
                continue
            each = np.bincount(here.segment.postings.codes[low:high], minlength=len(here.gains))
            order = np.argsort(-here.gains)
            last = int(np.searchsorted(np.cumsum(each[order]), enough))
            found = max(found, heft * float(here.gains[order[last]]))
        return found

    def _length(self, term: _Term) -> int:
        ranges = (self._range(shelf, number) for shelf, number in enumerate(term.numbers))
        return sum(high - low for low, high in ranges)

    def _candidates(self, shelf: int) -> npt.NDArray[np.intp]:
        parts = self.candidates[shelf]
        if len(parts) != 1:
            parts[:] = [np.concatenate([*parts, np.zeros(0, dtype=np.intp)])]
        return parts[0]

    def _drop_below(self, least: float) -> None:
        """Forgets candidates that can't be among the best any more."""
        if least > 0.0:
            for shelf, scores in enumerate(self.scores):
                some = self._candidates(shelf)
                self.candidates[shelf] = [some[scores[some] >= least]]

    def _add(self, shelf: int, number: int, heft: float, least: float) -> None:
        """Adds a term's part to its entries. Entries that hold none of the terms so far, and get less
        than `least` from this one, may be left out."""
        low, high = self._range(shelf, number)
        postings = self.shelves[shelf].segment.postings
        entries, codes = postings.entries[low:high], postings.codes[low:high]
        gains = heft * self.shelves[shelf].gains
        if least > 0.0 and 16 * len(self._candidates(shelf)) < high - low:
            self._add_to_candidates(shelf, entries, codes, gains)
            enough = gains >= least
            kept = np.flatnonzero(enough[codes])
            places, values = entries[kept].astype(np.intp), gains[codes[kept]]
            untouched = self.scores[shelf][places] == 0.0
            self._add_to(shelf, places[untouched], values[untouched])
        else:
            self._add_to(shelf, entries.astype(np.intp), gains[codes])

    def _add_to(self, shelf: int, places: npt.NDArray[np.intp], values: npt.NDArray[np.float64]) -> None:
        alive, scores = self.shelves[shelf].alive, self.scores[shelf]
        if alive is not None:
            living = alive[places]
            places, values = places[living], values[living]
        before = scores[places]
        fresh = places[before == 0.0]
        self.touched[shelf].append(fresh)
        self.candidates[shelf].append(fresh)
        scores[places] = before + values

    def _add_to_candidates(
        self,
        shelf: int,
        entries: npt.NDArray[np.uint32],
        codes: npt.NDArray[np.uint16] | npt.NDArray[np.uint32],
        gains: npt.NDArray[np.float64],
    ) -> None:
        candidates = self._candidates(shelf)
        # Of one type with the list, or the whole list would be converted to be searched.
        wanted = candidates.astype(np.uint32)
        at = np.minimum(np.searchsorted(entries, wanted), len(entries) - 1)
        held = entries[at] == wanted
        self.scores[shelf][candidates[held]] += gains[codes[at[held]]]
