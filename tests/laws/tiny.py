"""A tiny encoder and policies that try to break the law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
import numpy.typing as npt

from ascertain.decide.base import Verdict
from ascertain.model.evidence import Pool


class TinyEncoder:
    """A bag of words in 16 dimensions: equal words, equal direction. Fast, and the same everywhere."""

    name = "tiny"
    dimension = 16

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.casefold().split():
                row += np.random.default_rng(crc32(word.encode())).standard_normal(self.dimension)
            if length := float(np.linalg.norm(row)):
                row /= length
        return rows


@dataclass(frozen=True)
class LastOneSeen:
    """Resolves wherever a single candidate looks as if it may be seen: what a filter must never allow."""

    name: str = "last-one-seen"
    author: str = "tests"

    def decide(self, pool: Pool) -> Verdict:
        seen = [one.id for one in pool.candidates if one.visible and not one.hidden_why and one.retired_at is None]
        order = tuple(one.id for one in pool.candidates)
        scores = dict.fromkeys(order, 1.0)
        if len(seen) == 1:
            return Verdict("resolved", seen[0], order, scores, (seen[0],), "one is left")
        return Verdict("choose" if order else "none", None, order, scores, order, "not one is left")


@dataclass(frozen=True)
class AnyOne:
    """Resolves, chooses and gives up by a hash of all it is shown: any difference is another answer."""

    name: str = "any-one"
    author: str = "tests"

    def decide(self, pool: Pool) -> Verdict:
        order = tuple(one.id for one in pool.candidates)
        told = crc32(repr(pool.to_json()).encode())
        scores = dict.fromkeys(order, 1.0)
        if not order or told % 4 == 0:
            return Verdict("none", None, order, scores, (), "by chance")
        if told % 4 == 1:
            return Verdict("choose", None, order, scores, order[:2], "by chance")
        node = order[told % len(order)]
        return Verdict("resolved", node, order, scores, (node,), "by chance")
