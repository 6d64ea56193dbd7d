"""Answers have one JSON shape: exactly these keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ascertain import ImportReport, Memory, NotFound, Resolution
from ascertain.formats.base import Problem
from ascertain.interfaces import wire

ANSWER = {
    "state", "question", "node", "candidates", "hidden", "reason", "policy", "timings_ms", "why", "ask_back",
}  # fmt: skip
CANDIDATE = {"id", "kind", "title", "score", "visible", "arms", "valid_from", "valid_to", "retired_at"}


@pytest.fixture
def memory(filled: Path) -> Iterator[Memory]:
    with Memory.open(filled, create=False) as opened:
        yield opened


def told(answer: Resolution) -> Any:
    """Through JSON and back: nothing in it that JSON can't say."""
    return json.loads(json.dumps(wire.resolution_json(answer)))


def test_a_resolved_answer_names_its_node_by_id(memory: Memory) -> None:
    found = told(memory.ask("What is the residual gate?"))
    assert set(found) == ANSWER
    assert (found["state"], found["node"]) == ("resolved", "gate")
    assert set(found["why"]) == {"rule", "grounds", "obstacles"}
    assert all(set(one) == CANDIDATE for one in found["candidates"])
    assert found["candidates"][0]["id"] == "gate"


def test_candidates_to_choose_from_say_what_parts_them(memory: Memory) -> None:
    found = told(memory.ask("outbox"))
    assert (found["state"], found["node"]) == ("choose", None)
    assert all(set(one) == CANDIDATE | {"differs_by"} for one in found["candidates"])
    kinds = {one["id"]: one["differs_by"]["kind"] for one in found["candidates"][:2]}
    assert kinds == {"outbox": "concept", "d-outbox": "decision"}


def test_evidence_stands_under_the_name_of_its_arm(memory: Memory) -> None:
    first = told(memory.ask("residual gate"))["candidates"][0]
    assert first["arms"]["title"]["surface"] == "Residual gate"
    assert len(first["arms"]["title"]["matched"]) == 2
    assert first["arms"]["graph"]["paths"][0].keys() == {"piece", "piece_rank", "edges"}


def test_no_answer_has_no_node(memory: Memory) -> None:
    found = told(memory.ask("???"))
    assert (found["state"], found["node"]) == ("none", None)
    assert all(set(one) == CANDIDATE for one in found["candidates"])


def test_imports_add_up_and_problems_are_parted() -> None:
    skipped, note = Problem("a.md", 3, "cut off"), Problem("b.md", None, "no such name", skipped=False)
    found = wire.import_json([
        ImportReport(added=1, documents=2, pieces=5, problems=[skipped], seconds=0.25),
        ImportReport(added=2, changed=1, unchanged=4, problems=[note], seconds=0.5),
    ])  # fmt: skip
    assert found == {
        "added": 3, "changed": 1, "unchanged": 4, "documents": 2, "pieces": 5, "retired": 0,
        "seconds": 0.75,
        "skipped": [{"file": "a.md", "line": 3, "reason": "cut off"}],
        "notes": [{"file": "b.md", "line": None, "reason": "no such name"}],
    }  # fmt: skip


def test_found_pieces_carry_both_ranks(memory: Memory) -> None:
    found = wire.pieces_json("residual gate", memory.search("residual gate"))
    first = found["pieces"][0]
    assert set(first) == {"id", "document", "text", "rank", "word_rank", "vector_rank", "score"}
    assert (first["id"], first["document"], first["rank"], first["word_rank"]) == ("doc#1", "doc", 1, 1)


def test_a_node_is_told_with_its_edges_both_ways(memory: Memory) -> None:
    found = wire.node_json(memory.node("outbox"), memory.neighbours("outbox"))
    assert {"type": "ABOUT", "start": "e", "end": "outbox"} in found["edges"]
    episode = wire.node_json(memory.node("e"), memory.neighbours("e"))
    assert {"type": "ABOUT", "start": "e", "end": "outbox"} in episode["edges"]
    assert (episode["summary"], episode["started_at"]) == ("A secret narrative.", "2026-03-01T00:00:00Z")
    assert "body" not in episode


def test_versions_of_one_thing_name_each_other(memory: Memory) -> None:
    assert wire.node_json(memory.node("new"), ())["older"] == ["old"]
    assert wire.node_json(memory.node("old"), ())["newer"] == ["new"]


def test_an_error_is_told_in_four_fields() -> None:
    error = NotFound("no such thing", where="here", hint="Look elsewhere.")
    assert wire.error_json(error) == {
        "error": {"type": "NotFound", "problem": "no such thing", "where": "here", "hint": "Look elsewhere."}
    }
