"""Files that people and their agents really keep, read where they lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascertain import Decision, Document, Episode, Memory
from ascertain.formats.base import Item, Problem
from ascertain.formats.catalogue import by_name
from formats.noted import Read
from laws.tiny import TinyEncoder

CORPORA = Path(__file__).resolve().parents[3] / "shared" / "corpora"
pytestmark = pytest.mark.skipif(not CORPORA.is_dir(), reason="the shared corpora are not beside this checkout")

FOLDERS = sorted(CORPORA.glob("*/*/")) if CORPORA.is_dir() else []
each = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")


@each
def test_every_file_is_taken_or_named_and_a_second_reading_is_the_same(folder: Path) -> None:
    read = Read(folder)
    named = [Path(problem.file) for problem in read.problems]
    skipped = {problem.file for problem in read.problems if problem.skipped and problem.line is None}
    taken = _files(read)
    for file in (one for one in folder.rglob("*") if one.is_file() and one.name != ".adr-dir"):
        assert str(file) in taken or file in named or any(one in file.parents for one in named), file
    assert not taken & skipped or any(file.endswith(".json") for file in taken)
    assert Read(folder).all == read.all


@each
def test_what_is_read_holds_together(folder: Path) -> None:
    read = Read(folder)
    pieces = [piece for value in read.values.values() if isinstance(value, Document) for piece in value.pieces]
    assert len({piece.id for piece in pieces}) == len(pieces)
    assert all(piece.text.strip() and len(piece.text) <= 1_500 for piece in pieces)
    assert {id for piece in pieces for id in piece.mentions} <= read.nodes
    for id in read.nodes:
        node = read.values[id]
        assert not isinstance(node, Document)
        assert node.title.strip()
        assert "\ufeff" not in node.title
        if folder.parent.name != "memory-jsonl":  # whose references may lead to what is declared elsewhere
            assert set(node.about) | set(node.supersedes) <= read.nodes
        if isinstance(node, Episode) and node.summary:
            assert not any(node.summary in piece.text for piece in pieces)


def _files(read: Read) -> set[str]:
    return {item.file for item in read.items}


def test_only_whole_supersessions_are_joined() -> None:
    """«Partly superseded», «in part supersedes» and «these ranges have been superseded» are none."""
    found = {
        (Path(id).name, Path(older).name)
        for folder in sorted((CORPORA / "adr").iterdir())
        for id, value in Read(folder).values.items()
        if isinstance(value, Decision)
        for older in value.supersedes
    }
    assert {(newer[:8], older[:8]) for newer, older in found} == {
        ("0015-dns", "0004-dns"), ("0038-com", "0015-com"), ("0042-sam", "0010-dot"), ("0062-ope", "0006-ope"),
        ("20201016", "20200926"), ("20201029", "20201028"),
    }  # fmt: skip


def test_a_time_that_is_not_stated_stays_so() -> None:
    read = Read(CORPORA / "adr" / "hile")
    decisions = [value for value in read.values.values() if isinstance(value, Decision)]
    assert len(decisions) == 4
    assert {decision.decided_at for decision in decisions} == {None}


def test_every_dated_file_of_minutes_is_an_episode_of_its_day() -> None:
    read = Read(CORPORA / "episodes" / "governance")
    episodes = [value for value in read.values.values() if isinstance(value, Episode)]
    assert len(episodes) == 229
    assert all(episode.started_at for episode in episodes)


@pytest.mark.parametrize("file", sorted((CORPORA / "memory-jsonl").rglob("*.jsonl")), ids=lambda file: file.name)
def test_lines_of_another_format_are_named_and_nothing_of_them_is_taken(file: Path) -> None:
    found = list(by_name("jsonl").read(file))
    assert found
    assert not [one for one in found if isinstance(one, Item)]
    assert all(isinstance(one, Problem) and one.reason for one in found)


@each
def test_a_second_import_changes_nothing(folder: Path, tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", encoder=TinyEncoder()) as memory:
        first = memory.import_path(folder)
        assert first.took_anything
        before = list(memory.export())
        again = memory.import_path(folder)
        assert (again.added, again.changed, again.unchanged) == (0, 0, first.added)
        assert again.documents == first.documents
        assert set(again.problems) <= set(first.problems)
        assert list(memory.export()) == before
