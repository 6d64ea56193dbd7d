"""What a run found: counts, intervals, breakdowns, recall and risk, as one value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ascertain.exam import breakdown
from ascertain.exam.authorship import warning
from ascertain.exam.intervals import Interval, intervals
from ascertain.exam.metrics import Counts, counts, only_by_arm, recall_by_arm, recall_by_depth
from ascertain.exam.outcome import Outcome
from ascertain.exam.risk_coverage import RiskCoverage, risk_coverage
from ascertain.model.markdown import as_markdown

STRATUM_RESAMPLES = 1_000


@dataclass(frozen=True)
class RunResult:
    """The outcomes of an exam under a policy, in id order, and all that is counted from them.

    half: `tune` or `test`, or None where all questions were asked. timings_ms: by stage; not
    part of what makes two results equal.
    """

    exam: str
    author: str
    policy: str
    policy_author: str
    arms: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    half: str | None
    timings_ms: dict[str, float]

    @cached_property
    def counts(self) -> Counts:
        """Over all questions."""
        return counts(self.outcomes)

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """Rates with their 95% intervals."""
        return intervals(self.outcomes)

    @cached_property
    def risk(self) -> RiskCoverage:
        """Risk against coverage."""
        return risk_coverage(self.outcomes)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the figures must know: a rule judged by its own author's exam."""
        told = warning(self.policy, self.policy_author, self.exam, self.author)
        return (told,) if told else ()

    def by(self) -> dict[str, Any]:
        """The counts broken down, as `by` in the JSON of a run."""
        return self._broken_down(lambda outcomes: counts(outcomes).to_json())

    def intervals_by(self) -> dict[str, Any]:
        """The rates broken down likewise, with their intervals."""
        return self._broken_down(lambda outcomes: _lists(intervals(outcomes, resamples=STRATUM_RESAMPLES)))

    def _broken_down(self, told: Callable[[Sequence[Outcome]], Any]) -> dict[str, Any]:
        def each(strata: breakdown.Strata) -> dict[str, Any]:
            return {name: told(outcomes) for name, outcomes in strata.items()}

        return {
            "gold_kind": each(breakdown.by_kind(self.outcomes)),
            "languages": each(breakdown.by_languages(self.outcomes)),
            "title_reuse": each(breakdown.by_reuse(self.outcomes)),
            "title_words": each(breakdown.by_words(self.outcomes)),
            "tags": {tag: each(strata) for tag, strata in breakdown.by_tags(self.outcomes).items()},
        }

    def to_json(self) -> dict[str, Any]:
        """One object, the same from run to run."""
        return {
            "exam": self.exam,
            "author": self.author,
            "policy": self.policy,
            "policy_author": self.policy_author,
            "half": self.half,
            "warnings": list(self.warnings),
            **self.counts.to_json(),
            "intervals": _lists(self.intervals),
            "pool_recall_by_depth": recall_by_depth(self.outcomes),
            "pool_recall_by_arm": recall_by_arm(self.outcomes, self.arms),
            "only_by_arm": only_by_arm(self.outcomes, self.arms),
            "risk_coverage": self.risk.to_json(),
            "by": self.by(),
            "intervals_by": self.intervals_by(),
        }

    def rates(self) -> list[tuple[str, int, int, Interval]]:
        """Each rate: its name, how many, of how many, and the rate with its interval."""
        found = self.counts
        resolved = found.resolved_right + found.resolved_wrong + found.unanswerable_resolved
        rows = []
        for name, interval in self.intervals.items():
            whole = found.unanswerable if name.startswith("unanswerable") else found.answerable
            count = found.resolved_right if name == "precision" else int(getattr(found, name))
            rows.append((name, count, resolved if name == "precision" else whole, interval))
        return rows

    def _repr_markdown_(self) -> str:
        """How notebooks show it: the rates, and what a reader must know of them."""
        lines = [f"**{as_markdown(self.exam)}**, policy {as_markdown(self.policy)},"]
        lines += [f"questions by {as_markdown(self.author)}" + (f" ({self.half} half)" if self.half else ""), ""]
        lines += ["| | questions | of | rate | 95% interval |", "| --- | ---: | ---: | ---: | --- |"]
        for name, count, whole, (rate, low, high) in self.rates():
            lines.append(f"| {name.replace('_', ' ')} | {count} | {whole} | {rate:.1%} | {low:.1%} to {high:.1%} |")
        lines += [f"\n⚠ {as_markdown(told)}" for told in self.warnings]
        return "\n".join(lines)

    def saved(self) -> dict[str, Any]:
        """`to_json` with how each question went: what `exam compare` reads."""
        return {**self.to_json(), "questions": [one.to_json() for one in self.outcomes]}


def _lists(found: dict[str, Interval]) -> dict[str, list[float]]:
    return {name: list(interval) for name, interval in found.items()}
