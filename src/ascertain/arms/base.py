"""What an arm is, and what it may look at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ascertain.index.indexes import Indexes
from ascertain.model.evidence import Evidence
from ascertain.model.question import Question
from ascertain.search.pieces import FoundPiece
from ascertain.store.base import NodeRow, Reader

Ranked = list[tuple[int, Evidence]]
"""Node keys with the arm's evidence, best first, no key twice."""


@dataclass
class Ground:
    """What arms stand on: the store, its indexes, the question and the pieces that search
    returned for it. Rows that were read once are kept for the other arms."""

    reader: Reader
    indexes: Indexes
    question: Question
    pieces: Sequence[FoundPiece]
    _rows: dict[int, NodeRow] = field(default_factory=dict)
    _weights: dict[str, float] = field(default_factory=dict)

    def rows(self, keys: Sequence[int]) -> dict[int, NodeRow]:
        """The nodes' rows; keys that are gone are left out."""
        if missing := [key for key in keys if key not in self._rows]:
            self._rows |= self.reader.nodes(missing)
        return {key: self._rows[key] for key in keys if key in self._rows}

    def weights(self, terms: Sequence[str]) -> dict[str, float]:
        """Inverse document frequency of terms over titles, as in BM25 (Robertson and Walker):
        ln(1 + (N - n + 0.5) / (n + 0.5)); above 0, larger for rarer terms."""
        if missing := [term for term in dict.fromkeys(terms) if term not in self._weights]:
            size = self.indexes.size("title")
            found = self.indexes.document_frequency("title", missing)
            for term in missing:
                count = found.get(term, 0)
                self._weights[term] = math.log(1 + (max(size - count, 0) + 0.5) / (count + 0.5))
        return {term: self._weights[term] for term in terms}

    def share(self, part: Sequence[str], whole: Sequence[str]) -> float:
        """How much of the weight of `whole` its terms in `part` carry, 0 to 1."""
        weights = self.weights(list(whole))
        total = sum(weights[term] for term in sorted(set(whole)))
        held = set(part)
        return round(sum(weights[term] for term in sorted(set(whole)) if term in held) / total, 6) if total else 0.0


class Arm(Protocol):
    """One way for a node to become a candidate."""

    @property
    def name(self) -> str: ...

    def rank(self, ground: Ground, depth: int) -> Ranked:
        """The best `depth` nodes of all, current and retired; fewer only where there are no more."""
