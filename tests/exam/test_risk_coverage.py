import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain.decide.seed import SeedPolicy
from ascertain.exam.outcome import outcome_of
from ascertain.exam.risk_coverage import risk_coverage
from exam.made import EMPTY, SURE, UNSURE, asked, questions


def outcomes(*made):
    return [outcome_of(one, SeedPolicy()) for one in made]


def test_the_surest_questions_come_first():
    found = risk_coverage(outcomes(asked("1", UNSURE, "z"), asked("2", SURE, "a"), asked("3", EMPTY, "a")))
    assert found.points == ((pytest.approx(0.3333), 0.0), (pytest.approx(0.6667), 0.5))
    assert found.area == 0.25
    assert (found.coverage, found.risk) == (pytest.approx(0.3333), 0.0)
    assert found.at_precision["0.99"] == pytest.approx(0.3333)


def test_an_unanswerable_question_is_wrong_whatever_is_answered():
    assert risk_coverage(outcomes(asked("1", SURE))).points == ((1.0, 1.0),)


def test_no_precision_is_reached_where_the_surest_is_wrong():
    assert set(risk_coverage(outcomes(asked("1", SURE, "z"))).at_precision.values()) == {0.0}


def test_without_questions_there_is_no_curve():
    assert risk_coverage([]).points == ()


@given(questions(), st.randoms(use_true_random=False))
def test_ties_in_confidence_leave_no_trace_of_order(made, shuffled):
    found = outcomes(*made)
    other = list(found)
    shuffled.shuffle(other)
    assert risk_coverage(found) == risk_coverage(other)


@given(questions())
def test_the_curve_goes_right_and_the_area_is_a_mean_risk(made):
    found = risk_coverage(outcomes(*made))
    coverages = [coverage for coverage, _ in found.points]
    assert coverages == sorted(set(coverages))
    assert 0 <= found.area <= 1
    wanted = [found.at_precision[name] for name in sorted(found.at_precision)]
    assert wanted == sorted(wanted, reverse=True)
