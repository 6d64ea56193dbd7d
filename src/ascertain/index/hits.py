"""What a search returns, and the one rule by which it is ordered."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

DECIMALS = 6
"""Scores are rounded to this many decimals before they are ordered."""

SLACK = 2e-6
"""Whatever lies this far below a score may still tie with it after rounding."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A found entry. score: BM25 for words, cosine similarity for vectors; 6 decimals."""

    key: int
    owner: int
    slot: int
    score: float


def best(scores: npt.NDArray[np.float64], keys: npt.NDArray[np.int64], k: int) -> npt.NDArray[np.intp]:
    """Places of the k best, best first: by rounded score, then the smaller key.

    scores, keys: one-dimensional, equally long; k may be larger than that.
    Linear in what ties at the k-th place: only those that stay are sorted.

    >>> best(np.array([0.5, 0.9, 0.5]), np.array([7, 8, 3]), 2).tolist()
    [1, 2]
    """
    rounded = np.round(scores, DECIMALS)
    if k <= 0 or not len(rounded):
        return np.zeros(0, dtype=np.intp)
    if k < len(rounded):
        last = np.partition(rounded, len(rounded) - k)[len(rounded) - k]
        above = np.flatnonzero(rounded > last)
        tied = np.flatnonzero(rounded == last)
        places = np.concatenate([above, smallest(tied, keys, k - len(above))])
    else:
        places = np.arange(len(rounded))
    return places[np.lexsort((keys[places], -rounded[places]))]


def smallest(places: npt.NDArray[np.intp], keys: npt.NDArray[np.int64], k: int) -> npt.NDArray[np.intp]:
    """The k of these places with the smallest keys, in no particular order."""
    if k >= len(places):
        return places
    return places[np.argpartition(keys[places], k)[:k]] if k > 0 else places[:0]


def kth_largest(values: npt.NDArray[np.float64], k: int) -> float:
    """The k-th largest value; minus infinity where there are fewer."""
    if k <= 0 or len(values) < k:
        return float("-inf")
    return float(np.partition(values, len(values) - k)[len(values) - k])
