"""A file that says again what it said before undoes nothing; what is the same to the byte is not read."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain.formats.base import Item, Problem
from ascertain.formats.catalogue import detect
from ascertain.memory import Memory
from ascertain.model.nodes import Concept, Node, Record
from ascertain.write import importing
from ascertain.write.report import ImportReport
from ascertain.write.statements import news, statement_of
from laws.tiny import TinyEncoder

CORPORA = Path(__file__).resolve().parents[3] / "shared" / "corpora"
FOLDERS = sorted(CORPORA.glob("*/*/")) if CORPORA.is_dir() else []


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "notes.db", encoder=TinyEncoder()) as opened:
        yield opened


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "kiln.md").write_text("---\naliases: [furnace]\n---\n# Kiln\n\nIt fires clay.\n", "utf-8")
    (folder / "glaze.md").write_text("# Glaze\n\nGlass on clay. See [[kiln]] and [[nowhere]].\n", "utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    return folder


def held(memory: Memory, id: str) -> Node:
    return memory.node(id).node


def counts(report: ImportReport) -> tuple[int, int, int, int, int]:
    return report.added, report.changed, report.unchanged, report.documents, report.pieces


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def unread(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """From here on no file of the folder may be read."""

    def refuse(self: object, path: Path, known_as: object = None) -> Iterator[Item | Problem]:
        raise AssertionError(f"{path} was read")

    monkeypatch.setattr(type(detect(folder)), "read", refuse)


@pytest.mark.parametrize("elsewhere", [False, True], ids=["all is the same", "another file was edited"])
def test_what_was_said_here_stays_when_the_file_says_the_same(memory: Memory, vault: Path, elsewhere: bool) -> None:
    memory.import_path(vault)
    memory.link("concept:kiln", aliases=["oven"])
    memory.correct(replace(held(memory, "concept:kiln"), title="Tunnel kiln"))
    memory.retire("concept:glaze", reason="by hand")
    if elsewhere:
        (vault / "clay.md").write_text("# Clay\n\nEarth.\n", "utf-8")
    report = memory.import_path(vault)
    assert (report.added, report.changed) == (int(elsewhere), 0)
    node = held(memory, "concept:kiln")
    assert (node.title, node.aliases) == ("Tunnel kiln", ("furnace", "oven"))
    assert held(memory, "concept:glaze").retired_at is not None


def test_an_edit_brings_what_it_says_otherwise_and_nothing_else(memory: Memory, vault: Path) -> None:
    memory.import_path(vault)
    memory.link("concept:kiln", aliases=["oven"])
    memory.correct(replace(held(memory, "concept:kiln"), title="Tunnel kiln"))
    edit(vault / "kiln.md", "[furnace]", "[burner]")
    edit(vault / "kiln.md", "It fires clay.", "It bakes clay.")
    assert memory.import_path(vault).changed == 1
    node = held(memory, "concept:kiln")
    assert (node.title, node.aliases, node.text) == ("Tunnel kiln", ("burner", "oven"), "It bakes clay.")
    edit(vault / "kiln.md", "# Kiln", "# Shaft kiln")
    assert memory.import_path(vault).changed == 1
    assert held(memory, "concept:kiln").title == "Shaft kiln"


def test_the_same_bytes_are_not_read_again(memory: Memory, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = memory.import_path(vault)
    unread(monkeypatch, vault)
    again = memory.import_path(vault)
    assert counts(again) == (0, 0, first.nodes, first.documents, first.pieces)
    assert [one for one in again.problems if "picture" in one.file]
    memory.remember(Concept(id="", title="Slip"))
    assert counts(memory.import_path(vault)) == counts(again)
    assert counts(memory.import_path(vault, dry_run=True)) == counts(again)


@pytest.mark.parametrize("what", ["edited", "added", "gone", "renamed", "not read, added", "forgotten"])
def test_whatever_changed_is_noticed(memory: Memory, vault: Path, what: str) -> None:
    memory.import_path(vault)
    memory.import_path(vault)
    match what:
        case "edited":
            edit(vault / "kiln.md", "It fires", "It bakes")
            assert counts(memory.import_path(vault))[:3] == (0, 1, 1)
        case "added":
            (vault / "clay.md").write_text("# Clay\n\nEarth.\n", "utf-8")
            assert counts(memory.import_path(vault))[:3] == (1, 0, 2)
        case "gone":
            (vault / "kiln.md").unlink()
            for _ in range(2):
                assert "gone" in " ".join(one.reason for one in memory.import_path(vault).problems)
            assert memory.import_path(vault, retire_vanished=True).retired == 1
            assert memory.import_path(vault, retire_vanished=True).retired == 0
        case "renamed":
            (vault / "kiln.md").rename(vault / "oven.md")
            assert counts(memory.import_path(vault))[:3] == (0, 0, 2)
        case "not read, added":
            (vault / "new.png").write_bytes(b"\x89PNG")
            assert any("new.png" in one.file for one in memory.import_path(vault).problems)
        case "forgotten":
            memory.forget("concept:kiln")
            for _ in range(2):
                report = memory.import_path(vault)
                assert counts(report)[:3] == (0, 0, 1)
                assert "stays so" in " ".join(one.reason for one in report.skipped)


def test_another_folder_that_changes_what_is_known_makes_this_one_be_read(memory: Memory, vault: Path) -> None:
    memory.import_path(vault)
    copy = vault.with_name("copy")
    copy.mkdir()
    (copy / "kiln.md").write_bytes((vault / "kiln.md").read_bytes())
    memory.import_path(copy)
    edit(copy / "kiln.md", "It fires", "It bakes")
    memory.import_path(copy)
    memory.import_path(vault)
    assert {held(memory, id).text for id in ("concept:kiln", "concept:vault/kiln")} == {
        "It fires clay.",
        "It bakes clay.",
    }


def test_a_store_in_the_folder_does_not_count(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        with Memory.open(vault / "ascertain.db", encoder=TinyEncoder()) as memory:
            memory.import_path(vault)
            memory.ask("kiln")
    unread(monkeypatch, vault)
    with Memory.open(vault / "ascertain.db", encoder=TinyEncoder()) as memory:
        assert memory.import_path(vault).nodes == 2


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_unread_reports_what_a_second_reading_would(
    memory: Memory, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.import_path(folder)
    unread = memory.import_path(folder)
    monkeypatch.setattr(importing, "digest_of", lambda *_: "")
    assert replace(memory.import_path(folder), seconds=0) == replace(unread, seconds=0)


def memory_file(path: Path, kind: str, *facts: str) -> Path:
    told = {"type": "entity", "name": "user", "entityType": kind, "observations": list(facts)}
    path.write_text(json.dumps(told) + "\n", "utf-8")
    return path


def test_two_files_that_tell_of_one_node_settle(memory: Memory, tmp_path: Path) -> None:
    one = memory_file(tmp_path / "a.jsonl", "person", "likes tea")
    two = memory_file(tmp_path / "b.jsonl", "developer", "likes tea", "uses vim")
    for file in (one, two):
        memory.import_path(file)
    assert [memory.import_path(file).changed for file in (one, two, one, two)] == [0, 0, 0, 0]
    memory.correct(replace(held(memory, "entity:user"), title="The user"))
    assert [memory.import_path(file).changed for file in (one, two)] == [0, 0]
    assert held(memory, "entity:user").title == "The user"


def test_a_backup_that_is_read_does_not_bring_back_what_was_corrected(memory: Memory, vault: Path) -> None:
    memory.import_path(vault)
    memory.correct(replace(held(memory, "concept:kiln"), title="Tunnel kiln"))
    backup = vault.with_name("backup.jsonl")
    backup.write_text("".join(memory.export()), "utf-8")
    for path in (backup, vault, backup):
        assert memory.import_path(path).changed == 0
    assert held(memory, "concept:kiln").title == "Tunnel kiln"


def test_a_file_that_comes_back_holds_again(memory: Memory, vault: Path) -> None:
    memory.import_path(vault)
    text = (vault / "kiln.md").read_bytes()
    (vault / "kiln.md").unlink()
    memory.import_path(vault, retire_vanished=True)
    assert held(memory, "concept:kiln").retired_at is not None
    (vault / "kiln.md").write_bytes(text)
    report = memory.import_path(vault)
    assert held(memory, "concept:kiln").retired_at is None
    assert "holds again" in " ".join(one.reason for one in report.problems)
    memory.retire("concept:kiln", reason="by hand")
    edit(vault / "kiln.md", "It fires", "It bakes")
    memory.import_path(vault)
    assert held(memory, "concept:kiln").retired_at is not None


def test_a_file_that_is_gone_since_its_folder_moved_can_still_be_withdrawn(memory: Memory, vault: Path) -> None:
    memory.import_path(vault)
    moved = vault.rename(vault.with_name("moved"))
    (moved / "kiln.md").unlink()
    for _ in range(2):
        assert "concept:kiln" in " ".join(one.reason for one in memory.import_path(moved).problems)
    assert memory.import_path(moved, retire_vanished=True).retired == 1
    assert held(memory, "concept:kiln").retired_at is not None


@pytest.mark.skipif(sys.platform != "linux", reason="names of bytes")
def test_a_name_that_is_no_text_is_still_there(memory: Memory, vault: Path) -> None:
    (vault / os.fsdecode(b"bad\xff.md")).write_text("# Bad\n\nx\n", "utf-8")
    memory.import_path(vault)
    (vault / "clay.md").write_text("# Clay\n\nx\n", "utf-8")
    assert "gone" not in " ".join(one.reason for one in memory.import_path(vault).problems)


names = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=3, unique=True).map(tuple)
texts = st.sampled_from(["", "one", "two"])
nodes = st.builds(
    Record, id=st.just("x"), title=st.sampled_from(["one", "two"]), aliases=names, about=names, body=texts
)


@given(nodes, nodes, nodes)
def test_news_are_joined_field_by_field(before: Record, said: Record, held: Record) -> None:
    assert news(before, statement_of(before), held) == held
    assert news(said, statement_of(before), before) == said
    found = news(said, statement_of(before), held)
    assert news(said, statement_of(said), found) == found
    for field in ("title", "body"):
        told, was, own = (getattr(node, field) for node in (said, before, held))
        assert getattr(found, field) == (own if told == was else told)
    for field in ("aliases", "about"):
        told, was, own = (set(getattr(node, field)) for node in (said, before, held))
        assert set(getattr(found, field)) == (own - (was - told)) | (told - was)
