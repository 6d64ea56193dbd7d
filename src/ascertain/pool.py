"""The union of what the arms put forward. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ascertain.model.evidence import Evidence

DEPTH = 24
"""How many nodes each arm puts forward, of all and of the visible."""

SIZE = 50
"""How many candidates the best of all come to at most."""

_DAMPING = 60


def unite(best: Mapping[str, Sequence[tuple[int, Evidence]]], *, size: int = SIZE) -> dict[int, dict[str, Evidence]]:
    """The arms' rankings as one pool: node key → evidence by arm.

    best: for each arm its nodes, best first. Where the union is larger than `size`, nodes stay
    by reciprocal rank fusion (see search/fusion.py), equal scores by key.
    """
    united: dict[int, dict[str, Evidence]] = {}
    scores: dict[int, float] = {}
    for arm in sorted(best):
        for rank, (key, evidence) in enumerate(best[arm], 1):
            united.setdefault(key, {})[arm] = evidence
            scores[key] = scores.get(key, 0.0) + 1 / (_DAMPING + rank)
    kept = sorted(united, key=lambda key: (-round(scores[key], 9), key))[:size]
    return {key: united[key] for key in sorted(kept)}
