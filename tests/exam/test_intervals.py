import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ascertain.decide.seed import SeedPolicy
from ascertain.exam.intervals import intervals
from ascertain.exam.outcome import outcome_of
from exam.made import SURE, UNSURE, asked, questions


def outcomes(*made):
    return [outcome_of(one, SeedPolicy()) for one in made]


def mixed(right: int, unsure: int):
    sure = [asked(f"r{at}", SURE, "a") for at in range(right)]
    return outcomes(*sure, *(asked(f"u{at}", UNSURE, "a") for at in range(unsure)))


def test_the_interval_agrees_with_a_bootstrap_that_draws_questions_one_by_one():
    found = intervals(mixed(30, 20), resamples=20_000)["resolved_right"]
    rng = np.random.default_rng(7)
    drawn = rng.choice([1.0] * 30 + [0.0] * 20, size=(20_000, 50)).mean(axis=1)
    assert found[0] == 0.6
    assert np.allclose(found[1:], np.percentile(drawn, [2.5, 97.5]), atol=0.021)


def test_more_questions_make_a_narrower_interval():
    few, many = (intervals(mixed(each, each))["resolved_right"] for each in (10, 200))
    assert many[2] - many[1] < few[2] - few[1]


def test_a_rate_without_questions_is_left_out():
    assert "unanswerable_resolved" not in intervals(mixed(3, 0))
    assert "precision" not in intervals(mixed(0, 3))
    assert intervals([]) == {}


@given(questions(), st.randoms(use_true_random=False))
def test_the_order_of_questions_never_shows(made, shuffled):
    found = outcomes(*made)
    other = list(found)
    shuffled.shuffle(other)
    assert intervals(found, resamples=50) == intervals(other, resamples=50)


@given(questions())
def test_every_rate_lies_between_nought_and_one(made):
    for rate, low, high in intervals(outcomes(*made), resamples=50).values():
        assert 0 <= low <= high <= 1
        assert 0 <= rate <= 1
