"""A pick is heard when the same is asked again, is shown, can be taken back, and resolves nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain import Concept, Decision, Memory
from ascertain.decide.calibrated import CalibratedPolicy
from ascertain.decide.grounds import GroundsPolicy
from ascertain.decide.picks import heeding
from ascertain.decide.seed import SeedPolicy
from ascertain.model.evidence import Pool
from exam.made import pools

QUESTION = "What is the outbox?"


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.temporary() as opened:
        opened.add(
            Concept(id="a", title="Outbox"), Decision(id="b", title="Outbox"), Concept(id="gate", title="Residual gate")
        )
        yield opened


def offered(memory: Memory, question: str = QUESTION) -> list[str]:
    return [one.candidate.id for one in memory.ask(question).candidates]


@pytest.mark.parametrize("picked", ["a", "b"])
def test_what_was_picked_comes_first_when_the_same_is_asked_again(memory: Memory, picked: str) -> None:
    before = offered(memory)
    assert set(before) >= {"a", "b"}
    number = memory.choose(QUESTION, picked, by="mina").number
    for same in (QUESTION, "what is the OUTBOX", "  What is  the outbox ?? "):
        answer = memory.ask(same)
        assert (answer.state, answer.candidates[0].candidate.id) == ("choose", picked)
        assert any("was picked for this question 1 time" in told for told in answer.why.grounds)
    memory.undo_choice(number)
    assert offered(memory) == before


def test_another_question_does_not_hear_it(memory: Memory) -> None:
    other = "Which outbox?"
    before = offered(memory, other)
    memory.choose(QUESTION, before[1], by="mina")
    assert offered(memory, other) == before
    memory.choose(QUESTION, None, by="mina")  # "none of these" moves nothing
    assert offered(memory, other) == before


def test_a_read_of_the_past_does_not_know_what_was_picked_later(memory: Memory) -> None:
    before = [one.candidate.id for one in memory.ask(QUESTION, known_at="2020-01-01").candidates]
    memory.choose(QUESTION, before[1], by="mina")
    assert [one.candidate.id for one in memory.ask(QUESTION, known_at="2020-01-01").candidates] == before
    assert offered(memory)[0] == before[1]


def test_a_pick_against_the_evidence_makes_a_list_and_resolves_nothing(memory: Memory) -> None:
    question = "What is the residual gate?"
    assert memory.ask(question).node == "gate"
    memory.choose(question, "gate", by="mina")
    assert memory.ask(question).node == "gate"
    for _ in range(3):
        memory.choose(question, "a", by="joon")
    answer = memory.ask(question)
    assert (answer.state, answer.node) == ("choose", None)
    assert [one.candidate.id for one in answer.candidates][:2] == ["a", "gate"]
    assert "another candidate was picked for this question before" in answer.why.obstacles


@given(pools(), st.lists(st.integers(0, 3), min_size=7, max_size=7))
def test_picks_never_resolve_what_the_policy_did_not(made: Pool, times: list[int]) -> None:
    told = replace(
        made,
        candidates=tuple(replace(one, picked=many) for one, many in zip(made.candidates, times, strict=False)),
    )
    for policy in (SeedPolicy(), GroundsPolicy(), CalibratedPolicy()):
        plain = policy.decide(made)
        assert policy.decide(told) == plain  # the policy itself does not hear it
        heard = heeding(told, plain)
        assert sorted(heard.order) == sorted(plain.order)
        assert heard.node in (None, plain.node)
        if heard.node is None and heard != plain:
            assert heard.state == "choose"
            first = next(one for one in told.candidates if one.id == heard.order[0])
            assert first.picked == max(one.picked for one in told.candidates if one.id in plain.order)
            assert set(heard.listed) <= set(heard.order)
            assert heard.listed[0] == heard.order[0]
