"""One family's index: a base, small segments of what was written since, and what has died in each.

The base is a cache in files. What changes afterwards is kept in memory, in a few segments whose
sizes grow by a factor, so that one new entry costs little whatever has changed before; a changed
or removed entry is dead in its old segment. When that outgrows the base, the base is built anew.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ascertain.index import bits, cache, segment
from ascertain.index.bm25 import Shelf, saturation
from ascertain.index.nearest import FEW, Place
from ascertain.index.segment import KEEPS_VECTORS, Row, Segment
from ascertain.store.base import Family, Source

OUTGROWN = 5_000
OUTGROWN_SHARE = 0.2
"""So many changed entries, or this share of the base if that is more, have the base built anew."""

OUTGROWN_ON_OPENING = 500
"""As OUTGROWN, when a base has just been read from its files: every process that opens the store
would read these entries again, so a base that is small is sooner built anew."""

MERGED = 256
"""Changed entries up to here lie in one segment."""
GROWTH = 4
"""Each segment has at least so many times the entries of the next."""


@dataclass(frozen=True, slots=True, eq=False)
class Living:
    """A segment and what lives of it.

    alive:   (N,) bool; near: (N,) bool, alive and not blank; near_bitmap: the same.
    units:   its unit vectors, made when called for.
    words:   how many terms the living entries have. dead: how many entries do not live.
    dead_df: (T,), in how many dead entries each term stands; None where none is dead.
    """

    segment: Segment
    alive: npt.NDArray[np.bool_]
    near: npt.NDArray[np.bool_]
    near_bitmap: bits.Words
    units: Callable[[], npt.NDArray[np.float32]]
    words: int
    dead: int = 0
    dead_df: npt.NDArray[np.int64] | None = None

    @classmethod
    def of(cls, segment: Segment) -> Living:
        near = ~np.asarray(segment.blank, dtype=bool)
        alive = np.ones(len(segment), dtype=bool)
        words = int(segment.lengths.sum(dtype=np.int64))
        return cls(segment, alive, near, bits.bitmap(near), _Units(segment), words)

    def without(self, keys: npt.NDArray[np.int64]) -> Living:
        """The same, with these keys dead; itself if none of them lives here."""
        places = self.segment.find(keys)
        places = places[self.alive[places]]
        if not len(places):
            return self
        alive, near = self.alive.copy(), self.near.copy()
        alive[places] = near[places] = False
        postings = self.segment.postings
        df = np.bincount(postings.terms_of(places.tolist()), minlength=len(postings.hashes))
        if self.dead_df is not None:
            df = df + self.dead_df
        return replace(
            self,
            alive=alive,
            near=near,
            near_bitmap=bits.bitmap(near),
            words=self.words - int(self.segment.lengths[places].sum(dtype=np.int64)),
            dead=self.dead + len(places),
            dead_df=df,
        )

    def keys(self) -> npt.NDArray[np.int64]:
        """Keys of the living entries."""
        return self.segment.keys[self.alive]


class _Units:
    """A segment's vectors as float32 of length 1, made when first called for."""

    def __init__(self, segment: Segment) -> None:
        self._segment = segment
        self._made: npt.NDArray[np.float32] | None = None

    def __call__(self) -> npt.NDArray[np.float32]:
        if self._made is None:
            values = self._segment.vectors.astype(np.float32)
            lengths = np.sqrt(np.einsum("ij,ij->i", values, values))
            values /= np.where(lengths > 0.0, lengths, 1.0)[:, None]
            self._made = values
        return self._made


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """All that a search needs, never changed once made. size: living entries; near: how many of them
    have a vector."""

    generation: int
    living: tuple[Living, ...]
    size: int
    near: int
    shelves: tuple[Shelf, ...]
    places: tuple[Place, ...]


def state_of(generation: int, living: Sequence[Living]) -> State:
    """A state with its statistics, which are exact over what lives."""
    size = sum(len(part.segment) - part.dead for part in living)
    average = sum(part.words for part in living) / size if size else 0.0
    shelves = []
    for part in living:
        postings = part.segment.postings
        gains = saturation(postings.code_counts, postings.code_lengths, average)
        shelves.append(Shelf(part.segment, part.alive if part.dead else None, part.dead_df, average, gains))
    places = [Place(part.segment, part.near, part.near_bitmap, part.units) for part in living if part.near.any()]
    near = sum(bits.size(part.near_bitmap) for part in living)
    return State(generation, tuple(living), size, near, tuple(shelves), tuple(places))


class FamilyIndex:
    """The index of one family. `catch_up` and `rebuild` are called by one thread at a time; `state`
    may be read at any time."""

    def __init__(self, source: Source, family: Family, folder: Path | None) -> None:
        self._source = source
        self._family: Family = family
        self._folder = folder
        self._rows: dict[int, Row] = {}
        self._touched: set[int] = set()
        self._build: cache.Build | None = None
        self.state: State | None = None

    def catch_up(self, generation: int) -> None:
        """Takes in what was written up to this generation, and perhaps later."""
        limit = OUTGROWN
        if self.state is None:
            self._open()
            limit = OUTGROWN_ON_OPENING
        state = self.state
        if state is None:
            self.rebuild(generation)
        elif state.generation > generation:
            # Another process may have written and built since the number was read; if the store itself
            # is behind, an older copy of it was put back.
            if state.generation > self._source.generation():
                self.rebuild(generation)
        elif state.generation < generation:
            most = max(limit, int(OUTGROWN_SHARE * len(state.living[0].segment)))
            if self._source.entry_count(self._family, since=state.generation) > most:
                self.rebuild(generation)
                return
            self._take_in(state, generation)
            if len(self._touched) > most:
                self.rebuild(generation)

    def rebuild(self, generation: int) -> None:
        """Builds the base from all entries and keeps it in files where that is possible."""
        entries = self._source.entries(self._family)
        base = segment.from_entries(entries, self._source.dimension, columns_from=FEW)
        build = None
        if self._folder is not None:
            with contextlib.suppress(OSError):
                build = cache.save(self._folder, self._stamp(), generation, base)
        if build is not None:
            base = build.segment  # mapped: what was built in memory is let go of
        self._build, self._rows, self._touched = build, {}, set()
        self.state = state_of(generation, [Living.of(base)])

    @property
    def cached(self) -> bool:
        """Whether the base lies in files, where something may damage it."""
        return self._build is not None

    def problems(self) -> list[str]:
        """What is wrong with the files or the count of entries, in words."""
        found = cache.damage(self._build) if self._build is not None else []
        there = self._source.entry_count(self._family)
        here = self.state.size if self.state is not None else 0
        if here != there:
            found.append(f"the {self._family} index holds {here} entries, the store {there}")
        return found

    def _stamp(self) -> cache.Stamp:
        return cache.Stamp(self._source.uuid, self._family, self._source.dimension)

    def _open(self) -> None:
        self._build = cache.load(self._folder, self._stamp()) if self._folder is not None else None
        if self._build is not None:
            self.state = state_of(self._build.generation, [Living.of(self._build.segment)])

    def _take_in(self, state: State, generation: int) -> None:
        # Removals first: a key may have been removed and written again.
        gone = self._source.gone(self._family, since=state.generation)
        written = list(self._source.entries(self._family, since=state.generation))
        base = state.living[0]
        dimension = self._source.dimension
        fresh = segment.rows(written, dimension, keep_vectors=len(base.segment) <= KEEPS_VECTORS)
        touched = {*gone, *(row.key for row in fresh)}
        if not touched:
            self.state = replace(state, generation=generation)
            return
        for key in gone:
            self._rows.pop(key, None)
        self._rows.update((row.key, row) for row in fresh)
        dead = np.array(sorted(touched), dtype=np.int64)
        base, *small = (part.without(dead) for part in state.living)
        merged = {row.key: row for row in fresh}
        while small and self._joins(small[-1], len(merged)):
            merged.update((key, self._rows[key]) for key in small.pop().keys().tolist())
        if merged:
            made = segment.from_rows(list(merged.values()), dimension, columns_from=FEW)
            small.append(Living.of(made))
        self._touched |= touched
        self.state = state_of(generation, [base, *small])

    @staticmethod
    def _joins(last: Living, count: int) -> bool:
        living = len(last.segment) - last.dead
        return living + count <= MERGED or living < GROWTH * count
