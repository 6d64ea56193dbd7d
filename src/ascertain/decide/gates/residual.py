"""What the resolved title left unsaid in the question must touch something that search returned."""

from __future__ import annotations

from dataclasses import dataclass

from ascertain.decide.base import Verdict
from ascertain.decide.rules import name_of, title_of
from ascertain.model.evidence import Candidate, Pool


@dataclass(frozen=True)
class ResidualGate:
    """If the part of the question that the resolved title did not consume touches nothing in
    what search returned, do not be confident.

    Consumed are the terms that stand in the title or alias that matched best, the terms inside
    the span of a name, and parts of either. The rest touches what search returned where one of
    its terms stands in one of the returned pieces. Where the title consumed everything, there is
    nothing to object to; where search returned nothing, any rest touches nothing.

    Source: chapter 18, section 5. Off by default: docs/measurements/residual-gate.md.
    """

    name: str = "residual"
    author: str = "the chapter's author"

    def objection(self, pool: Pool, verdict: Verdict) -> str:
        """See Gate."""
        meant = next((one for one in pool.candidates if one.id == verdict.node), None)
        if meant is None:
            return ""
        rest = residual(pool, meant)
        touched = {term for piece in pool.pieces for term in piece.matched}
        if not rest or touched.intersection(rest):
            return ""
        return f"{', '.join(rest[:6])}: said in the question and in nothing that search returned"


def residual(pool: Pool, candidate: Candidate) -> tuple[str, ...]:
    """The question's terms that the candidate's title or name did not consume, in order."""
    title, name = title_of(candidate), name_of(candidate)
    consumed = set(title.matched) if title else set()
    if name is not None:
        consumed |= {term.text for term in pool.terms} - set(name.rest)
    return tuple(term.text for term in pool.terms if not any(term.text in whole for whole in consumed))
