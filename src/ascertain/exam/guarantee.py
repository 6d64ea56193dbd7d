"""What can be promised of answers, from questions whose answers are known. Pure.

- **The bar**: how sure a policy must be to resolve, so that at most a share of what it resolves is
  wrong, with confidence. Learn then Test (Angelopoulos, Bates, Candès, Jordan and Lei 2021,
  "Learn then Test: Calibrating Predictive Algorithms to Achieve Risk Control"): for each bar of a
  grid the hypothesis "more than the bound is wrong" is tested by the exact binomial tail (Clopper
  and Pearson 1934), from strict to lax, up to the first that can't be rejected (fixed-sequence
  testing: no correction for many bars is needed). As in Bates, Angelopoulos, Lei, Malik and
  Jordan 2021, "Distribution-Free, Risk-Controlling Prediction Sets", the promise is over the draw
  of the calibration questions: one calibration in 1/(1 - confidence) may break it.
- **The list**: how much of the probability a list must hold so that the right node is in it with
  the stated probability: the split conformal quantile (Vovk, Gammerman and Shafer 2005; Papadopoulos
  and others 2002; as in Angelopoulos and Bates 2021, "A Gentle Introduction to Conformal Prediction").

Both hold for questions like those of the calibration, and take those as independent of one another
and of the models: calibrate on questions that nothing was fitted on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

BARS: tuple[float, ...] = tuple(round(1 - at / 100, 2) for at in range(1, 100))
"""From strict to lax. Fixed beforehand: bars must not be chosen by what they are tested with."""

ALWAYS = 2.0
"""The confidence of an answer that no bar keeps from being resolved."""

_MOST = 20_000
"""More answers than that are not worth counting out."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A question with a known answer. confidence: the highest bar at which it is resolved, 0 where no
    bar lets it be, ALWAYS where each does. right: to a right node. answerable: some node is right.
    """

    confidence: float
    right: bool
    answerable: bool = True

    @property
    def wrong(self) -> bool:
        """Would resolving it be wrong? Whatever an unanswerable question is resolved to is."""
        return not (self.right and self.answerable)


@dataclass(frozen=True, slots=True)
class Bar:
    """What was found. bar: the lowest that keeps the promise, or None where none does. resolved,
    wrong: how many of the questions tried it resolves and how many of those wrongly (with no bar:
    at the first one tested). upper: the Clopper-Pearson upper end of the share of wrong ones.
    more: with no bar, how many more questions like these it takes if the share of wrong ones stays
    what it was at the first bar with few enough; None where none has.
    """

    bar: float | None
    resolved: int
    wrong: int
    upper: float
    more: int | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """share: of the candidates' probability that a list holds; probability: with which the right node
    is then in the list. reached: is that what was asked for? Else it is the most that lists of
    their size can promise from these questions.
    """

    share: float
    probability: float
    reached: bool


def tail(wrong: int, total: int, bound: float) -> float:
    """The p-value of "more than `bound` is wrong": the chance of `wrong` or fewer of `total` if just
    that share were.

    >>> round(tail(0, 59, 0.05), 4)
    0.0485
    """
    if wrong >= total or bound <= 0:
        return 1.0
    if bound >= 1:
        return 0.0
    log, rest = math.log(bound), math.log1p(-bound)
    whole = math.lgamma(total + 1)
    parts = (
        math.exp(whole - math.lgamma(at + 1) - math.lgamma(total - at + 1) + at * log + (total - at) * rest)
        for at in range(wrong + 1)
    )
    return min(math.fsum(parts), 1.0)


def upper_end(wrong: int, total: int, confidence: float) -> float:
    """The largest share of wrong ones that `wrong` of `total` does not rule out (one-sided); 1.0 of none.


    >>> round(upper_end(0, 59, 0.95), 3)
    0.05
    """
    low, high = (0.0, 1.0) if total else (1.0, 1.0)
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if tail(wrong, total, middle) > 1 - confidence else (low, middle)
    return high


def needed(rate: float, max_wrong: float, confidence: float) -> int | None:
    """How many resolved answers the promise takes where this share of them is wrong; None where no
    number does, or only one beyond counting.

    >>> needed(0.0, 0.05, 0.95), needed(0.05, 0.05, 0.95)
    (59, None)
    """
    if rate >= max_wrong:
        return None
    total = 1
    while total < _MOST:
        if tail(math.ceil(rate * total), total, max_wrong) <= 1 - confidence:
            return total
        total += max(1, total // 20) if rate else 1
    return None


def start_of(tuning: Sequence[float], *, max_wrong: float, confidence: float) -> float:
    """The strictest bar worth testing: one that resolves enough of the questions that were tuned with
    to tell. tuning: their confidences. Other questions than those that the bar is set with, so
    that the sequence of tests is fixed before it begins.
    """
    least = needed(0.0, max_wrong, confidence) or 1
    enough = min(max(2 * least, len(tuning) // 10), len(tuning))
    return next((bar for bar in BARS if sum(one >= bar for one in tuning) >= enough), BARS[-1])


def lowest_bar(tried: Sequence[Tried], *, max_wrong: float, confidence: float, start: float = BARS[0]) -> Bar:
    """The lowest bar at which at most `max_wrong` of what is resolved is wrong, with this confidence.

    start: of the sequence of bars, see `start_of`; must not depend on `tried`.
    """
    sequence = [bar for bar in BARS if bar <= start]
    found: Bar | None = None
    for bar in sequence:
        total, wrong = _counts(tried, bar)
        if tail(wrong, total, max_wrong) > 1 - confidence:
            break
        found = Bar(bar, total, wrong, upper_end(wrong, total, confidence))
    if found is not None:
        return found
    total, wrong = _counts(tried, sequence[0])
    more = _more(tried, sequence, max_wrong, confidence)
    return Bar(None, total, wrong, upper_end(wrong, total, confidence), more)


def _counts(tried: Sequence[Tried], bar: float) -> tuple[int, int]:
    resolved = [one for one in tried if one.confidence >= bar]
    return len(resolved), sum(one.wrong for one in resolved)


def _more(tried: Sequence[Tried], bars: Sequence[float], max_wrong: float, confidence: float) -> int | None:
    """At the first bar that could pass: a lower one is only tested after it."""
    for bar in bars:
        total, wrong = _counts(tried, bar)
        if total and (least := needed(wrong / total, max_wrong, confidence)) is not None:
            return max(math.ceil(least * len(tried) / total) - len(tried), 1)
    nothing = not any(one.confidence >= bars[-1] for one in tried)
    return needed(0.0, max_wrong, confidence) if nothing else None


def listing(needs: Sequence[float], probability: float) -> Listing:
    """How full lists must be to hold the right node with this probability.

    needs: for each calibration question the share that a list must be sure to exceed to hold the
    right node, 0 where every list does, infinity where none does (it is not among the candidates
    that a list has room for).

    >>> listing([0.0, 0.3, 0.5, math.inf], 0.6)
    Listing(share=0.5001, probability=0.6, reached=True)
    >>> listing([0.0, 0.3, 0.5, math.inf], 0.9)
    Listing(share=1.0, probability=0.6, reached=False)
    """
    ordered = sorted(needs)
    place = math.ceil(round((len(ordered) + 1) * probability, 9))
    if 1 <= place <= len(ordered) and ordered[place - 1] < math.inf:
        return Listing(round(min(ordered[place - 1] + 0.0001, 1.0), 4), probability, True)
    held = sum(need < math.inf for need in ordered)
    return Listing(1.0, math.floor(1000 * held / (len(ordered) + 1)) / 1000, False)
