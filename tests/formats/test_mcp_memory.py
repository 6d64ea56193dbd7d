"""Memory files of MCP memory servers, in their several shapes, sound and damaged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ascertain import Memory
from ascertain.formats.base import Item, Problem
from ascertain.formats.catalogue import detect
from ascertain.formats.json.mcp_memory import McpMemoryFormat

ALICE = {"type": "entity", "name": "Alice", "entityType": "person", "observations": ["Lives in Lyon", "Keeps bees"]}
BOB = {"type": "entity", "name": "Bob", "entityType": "person", "observations": []}
KNOWS = {"type": "relation", "from": "Alice", "to": "Bob", "relationType": "is_friend_of"}


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.temporary() as memory:
        yield memory


def written(folder: Path, *lines: object, name: str = "memory.jsonl") -> Path:
    """A file of these lines; a text or bytes stands as it is."""
    told = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in lines]
    path = folder / name
    path.write_text("\n".join(told), encoding="utf-8")
    return path


def titles(memory: Memory) -> set[str]:
    return {json.loads(line)["title"] for line in memory.export()}


def test_entities_observations_and_relations_come_in(memory: Memory, tmp_path: Path) -> None:
    path = written(tmp_path, ALICE, BOB, KNOWS)
    assert detect(path).name == "mcp-memory"
    report = memory.import_path(path)
    assert report.problems == []
    assert titles(memory) == {
        "Alice", "Bob", "Alice: Lives in Lyon", "Alice: Keeps bees", "Alice is friend of Bob",
    }  # fmt: skip
    assert memory.status().counts.edges["ABOUT"] == 4
    assert memory.ask("Alice: Lives in Lyon").state == "resolved"
    again = memory.import_path(path)
    assert (again.added, again.changed) == (0, 0)


def test_a_moved_file_makes_no_twins(memory: Memory, tmp_path: Path) -> None:
    memory.import_path(written(tmp_path, ALICE, BOB, KNOWS))
    (tmp_path / "elsewhere").mkdir()
    report = memory.import_path(written(tmp_path / "elsewhere", ALICE, BOB, KNOWS))
    assert (report.added, report.changed) == (0, 0)


@pytest.mark.parametrize(
    "lines",
    [
        [{"_type": "entity", "_savedAt": "2025-05-13T14:03:13Z", "name": "Alice", "entityType": "person",
          "observations": [{"text": "Lives in Lyon", "timestamp": "2025-05-11T15:54:05Z", "version": "1.0"}]}],
        [{"name": "Alice", "entityType": "person", "observations": ["Lives in Lyon"], "createdAt": 1768107430}],
        [{"type": "_aim", "source": "mcp-knowledge-graph"},
         {"type": "entity", "name": "Alice", "entityType": "person", "observations": ["Lives in Lyon"]}],
        [{"type": "entity", "name": " Alice  ", "entityType": "person", "observations": "Lives in Lyon"}],
    ],
    ids=["_type and objects", "no type", "marker", "blanks and a text"],
)  # fmt: skip
def test_every_server_writes_it_differently(memory: Memory, tmp_path: Path, lines: list[Any]) -> None:
    path = written(tmp_path, *lines)
    assert detect(path).name == "mcp-memory"
    memory.import_path(path)
    assert titles(memory) == {"Alice", "Alice: Lives in Lyon"}


def test_times_are_taken_where_they_are_stated(memory: Memory, tmp_path: Path) -> None:
    told = {"text": "Lives in Lyon", "timestamp": "2025-05-11T15:54:05Z"}
    alice = {"name": "Alice", "entityType": "x", "observations": [told, "Keeps bees"], "createdAt": 1768107430}
    memory.import_path(written(tmp_path, alice))
    found = {one["title"]: one for one in map(json.loads, memory.export())}
    assert found["Alice: Lives in Lyon"]["observed_at"] == "2025-05-11T15:54:05Z"
    assert "observed_at" not in found["Alice: Keeps bees"]
    assert found["Alice"]["recorded_at"] == "2026-01-11T04:57:10Z"


def test_a_relation_may_call_its_verb_relation_and_notes_have_a_topic(memory: Memory, tmp_path: Path) -> None:
    verb = {"type": "relation", "from": "Alice", "to": "Bob", "relation": "knows", "weight": 3}
    memory.import_path(written(tmp_path, ALICE, BOB, verb))
    memory.import_path(written(tmp_path, {"type": "build_tips", "content": "Run the watcher."}, name="other.jsonl"))
    assert {"Alice knows Bob weight: 3", "build tips: Run the watcher."} <= titles(memory)


def test_one_pretty_printed_object_is_read_too(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    path.write_text(json.dumps({"entities": [ALICE, BOB], "relations": [KNOWS]}, indent=2))
    assert detect(path).name == "mcp-memory"
    assert memory.import_path(path).added == 5


def test_sound_lines_come_in_and_each_bad_one_is_named(memory: Memory, tmp_path: Path) -> None:
    """Row 14 of the public reports."""
    path = tmp_path / "memory.jsonl"
    lines = [
        json.dumps(ALICE), json.dumps(BOB) + json.dumps(KNOWS), "[]", "null", '"text"', "// a comment",
        json.dumps({"type": "entity", "name": "Carol", "entityType": "x", "observations": ["one", None, 7, {}]}),
        json.dumps({"type": "entity", "name": "", "entityType": "x", "observations": []}),
        json.dumps({"type": "relation", "from": "Alice", "to": None, "relationType": "knows"}),
        json.dumps({"name": "Dora", "observations": ["two"]}),
    ]  # fmt: skip
    cut = json.dumps({"type": "entity", "name": "Émile", "entityType": "x", "observations": ["é"]}, ensure_ascii=False)
    path.write_bytes("\n".join(lines).encode() + b"\n" + cut.encode()[: cut.encode().rindex("é".encode()) + 1])
    report = memory.import_path(path)
    assert {"Alice", "Carol", "Carol: one", "Carol: 7", "Dora", "Dora: two"} <= titles(memory)
    assert [one.line for one in report.skipped] == [2, 3, 4, 5, 6, 7, 7, 8, 9, 11]
    assert [one.line for one in report.problems if not one.skipped] == [10]
    assert all(one.reason for one in report.problems)
    assert memory.doctor() == []


def test_names_that_are_never_declared_make_no_edge_and_are_listed(memory: Memory, tmp_path: Path) -> None:
    """Row 16 of the public reports."""
    phantoms = [
        {"type": "relation", "from": "Alice", "to": f"Phantom-{number}", "relationType": "fears"} for number in (1, 2)
    ]
    filler = [{"type": "entity", "name": f"Filler {number}", "entityType": "x", "observations": []}
              for number in range(50)]  # fmt: skip
    late = {"type": "entity", "name": "Phantom-2", "entityType": "ghost", "observations": []}
    path = written(tmp_path, ALICE, *phantoms, *filler, late)
    report = memory.import_path(path)
    assert [one.line for one in report.problems] == [2]
    assert "Phantom-1" in report.problems[0].reason
    edges = memory.status().counts.edges["ABOUT"]
    again = memory.import_path(path)
    assert (again.added, again.changed, memory.status().counts.edges["ABOUT"]) == (0, 0, edges)


def test_a_folder_of_memory_files_is_one_memory(memory: Memory, tmp_path: Path) -> None:
    aim = tmp_path / "project" / ".aim"
    aim.mkdir(parents=True)
    written(aim, ALICE)
    written(aim, BOB, KNOWS, {**ALICE, "observations": ["Plays chess"]}, name="memory-work.jsonl")
    assert detect(tmp_path).name == "folder"
    memory.import_path(tmp_path)
    assert {"Alice: Plays chess", "Alice: Keeps bees", "Alice is friend of Bob"} <= titles(memory)
    assert memory.status().counts.nodes["concept"] == 2


def test_the_interchange_format_is_not_taken_for_one(tmp_path: Path) -> None:
    assert detect(written(tmp_path, {"type": "concept", "id": "a", "title": "A"})).name == "jsonl"


_values = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=8),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
_keys = some.sampled_from(
    [
        "name",
        "entityType",
        "observations",
        "type",
        "_type",
        "from",
        "to",
        "relationType",
        "relation",
        "createdAt",
        "content",
    ]
)
_lines = some.dictionaries(_keys, _values | some.sampled_from(["entity", "relation", "Alice", ["a", "a"]]), max_size=6)


@given(some.lists(_lines | _values, min_size=1, max_size=6))
def test_every_line_is_taken_or_named(tmp_path_factory: pytest.TempPathFactory, lines: list[Any]) -> None:
    path = tmp_path_factory.mktemp("lines") / "memory.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in lines), encoding="utf-8")
    found = list(McpMemoryFormat().read(path))
    told = {one.line for one in found if isinstance(one, Item | Problem)}
    assert told >= set(range(1, len(lines) + 1)) or told == {None}
    ids = [one.value.id for one in found if isinstance(one, Item)]
    assert len(ids) == len(set(ids))
