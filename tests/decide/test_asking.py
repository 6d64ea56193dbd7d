"""What parts candidates is named, and asked for in the language of the question."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain.decide.asking import ask_back
from ascertain.decide.differences import differences
from ascertain.model.evidence import Candidate
from exam.made import candidate


def titled(id: str, title: str, **more: object) -> Candidate:
    return replace(candidate(id, **more), title=title)  # type: ignore[arg-type]


OUTBOX = (titled("a", "Outbox", kind="concept"), titled("b", "Outbox", kind="decision"))
TWINS = (titled("a", "Audit", moment="2025-01-02T00:00:00Z"), titled("b", "Audit", moment="2026-01-02T00:00:00Z"))


@pytest.mark.parametrize(
    ("question", "candidates", "asked"),
    [
        ("outbox?", OUTBOX, "Which one do you mean: the concept or the decision?"),
        ("outbox가 뭐야?", OUTBOX, "어느 것을 말씀하시나요: 개념, 결정?"),
        ("アウトボックスとは?", OUTBOX, "どれのことですか: 概念、決定?"),
        ("audit", TWINS, "From when: 2025-01-02 or 2026-01-02?"),
        ("감사", TWINS, "언제 것을 말씀하시나요: 2025-01-02, 2026-01-02?"),
        ("pier", (titled("a", "Pier"), titled("b", "North pier"), titled("c", "Quay")),
         "Which one do you mean: «Pier», «North pier» or «Quay»?"),
        ("pier", (titled("a", "Pier"),), "Do you mean «Pier»?"),
        ("pier", (titled("a", "Pier"), titled("b", "Pier")), "Which one do you mean: a or b?"),
    ],
)  # fmt: skip
def test_the_question_asks_for_what_parts_them(question: str, candidates: tuple[Candidate, ...], asked: str) -> None:
    assert ask_back(question, candidates) == asked


titles = st.lists(st.sampled_from(["Pier", "North pier", "Quay", "x" * 300, "Pier "]), min_size=2, max_size=5)


@given(titles)
def test_the_question_is_short_and_parts_any_candidates(told: list[str]) -> None:
    candidates = [titled(f"id{at}", one) for at, one in enumerate(told)]
    assert 0 < len(ask_back("which?", candidates)) < 400
    found = differences(candidates)
    assert set(found) == {one.id for one in candidates}
    if len({" ".join(one.split()) for one in told}) < len(told):
        assert all("id" in one for one in found.values())


def test_titles_that_share_no_word_are_not_told_twice() -> None:
    found = differences((titled("a", "Tide table"), titled("b", "Crane licence")))
    assert found == {"a": {}, "b": {}}


def test_words_are_told_where_titles_share_some() -> None:
    found = differences((titled("a", "Tide table north"), titled("b", "Tide table south"), titled("c", "Crane")))
    assert (found["a"], found["b"], found["c"]) == ({"words": "Tide table north"}, {"words": "Tide table south"}, {})
