"""search(question) → ranked pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from ascertain.index.indexes import Indexes
from ascertain.model.question import Question
from ascertain.search.fusion import fuse
from ascertain.store.base import PieceRow, Reader

DEPTH = 64
"""How deep each of the two rankings is read."""


@dataclass(frozen=True, slots=True)
class FoundPiece:
    """A piece, by key and id, and how it was found. rank from 1; word_rank (BM25) and vector_rank likewise, None
    where that ranking missed it; word_score and similarity (cosine) are theirs. score: reciprocal
    rank fusion. matched: terms in common."""

    key: int
    id: str
    rank: int
    score: float
    word_rank: int | None
    vector_rank: int | None
    matched: tuple[str, ...]
    word_score: float | None = None
    similarity: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage(FoundPiece):
    """A found piece with its text, document and place."""

    row: PieceRow


def read(reader: Reader, found: Sequence[FoundPiece]) -> list[Passage]:
    """The same pieces with what they say, in the same order."""
    rows = reader.pieces([one.key for one in found])
    return [Passage(**_values(one), row=rows[one.key]) for one in found if one.key in rows]


def _values(one: FoundPiece) -> dict[str, Any]:
    return {field.name: getattr(one, field.name) for field in fields(one)}


def search(reader: Reader, indexes: Indexes, question: Question, *, limit: int) -> list[FoundPiece]:
    """The best pieces for a question by full text (BM25) and by vector, fused; at most `limit`."""
    depth = max(DEPTH, limit)
    words = indexes.words("piece", question.terms, depth)
    near = indexes.near("piece", question.vector, depth)
    entry = {hit.owner: hit.key for hit in (*words, *near)}
    by_words = {hit.owner: rank for rank, hit in enumerate(words, 1)}
    by_vector = {hit.owner: rank for rank, hit in enumerate(near, 1)}
    word_scores = {hit.owner: hit.score for hit in words}
    similar = {hit.owner: hit.score for hit in near}
    scores = fuse([list(by_words), list(by_vector)])
    best = sorted(scores, key=lambda key: (-round(scores[key], 9), key))[:limit]
    ids = reader.piece_ids(best)
    held = indexes.held("piece", [entry[key] for key in best], question.terms)
    found: list[FoundPiece] = []
    for key in best:
        if (id := ids.get(key)) is None:
            continue  # removed by another process since the indexes were caught up
        stands = held[entry[key]].terms if entry[key] in held else frozenset[str]()
        matched = tuple(term for term in question.terms if term in stands)
        found.append(
            FoundPiece(
                key,
                id,
                len(found) + 1,
                scores[key],
                by_words.get(key),
                by_vector.get(key),
                matched,
                word_scores.get(key),
                similar.get(key),
            )
        )
    return found
