"""Rankings into one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)

DAMPING = 60


def fuse(rankings: Sequence[Sequence[T]], *, damping: int = DAMPING) -> dict[T, float]:
    """Merges rankings by reciprocal rank.

    rankings: lists, best first, nothing twice in one list; may be empty.
    damping:  a positive whole number; the larger, the flatter the head.

    Returns a score for each: the sum of 1 / (damping + rank), rank from 1. It has no meaning
    across questions.

    Raises ValueError if damping is not positive.
    Source: Cormack, Clarke and Büttcher, SIGIR 2009.

    >>> max((found := fuse([["a", "b"], ["b"]])), key=found.get)
    'b'
    """
    if damping <= 0:
        raise ValueError("damping must be positive")
    scores: dict[T, float] = {}
    for ranking in rankings:
        for rank, one in enumerate(ranking, 1):
            scores[one] = scores.get(one, 0.0) + 1 / (damping + rank)
    return scores
