"""What goes out in another form says what that form can say, and comes in again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ascertain.errors import InvalidInput, NotFound
from ascertain.memory import Memory
from ascertain.model.documents import Document, Piece
from ascertain.model.nodes import Concept, Decision, Episode, Record
from laws.tiny import TinyEncoder

DAY = datetime(2026, 3, 1, tzinfo=UTC)
NODES = (
    Concept(id="c", title="Gate: “strict”", aliases=("문", "a, b"), lang="en", body="What lets through.\n\nOr not."),
    Concept(id="c2", title="gate strict", body="Another."),
    Record(id="../r", title="Ten users", body="On a day.", about=("c",), observed_at=DAY, valid_to=DAY.replace(day=9)),
    Decision(id="old", title="Use many", decided_at=DAY),
    Decision(id="new", title="Use one", supersedes=("old",), about=("c",), decided_at=DAY.replace(day=4)),
    Episode(id="u", title="Before 2024-03-01", summary="Unstated."),
    Episode(id="e", title="We met", summary="About gates.", started_at=DAY, ended_at=DAY.replace(day=2)),
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "notes.db", encoder=TinyEncoder()) as opened:
        opened.add(*NODES, Document(id="d", title="Talk", pieces=(Piece(id="d#0", text="We talked."),)))
        yield opened


def test_notes_are_read_back_as_the_nodes_they_were_made_of(memory: Memory, tmp_path: Path) -> None:
    assert memory.export_markdown(tmp_path / "out") == 8
    with Memory.temporary(encoder=TinyEncoder()) as other:
        report = other.import_path(tmp_path / "out")
        assert report.skipped == []
        for node in NODES:
            read = other.node(node.id).node
            for name in ("kind", "title", "aliases", "moment", "valid_to", "about", "supersedes"):
                assert getattr(read, name) == getattr(node, name), (node.id, name)
            assert read.text.split() == node.text.split()
        assert sum(other.status().counts.nodes.values()) == len(NODES)
        document = other.document("d")
        assert (document.title, [piece.text for piece in document.pieces]) == ("Talk", ["We talked."])


def test_no_id_leads_out_of_the_folder_and_nothing_is_overwritten(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "out"
    memory.export_markdown(folder)
    assert all(file.is_relative_to(folder) for file in (tmp_path / "a").rglob("*.md"))
    with pytest.raises(InvalidInput, match="not an empty folder"):
        memory.export_markdown(folder)


def test_a_memory_servers_file_is_read_back_as_entities_and_relations(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    file.write_text("".join(memory.export("mcp-memory")), "utf-8")
    with Memory.temporary(encoder=TinyEncoder()) as other:
        report = other.import_path(file)
        assert report.skipped == []
        titles = {other.node(f"entity:{node.title}").node.title for node in NODES}
        assert len(titles) == len(NODES)
        assert len([edge for edge in other.neighbours("entity:Use one") if edge.type == "ABOUT"]) == 2
    with pytest.raises(NotFound):
        list(memory.export("nothing"))
