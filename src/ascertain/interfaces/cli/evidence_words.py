"""What one arm says for one candidate, in a line of words."""

from __future__ import annotations

from ascertain.model.evidence import (
    Evidence,
    GraphEvidence,
    NameEvidence,
    SemanticEvidence,
    SpellingEvidence,
    TextEvidence,
    TitleEvidence,
)

_MOST = 6


def evidence_words(evidence: Evidence) -> str:
    """The figures of an arm's evidence with what they are; the rank is left to the table."""
    match evidence:
        case TitleEvidence():
            shares = f"{evidence.title_share:.0%} of the title, {evidence.question_share:.0%} of the question"
            return f"{', '.join(evidence.matched[:_MOST])} in «{evidence.surface}»: {shares}"
        case NameEvidence():
            rest = f"; left over: {', '.join(evidence.rest[:_MOST])}" if evidence.rest else ""
            inside = "; inside a longer name" if evidence.contained else ""
            whole = "is the whole question" if evidence.exact else "stands in the question"
            return f"«{evidence.name}» {whole}{inside}{rest}"
        case SemanticEvidence():
            return f"gap {evidence.gap:.3f} to the next, similarity {evidence.similarity:.3f}"
        case GraphEvidence():
            ways = [f"{path.piece} (rank {path.piece_rank}) {' → '.join(path.edges)}" for path in evidence.paths[:2]]
            return f"{evidence.pieces} piece{' leads' if evidence.pieces == 1 else 's lead'} here: {'; '.join(ways)}"
        case TextEvidence():
            ranks = (("words", evidence.word_rank), ("vector", evidence.vector_rank))
            told = ", ".join(f"{name} rank {rank}" for name, rank in ranks if rank is not None)
            return f"{told}, {evidence.question_share:.0%} of the question"
        case SpellingEvidence():
            pairs = ", ".join(f"{mine} ~ {theirs}" for mine, theirs in evidence.matched[:_MOST])
            return f"{pairs}: likeness {evidence.likeness:.0%}, {evidence.question_share:.0%} of the question"
