"""What can be promised from questions with known answers: exact, monotone, and honest when repeated."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain.exam.guarantee import (
    ALWAYS,
    BARS,
    Tried,
    listing,
    lowest_bar,
    needed,
    start_of,
    tail,
    upper_end,
)

shares = st.floats(0.01, 0.99)
tries = st.lists(st.builds(Tried, st.sampled_from((0.0, *BARS, ALWAYS)), st.booleans(), st.booleans()), max_size=60)


@pytest.mark.parametrize(
    ("wrong", "total", "bound", "chance"),
    [
        (0, 3, 0.5, 0.125),
        (1, 3, 0.5, 0.5),
        (2, 3, 0.5, 0.875),
        (3, 3, 0.5, 1.0),
        (0, 0, 0.1, 1.0),
        (1, 10, 0.2, 0.3758),
    ],
)
def test_the_p_value_is_the_exact_binomial_tail(wrong: int, total: int, bound: float, chance: float) -> None:
    assert tail(wrong, total, bound) == pytest.approx(chance, abs=5e-5)


@given(st.integers(0, 40), st.integers(1, 40), shares, shares)
def test_the_upper_end_is_where_the_test_begins_to_reject(
    wrong: int, more: int, confidence: float, bound: float
) -> None:
    total = wrong + more

    end = upper_end(wrong, total, confidence)
    assert 0 < end <= 1
    if abs(bound - end) > 1e-6:
        assert (tail(wrong, total, bound) <= 1 - confidence) == (bound > end)


def test_the_upper_end_of_nothing_tried_is_that_all_may_be_wrong() -> None:
    assert upper_end(0, 0, 0.95) == 1.0


@given(tries, st.floats(0.02, 0.5), st.floats(0.5, 0.99))
def test_a_bar_is_only_given_where_the_bound_holds_at_it(
    tried: list[Tried], max_wrong: float, confidence: float
) -> None:
    found = lowest_bar(tried, max_wrong=max_wrong, confidence=confidence)
    if found.bar is None:
        return
    resolved = [one for one in tried if one.confidence >= found.bar]
    assert (found.resolved, found.wrong) == (len(resolved), sum(one.wrong for one in resolved))
    assert found.upper <= max_wrong + 1e-6
    assert tail(found.wrong, found.resolved, max_wrong) <= 1 - confidence


@given(tries, st.floats(0.02, 0.4), st.floats(0.5, 0.9))
def test_a_stricter_promise_never_lowers_the_bar(tried: list[Tried], max_wrong: float, confidence: float) -> None:
    lax = lowest_bar(tried, max_wrong=max_wrong + 0.1, confidence=confidence)
    for strict in (
        lowest_bar(tried, max_wrong=max_wrong, confidence=confidence),
        lowest_bar(tried, max_wrong=max_wrong + 0.1, confidence=confidence + 0.09),
    ):
        assert strict.bar is None or (lax.bar is not None and strict.bar >= lax.bar)


@given(tries)
def test_the_order_of_the_questions_does_not_matter(tried: list[Tried]) -> None:
    assert lowest_bar(tried, max_wrong=0.2, confidence=0.8) == lowest_bar(tried[::-1], max_wrong=0.2, confidence=0.8)


def test_an_unanswerable_question_that_is_resolved_is_wrong() -> None:
    right = [Tried(0.995, True)] * 200
    assert lowest_bar(right, max_wrong=0.05, confidence=0.95).bar == BARS[-1]
    deceived = [replace(one, answerable=at >= 30) for at, one in enumerate(right)]
    found = lowest_bar(deceived, max_wrong=0.05, confidence=0.95)
    assert (found.bar, found.wrong) == (None, 30)


def test_what_no_bar_holds_back_counts_at_every_bar() -> None:
    tried = [Tried(ALWAYS, False)] * 20 + [Tried(0.995, True)] * 100
    found = lowest_bar(tried, max_wrong=0.05, confidence=0.95)
    assert (found.bar, found.resolved, found.wrong) == (None, 120, 20)


def test_the_bar_stops_above_where_the_wrong_ones_are() -> None:
    tried = [Tried(0.9, True)] * 100 + [Tried(0.4, at % 2 == 0) for at in range(100)]
    found = lowest_bar(tried, max_wrong=0.05, confidence=0.95, start=0.9)
    assert (found.bar, found.resolved, found.wrong) == (0.41, 100, 0)


def test_too_small_an_exam_is_told_how_many_more_questions_it_takes() -> None:
    found = lowest_bar([Tried(0.995, True)] * 20, max_wrong=0.05, confidence=0.95)
    assert (found.bar, found.more) == (None, 39)
    more = [Tried(0.995, True)] * (20 + found.more)
    assert lowest_bar(more, max_wrong=0.05, confidence=0.95).bar is not None
    half = [Tried(0.995, True), Tried(0.0, False)] * 20  # half of them are never resolved
    assert lowest_bar(half, max_wrong=0.05, confidence=0.95).more == 78
    assert lowest_bar([], max_wrong=0.05, confidence=0.95).more == 59


def test_no_number_of_questions_is_named_where_too_many_are_wrong() -> None:
    found = lowest_bar([Tried(0.995, at % 4 > 0) for at in range(40)], max_wrong=0.05, confidence=0.95)
    assert (found.bar, found.more) == (None, None)


@given(st.floats(0, 0.5), st.floats(0.02, 0.5), st.floats(0.5, 0.99))
def test_what_is_needed_suffices(rate: float, max_wrong: float, confidence: float) -> None:
    total = needed(rate, max_wrong, confidence)
    if total is None:
        assert rate > 0.8 * max_wrong  # nearer to the bound than thousands of answers can tell, or above it
    else:
        assert tail(math.ceil(rate * total), total, max_wrong) <= 1 - confidence


def test_the_sequence_starts_where_there_is_enough_to_tell() -> None:
    tuning = [0.95] * 100 + [0.5] * 400
    assert start_of(tuning, max_wrong=0.05, confidence=0.95) == 0.5  # 118 are wanted
    assert start_of(tuning, max_wrong=0.10, confidence=0.95) == 0.95  # 58 are
    assert start_of([], max_wrong=0.05, confidence=0.95) == BARS[0]


@pytest.mark.parametrize("worth", [0.75, 0.85])
def test_the_promise_is_broken_no_more_often_than_it_says(worth: float) -> None:
    """A world in which an answer of confidence c is right with probability worth * c + 0.2, at most 0.99,
    or wrong whatever it is for a sixth: its true risk at every bar is known."""
    rng = np.random.default_rng(5)
    every = rng.random(200_000)
    chance = np.minimum(worth * every + 0.2, 0.99)
    risk = {bar: 1 - chance[every >= bar].mean() for bar in BARS}
    broken = given_bar = 0
    for _ in range(600):
        drawn = rng.random(300)
        right = rng.random(300) < np.minimum(worth * drawn + 0.2, 0.99)
        tried = [Tried(float(one), bool(is_right)) for one, is_right in zip(drawn, right, strict=True)]
        found = lowest_bar(tried, max_wrong=0.2, confidence=0.9, start=0.9)
        if found.bar is not None:
            given_bar += 1
            broken += risk[found.bar] > 0.2
    assert given_bar > 300  # else nothing was tested
    assert broken / 600 <= 0.1 + 0.03  # three standard errors of chance


needs = st.lists(st.one_of(st.floats(0, 0.99), st.just(0.0), st.just(math.inf)), max_size=50)


@given(needs, st.floats(0.05, 0.99))
def test_a_list_holds_what_it_promises_on_its_own_questions(found: list[float], probability: float) -> None:
    made = listing(found, probability)
    held = sum(need < made.share or need == 0.0 for need in found if need < math.inf)
    assert held >= made.probability * (len(found) + 1) - 1e-6 - (made.share == 1.0)
    assert made.reached == (
        made.probability == probability and held >= math.ceil((len(found) + 1) * probability - 1e-9)
    )
    if not made.reached:
        assert (made.share, made.probability <= 1) == (1.0, True)


def test_the_conformal_list_covers_new_questions_as_often_as_promised() -> None:
    rng = np.random.default_rng(7)
    covered = []
    for _ in range(400):
        drawn = rng.beta(2, 3, size=100)
        made = listing([float(one) for one in drawn], 0.9)
        assert made.reached
        covered.append(float((rng.beta(2, 3, size=200) < made.share).mean()))
    assert 0.89 <= float(np.mean(covered)) <= 0.92


def test_lists_that_cannot_hold_enough_say_what_they_do_hold() -> None:
    made = listing([0.0] * 79 + [math.inf] * 20, 0.9)
    assert (made.share, made.probability, made.reached) == (1.0, 0.79, False)
