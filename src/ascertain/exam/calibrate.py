"""Calibrates the calibrated policy: models on the tuning halves, what is promised on the others.

A question's half is that of exam/split.py, so that what is promised was never fitted on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ascertain.decide.calibrated import CalibratedPolicy, Weights, shipped_weights
from ascertain.decide.rules import CHOICES
from ascertain.decide.visibility import resolution_of, unfiltered
from ascertain.errors import ExamInvalid
from ascertain.exam.fit import examples_of, fit
from ascertain.exam.guarantee import ALWAYS, Bar, Listing, Tried, listing, lowest_bar, start_of
from ascertain.exam.recorded import RecordedQuestion
from ascertain.exam.split import half_of
from ascertain.model.evidence import VERSION_MARK

HELD = 0.9
"""The probability with which a list is to hold the right node, where one is in the store."""

SPARED = 0.02
"""Where no list holds as much, how much of the probability that the fullest ones reach is given for shorter ones."""

_NEVER = 1.01  # a bar that no probability reaches: what is resolved under it is resolved whatever the bar


@dataclass(frozen=True)
class Calibration:
    """weights: to write down. bar, list: what can be promised, and on how many questions: tuned were
    fitted on, held were not."""

    weights: Weights
    bar: Bar
    list: Listing
    tuned: int
    held: int


def calibrate(
    exams: Mapping[str, Sequence[RecordedQuestion]],
    *,
    max_wrong: float = 0.05,
    confidence: float = 0.95,
    held: float = HELD,
    near: Weights | None = None,
) -> Calibration:
    """Fits on one half of the questions and promises on the other.

    exams: by name. near: weights that the models stay near to; those that come with the package
    unless given. Where no bar keeps the promise, `resolve` is 1.01: nothing is resolved but what is
    whatever the bar.

    Raises ExamInvalid where there is nothing to fit or nothing to promise on.
    """
    tuning = {name: [one for one in each if half_of(one.question) == "tune"] for name, each in exams.items()}
    testing = [one for each in exams.values() for one in each if half_of(one.question) == "test"]
    if not testing:
        raise ExamInvalid("no question is left to test on", hint="Ask more questions: half of them are set aside.")
    start = near or shipped_weights()
    weights = fit(
        examples_of(tuning, alike=True),
        resolve=_NEVER,
        nothing=start.nothing,
        listed=1.0,
        promise="",
        near=start,
    )
    tuned = [one for each in tuning.values() for one in each]
    return promised(weights, tuned, testing, max_wrong=max_wrong, confidence=confidence, held=held)


def promised(
    weights: Weights,
    tuned: Sequence[RecordedQuestion],
    testing: Sequence[RecordedQuestion],
    *,
    max_wrong: float,
    confidence: float,
    held: float,
    of: str = "",
) -> Calibration:
    """The weights with the bar and the list that can be promised. of: whose questions, in words."""
    first = start_of([one.confidence for one in tried_of(tuned, weights)], max_wrong=max_wrong, confidence=confidence)
    bar = lowest_bar(tried_of(testing, weights), max_wrong=max_wrong, confidence=confidence, start=first)
    weights = replace(weights, resolve=_NEVER if bar.bar is None else bar.bar)
    needs = needs_of(testing, weights)
    lists = listing(needs, held)
    if not lists.reached:  # a list that holds almost as much may be much shorter than the fullest
        shorter = listing(needs, max(lists.probability - SPARED, 0.0))
        lists = replace(shorter, reached=False)
    whose = of or f"questions like the {len(testing)} it was set with"
    weights = replace(
        weights,
        listed=lists.share,
        promise=(
            "no bar could be promised: too few questions, or too many wrong"
            if bar.bar is None
            else f"of answers resolved so at most {_percent(max_wrong)} are wrong,"
            f" with {_percent(confidence)} confidence, on {whose}"
        ),
        list_promise=f"the list holds it with probability {lists.probability:.2f}, where it is in the store",
    )
    return Calibration(weights, bar, lists, len(tuned), len(testing))


def tried_of(questions: Iterable[RecordedQuestion], weights: Weights) -> list[Tried]:
    """Each question with the highest bar at which it is resolved.

    It is decided twice, as `Memory.ask` does: with no bar, and with one that no probability reaches.
    """
    lax = CalibratedPolicy(replace(weights, resolve=0.0))
    strict = CalibratedPolicy(replace(weights, resolve=_NEVER))
    found = []
    for one in questions:
        answer = resolution_of(one.pool, lax)
        right, confidence = answer.node in one.gold, 0.0
        if answer.state == "resolved":
            verdict = lax.decide(unfiltered(one.pool))
            # A version that may be seen stands in for one that may not: both must reach the bar.
            meant = verdict.scores.get(verdict.node or "", 0.0)
            confidence = min(answer.candidates[0].score, meant)
            certain = resolution_of(one.pool, strict)
            if certain.state == "resolved":
                confidence, right = ALWAYS, certain.node in one.gold
        found.append(Tried(confidence, right, bool(one.gold)))
    return found


def needs_of(questions: Iterable[RecordedQuestion], weights: Weights) -> list[float]:
    """Of each answerable question that ends in a list: the share of the candidates' probability that
    it must exceed to hold a right node. See `guarantee.listing`."""
    policy = CalibratedPolicy(replace(weights, listed=2.0))
    needs = []
    for one in questions:
        verdict = policy.decide(unfiltered(one.pool))
        if not one.gold or verdict.state != "choose":
            continue
        present = sum(verdict.scores.values()) or 1.0
        full = verdict.listed or verdict.order[:CHOICES]
        place = next((at for at, id in enumerate(full) if id.partition(VERSION_MARK)[0] in one.gold), None)
        if place is None:
            needs.append(math.inf)
        else:
            needs.append(0.0 if place < 2 else sum(verdict.scores[id] for id in full[:place]) / present)
    return needs


def _percent(share: float) -> str:
    return f"{100 * share:g}%"
