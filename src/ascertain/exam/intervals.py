"""Rates with bootstrap intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ascertain.exam.outcome import Outcome

RESAMPLES = 2_000
SEED = 20_26

Interval = tuple[float, float, float]
"""The rate, and the ends of its 95% interval; each 0 to 1."""

_OF_ANSWERABLE = ("in_pool", "first", "resolved_right", "resolved_wrong", "choose", "choose_has_gold", "none")
_OF_UNANSWERABLE = ("unanswerable_resolved", "unanswerable_choose")
RATES = (*_OF_ANSWERABLE, *_OF_UNANSWERABLE, "precision")


def intervals(outcomes: Sequence[Outcome], *, resamples: int = RESAMPLES) -> dict[str, Interval]:
    """The rates of `RATES`, those that there is a question for, with percentile intervals.

    Each count is over the answerable or over the unanswerable questions; precision is
    resolved_right over all that is resolved. Questions are drawn with replacement, the
    answerable and the unanswerable apart, so that their numbers stay. Drawing questions is
    drawing from the few ways in which a question can go, so one multinomial does it, and the
    order of the questions can't matter.

    Questions are taken as independent: where one is asked in several languages or as of several
    moments, the true intervals are wider. Where every question went the same way the interval is
    that one point: it says nothing then.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
    """
    rng = np.random.default_rng(SEED)
    right = _drawn([_row(one) for one in outcomes if one.answerable], len(_OF_ANSWERABLE), rng, resamples)
    other = _drawn([_other(one) for one in outcomes if not one.answerable], len(_OF_UNANSWERABLE), rng, resamples)
    found: dict[str, Interval] = {}
    for names, (sums, total) in ((_OF_ANSWERABLE, right), (_OF_UNANSWERABLE, other)):
        for at, name in enumerate(names):
            if total:
                found[name] = _interval(sums[:, at] / total)
    resolved = right[0][:, 2] + right[0][:, 3] + other[0][:, 0]
    if resolved[0]:
        held = resolved > 0
        found["precision"] = _interval(right[0][held, 2] / resolved[held])
    return found


def _drawn(
    rows: list[tuple[bool, ...]], width: int, rng: np.random.Generator, resamples: int
) -> tuple[npt.NDArray[np.float64], int]:
    """(1 + resamples, width): sums of each column, as observed and as drawn; and how many rows."""
    ways = sorted(Counter(rows).items())
    if not ways:
        return np.zeros((1 + resamples, width)), 0
    table = np.array([way for way, _ in ways], dtype=np.float64)
    seen = np.array([count for _, count in ways])
    drawn = rng.multinomial(len(rows), seen / len(rows), size=resamples)
    return np.vstack([seen, drawn]) @ table, len(rows)


def _interval(rates: npt.NDArray[np.float64]) -> Interval:
    low, high = np.percentile(rates[1:], [2.5, 97.5]) if len(rates) > 1 else (rates[0], rates[0])
    return round(float(rates[0]), 4), round(float(low), 4), round(float(high), 4)


def _row(one: Outcome) -> tuple[bool, ...]:
    return (
        one.in_pool,
        one.first,
        one.resolved_right,
        one.resolved_wrong,
        one.state == "choose",
        one.choose_has_gold,
        one.state == "none",
    )


def _other(one: Outcome) -> tuple[bool, ...]:
    return one.state == "resolved", one.state == "choose"
