"""The accidents of the chapter's section 8, by name, and others of their kind."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from ascertain.memory import Memory
from ascertain.model.nodes import Concept, Decision, Node, Record
from laws.tiny import LastOneSeen, TinyEncoder


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.temporary(encoder=TinyEncoder()) as made:
        yield made


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def concept(title: str, id: str, **more: object) -> Node:
    return Concept(id=id, title=title, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("policy", ["seed", "grounds"])
def test_a_withdrawn_twin_keeps_the_visible_one_from_being_resolved(memory: Memory, policy: str) -> None:
    """The chapter's accident: one of two tied candidates was retired, and the survivor was promoted."""
    memory.add(concept("Night shift", "a"), concept("Night shift", "b", retired_at=at("2026-01-01")))
    answer = memory.ask("night shift", policy=policy)
    assert (answer.state, answer.hidden) == ("choose", 1)
    assert [one.candidate.id for one in answer.candidates] == ["a"]
    assert memory.ask("night shift", policy=policy, include_retired=True).state == "choose"


def test_a_twin_that_no_longer_holds_does_the_same(memory: Memory) -> None:
    memory.add(concept("Night shift", "a"), concept("Night shift", "b", valid_to=at("2025-01-01")))
    assert memory.ask("night shift").state == "choose"
    assert memory.ask("night shift", valid_at="2024-01-01").state == "choose"


def test_a_twin_that_was_not_known_yet_does_the_same(memory: Memory) -> None:
    memory.add(concept("Night shift", "a"), concept("Night shift", "b", recorded_at=at("2026-01-01")))
    assert memory.ask("night shift", known_at="2025-01-01").state == "choose"


def test_a_policy_that_looks_at_what_is_visible_sees_nothing_of_it(memory: Memory) -> None:
    memory.add(concept("Night shift", "a"), concept("Night shift", "b", retired_at=at("2026-01-01")))
    assert memory.ask("night shift", policy=LastOneSeen()).state == "choose"


def test_what_is_meant_and_hidden_gives_none_and_says_since_when(memory: Memory) -> None:
    memory.add(concept("Night shift", "a", retired_at=at("2026-01-01")), concept("Gate", "b"))
    answer = memory.ask("night shift")
    assert (answer.state, answer.node, answer.hidden) == ("none", None, 1)
    assert "was withdrawn at 2026-01-01T00:00:00Z" in answer.reason
    shown = memory.ask("night shift", include_retired=True)
    assert (shown.state, shown.node) == ("resolved", "a")
    assert "was withdrawn at 2026-01-01T00:00:00Z" in shown.reason


def test_a_successor_with_grounds_of_its_own_is_resolved_though_its_predecessor_matches_too(memory: Memory) -> None:
    memory.add(
        Decision(id="a", title="Cache in Redis", decided_at=at("2025-01-01")),
        Decision(id="b", title="Cache in Redis cluster", decided_at=at("2026-01-01"), supersedes=("a",)),
    )
    assert memory.ask("cache in redis cluster").node == "b"
    assert memory.ask("cache in redis", as_of="2025-06-01").node == "a"


def test_where_only_the_hidden_version_is_meant_the_one_in_its_place_is_offered_alone(memory: Memory) -> None:
    memory.add(
        Decision(id="a", title="Cache in Redis", decided_at=at("2025-01-01")),
        Decision(id="b", title="Answers live in Postgres", decided_at=at("2026-01-01"), supersedes=("a",)),
    )
    answer = memory.ask("cache in redis")
    assert (answer.state, [one.candidate.id for one in answer.candidates]) == ("choose", ["b"])
    assert "no longer holds since 2026-01-01T00:00:00Z" in answer.reason
    assert "«Answers live in Postgres» took its place" in answer.reason


def test_a_supersession_that_was_learnt_later_hides_nothing_from_who_asks_before(memory: Memory) -> None:
    """B took A's place in 2025, but the store learnt of it in 2026."""
    memory.add(
        Decision(id="a", title="Cache in Redis", decided_at=at("2024-01-01")),
        Decision(id="b", title="Cache in Postgres", decided_at=at("2025-01-01"), recorded_at=at("2026-01-01"),
                 supersedes=("a",)),
    )  # fmt: skip
    assert memory.ask("cache in redis", valid_at="2025-06-01", known_at="2025-06-01").node == "a"
    assert memory.ask("cache in redis", valid_at="2025-06-01", known_at="2026-06-01").node is None
    assert memory.ask("cache in redis", valid_at="2024-06-01", known_at="2026-06-01").node == "a"


def test_a_correction_takes_no_evidence_from_the_corrected(memory: Memory) -> None:
    """The earlier version bears the same title; it must not halve its successor's lead."""
    memory.add(concept("Night shift rota", "a", body="draft"), concept("Gate form", "b"), concept("Cache", "c"))
    before = memory.ask("night shift rota", policy="seed")
    then = datetime.now(UTC)
    for round in range(5):
        memory.correct(concept("Night shift rota", "a", body=f"round {round}"))
    after = memory.ask("night shift rota", policy="seed")
    assert (before.node, after.node) == ("a", "a")
    assert memory.ask("night shift rota", policy="seed", known_at=then).node == "a"


def test_a_title_that_was_corrected_away_is_no_longer_resolved_by_itself(memory: Memory) -> None:
    memory.add(concept("Night shift", "a"), concept("Gate", "b"))
    then = datetime.now(UTC)
    memory.correct(concept("Evening rota", "a"))
    answer = memory.ask("night shift")
    assert answer.state == "choose"
    assert [one.candidate.title for one in answer.candidates] == ["Evening rota"]
    past = memory.ask("night shift", known_at=then)
    assert (past.node, past.candidates[0].candidate.title) == ("a", "Night shift")
    assert memory.ask("evening rota", known_at=then).node is None
    assert memory.ask("evening rota").node == "a"


def test_an_id_that_looks_like_a_version_is_just_an_id(memory: Memory) -> None:
    memory.add(concept("Night shift", "x"), concept("Gate", "x@0"))
    memory.correct(concept("Night shift rota", "x"))
    assert memory.ask("gate").node == "x@0"


def test_a_thousand_withdrawn_claims_do_not_push_the_living_one_out(memory: Memory) -> None:
    """All share the question's words, the withdrawn ones share more."""
    memory.add(Concept(id="c", title="Door"))
    memory.add(
        Record(id="live", title="night gate code changed", about=("c",)),
        *(
            Record(id=f"old{n}", title=f"night gate form code {n}", about=("c",), retired_at=at("2026-01-01"))
            for n in range(1000)
        ),
    )
    answer = memory.ask("night gate form code")
    assert answer.state == "choose"
    assert "live" in [one.candidate.id for one in answer.candidates]
    assert answer.hidden
    assert _seconds(memory, "night gate form code") < 1


def test_a_chain_of_a_thousand_versions_is_one_thing(memory: Memory) -> None:
    memory.add(
        *(
            Decision(id=f"d{n}", title=f"Cache rule {n}", supersedes=(f"d{n - 1}",) if n else (),
                     valid_from=datetime(1000 + n, 1, 1, tzinfo=UTC))
            for n in range(1000)
        )
    )  # fmt: skip
    assert memory.ask("cache rule 999").node == "d999"
    assert memory.ask("cache rule 500", valid_at="1500-06-01").node == "d500"
    answer = memory.ask("cache rule 500")
    assert answer.node != "d500"
    assert [one.candidate.id for one in answer.candidates][:1] == ["d999"]
    assert _seconds(memory, "cache rule 999") < 1


def test_a_thousand_corrections_of_one_node_take_one_place(memory: Memory) -> None:
    memory.add(concept("Night shift rota", "a"), concept("Night gate", "b"), concept("Shift form", "c"))
    node = memory.node("a").node
    with memory._store.transaction():  # one transaction, else a thousand of them take a minute
        for round in range(1000):
            memory.correct(replace(node, aliases=(f"rota {round}",)))
    assert memory.ask("night shift rota").node == "a"
    assert _seconds(memory, "night shift rota") < 1


def _seconds(memory: Memory, question: str) -> float:
    start = time.perf_counter()
    memory.ask(question)
    return time.perf_counter() - start
