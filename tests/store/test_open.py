"""Opening what is no store, or no longer one, says so in one line."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from ascertain import Concept, Memory, NotFound, StoreError
from ascertain.errors import StoreDamaged, StoreTooNew
from ascertain.store import open as open_module
from ascertain.store.migrations import STEPS


def test_reading_makes_no_store_of_an_empty_file(tmp_path: Path):
    (tmp_path / "empty.db").touch()
    for name in ("empty.db", "none.db"):
        with pytest.raises(NotFound, match="no such store"):
            Memory.open(tmp_path / name, create=False)
    assert not (tmp_path / "empty.db").stat().st_size


@pytest.mark.parametrize("row", ["uuid", "encoder", "dimension", "generation", "schema"])
def test_a_store_that_lost_a_row_of_itself_is_damaged(tmp_path: Path, row: str):
    path = tmp_path / "s.db"
    Memory.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM meta WHERE name = ?", (row,))
    connection.close()
    with pytest.raises(StoreDamaged):
        Memory.open(path)


def test_a_later_schema_a_foreign_file_and_a_folder_are_refused(tmp_path: Path):
    path = tmp_path / "s.db"
    Memory.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = '99' WHERE name = 'schema'")
    connection.close()
    with pytest.raises(StoreTooNew, match="Upgrade"):
        Memory.open(path)
    (tmp_path / "text.db").write_text("this is no database, only a longer piece of text that says so" * 20)
    with pytest.raises(StoreDamaged):
        Memory.open(tmp_path / "text.db")
    with pytest.raises(StoreError, match="folder"):
        Memory.open(tmp_path)
    with pytest.raises(StoreError, match="no such folder"):
        Memory.open(tmp_path / "no" / "s.db")


def test_a_store_of_an_earlier_schema_is_brought_up_to_date_and_keeps_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path, first = tmp_path / "s.db", tmp_path / "first.db"
    with monkeypatch.context() as earlier:
        earlier.setattr(open_module, "STEPS", STEPS[:1])
        earlier.setattr(open_module, "NEWEST", 1)
        Memory.open(first).close()
    with Memory.open(path) as memory:
        memory.add(Concept(id="kiln", title="Tunnel kiln"))
    as_first_made(path, like=first)
    assert shape(path) == shape(first)
    for _ in range(2):
        with Memory.open(path) as memory:
            assert memory.ask("tunnel kiln").node == "kiln"
    new = tmp_path / "new.db"
    Memory.open(new).close()
    assert shape(path) == shape(new)


def as_first_made(path: Path, *, like: Path) -> None:
    """Takes all out of a store that later steps of the schema brought."""
    had = {name for name, _ in shape(like)}
    with sqlite3.connect(path) as connection:
        for type, name in connection.execute("SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL").fetchall():
            if name not in had:
                connection.execute(f"DROP {type} IF EXISTS {name}")
        connection.execute("UPDATE meta SET value = '1' WHERE name = 'schema'")
    connection.close()


def shape(path: Path) -> list[tuple[str, str]]:
    connection = sqlite3.connect(path)
    found = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
    found += connection.execute("SELECT name, value FROM meta WHERE name = 'schema'").fetchall()
    connection.close()
    return found
