"""How often the first candidate is wrong, against how many questions are answered with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ascertain.exam.outcome import Outcome

PRECISIONS = (0.80, 0.90, 0.95, 0.99)


@dataclass(frozen=True)
class RiskCoverage:
    """points: (coverage, risk) from the surest questions on, one for each distinct confidence;
    coverage is a share of all questions, risk the share of wrong ones among those answered.
    area: under the curve, the mean risk over all numbers of answered questions; lower is better.
    at_precision: the largest coverage at which precision (1 - risk) is still at least that.
    coverage, risk: where the policy itself stands: what it resolved. risk is None if nothing.
    """

    points: tuple[tuple[float, float], ...]
    area: float
    at_precision: dict[str, float]
    coverage: float
    risk: float | None

    def to_json(self) -> dict[str, Any]:
        """Plain lists, dicts and numbers."""
        return {
            "area": self.area,
            "coverage_at_precision": self.at_precision,
            "policy": {"coverage": self.coverage, "risk": self.risk},
            "points": [list(point) for point in self.points],
        }


def risk_coverage(outcomes: Sequence[Outcome]) -> RiskCoverage:
    """The curve of answering with the first candidate, the surest questions first.

    An unanswerable question is wrong whatever is answered. Questions with equal confidence are
    taken together, and in the area as if in random order, so that no order of questions shows.
    Questions for which no candidate was handed back are never answered.

    Source: El-Yaniv and Wiener, JMLR 2010; Geifman, Uziel and El-Yaniv, ICLR 2019 (the area).
    """
    total = len(outcomes)
    ranked = sorted(
        (one for one in outcomes if one.confidence is not None), key=lambda one: one.confidence or (), reverse=True
    )
    points: list[tuple[float, float]] = []
    answered = wrong = 0
    area = 0.0
    for _, group in groupby(ranked, key=lambda one: one.confidence):
        tied = list(group)
        errors = sum(not one.first for one in tied)
        share = errors / len(tied)
        area += sum((wrong + share * (at + 1)) / (answered + at + 1) for at in range(len(tied)))
        answered, wrong = answered + len(tied), wrong + errors
        points.append((round(answered / total, 4), round(wrong / answered, 4)))
    resolved = [one for one in outcomes if one.state == "resolved"]
    return RiskCoverage(
        points=tuple(points),
        area=round(area / len(ranked), 4) if ranked else 0.0,
        at_precision={
            f"{wanted:.2f}": max((coverage for coverage, risk in points if 1 - risk >= wanted), default=0.0)
            for wanted in PRECISIONS
        },
        coverage=round(len(resolved) / total, 4) if total else 0.0,
        risk=round(sum(one.resolved_wrong for one in resolved) / len(resolved), 4) if resolved else None,
    )
