"""Nothing from a store reaches a terminal raw."""

from __future__ import annotations

import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from ascertain.interfaces.plain import cut, escaped, json_line, lines, one_line

anything = st.text(st.characters(codec=None))


@given(anything)
def test_one_line_holds_no_control_and_no_lone_surrogate(text: str) -> None:
    told = one_line(text)
    assert not [char for char in told if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")]
    assert one_line(told) == told


@given(anything, st.integers(1, 5))
def test_lines_hold_no_control_but_breaks_and_no_more_than_asked(text: str, most: int) -> None:
    told = lines(text, most=most)
    assert not [char for char in told if char != "\n" and unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")]
    assert told.count("\n") < most


@given(anything, st.integers(1, 40))
def test_cut_keeps_to_its_length(text: str, most: int) -> None:
    assert len(cut(text, most)) <= most


@given(st.dictionaries(anything, anything, max_size=3))
def test_json_says_the_same_with_controls_escaped(value: dict[str, str]) -> None:
    told = json_line(value)
    assert json.loads(told) == value
    assert not [char for char in told if unicodedata.category(char) == "Cc"]


def test_what_turns_the_writing_around_goes_and_joiners_stay() -> None:
    assert one_line("a\u202eb\u2066c\u200dd\u200fe") == "abc\u200dd\u200fe"


def test_letters_of_other_scripts_stay_as_they_are() -> None:
    assert one_line("후보 풀 — ascertain") == "후보 풀 — ascertain"
    assert escaped('{"a": "후보\x9b"}') == '{"a": "후보\\u009b"}'
