"""What the layers above hold: the indexes of all three families."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ascertain.index import bm25
from ascertain.index.family import FamilyIndex, State
from ascertain.index.held import Held, held
from ascertain.index.hits import Hit
from ascertain.index.nearest import nearest
from ascertain.store.base import FAMILIES, Family, Source

__all__ = ["Held", "Hit", "Indexes"]

Result = TypeVar("Result")


class Indexes:
    """Term and vector search over a source.

    Answers depend on nothing but the entries that live in the source: not on the order in which they
    were written, nor on how far a cache is behind. They are as of the last `catch_up` (the first
    search calls it). Searches may run in many threads at once, also while another catches up.
    """

    def __init__(self, source: Source, folder: Path | None) -> None:
        """folder: where the caches lie, made when first needed; None, or one that can't be written:
        they are kept in memory. Reads nothing yet."""
        self._source = source
        self._lock = threading.Lock()
        self._families = {
            family: FamilyIndex(source, family, None if folder is None else folder / family) for family in FAMILIES
        }

    def catch_up(self) -> None:
        """Takes in what was written since; one number is read where nothing was. A cache that is
        missing, damaged or of another store is built anew, as is one that is far behind."""
        with self._lock:
            # Read before the entries: what is written meanwhile is at worst read twice.
            generation = self._source.generation()
            for index in self._families.values():
                index.catch_up(generation)

    def rebuild(self) -> None:
        """Builds all of it anew from the source."""
        with self._lock:
            generation = self._source.generation()
            for index in self._families.values():
                index.rebuild(generation)

    def check(self) -> list[str]:
        """What is wrong, one sentence each; [] when all is well. Reads every byte of the caches."""
        self.catch_up()
        with self._lock:
            return [problem for index in self._families.values() for problem in index.problems()]

    def size(self, family: Family) -> int:
        """How many entries live."""
        return self._state(family).size

    def document_frequency(self, family: Family, terms: Sequence[str]) -> dict[str, int]:
        """term → in how many living entries it stands; 0 for one that is nowhere."""
        return self._searched(family, lambda state: bm25.frequencies(state.shelves, terms))

    def words(self, family: Family, terms: Sequence[str], k: int) -> list[Hit]:
        """The k best entries by BM25 that hold at least one of the terms, best first, equal scores in
        key order. A term counts once however often it is given; of more than 64 terms that occur,
        the 64 rarest count."""
        return self._searched(family, lambda state: bm25.top(state.shelves, terms, k, state.size))

    def held(self, family: Family, keys: Sequence[int], terms: Sequence[str]) -> dict[int, Held]:
        """key → which of the terms stand in that living entry, and how many different ones it has."""
        return self._searched(
            family, lambda state: held([(part.segment, part.alive) for part in state.living], keys, terms)
        )

    def near(self, family: Family, vector: npt.NDArray[np.float32], k: int) -> list[Hit]:
        """The k entries nearest to a vector by cosine, best first, equal scores in key order.

        vector: (dimension,), of any length; one of zeros is near nothing. Entries whose vector is all
        zeros are never returned. Exact up to 20,000 entries, above that nearly always.

        Raises ValueError if the vector has another shape.
        """
        if np.shape(vector) != (self._source.dimension,):
            raise ValueError(f"a vector of {self._source.dimension} components, not of {np.shape(vector)}")
        fetch = self._source.vectors
        return self._searched(family, lambda state: nearest(state.places, vector, k, state.near, fetch))

    def _state(self, family: Family) -> State:
        state = self._families[family].state
        while state is None:
            self.catch_up()
            state = self._families[family].state
        return state

    def _searched(self, family: Family, search: Callable[[State], Result]) -> Result:
        try:
            return search(self._state(family))
        except (IndexError, ValueError):
            # Numbers that point nowhere: bytes of a cache were changed where opening does not look.
            if not self._families[family].cached:
                raise
            self.rebuild()
            return search(self._state(family))
