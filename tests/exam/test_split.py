from hypothesis import given
from hypothesis import strategies as st

from ascertain.exam.split import half_of


@given(st.text())
def test_a_question_is_in_one_half_however_it_is_typed(text):
    assert half_of(text) in ("tune", "test")
    assert half_of(f"  {text}\n") == half_of(text)


def test_about_half_of_the_questions_are_in_each():
    tune = sum(half_of(f"question number {at}") == "tune" for at in range(1000))
    assert 430 < tune < 570
