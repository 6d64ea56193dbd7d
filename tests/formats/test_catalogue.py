"""Which format a path is."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascertain.errors import ImportRefused, NotFound
from ascertain.formats.catalogue import FORMATS, by_name, detect


@pytest.mark.parametrize(
    ("files", "path", "name"),
    [
        ({"a.jsonl": "x"}, "a.jsonl", "jsonl"),
        ({"a.jsonl": '{"type": "concept"}', "b.ndjson": "x"}, "", "folder"),
        ({"store.jsonl": "x", "exam.jsonl": "x", "exam.json": "x", "README.md": "x"}, "", "jsonl"),
        ({"a.jsonl": "x", "b.md": "x"}, "", "folder"),
        ({"A.MD": "x"}, "A.MD", "vault"),
        ({"deep/er/a.markdown": "x", "b.png": ""}, "", "folder"),
        ({"0001-a.md": "## Status\n\nx\n", "README.md": "x"}, "", "adr"),
    ],
)
def test_a_path_is_recognised(tmp_path: Path, files: dict[str, str], path: str, name: str) -> None:
    for file, text in files.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    assert detect(tmp_path / path).name == name


@pytest.mark.parametrize(
    "files", [[], ["a.txt"], [".hidden.md"], [".git/a.md"], ["a.jsonl", "b.txt"], [".github/PULL.md"]]
)
def test_a_folder_of_nothing_known_is_refused_with_what_is_known(tmp_path: Path, files: list[str]) -> None:
    for file in files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("x")
    with pytest.raises(ImportRefused, match=r"no known format.*jsonl, adr, folder, vault"):
        detect(tmp_path)


def test_a_path_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"none.*no such file or folder.*Check the path"):
        detect(tmp_path / "none")
    for one in FORMATS:
        with pytest.raises((NotFound, ImportRefused)):
            list(one.read(tmp_path / "none"))


def test_a_format_is_found_by_its_name() -> None:
    assert [by_name(one.name) for one in FORMATS] == list(FORMATS)
    with pytest.raises(NotFound, match="Known: chats, mcp-memory, jsonl"):
        by_name("papyrus")
