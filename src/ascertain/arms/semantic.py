"""Nodes whose title vector lies near the question's."""

from __future__ import annotations

from ascertain.arms.base import Ground, Ranked
from ascertain.index.indexes import Hit
from ascertain.model.evidence import SemanticEvidence

_SPARE = 8  # entries read beyond those wanted, since a node's aliases are entries of their own


class SemanticArm:
    """Ranks by cosine of the question's vector and that of the title or an alias, the nearest
    counting. What speaks is the gap between neighbours in the ranking; the raw similarity is
    shown and decides nothing (chapter 18, section 4)."""

    name = "semantic"

    def rank(self, ground: Ground, depth: int) -> Ranked:
        """See Arm."""
        wanted = depth + 1 + _SPARE
        while True:
            hits = ground.indexes.near("title", ground.question.vector, wanted)
            best: dict[int, Hit] = {}
            for hit in hits:
                best.setdefault(hit.owner, hit)
            if len(best) > depth or len(hits) < wanted:
                break
            wanted *= 4
        chosen = list(best.values())[: depth + 1]
        ranked: Ranked = []
        for at, hit in enumerate(chosen[:depth]):
            gap = hit.score - chosen[at + 1].score if at + 1 < len(chosen) else 0.0
            ranked.append((hit.owner, SemanticEvidence(at + 1, hit.score, round(gap, 6))))
        return ranked
