"""Nodes whose own text is about what the question says: a definition, a fact, a reason."""

from __future__ import annotations

from ascertain.arms.base import Ground, Ranked
from ascertain.model.evidence import TextEvidence
from ascertain.search.fusion import fuse


class TextArm:
    """Ranks by full text and by vector over the bodies of nodes, fused by reciprocal rank.
    An Episode has no such text: its summary is answer material."""

    name = "text"

    def rank(self, ground: Ground, depth: int) -> Ranked:
        """See Arm."""
        question = ground.question
        words = ground.indexes.words("body", question.terms, depth)
        near = ground.indexes.near("body", question.vector, depth)
        entry = {hit.owner: hit.key for hit in (*words, *near)}
        by_words = {hit.owner: rank for rank, hit in enumerate(words, 1)}
        by_vector = {hit.owner: rank for rank, hit in enumerate(near, 1)}
        similar = {hit.owner: hit.score for hit in near}
        scores = fuse([list(by_words), list(by_vector)])
        chosen = sorted(scores, key=lambda key: (-round(scores[key], 9), key))[:depth]
        held = ground.indexes.held("body", [entry[key] for key in chosen], question.terms)
        ranked: Ranked = []
        for rank, key in enumerate(chosen, 1):
            told = tuple(held[entry[key]].terms) if entry[key] in held else ()
            share = ground.share(told, question.terms)
            evidence = TextEvidence(rank, by_words.get(key), by_vector.get(key), similar.get(key), share)
            ranked.append((key, evidence))
        return ranked
