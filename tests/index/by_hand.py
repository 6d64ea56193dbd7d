"""The same answers worked out entry by entry, without an index."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from ascertain.index.hits import Hit
from ascertain.store.base import Entry


def frequency(entries: Sequence[Entry], term: str) -> int:
    return sum(term in entry.terms.split() for entry in entries)


def words(entries: Sequence[Entry], terms: Sequence[str], k: int) -> list[Hit]:
    """BM25 with k1 = 1.2 and b = 0.75 over every entry."""
    if not entries:
        return []
    average = sum(len(entry.terms.split()) for entry in entries) / len(entries)
    df = {term: frequency(entries, term) for term in set(terms)}
    hits = []
    for entry in entries:
        counts, length = Counter(entry.terms.split()), len(entry.terms.split())
        score = 0.0
        for term in df:
            if counts[term]:
                idf = math.log(1 + (len(entries) - df[term] + 0.5) / (df[term] + 0.5))
                norm = 1.2 * (1 - 0.75 + 0.75 * length / average)
                score += idf * counts[term] * 2.2 / (counts[term] + norm)
        if score > 0:
            hits.append(Hit(entry.key, entry.owner, entry.slot, round(score, 6)))
    return sorted(hits, key=lambda hit: (-hit.score, hit.key))[:k]


def near(entries: Sequence[Entry], vector: Sequence[float], k: int) -> list[Hit]:
    """Cosine with every entry."""
    question = np.asarray(vector, dtype=np.float64)
    hits = []
    for entry in entries:
        value = np.frombuffer(entry.vector, dtype="<f2").astype(np.float64)
        if value.any() and question.any():
            score = float(value @ question / (np.linalg.norm(value) * np.linalg.norm(question)))
            hits.append(Hit(entry.key, entry.owner, entry.slot, round(score, 6)))
    return sorted(hits, key=lambda hit: (-hit.score, hit.key))[:k]


def agree(found: Sequence[Hit], expected: Sequence[Hit]) -> bool:
    """Whether two answers are the same but for the last decimal, which sums in another order may move,
    and with it the order of what is apart by no more."""
    if len(found) != len(expected):
        return False
    close = all(abs(a.score - b.score) <= 1.5e-6 for a, b in zip(found, expected, strict=True))
    edge = expected[-1].score + 2e-6 if expected else 0.0
    above = {hit.key for hit in expected if hit.score > edge} <= {hit.key for hit in found}
    ordered = list(found) == sorted(found, key=lambda hit: (-hit.score, hit.key))
    return close and above and ordered
