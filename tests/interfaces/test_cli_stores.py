"""Stores that are missing, unfit or damaged, and commands that keep them well."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest

from ascertain import Concept, Memory
from interfaces.ran import Cli

READING = [("ask", "x"), ("search", "x"), ("show", "x"), ("status",), ("export",), ("doctor",), ("reindex",),
           ("reembed",)]  # fmt: skip


@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_a_command_that_reads_needs_a_store_that_is_there(cli: Cli, tmp_path: Path, words: tuple[str, ...]) -> None:
    ran = cli(*words, "--store", tmp_path / "nosuch.db")
    assert (ran.status, ran.out) == (1, "")
    assert "there is no such store. Make one with: ascertain import" in ran.err
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "nosuch.db").exists()


@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_a_folder_is_no_store(cli: Cli, tmp_path: Path, words: tuple[str, ...]) -> None:
    ran = cli(*words, "--store", tmp_path, "--json")
    assert ran.status == 1
    assert set(ran.json["error"]) == {"type", "problem", "where", "hint"}
    assert "is a folder" in ran.err


@pytest.mark.parametrize("words", [one for one in READING if one != ("doctor",)], ids=lambda words: words[0])
def test_a_file_of_something_else_is_refused_and_left_alone(cli: Cli, tmp_path: Path, words: tuple[str, ...]) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear store, " * 500, encoding="utf-8")
    ran = cli(*words, "--store", path, "--json")
    assert ran.status == 1
    assert ran.json["error"]["type"] == "StoreDamaged"
    assert ran.err.count("\n") == 1
    assert path.read_text(encoding="utf-8") == "Dear store, " * 500


def test_the_store_of_another_program_is_refused(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmark (url TEXT)")
    connection.commit()
    connection.close()
    ran = cli("status", "--store", path)
    assert ran.status == 1
    assert "not an ascertain store" in ran.err


def test_the_store_may_be_named_by_the_environment_and_the_option_wins(
    cli: Cli, filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASCERTAIN_STORE", str(filled))
    assert cli("status", "--json").json["path"] == str(filled)
    assert cli("status", "--store", tmp_path / "nosuch.db").status == 1


def test_the_store_is_else_in_the_current_folder(cli: Cli, tmp_path: Path) -> None:
    with Memory.open(tmp_path / "ascertain.db"):
        pass
    assert cli("status").status == 0


def test_doctor_finds_a_sound_store_well(cli: Cli, filled: Path) -> None:
    ran = cli("doctor", "--store", filled, "--json")
    assert (ran.status, ran.json) == (0, {"problems": []})
    assert "All is well" in cli("doctor", "--store", filled).out


@pytest.mark.parametrize("content", ["not a database at all " * 300, "SQLite format 3\0" + "x" * 5000])
def test_doctor_names_what_it_cannot_look_into(cli: Cli, tmp_path: Path, content: str) -> None:
    path = tmp_path / "broken.db"
    path.write_text(content, encoding="utf-8")
    ran = cli("doctor", "--store", path, "--json")
    assert (ran.status, ran.err) == (1, "")
    assert len(ran.json["problems"]) == 1
    assert "broken.db" in ran.json["problems"][0]
    assert "ascertain doctor" not in ran.json["problems"][0]
    assert cli("doctor", "--store", path).out.startswith("✗ ")


def test_doctor_finds_overwritten_pages(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Memory.open(path) as memory:
        memory.add(*(Concept(id=f"c{n}", title=f"Thing number {n}", body="text " * 200) for n in range(60)))
    with path.open("r+b") as file:
        file.seek(3 * 4096)
        file.write(os.urandom(30 * 4096))
    ran = cli("doctor", "--store", path, "--json")
    assert ran.status == 1
    assert ran.json["problems"]


def test_doctor_finds_a_store_whose_own_notes_are_gone(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Memory.open(path):
        pass
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM meta WHERE name = 'uuid'")
    connection.commit()
    connection.close()
    ran = cli("doctor", "--store", path, "--json")
    assert ran.status == 1
    assert "s.db" in ran.json["problems"][0]


def _with_another_encoder(path: Path) -> None:
    class Two:
        name, dimension = "two", 2

        def encode(self, texts):  # type: ignore[no-untyped-def]
            import numpy as np

            return np.tile(np.array([1, 0], dtype=np.float32), (len(texts), 1))

    with Memory.open(path, encoder=Two()) as memory:
        memory.add(Concept(id="a", title="Gate"))


def test_another_encoder_is_refused_for_asking_and_named_by_doctor_until_reembedded(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    _with_another_encoder(path)
    ran = cli("ask", "gate", "--store", path, "--json")
    assert ran.status == 1
    assert ran.json["error"]["type"] == "EncoderMismatch"
    assert "ascertain reembed" in ran.err
    assert "two (2)" in cli("doctor", "--store", path, "--json").json["problems"][0]
    assert cli("status", "--store", path, "--json").json["encoder"] == "two"
    assert cli("show", "a", "--store", path).status == 0
    told = cli("reembed", "--store", path, "--json")
    assert (told.status, told.json) == (0, {"vectors": 1, "encoder": "use-multilingual-v3", "dimension": 512})
    assert cli("ask", "gate", "--store", path, "--json").json["node"] == "a"
    assert cli("doctor", "--store", path).status == 0


def test_reindex_answers_as_before(cli: Cli, filled: Path) -> None:
    before = cli("ask", "residual gate", "--store", filled, "--json").json["candidates"]
    assert cli("reindex", "--store", filled, "--json").json["seconds"] >= 0
    assert cli("ask", "residual gate", "--store", filled, "--json").json["candidates"] == before


def test_a_setting_that_names_no_encoder_is_one_line(cli: Cli, filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCERTAIN_ENCODER", "nosuch")
    ran = cli("ask", "gate", "--store", filled)
    assert ran.status == 1
    assert ran.err.startswith("no encoder named 'nosuch'. Known: bundled")
    assert cli("status", "--store", filled).status == 0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_refuses_writes_is_read_all_the_same(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "shelf"
    folder.mkdir()
    with Memory.open(folder / "s.db") as memory:
        memory.add(Concept(id="a", title="Gate"))
    note = tmp_path / "note.jsonl"
    note.write_text(json.dumps({"type": "concept", "id": "b", "title": "B"}), encoding="utf-8")
    folder.chmod(0o500)
    try:
        assert cli("ask", "gate", "--store", folder / "s.db").status == 0
        ran = cli("import", note, "--store", folder / "new.db")
        assert ran.status == 1
        assert ran.err.count("\n") == 1
    finally:
        folder.chmod(0o700)
