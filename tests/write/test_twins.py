"""Twins are suggested with evidence, merged on confirmation only, and parted without loss."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain.errors import InvalidInput, NotFound
from ascertain.memory import Memory
from ascertain.model.documents import Document, Piece
from ascertain.model.nodes import Concept, Node, Record
from laws.tiny import TinyEncoder

DAY = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "notes.db", encoder=TinyEncoder()) as opened:
        yield opened


def pairs(memory: Memory) -> list[tuple[str, str, str]]:
    return [(one.kept.id, one.other.id, one.reasons[0].sort) for one in memory.twins()]


def taken(memory: Memory, id: str) -> str | None:
    return memory.ask(id).node


def test_one_name_in_two_casings_is_suggested_and_the_one_that_more_leads_to_is_kept(memory: Memory) -> None:
    memory.add(
        Concept(id="a", title="Rate limiting"),
        Concept(id="b", title="rate-limiting", aliases=("Throttle",)),
        Concept(id="c", title="ＲＡＴＥ　Limiting"),
        Record(id="r", title="100 a second", about=("b",)),
    )
    assert pairs(memory) == [("a", "c", "name"), ("b", "a", "name")]


def test_words_texts_and_kinds(memory: Memory) -> None:
    text = "How many requests somebody may make in a day before being turned away."
    memory.add(
        Concept(id="q1", title="Quota"),
        Concept(id="q2", title="Quotas"),
        Concept(id="t1", title="Allowance", body=text),
        Concept(id="t2", title="Budget of calls", body=text.upper()),
        Record(id="r", title="Quota"),
    )
    assert pairs(memory) == [("q1", "q2", "words"), ("t1", "t2", "text")]


def test_what_differs_by_a_number_or_a_moment_is_never_suggested(memory: Memory) -> None:
    body = "The form that is filled in before anybody climbs, with all its boxes."
    memory.add(
        Record(id="f1", title="Inspection form KX-2031-0417", body=body),
        Record(id="f2", title="Inspection form KX-2031-0418", body=body),
        Record(id="m1", title="Users", observed_at=DAY),
        Record(id="m2", title="Users", observed_at=DAY.replace(day=2)),
    )
    assert pairs(memory) == []


def test_after_a_merge_both_names_lead_to_one_with_all_that_was_about_either(memory: Memory) -> None:
    pieces = tuple(Piece(id=f"d#{at}", text=text) for at, text in enumerate(("The cap is low.", "A quota of ten.")))
    memory.add(
        Document(id="d", title="Talk", pieces=pieces),
        Concept(id="quota", title="Quota", source="d#1"),
        Concept(id="cap", title="Usage cap", source="d#0", body="What is allowed at most."),
        Record(id="r1", title="Ten a day", about=("quota",)),
        Record(id="r2", title="Twelve a day", about=("cap",)),
    )
    row = memory.merge("quota", "cap", by="somebody")
    assert (row.node.aliases, row.node.supersedes) == (("Usage cap",), ("cap",))
    assert taken(memory, "what is the usage cap?") == "quota"
    assert pairs(memory) == []
    told = memory.material("quota").text
    assert all(text in told for text in ("Ten a day", "Twelve a day", "The cap is low.", "A quota of ten."))
    assert memory.node("cap").node.source == "d#0"
    assert memory.merge("quota", "cap") == row


def test_a_part_gives_back_what_was_taken_and_is_remembered(memory: Memory) -> None:
    memory.add(
        Concept(id="a", title="Gate", aliases=("Check",)),
        Concept(id="b", title="GATE", aliases=("Barrier",)),
        Record(id="r", title="A fact", about=("b",)),
    )
    before = [memory.node(id).node for id in ("a", "b", "r")]
    assert [pair[:2] for pair in pairs(memory)] == [("b", "a")]
    memory.merge("a", "b")
    memory.part("a", "b")
    assert [memory.node(id).node for id in ("a", "b", "r")] == before
    assert memory.node("b").superseded_by is None
    assert pairs(memory) == []
    assert [row.reason for row in memory.history("a")] == ["merged with b", "parted from b", ""]


def test_an_import_changes_no_merge_and_finds_new_mentions_of_both_names(tmp_path: Path, memory: Memory) -> None:
    folder = tmp_path / "v"
    folder.mkdir()
    (folder / "Quota.md").write_text("What is allowed.\n", "utf-8")
    (folder / "Usage cap.md").write_text("What is allowed at most.\n", "utf-8")
    memory.import_path(folder)
    memory.merge("concept:Quota", "concept:Usage cap")
    again = memory.import_path(folder)
    assert (again.added, again.changed, again.unchanged) == (0, 0, 2)
    (folder / "README.md").write_text("We raised the usage cap.\n", "utf-8")
    memory.import_path(folder)
    edges = {(edge.start, edge.end) for edge in memory.neighbours("concept:Quota") if edge.type == "MENTIONS"}
    assert ("doc:README.md#0", "concept:Quota") in edges
    (folder / "Quota.md").write_text("What is allowed, said otherwise.\n", "utf-8")
    memory.import_path(folder)
    node = memory.node("concept:Quota").node
    assert (node.text, node.aliases) == ("What is allowed, said otherwise.", ("Usage cap",))
    memory.part("concept:Quota", "concept:Usage cap")
    assert memory.node("concept:Quota").node.aliases == ()
    edges = {(edge.start, edge.end) for edge in memory.neighbours("concept:Usage cap") if edge.type == "MENTIONS"}
    assert ("doc:README.md#0", "concept:Usage cap") in edges
    assert not {e for e in memory.neighbours("concept:Quota") if e.start == "doc:README.md#0"}


def test_an_import_tells_of_a_name_that_another_node_bears_and_merges_nothing(tmp_path: Path, memory: Memory) -> None:
    folder = tmp_path / "v"
    for name, title in (("a/x.md", "Rate limiting"), ("b/y.md", "Rate Limiting"), ("c/z.md", "Other")):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(f"# {title}\n\nText of {name}.\n", "utf-8")
    notes = memory.import_path(folder).problems
    assert [note.reason.partition(" (")[0] for note in notes] == [
        "'concept:b/y' may be the same as 'concept:a/x': both are called 'Rate Limiting'"
    ]
    assert notes[0].file.endswith("y.md")
    assert memory.import_path(folder).problems == []
    assert len(memory.twins()) == 1


def test_the_past_knows_nothing_of_a_later_merge(memory: Memory) -> None:
    memory.add(
        Concept(id="a", title="Quota"), Concept(id="b", title="Usage cap"), Record(id="r", title="Ten", about=("b",))
    )
    before = datetime.now(UTC)
    memory.merge("a", "b")
    assert memory.ask("Usage cap", known_at=before).node == "b"
    assert "Ten" not in memory.material("a", known_at=before).text


@pytest.mark.parametrize(
    ("kept", "other", "why"),
    [
        ("a", "a", "one node already"),
        ("a", "r", "can't be one"),
        ("r", "s", "different moments"),
        ("a", "gone", "was withdrawn"),
        ("old", "new", "supersedes"),
        ("a", "nobody", "no node"),
    ],
)
def test_what_can_not_be_one_is_refused_and_changes_nothing(memory: Memory, kept: str, other: str, why: str) -> None:
    memory.add(
        Concept(id="a", title="A one"),
        Concept(id="gone", title="B two", retired_at=DAY),
        Concept(id="old", title="C three"),
        Concept(id="new", title="D four", supersedes=("old",)),
        Record(id="r", title="E five", observed_at=DAY),
        Record(id="s", title="E five", observed_at=DAY.replace(day=3)),
    )
    before = list(memory.export())
    with pytest.raises((InvalidInput, NotFound), match=why):
        memory.merge(kept, other)
    assert list(memory.export()) == before


def test_merges_run_in_no_circle_and_what_was_merged_is_named_by_what_stands(memory: Memory) -> None:
    memory.add(*(Concept(id=id, title=f"Title {id}") for id in "abcd"))
    memory.merge("b", "a")
    memory.merge("c", "b")
    for kept, other in (("a", "c"), ("d", "a"), ("b", "d")):
        with pytest.raises(InvalidInput, match="already"):
            memory.merge(kept, other)
    assert set(memory.node("c").node.aliases) == {"Title a", "Title b"}
    memory.part("c", "b")
    assert memory.node("b").node.aliases == ("Title a",)
    assert memory.node("c").node.aliases == ()


def test_what_is_forgotten_is_in_no_merge(memory: Memory, tmp_path: Path) -> None:
    memory.add(Concept(id="a", title="Gate"), Concept(id="quorlithane", title="Quorlithane"))
    memory.merge("a", "quorlithane")
    memory.forget("quorlithane")
    memory.correct(replace(memory.node("a").node, body="More."))
    assert memory.node("a").node.supersedes == ()


names = st.lists(st.sampled_from(["Gate", "GATE", "gate", "Check", "Pool", "POOL", "후보"]), min_size=1, max_size=3)


@given(st.lists(names, min_size=2, max_size=5))
def test_any_merge_and_its_part_leave_every_node_as_it_was(named: list[list[str]]) -> None:
    nodes: list[Node] = [
        Concept(id=f"n{at}", title=title, aliases=tuple(rest)) for at, (title, *rest) in enumerate(named)
    ]
    with Memory.temporary(encoder=TinyEncoder()) as memory:
        memory.add(*nodes)
        for one in memory.twins():
            memory.merge(one.kept.id, one.other.id)
            assert memory.node(one.other.id).superseded_by == one.kept.id
            memory.part(one.kept.id, one.other.id)
        assert [memory.node(node.id).node for node in nodes] == nodes
        assert memory.twins() == []
        assert memory.doctor() == []


def test_parting_keeps_what_files_say(tmp_path: Path) -> None:
    folder = tmp_path / "adr"
    folder.mkdir()
    (folder / "0001-a.md").write_text("# 1. A\n\n## Status\n\nAccepted\n", "utf-8")
    (folder / "0002-b.md").write_text("# 2. B\n\n## Status\n\nAccepted. Supersedes [1](0001-a.md)\n", "utf-8")
    with Memory.open(tmp_path / "s.db", encoder=TinyEncoder()) as memory:
        memory.import_path(folder)
        before = list(memory.export())
        memory.merge("decision:0002-b", "decision:0001-a")
        memory.part("decision:0002-b", "decision:0001-a")
        assert list(memory.export()) == before
        memory.add(Concept(id="x", title="X"), Concept(id="y", title="Y", supersedes=("x",)))
        memory.merge("y", "x")
        memory.part("y", "x")
        assert memory.node("y").node.supersedes == ("x",)
        assert memory.node("y").node.aliases == ()
