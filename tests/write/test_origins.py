"""Files that come again: the same, moved, copied, edited or gone. No twins, and nothing lost unsaid."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ascertain.memory import Memory
from ascertain.write.report import ImportReport
from laws.tiny import TinyEncoder


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "notes.db", encoder=TinyEncoder()) as opened:
        yield opened


def notes(folder: Path, *names: str) -> Path:
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# About {file.stem}\n\nThe text of {name}.\n", "utf-8")
    return folder


def counts(report: ImportReport) -> tuple[int, int, int]:
    return report.added, report.changed, report.unchanged


def ids(memory: Memory) -> list[str]:
    return sorted(row for row in (line.split('"id": "')[1].split('"')[0] for line in memory.export()))


def told(report: ImportReport) -> str:
    return "\n".join(one.reason for one in report.problems)


def test_a_renamed_folder_brings_the_same_nodes(memory: Memory, tmp_path: Path) -> None:
    folder = notes(tmp_path / "old", "a.md", "b/c.md")
    memory.import_path(folder)
    before = ids(memory)
    moved = folder.rename(tmp_path / "new")
    assert counts(memory.import_path(moved)) == (0, 0, 2)
    assert ids(memory) == before
    assert counts(memory.import_path(moved)) == (0, 0, 2)


def test_a_folder_that_moves_below_another_root_brings_the_same_nodes(memory: Memory, tmp_path: Path) -> None:
    memory.import_path(notes(tmp_path / "v", "x/a.md", "x/b.md", "c.md"))
    before = ids(memory)
    (tmp_path / "v" / "archive").mkdir()
    (tmp_path / "v" / "x").rename(tmp_path / "v" / "archive" / "y")
    report = memory.import_path(tmp_path / "v")
    assert counts(report) == (0, 0, 3)
    assert ids(memory) == before
    assert "gone" not in told(report)
    assert memory.document("doc:x/a.md").source == "archive/y/a.md"


def test_a_part_of_a_folder_or_what_lies_above_it_brings_the_same_nodes(memory: Memory, tmp_path: Path) -> None:
    memory.import_path(notes(tmp_path / "v" / "w", "x/a.md"))
    before = ids(memory)
    for path in (tmp_path / "v" / "w" / "x", tmp_path / "v" / "w" / "x" / "a.md", tmp_path / "v"):
        assert counts(memory.import_path(path)) == (0, 0, 1)
    assert ids(memory) == before


def test_a_file_that_was_renamed_and_one_edited_in_a_moved_folder_are_known_again(
    memory: Memory, tmp_path: Path
) -> None:
    folder = notes(tmp_path / "old", "a.md", "b.md", "c.md")
    memory.import_path(folder)
    moved = folder.rename(tmp_path / "new")
    (moved / "a.md").rename(moved / "z.md")
    (moved / "b.md").write_text("# About b\n\nAnother text.\n", "utf-8")
    report = memory.import_path(moved)
    assert counts(report) == (0, 1, 2)
    assert memory.node("concept:b").node.text == "Another text."


def test_two_folders_with_equal_names_inside_do_not_overwrite_each_other(memory: Memory, tmp_path: Path) -> None:
    one, two = (notes(tmp_path / name, "notes/a.md") for name in ("one", "two"))
    (two / "notes" / "a.md").write_text("# Another thing\n\nOf its own.\n", "utf-8")
    assert counts(memory.import_path(one)) == (1, 0, 0)
    report = memory.import_path(two)
    assert counts(report) == (1, 0, 0)
    assert "two/notes/a.md" in told(report)
    assert memory.node("concept:notes/a").node.title == "About a"
    assert memory.node("concept:two/notes/a").node.title == "Another thing"
    for folder in (one, two):
        assert counts(memory.import_path(folder)) == (0, 0, 1)


def test_a_copy_is_no_twin_until_one_of_the_two_is_edited(memory: Memory, tmp_path: Path) -> None:
    one = notes(tmp_path / "one", "a.md")
    memory.import_path(one)
    two = Path(shutil.copytree(one, tmp_path / "two"))
    assert counts(memory.import_path(two)) == (0, 0, 1)
    (one / "a.md").write_text("# About a\n\nEdited.\n", "utf-8")
    assert counts(memory.import_path(one)) == (0, 1, 0)
    assert counts(memory.import_path(two)) == (1, 0, 0)
    assert counts(memory.import_path(one)) == counts(memory.import_path(two)) == (0, 0, 1)


def test_another_project_does_not_take_the_place_of_one_that_is_gone(memory: Memory, tmp_path: Path) -> None:
    gone = notes(tmp_path / "gone", "a.md")
    memory.import_path(gone)
    shutil.rmtree(gone)
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_text("# Another thing\n", "utf-8")
    assert counts(memory.import_path(other)) == (1, 0, 0)
    assert memory.node("concept:a").node.title == "About a"


def test_files_of_equal_content_are_told_apart_by_name_or_not_at_all(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "v"
    for name in ("a.md", "b.md", "c.md"):
        notes(folder, name)
        (folder / name).write_text("The same text.\n", "utf-8")
    memory.import_path(folder)
    (folder / "sub").mkdir()
    for name, new in (("a.md", "sub/a.md"), ("b.md", "sub/x.md"), ("c.md", "sub/y.md")):
        (folder / name).rename(folder / new)
    report = memory.import_path(folder)
    assert counts(report) == (2, 0, 1)
    assert sum("the file is gone" in one.reason for one in report.problems) == 2


def test_a_vanished_file_is_reported_and_its_nodes_go_on_request_only(memory: Memory, tmp_path: Path) -> None:
    folder = notes(tmp_path / "v", "a.md", "b.md")
    memory.import_path(folder)
    (folder / "a.md").unlink()
    report = memory.import_path(folder)
    assert "the file is gone; 'concept:a' stays" in told(report)
    assert report.skipped == []
    assert memory.node("concept:a").node.retired_at is None
    dry = memory.import_path(folder, dry_run=True, retire_vanished=True)
    assert dry.retired == 1
    assert memory.node("concept:a").node.retired_at is None
    done = memory.import_path(folder, retire_vanished=True)
    assert done.retired == 1
    assert memory.node("concept:a").node.retired_at is not None
    assert memory.node("concept:b").node.retired_at is None
    assert told(memory.import_path(folder)) == ""


def test_what_a_file_tells_no_more_is_reported_unless_another_file_tells_it(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    folder.mkdir()

    def entities(file: str, *names: str) -> None:
        lines = (f'{{"type": "entity", "name": "{name}", "entityType": "t", "observations": []}}\n' for name in names)
        (folder / file).write_text("".join(lines), "utf-8")

    entities("one.jsonl", "A", "B", "C")
    entities("two.jsonl", "D")
    memory.import_path(folder)
    entities("one.jsonl", "A")
    entities("two.jsonl", "B")
    report = memory.import_path(folder, retire_vanished=True)
    assert report.retired == 2
    assert {id for id in ("A", "B", "C", "D") if memory.node(f"entity:{id}").node.retired_at is None} == {"A", "B"}


def test_a_file_of_another_folder_is_not_missed(memory: Memory, tmp_path: Path) -> None:
    one, two = notes(tmp_path / "one", "a.md"), notes(tmp_path / "two", "b.md")
    memory.import_path(one)
    shutil.rmtree(one)
    assert "gone" not in told(memory.import_path(two))


def test_a_dry_run_leaves_no_trace_of_a_file(memory: Memory, tmp_path: Path) -> None:
    folder = notes(tmp_path / "v", "a.md", "b.md")
    memory.import_path(folder, dry_run=True)
    (folder / "a.md").unlink()
    assert told(memory.import_path(folder)) == ""


def test_what_is_forgotten_leaves_no_path_behind(memory: Memory, tmp_path: Path) -> None:
    folder = notes(tmp_path / "v", "quorlithane.md")
    memory.import_path(folder)
    memory.forget("concept:quorlithane")
    memory.forget("doc:quorlithane.md")
    assert b"quorlithane" not in (tmp_path / "notes.db").read_bytes()


def test_a_linked_folder_is_the_folder_itself(memory: Memory, tmp_path: Path) -> None:
    folder = notes(tmp_path / "v", "sub/a.md")
    memory.import_path(folder)
    link = tmp_path / "link"
    try:
        link.symlink_to(folder)
    except OSError:
        pytest.skip("this system makes no links")
    assert counts(memory.import_path(link)) == (0, 0, 1)
