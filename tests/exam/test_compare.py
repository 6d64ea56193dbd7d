import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain.decide.catalogue import policy_named
from ascertain.decide.seed import SeedPolicy
from ascertain.errors import ExamInvalid
from ascertain.exam.compare import compare, load_saved, mcnemar
from ascertain.exam.run import run_exam
from exam.folders import TINY


def question(id, state, node=None, gold=("a",), offered=()):
    return {"id": id, "question": id, "gold": list(gold), "state": state, "node": node, "offered": list(offered),
            "in_pool": True, "arms": []}  # fmt: skip


def run(*questions):
    return {"exam": "x", "policy": "y", "questions": list(questions)}


@pytest.mark.parametrize(
    ("a", "b", "p"), [(0, 0, 1.0), (5, 0, 0.0625), (1, 9, 0.021484375), (10, 10, 1.0), (3, 12, 0.03515625)]
)
def test_the_exact_test_gives_the_binomial_tail(a, b, p):
    """Two-sided binomial tests with one half, from tables."""
    assert mcnemar(a, b) == pytest.approx(p)


@given(st.integers(0, 200), st.integers(0, 200))
def test_the_test_is_a_probability_and_blind_to_sides(a, b):
    assert 0 <= mcnemar(a, b) == mcnemar(b, a) <= 1


def test_questions_are_paired_and_the_changed_ones_listed():
    a = run(question("1", "resolved", "a"), question("2", "choose"), question("3", "resolved", "x", gold=()))
    b = run(question("3", "choose", gold=()), question("2", "resolved", "b"), question("1", "resolved", "a"))
    found = compare(a, b)
    assert (found.measures["resolved_right"].both, found.measures["resolved_right"].p) == (1, 1.0)
    assert found.measures["resolved_wrong"].only_b == 1
    assert found.measures["unanswerable_resolved"].only_a == 1
    assert [(one.id, one.a, one.b, one.better) for one in found.changes] == [
        ("2", "choose", "resolved b", None),
        ("3", "resolved x", "choose", True),
    ]


def test_questions_of_one_run_alone_are_told_and_left_out():
    found = compare(
        run(question("1", "none"), question("2", "none")), run(question("2", "none"), question("3", "none"))
    )
    assert (found.questions, found.only_in_a, found.only_in_b) == (1, ("1",), ("3",))


def test_runs_without_a_question_in_common_are_refused():
    with pytest.raises(ExamInvalid):
        compare(run(question("1", "none")), run(question("2", "none")))


def test_saved_results_and_recordings_compare_alike(tmp_path):
    grounds = policy_named("grounds")
    saved = run_exam(TINY, SeedPolicy(), record=tmp_path / "evidence").saved()
    (tmp_path / "seed.json").write_text(json.dumps(saved))
    found = compare(load_saved(tmp_path / "seed.json", grounds), load_saved(tmp_path / "evidence", grounds))
    assert found.b.endswith("grounds")
    changed = {one.id for one in found.changes}
    assert {one["id"] for one in saved["questions"]} >= changed


@pytest.mark.parametrize("text", ["", "[]", '{"answerable": 1}'])
def test_another_file_is_refused_with_what_to_do(tmp_path, text):
    (tmp_path / "x").write_text(text)
    with pytest.raises(ExamInvalid):
        load_saved(tmp_path / "x", SeedPolicy())
