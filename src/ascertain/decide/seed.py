"""The chapter's policy (chapter 18, sections 2 to 4), exactly; the baseline for all others."""

from __future__ import annotations

from dataclasses import dataclass

from ascertain.decide.base import Verdict
from ascertain.decide.rules import (
    agreement,
    deciding,
    in_words,
    reciprocal_ranks,
    rivals_of,
    semantic_of,
    title_of,
)
from ascertain.model.evidence import Candidate, Pool

ARMS = ("title", "graph", "semantic")


@dataclass(frozen=True)
class SeedPolicy:
    """Ordered by how many of the three arms agree. The title arm speaks with at least `bar`
    matched tokens, the semantic arm for its first candidate with a gap of at least `gap`, and
    nothing else speaks. Resolved is the first, if something speaks for it and no candidate with
    as many arms has something speaking for it too; a tie is never broken by a rule.

    arms: which arms are heard. bar: whole tokens. gap: of cosines.
    """

    bar: int = 2
    gap: float = 0.05
    arms: tuple[str, ...] = ARMS
    name: str = "seed"
    author: str = "the chapter's author"

    def decide(self, pool: Pool) -> Verdict:
        """See Policy."""
        heard = [one for one in deciding(pool) if agreement(one, self.arms)]
        if not heard:
            return Verdict("none", None, (), {}, (), "no arm put a candidate forward")
        scores = {one.id: self._score(one) for one in heard}
        order = sorted(heard, key=lambda one: (-scores[one.id], one.id))
        first = order[0]
        ids = tuple(one.id for one in order)
        tied = [first] + [
            one
            for one in rivals_of(first, order)
            if agreement(one, self.arms) == agreement(first, self.arms) and (self.speaks(one) or not self.speaks(first))
        ]
        said = in_words(first)
        if not self.speaks(first):
            obstacle = f"no title shares {self.bar} words with the question and no gap between vectors is wide enough"
            return Verdict(
                "choose",
                None,
                ids,
                scores,
                tuple(one.id for one in tied),
                "nothing speaks for the first",
                said,
                (obstacle,),
            )
        if len(tied) > 1:
            obstacle = f"{len(tied) - 1} other candidate(s) with as many arms behind them"
            return Verdict(
                "choose",
                None,
                ids,
                scores,
                tuple(one.id for one in tied),
                "a tie is not broken",
                said,
                (obstacle,),
            )
        return Verdict(
            "resolved", first.id, ids, scores, (first.id,),
            f"{agreement(first, self.arms)} arms agree and the {' and the '.join(self.speaks(first))} speaks", said,
        )  # fmt: skip

    def speaks(self, candidate: Candidate) -> tuple[str, ...]:
        """The arms that speak for a candidate with confidence."""
        said = []
        title, semantic = title_of(candidate), semantic_of(candidate)
        if "title" in self.arms and title is not None and len(title.matched) >= self.bar:
            said.append("title")
        if "semantic" in self.arms and semantic is not None and semantic.rank == 1 and semantic.gap >= self.gap:
            said.append("gap")
        return tuple(said)

    def _score(self, candidate: Candidate) -> float:
        return round(agreement(candidate, self.arms) + reciprocal_ranks(candidate, self.arms) / 10, 6)
