import pytest

from ascertain.exam.authorship import shared, warning


@pytest.mark.parametrize(
    ("rule", "exam"),
    [
        ("Ann Lee", "ann lee"),
        ("ascertain", "the ascertain and Bo"),
        ("the chapter's author", "questions: the chapter's author (2026); text: Bo"),
        ("Cee; Dee", "Bo & Dee et al."),
    ],
)
def test_one_name_in_both_is_enough(rule, exam):
    assert shared(rule, exam)
    assert "can't judge" in warning("rule", rule, "exam", exam)


@pytest.mark.parametrize(
    ("rule", "exam"),
    [("Ann", "Anna"), ("ascertain", "users of a forum"), ("the chapter's author", "the author of a book")],
)
def test_other_names_may_judge(rule, exam):
    assert not shared(rule, exam)
    assert warning("rule", rule, "exam", exam) == ""
