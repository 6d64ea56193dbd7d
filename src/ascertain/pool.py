"""The union of what the arms put forward. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ascertain.model.evidence import Evidence, SemanticEvidence

DEPTH = 40
"""How many nodes each arm puts forward, of all and of the visible."""

SIZE = 50
"""How many candidates the best of all come to at most."""

_DAMPING = 20


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


Same = Callable[[int, int], bool]
"""Are two node keys versions of one thing?"""


def first_versions(
    ranked: Sequence[tuple[int, Evidence]], *, depth: int, node: Mapping[int, str], stands: Callable[[int], bool]
) -> list[tuple[int, Evidence]]:
    """The best `depth` nodes of an arm's ranking, each with at most two of its recorded versions: the
    best ranked, and the one that stands. A thousand corrections of one node take one place.

    node: key → id, for every key of the ranking. stands: is this key the version that stands?
    """
    chosen: list[tuple[int, Evidence]] = []
    met: set[str] = set()
    for key, evidence in ranked:
        fresh = node[key] not in met
        if (fresh and len(met) < depth) or (not fresh and stands(key)):
            chosen.append((key, evidence))
            met.add(node[key])
    return chosen


def fair(
    ranked: Sequence[tuple[int, Evidence]],
    chosen: Sequence[tuple[int, Evidence]],
    *,
    node: Mapping[int, str],
    same: Same,
) -> list[tuple[int, Evidence]]:
    """The chosen ones of a ranking with ranks and gaps that don't count versions of one thing
    against each other: a rank is 1 plus how many other nodes are ahead, and a gap is that to the
    next which is another thing. Else whoever corrects a memory would take its evidence away.
    """
    places = {key: at for at, (key, _) in enumerate(ranked)}
    made: list[tuple[int, Evidence]] = []
    for key, evidence in chosen:
        ahead = {
            node[other]
            for other, its in ranked[: places[key]]
            if its.rank < evidence.rank and node[other] != node[key] and not same(key, other)
        }
        made.append((key, replace(_with_gap(key, evidence, ranked[places[key] + 1 :], same), rank=1 + len(ahead))))
    return made


def _with_gap(key: int, evidence: Evidence, behind: Sequence[tuple[int, Evidence]], same: Same) -> Evidence:
    if not isinstance(evidence, SemanticEvidence):
        return evidence
    last = evidence
    for other, its in behind:
        assert isinstance(its, SemanticEvidence)  # one arm, one kind of evidence
        if not same(key, other):
            return replace(evidence, gap=round(evidence.similarity - its.similarity, 6))
        last = its
    return replace(evidence, gap=round(evidence.similarity - (last.similarity - last.gap), 6))
