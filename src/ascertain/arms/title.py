"""Nodes whose title or alias shares words with the question."""

from __future__ import annotations

from ascertain.arms.base import Ground, Ranked
from ascertain.model.evidence import TitleEvidence
from ascertain.model.question import Question

_SLOTS = 2  # entries read for each node wanted, since a node's aliases are entries of their own


class TitleArm:
    """Ranks by BM25 over titles and aliases, each a text of its own; a node counts with its best.

    Titles are not normalised by length beyond what BM25 does: a short title then wins on one
    word and sentences never do (chapter 18, section 3).
    """

    name = "title"

    def rank(self, ground: Ground, depth: int) -> Ranked:
        """See Arm."""
        question = ground.question
        wanted = depth * _SLOTS
        while True:
            hits = ground.indexes.words("title", question.terms, wanted)
            best = {hit.owner: hit for hit in reversed(hits)}
            if len(best) >= depth or len(hits) < wanted:
                break
            wanted *= 4
        chosen = sorted(best.values(), key=lambda hit: (-hit.score, hit.key))[:depth]
        held = ground.indexes.held("title", [hit.key for hit in chosen], question.terms)
        rows = ground.rows([hit.owner for hit in chosen])
        ranked: Ranked = []
        for hit in chosen:
            row = rows.get(hit.owner)
            if row is None or hit.key not in held:
                continue
            surface = (row.node.title, *row.node.aliases)[hit.slot]
            standing = held[hit.key].terms
            evidence = TitleEvidence(
                rank=len(ranked) + 1,
                score=hit.score,
                surface=surface,
                matched=in_common(question, standing),
                title_share=round(len(standing) / held[hit.key].distinct, 6) if standing else 0.0,
                question_share=ground.share(tuple(standing), question.terms),
            )
            ranked.append((hit.owner, evidence))
        return ranked


def in_common(question: Question, standing: frozenset[str]) -> tuple[str, ...]:
    """The question's terms that stand in a text; parts of a word that matched whole don't count again."""
    met = [token for token in question.tokens if token.text in standing and token.text in question.terms]
    kept = [
        token
        for token in met
        if not any(
            other.start <= token.start and token.end <= other.end and other.end - other.start > token.end - token.start
            for other in met
        )
    ]
    return tuple(dict.fromkeys(token.text for token in kept))
