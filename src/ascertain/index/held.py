"""Which of a question's terms an entry holds, told by the index: the store need not be read for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ascertain.index.postings import term_hash
from ascertain.index.segment import Segment


@dataclass(frozen=True, slots=True)
class Held:
    """terms: those of the wanted ones that an entry holds. distinct: how many different terms it has."""

    terms: frozenset[str]
    distinct: int


def held(
    parts: Sequence[tuple[Segment, npt.NDArray[np.bool_]]], keys: Sequence[int], terms: Sequence[str]
) -> dict[int, Held]:
    """key → what it holds; keys that live nowhere are left out.

    parts: segments and, (N,) each, which of their entries live.
    """
    wanted = list(dict.fromkeys(terms))
    hashes = np.array([term_hash(term) for term in wanted], dtype=np.uint64)
    found: dict[int, Held] = {}
    for segment, alive in parts:
        places = segment.find(np.array(keys, dtype=np.int64))
        places = places[alive[places]]
        if not len(places):
            continue
        postings = segment.postings
        starts = postings.forward_starts[places]
        counts = postings.forward_starts[places + 1] - starts
        # The terms of all these entries one after another, without a call for each.
        before = np.cumsum(counts) - counts
        whose = np.repeat(np.arange(len(places)), counts)
        numbers = postings.forward[np.repeat(starts - before, counts) + np.arange(int(counts.sum()))].astype(np.int64)
        named = postings.find(hashes)
        here = {number: wanted[at] for at, number in enumerate(named.tolist()) if number >= 0}
        met = np.flatnonzero(np.isin(numbers, np.array(list(here), dtype=np.int64)))
        holds: list[set[str]] = [set() for _ in range(len(places))]
        for at, number in zip(whose[met].tolist(), numbers[met].tolist(), strict=True):
            holds[at].add(here[number])
        for at, key in enumerate(segment.keys[places].tolist()):
            found[key] = Held(frozenset(holds[at]), int(counts[at]))
    return found
