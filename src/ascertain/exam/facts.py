"""What the store says of gold nodes: kind, language, and how much of the title a question reuses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ascertain.exam.recorded import Facts
from ascertain.model.nodes import Node
from ascertain.model.tokens import Token
from ascertain.text.tokens import tokenise


def facts_of(question: str, gold: Sequence[Node]) -> Facts:
    """See Facts. gold: the gold nodes; none for an unanswerable question."""
    if not gold:
        return Facts()
    asked = {token.text for token in tokenise(question)}
    reuse, words = max(
        ((_reuse(asked, tokens), -_words(tokens)) for tokens in (_tokens(node.title) for node in gold)),
    )
    return Facts(
        kinds=tuple(sorted({node.kind for node in gold})),
        langs=tuple(sorted({node.lang or "und" for node in gold})),
        title_words=-words,
        title_reuse=round(reuse, 6),
    )


@lru_cache(maxsize=4096)
def _tokens(title: str) -> tuple[Token, ...]:
    return tuple(tokenise(title))


def _words(tokens: Sequence[Token]) -> int:
    """Whole words, function words too; of writing without blanks, its two-character grams."""
    return sum(token.kind != "part" for token in tokens)


def _reuse(asked: set[str], tokens: Sequence[Token]) -> float:
    whole = [token for token in tokens if token.kind != "part"]
    told = {token.text for token in whole if not token.stop} or {token.text for token in whole}
    return len(told & asked) / len(told) if told else 0.0
