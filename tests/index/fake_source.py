"""A Source in memory: small, real, and as free in its order as a store may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ascertain.store.base import Entry, Family


def entry(
    key: int,
    terms: str = "",
    vector: Sequence[float] = (),
    *,
    family: Family = "title",
    owner: int | None = None,
    slot: int = 0,
    dimension: int = 8,
) -> Entry:
    """An entry; its vector is filled up with zeros."""
    values = np.zeros(dimension, dtype="<f2")
    values[: len(vector)] = vector
    return Entry(family, key, key * 10 if owner is None else owner, slot, terms, values.tobytes())


class FakeSource:
    """Entries by family and key, each with the generation it was written in."""

    def __init__(self, dimension: int = 8, uuid: str = "store-1") -> None:
        self.uuid = uuid
        self.dimension = dimension
        self.reads = 0
        self._generation = 0
        self._entries: dict[tuple[Family, int], tuple[int, Entry]] = {}
        self._gone: list[tuple[Family, int, int]] = []

    def write(self, *entries: Entry, remove: Sequence[tuple[Family, int]] = ()) -> None:
        """One transaction: removals, then entries."""
        self._generation += 1
        for family, key in remove:
            if self._entries.pop((family, key), None):
                self._gone.append((family, key, self._generation))
        for item in entries:
            # Taken out first, so that a changed entry comes last: no order may be relied on.
            self._entries.pop((item.family, item.key), None)
            self._entries[item.family, item.key] = (self._generation, item)

    def living(self, family: Family) -> list[Entry]:
        return [item for (name, _), (_, item) in self._entries.items() if name == family]

    def generation(self) -> int:
        return self._generation

    def entries(self, family: Family, *, since: int = -1) -> Iterator[Entry]:
        self.reads += 1
        for (name, _), (generation, item) in list(self._entries.items()):
            if name == family and generation > since:
                yield item

    def entry_count(self, family: Family, *, since: int = -1) -> int:
        return sum(1 for (name, _), (at, _) in self._entries.items() if name == family and at > since)

    def gone(self, family: Family, *, since: int) -> list[int]:
        return [key for name, key, generation in self._gone if name == family and generation > since]

    def terms(self, keys: Sequence[int]) -> dict[int, tuple[str, ...]]:
        wanted = set(keys)
        return {key: tuple(e.terms.split()) for (_, key), (_, e) in self._entries.items() if key in wanted}

    def vectors(self, keys: Sequence[int]) -> npt.NDArray[np.float32]:
        by_key = {key: item for (_, key), (_, item) in self._entries.items()}
        out = np.zeros((len(keys), self.dimension), dtype=np.float32)
        for row, key in enumerate(keys):
            if key in by_key:
                vector = np.frombuffer(by_key[key].vector, dtype="<f2")
                out[row, : len(vector)] = vector
        return out
