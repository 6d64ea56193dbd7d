"""Candidacy, ranking and commitment, counted apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ascertain.exam.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Counts:
    """How a set of questions went. All are counts of questions but pool_size_mean.

    answerable, unanswerable: how many questions have a gold node, and have none.
    Of the answerable ones: in_pool (candidacy), first (ranking), and by state resolved_right +
    resolved_wrong + choose + none = answerable; choose_has_gold is a part of choose.
    Of the unanswerable ones: unanswerable_resolved and unanswerable_choose; the rest are none.
    pool_size_mean: candidates a question, over all questions; 0 where there is none.
    """

    answerable: int = 0
    unanswerable: int = 0
    in_pool: int = 0
    pool_size_mean: float = 0.0
    first: int = 0
    resolved_right: int = 0
    resolved_wrong: int = 0
    choose: int = 0
    choose_has_gold: int = 0
    none: int = 0
    unanswerable_resolved: int = 0
    unanswerable_choose: int = 0

    def to_json(self) -> dict[str, Any]:
        """By name."""
        return asdict(self)


def counts(outcomes: Sequence[Outcome]) -> Counts:
    """Counts over any set of outcomes, in whatever order."""
    right = [one for one in outcomes if one.answerable]
    other = [one for one in outcomes if not one.answerable]
    return Counts(
        answerable=len(right),
        unanswerable=len(other),
        in_pool=sum(one.in_pool for one in right),
        pool_size_mean=round(sum(one.pool_size for one in outcomes) / len(outcomes), 3) if outcomes else 0.0,
        first=sum(one.first for one in right),
        resolved_right=sum(one.resolved_right for one in right),
        resolved_wrong=sum(one.resolved_wrong for one in right),
        choose=sum(one.state == "choose" for one in right),
        choose_has_gold=sum(one.choose_has_gold for one in right),
        none=sum(one.state == "none" for one in right),
        unanswerable_resolved=sum(one.state == "resolved" for one in other),
        unanswerable_choose=sum(one.state == "choose" for one in other),
    )


def recall_by_depth(outcomes: Sequence[Outcome]) -> dict[str, int]:
    """Answerable questions with a gold node in the pool, by how many times the usual depth: `1x`, …"""
    right = [one for one in outcomes if one.answerable]
    deeper = sorted({times for one in right for times in one.deeper})
    found = {"1x": sum(one.in_pool for one in right)}
    return found | {f"{times}x": sum(one.deeper.get(times, False) for one in right)
                    for times in deeper}  # fmt: skip


def recall_by_arm(outcomes: Sequence[Outcome], arms: Sequence[str]) -> dict[str, int]:
    """Answerable questions with a gold node that the arm put forward, by arm."""
    return {arm: sum(arm in one.arms for one in outcomes if one.answerable) for arm in arms}


def only_by_arm(outcomes: Sequence[Outcome], arms: Sequence[str]) -> dict[str, int]:
    """Answerable questions with a gold node that this arm put forward and no other did."""
    return {arm: sum(one.arms == (arm,) for one in outcomes if one.answerable) for arm in arms}
