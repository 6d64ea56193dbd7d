"""import and export: what is taken, what is told, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ascertain import Memory
from ascertain.interfaces.cli import data
from interfaces.ran import Cli
from write.stub_model import serving

REPORT = {"added", "changed", "unchanged", "documents", "pieces", "skipped", "notes", "retired", "seconds"}


def jsonl(path: Path, *things: dict[str, Any] | str) -> Path:
    path.write_text("".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in things), "utf-8")
    return path


def concept(id: str, title: str, **more: Any) -> dict[str, Any]:
    return {"type": "concept", "id": id, "title": title, **more}


def test_a_whole_import_ends_with_0_and_counts_nodes(cli: Cli, tmp_path: Path) -> None:
    pieces = [{"id": "d#1", "text": "Gates.", "mentions": ["a"]}]
    file = jsonl(tmp_path / "a.jsonl", concept("a", "Gate"), {"type": "document", "id": "d", "title": "D",
                                                             "pieces": pieces})  # fmt: skip
    ran = cli("import", file, "--json")
    assert (ran.status, ran.err) == (0, "")
    assert set(ran.json) == REPORT
    assert (ran.json["added"], ran.json["documents"], ran.json["pieces"]) == (1, 1, 1)
    again = cli("import", file, "--json")
    assert (again.status, again.json["added"], again.json["unchanged"]) == (0, 0, 1)
    assert "0 added, 0 changed, 1 unchanged" in cli("import", file).out


def test_a_part_that_was_not_taken_is_named_and_ends_with_3(cli: Cli, tmp_path: Path) -> None:
    file = jsonl(tmp_path / "a.jsonl", concept("a", "Gate"), '{"type": "concept", "id": "b", "ti')
    ran = cli("import", file, "--json")
    assert ran.status == 3
    (skipped,) = ran.json["skipped"]
    assert set(skipped) == {"file", "line", "reason"}
    assert skipped["line"] == 2
    people = cli("import", file)
    assert people.status == 3
    assert "Not taken (1):" in people.out
    assert "a.jsonl:2" in people.out


def test_what_was_taken_otherwise_than_written_is_a_note_and_ends_with_0(cli: Cli, tmp_path: Path) -> None:
    record = {"type": "record", "id": "r", "title": "Fact", "about": ["phantom"]}
    ran = cli("import", jsonl(tmp_path / "a.jsonl", record), "--json")
    assert (ran.status, ran.json["skipped"]) == (0, [])
    assert "phantom" in ran.json["notes"][0]["reason"]


def test_nothing_taken_ends_with_1(cli: Cli, tmp_path: Path) -> None:
    ran = cli("import", jsonl(tmp_path / "a.jsonl", '{"type": "concept"}'), "--json", "--format", "jsonl")
    assert ran.status == 1
    assert ran.json["added"] == 0
    assert len(ran.json["skipped"]) == 1


def test_no_path_is_wrong_usage_and_a_missing_one_fails_without_making_a_store(cli: Cli, tmp_path: Path) -> None:
    assert cli("import").status == 2
    ran = cli("import", tmp_path / "nosuch", "--json")
    assert ran.status == 1
    assert ran.json["error"]["type"] == "NotFound"
    assert not (tmp_path / "ascertain.db").exists()


def test_of_several_paths_each_is_taken_on_its_own_and_counts_add_up(cli: Cli, tmp_path: Path) -> None:
    one, two = jsonl(tmp_path / "a.jsonl", concept("a", "A")), jsonl(tmp_path / "b.jsonl", concept("b", "B"))
    ran = cli("import", one, tmp_path / "nosuch", two, "--json")
    assert (ran.status, ran.json["added"]) == (3, 2)
    assert [problem["file"] for problem in ran.json["skipped"]] == [str(tmp_path / "nosuch")]
    assert cli("import", one, two, "--json").status == 0
    assert cli("import", tmp_path / "nosuch", tmp_path / "neither", "--json").status == 1


def test_an_unknown_format_is_wrong_usage(cli: Cli, tmp_path: Path) -> None:
    ran = cli("import", jsonl(tmp_path / "a.jsonl", concept("a", "A")), "--format", "nosuch")
    assert ran.status == 2
    assert "nosuch" in ran.err
    assert not (tmp_path / "ascertain.db").exists()


def test_a_dry_run_reports_and_writes_nothing(cli: Cli, tmp_path: Path) -> None:
    file = jsonl(tmp_path / "a.jsonl", concept("a", "A"))
    assert cli("import", file, "--dry-run", "--json").json["added"] == 1
    assert not (tmp_path / "ascertain.db").exists()
    with Memory.open(tmp_path / "ascertain.db"):
        pass
    ran = cli("import", file, "--dry-run")
    assert "nothing was written" in ran.out
    assert cli("status", "--json").json["nodes"] == {}


def test_of_many_problems_twenty_are_shown_and_the_rest_counted(cli: Cli, tmp_path: Path) -> None:
    file = jsonl(tmp_path / "a.jsonl", concept("a", "A"), *(f"{{bad {n}" for n in range(25)))
    ran = cli("import", file)
    assert ran.out.count("a.jsonl:") == 20
    assert "and 5 more" in ran.out
    assert len(cli("import", file, "--json").json["skipped"]) == 25


@pytest.mark.parametrize("value", ["x`) DETACH DELETE n //", "'; DROP TABLE node; --", "{{7*7}}", "a\x1b[31m\x07b"])
def test_crafted_values_come_back_as_they_were_and_a_crafted_kind_is_refused(
    cli: Cli, tmp_path: Path, value: str
) -> None:
    crafted = {"type": "concept", "id": "n", "title": value, "aliases": [value], "body": value}
    file = jsonl(tmp_path / "a.jsonl", concept("other", "Bystander"), crafted, {**crafted, "type": value, "id": "k"})
    ran = cli("import", file, "--json")
    assert (ran.status, ran.json["added"], len(ran.json["skipped"])) == (3, 2, 1)
    shown = cli("show", "n", "--json").json
    assert (shown["title"], shown["aliases"], shown["body"]) == (value, [value], value)
    assert cli("status", "--json").json["nodes"] == {"concept": 2}


def test_an_export_comes_back_the_same(cli: Cli, filled: Path, tmp_path: Path) -> None:
    ran = cli("export", "--store", filled)
    assert ran.status == 0
    things = [json.loads(line) for line in ran.out.splitlines()]
    assert len(things) == 11
    copy = tmp_path / "copy.jsonl"
    told = cli("export", "--store", filled, "-o", copy, "--json")
    assert (told.status, told.json) == (0, {"file": str(copy), "lines": 11})
    assert copy.read_text(encoding="utf-8") == ran.out
    assert cli("import", copy, "--json").status == 0
    assert cli("export").out == ran.out
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


def test_an_export_that_fails_leaves_the_file_as_it_was(cli: Cli, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    target.write_text("before", encoding="utf-8")

    def lines() -> Any:
        yield "one"
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left") as caught:
        data._write_aside(lines(), target)
    assert caught.value.filename == str(target)
    assert [(path.name, path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()] == [("out.jsonl", "before")]


def test_an_export_over_the_store_itself_is_refused(cli: Cli, filled: Path) -> None:
    before = filled.read_bytes()
    ran = cli("export", "--store", filled, "-o", filled)
    assert ran.status == 2
    assert "is the store itself" in ran.err
    assert filled.read_bytes() == before


def test_an_export_into_a_folder_that_is_not_there_is_one_line(cli: Cli, filled: Path, tmp_path: Path) -> None:
    ran = cli("export", "--store", filled, "-o", tmp_path / "nosuch" / "out.jsonl")
    assert ran.status == 1
    assert ran.err.count("\n") == 1
    assert "out.jsonl" in ran.err


def test_an_export_to_a_device_leaves_it_a_device(cli: Cli, filled: Path) -> None:
    device = Path("/dev/null")
    if not device.is_char_device():
        pytest.skip("no such device here")
    assert cli("export", "--store", filled, "-o", device).status == 0
    assert device.is_char_device()


def test_what_a_model_proposes_waits_in_a_file(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = tmp_path / "README.md"
    notes.write_text("case good: from now on we use one file.\n", "utf-8")
    with serving() as address:
        monkeypatch.setenv("ASCERTAIN_MODEL", f"stub@{address}")
        ran = cli("import", notes, "--extract", "review.jsonl")
        assert ran.status == 0
        assert "1 proposals wait" in ran.out
        assert cli("ask", "Use one file").status == 4
        refused = cli("import", notes, "--extract", "review.jsonl")
        assert (refused.status, "is there already" in refused.err) == (2, True)
    assert cli("import", "review.jsonl", "--json").json["added"] == 1
    assert cli("ask", "Use one file", "--json").json["state"] == "resolved"


def test_a_model_that_is_not_there_says_that_the_import_stands(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "kiln.md"
    notes.write_text("# Kiln\n\nIt fires.\n", "utf-8")
    assert cli("import", notes, "--extract", "review.jsonl").status == 2
    monkeypatch.setenv("ASCERTAIN_MODEL", "stub@http://127.0.0.1:9/v1")
    ran = cli("import", notes, "--extract", "review.jsonl")
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert "The import itself is done" in ran.err
    assert not Path("review.jsonl").exists()
    assert cli("ask", "kiln", "--json").json["node"] == "concept:kiln"
