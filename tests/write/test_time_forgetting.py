"""Forgetting leaves nothing but a hash and a time: not in a row, not in a byte of any file."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ascertain.errors import NotFound
from ascertain.memory import Memory
from ascertain.model.documents import Document, Piece
from ascertain.model.nodes import Concept, Decision, Record
from laws.tiny import TinyEncoder

WORD = "Quorlithane"


def files_with(folder: Path, word: str) -> list[str]:
    """Files that hold the word in any casing, as UTF-8."""
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and word.casefold().encode() in path.read_bytes().lower()
    ]


def opened(folder: Path) -> Memory:
    return Memory.open(folder / "notes.db", encoder=TinyEncoder())


def filled(folder: Path) -> Memory:
    memory = opened(folder)
    memory.add(
        Concept(id="c", title="Gate"),
        Concept(id=f"{WORD}-id", title=WORD, aliases=(f"{WORD} two",), body=f"About {WORD}."),
        Record(id="r", title="A fact", about=("c", f"{WORD}-id")),
        *(Concept(id=f"n{n}", title=f"filler {n}", body="text " * 50) for n in range(200)),
    )
    memory.correct(replace(memory.node(f"{WORD}-id").node, body=f"More about {WORD}."))
    memory.choose(f"what is {WORD}?", f"{WORD}-id", by="somebody", offered=[f"{WORD}-id", "c"])
    memory.choose("what is a gate?", "c", by="somebody", offered=["c", f"{WORD}-id"])
    return memory


def test_a_forgotten_node_is_in_no_byte_of_any_file_and_in_no_answer(tmp_path: Path) -> None:
    with filled(tmp_path) as memory:
        memory.ask(WORD)
        assert files_with(tmp_path, WORD)
        memory.forget(f"{WORD}-id")
        assert files_with(tmp_path, WORD) == []
        assert memory.ask(f"what is {WORD}?").node is None
        with pytest.raises(NotFound):
            memory.history(f"{WORD}-id")
        assert memory.node("r").node.about == ("c",)
        assert WORD not in "".join(memory.export())
        assert memory.doctor() == []
        first, second = memory.choices()
        assert (first.question, first.picked_by) == ("", "somebody")
        assert (second.question, second.picked, second.offered[0]) == ("what is a gate?", "c", "c")
        assert second.offered[1].startswith("forgotten:")
    assert files_with(tmp_path, WORD) == []


def test_other_processes_that_hold_the_store_open_forget_too(tmp_path: Path) -> None:
    with filled(tmp_path) as memory, opened(tmp_path) as other:
        assert other.ask(WORD).node == f"{WORD}-id"
        memory.forget(f"{WORD}-id")
        assert other.ask(WORD).node is None
        assert files_with(tmp_path, WORD) == []


def test_what_was_forgotten_is_not_brought_back_by_an_import(tmp_path: Path) -> None:
    with filled(tmp_path) as memory:
        memory.forget(f"{WORD}-id")
        memory.forget(f"{WORD}-id")
        report = memory.add(Concept(id=f"{WORD}-id", title="Again"), Concept(id="other", title="Other"))
        assert report.added == 1
        assert "was forgotten at" in report.skipped[0].reason
        with pytest.raises(NotFound):
            memory.forget("never there")


def test_a_forgotten_document_takes_its_pieces_and_leaves_what_was_drawn_from_it(tmp_path: Path) -> None:
    """Row 17: deletion clears one index and leaves pieces, edges or vectors that still answer."""
    with opened(tmp_path) as memory:
        memory.add(
            Concept(id="c", title="Gate", source=f"{WORD}#1"),
            Record(id="r", title="A fact", about=("c",), source=f"{WORD}#1"),
            Document(id=WORD, title=WORD, source=f"{WORD}.md", pieces=(
                Piece(id=f"{WORD}#1", text=f"The word is {WORD}.", mentions=("c",)), Piece(id=f"{WORD}#2", text="No."),
            )),
        )  # fmt: skip
        assert memory.search(WORD)[0].row.piece.id == f"{WORD}#1"
        memory.forget(WORD)
        assert files_with(tmp_path, WORD) == []
        assert memory.search(WORD) == []
        assert memory.ask(WORD).node is None
        assert memory.status().counts.pieces == 0
        assert memory.node("r").node.source == ""
        assert memory._store.edges("MENTIONS") == memory._store.edges("FROM") == []
        memory.forget("c")
        assert memory.status().counts.edges == {}
        assert memory.doctor() == []


def test_to_forget_a_successor_does_not_bring_its_predecessor_back(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.add(
            Decision(id="a", title="Cache in Redis"),
            Decision(id="b", title="Cache", valid_from=datetime(2026, 1, 1, tzinfo=UTC), supersedes=("a",)),
            Decision(id="x", title="Gate form"),
            Decision(id="y", title="Gate", supersedes=("x",)),
        )
        for id in ("b", "y"):
            memory.forget(id)
        assert memory.ask("cache in redis").node is None
        assert memory.ask("cache in redis", valid_at="2025-01-01").node == "a"
        assert memory.ask("gate form").node is None
