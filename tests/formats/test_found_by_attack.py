"""Inputs that people have, and that once came in wrong, partly, or not at all."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from ascertain.errors import ImportRefused
from ascertain.formats.catalogue import detect
from ascertain.model.nodes import Node
from formats.noted import Read, noted

ACCEPTED = "# 1. A\n\n## Status\n\nAccepted\n"


def reasons(read: Read) -> str:
    return "\n".join(problem.reason for problem in read.problems)


def supersessions(read: Read) -> dict[str, tuple[str, ...]]:
    found = [one for one in read.values.values() if isinstance(one, Node)]
    return {one.id.rpartition("/")[2]: tuple(id.rpartition("/")[2] for id in one.supersedes) for one in found}


def moments(read: Read) -> dict[str, str]:
    nodes = [one for one in read.values.values() if isinstance(one, Node)]
    return {one.title: f"{one.moment:%Y-%m-%d %H:%M}" if one.moment else "" for one in nodes}


def test_halves_of_a_character_are_joined_and_a_lone_one_spoils_nothing(tmp_path: Path) -> None:
    read = noted(tmp_path, {"a.md": '---\ntitle: "Party \\ud83c\\udf89"\naliases: ["x\\ud800"]\n---\nhi\n'})
    node = read.values["concept:a"]
    assert isinstance(node, Node)
    assert (node.title, node.aliases) == ("Party \U0001f389", ("x\ufffd",))


def test_items_of_lists_are_read_however_deep_they_are(tmp_path: Path) -> None:
    text = "".join("\t" * level + f"- level{level} [[Nowhere{level}]]\n" for level in range(25))
    read = noted(tmp_path, {"x.md": text})
    assert all(f"level{level} " in str(read.values["doc:x.md"]) for level in range(25))
    assert "Nowhere24" in reasons(read)


@pytest.mark.parametrize(
    ("status", "by"),
    [
        ("Superceded by [2](0002-b.md)", True),
        ("Superseded by:\n\n- ADR-0002", True),
        ("ADR-0002に置き換えられた", True),
        ("ADR-0002로 대체됨", True),
        ("Substituído por ADR-0002", True),
        ("Sostituito da ADR-0002", True),
        ("abgelöst von ADR-0002", True),
        ("Accepted", False),
    ],
)
def test_what_took_its_place_as_people_spell_it(tmp_path: Path, status: str, by: bool) -> None:
    files = {
        "adr/0001-a.md": f"# 1. A\n\n## Status\n\n{status}\n",
        "adr/0002-b.md": "# 2. B\n\n## Status\n\nAccepted\n",
    }
    assert supersessions(noted(tmp_path, files))["0002-b"] == (("0001-a",) if by else ())


@pytest.mark.parametrize(
    ("line", "of"),
    [
        ("Supercedes [1. A](0001-a.md)", True),
        ("Supersedes the decision in [1](0001-a.md)", True),
        ("Replaces manual builds. Same conventions as in [ADR-1](0001-a.md) apply.", False),
        ("- Replaces the manual builds; builds on [ADR-1](0001-a.md)", False),
        ("Replaces Jenkins with Actions, see [ADR-1](0001-a.md)", False),
    ],
)
def test_a_verb_reaches_no_further_than_its_own_clause(tmp_path: Path, line: str, of: bool) -> None:
    files = {
        "adr/0001-a.md": "# 1. A\n\n## Status\n\nAccepted\n",
        "adr/0002-b.md": f"# 2. B\n\n## Decision\n\n{line}\n",
    }
    assert supersessions(noted(tmp_path, files))["0002-b"] == (("0001-a",) if of else ())


def test_status_and_date_in_a_quote_a_table_and_a_section(tmp_path: Path) -> None:
    read = noted(
        tmp_path,
        {
            "adr/0001-a.md": "# 404-page redesign\n\n> **Status**: Accepted\n> **Date**: 2024-02-03\n\nx\n",
            "adr/0002-b.md": "# B\n\n| Status | Accepted |\n|---|---|\n| Date | 2024-02-03 |\n\nx\n",
            "adr/0003-c.md": "# 3. C\n\n## Status\n\nAccepted\n\n## Date\n\n2024-02-03\n",
            "adr/0012-3d-secure.md": "# 12. 3D Secure\n\n## Status\n\nAccepted\n",
            "adr/0013-choose-template.md": "# 13. Choose a template\n\n## Status\n\nAccepted\n",
        },
    )
    found = moments(read)
    day = "2024-02-03 00:00"
    assert found == {"404-page redesign": day, "B": day, "C": day, "3D Secure": "", "Choose a template": ""}
    assert all("Status: Accepted" in one.text for one in read.values.values() if isinstance(one, Node))


@pytest.mark.parametrize(
    ("head", "moment"),
    [
        ("[2024.1.5] - 2024-02-19", "2024-02-19 00:00"),
        ("2024.1.4 (January 12, 2024)", "2024-01-12 00:00"),
        ("2024.01.05", "2024-01-05 00:00"),
        ("2024.1.5", ""),
    ],
)
def test_a_version_that_looks_like_a_day_is_none(tmp_path: Path, head: str, moment: str) -> None:
    read = noted(tmp_path, {"CHANGELOG.md": f"# Changelog\n\n## {head}\n\n- fix\n"})
    assert list(moments(read).values()) == [moment]
    assert reasons(read) == ""


@pytest.mark.parametrize(
    ("head", "moment"),
    [
        ("2025-04-04 06:54 PM", "2025-04-04 18:54"),
        ("2025-04-04 12:05 am", "2025-04-04 00:05"),
        ("2025-04-07 10:00 (UTC-4)", "2025-04-07 14:00"),
        ("2025-04-07T10:00+0900", "2025-04-07 01:00"),
        ("2025-04-07 10:00-11:30", "2025-04-07 10:00"),
        ("2025-04-06 23:30 EST", "2025-04-06 00:00"),
    ],
)
def test_times_of_a_log_as_people_write_them(tmp_path: Path, head: str, moment: str) -> None:
    read = noted(tmp_path, {"progress.md": f"# Progress\n\n## {head}\n\ndone\n"})
    assert list(moments(read).values()) == [moment]
    assert ("zone" in reasons(read)) == ("EST" in head)


def test_a_day_on_which_something_is_due_is_no_event(tmp_path: Path) -> None:
    text = "# Roadmap\n\n" + "".join(f"## {name} (due 2027-0{at}-01)\n\nx\n\n" for at, name in enumerate("abc", 1))
    assert list(moments(noted(tmp_path, {"Roadmap.md": text}))) == ["Roadmap"]


def test_numbers_and_folders_that_are_no_days(tmp_path: Path) -> None:
    files = {
        "backup 2024-01-05/Alice.md": "# Alice\n\nx\n",
        "v2024.1.15.md": "# V\n\nx\n",
        "ISO-9001-2-1.md": "# I\n\nx\n",
    }
    assert set(moments(noted(tmp_path, files)).values()) == {""}


def test_terms_that_differ_in_marks_alone_are_different(tmp_path: Path) -> None:
    read = noted(
        tmp_path, {"glossary.md": "# Glossary\n\n**C**: one\n\n**C++**: two\n\n**C#**: three\n\n**c**: four\n"}
    )
    told = {one.title: one.text for one in read.values.values() if isinstance(one, Node)}
    assert told == {"C": "one", "C++": "two", "C#": "three"}
    assert "defined twice" in reasons(read)


def test_a_link_means_a_note_before_what_stands_inside_one(tmp_path: Path) -> None:
    read = noted(
        tmp_path,
        {
            "app.md": "---\npermalink: app\n---\n# App\n\n## Observations\n- [tool] Redis\n",
            "Redis.md": "# Redis\n\nA cache.\n",
            "x.md": "# X\n\nsee [[Redis]]\n",
        },
    )
    assert "concept:Redis" in str(read.values["doc:x.md"])
    assert "ambiguous" not in reasons(read)


def test_a_link_of_dendron_shows_what_stands_before_its_bar(tmp_path: Path) -> None:
    read = noted(
        tmp_path,
        {"dendron.yml": "", "proj.a.md": "# Alpha\n\nx\n", "Beta.md": "# Beta\n\nx\n", "g.md": "see [[Beta|proj.a]]\n"},
    )
    assert "mentions=('concept:proj.a',)" in str(read.values["doc:g.md"])


def test_properties_and_namespaces_of_logseq(tmp_path: Path) -> None:
    read = noted(
        tmp_path,
        {
            "pages/Foo___Bar.md": "alias:: FB, Foobar\n- text\n",
            "pages/Baz.md": "title:: The Baz\n- [[Foo/Bar]] [[FB]] [[The Baz]]\n",
            "logseq/bak/pages/Baz/2024-05-01T10_11_12.345Z.Desktop.md": "- old\n",
        },
    )
    titles = {one.title: one.aliases for one in read.values.values() if isinstance(one, Node)}
    assert titles == {"Foo/Bar": ("FB", "Foobar"), "The Baz": ()}
    assert "link to nothing" not in reasons(read)


@pytest.mark.parametrize(
    "told",
    [
        {"type": "entity", "name": "Al", "entityType": "person", "observations": ["tea"]},
        [{"type": "entity", "name": "Al", "entityType": "person", "observations": ["tea"]}],
        {
            "entities": [{"name": "Al", "entityType": "person", "observations": []}],
            "observations": [{"entityName": "Al", "contents": [{"text": "tea", "confidence": 0.3}]}],
        },
    ],
    ids=["one line", "an array", "observations apart"],
)
def test_a_memory_file_in_every_shape(tmp_path: Path, told: object) -> None:
    (tmp_path / "memory.json").write_text(json.dumps(told), "utf-8")
    read = Read(tmp_path / "memory.json")
    titles = {one.title: one.text for one in read.values.values() if isinstance(one, Node)}
    assert set(titles) == {"Al", "Al: tea"}
    assert ("confidence: 0.3" in titles["Al: tea"]) == ("confidence" in json.dumps(told))


def conversation(id: str, parts: object = ("hello",)) -> dict[str, object]:
    message = {"id": f"m{id}", "author": {"role": "user"}, "content": {"parts": parts}}
    return {"id": id, "title": f"Talk {id}", "mapping": {"n": {"parent": None, "message": message}}}


def test_an_archive_with_two_exports_is_read_whole(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "e.zip", "w") as archive:
        for name in "xy":
            archive.writestr(f"{name}/conversations.json", json.dumps([conversation(name)]))
    assert {"episode:x", "episode:y"} <= Read(tmp_path / "e.zip").nodes


@pytest.mark.parametrize(("at", "value"), [(8, 1), (10, 99)], ids=["encrypted", "of an unknown method"])
def test_an_archive_that_can_not_be_opened_stops_nothing(tmp_path: Path, at: int, value: int) -> None:
    with zipfile.ZipFile(tmp_path / "e.zip", "w") as archive:
        archive.writestr("conversations.json", json.dumps([conversation("x")]))
    data = bytearray((tmp_path / "e.zip").read_bytes())
    start = data.index(b"PK\x01\x02")
    data[start + at] = value
    data[6 if at == 8 else 8] = value
    (tmp_path / "e.zip").write_bytes(bytes(data))
    read = noted(tmp_path, {"a.md": "# A\n\nx\n"})
    assert "concept:a" in read.nodes
    assert ".zip file is not read" in reasons(read)
    with pytest.raises(ImportRefused):
        detect(tmp_path / "e.zip")


def test_a_message_of_lists_in_lists_stops_nothing(tmp_path: Path) -> None:
    parts: object = "deep"
    for _ in range(500):
        parts = [parts]
    (tmp_path / "conversations.json").write_text(json.dumps([conversation("a", parts), conversation("b")]), "utf-8")
    assert "episode:b" in Read(tmp_path / "conversations.json").nodes


def test_a_pipe_is_refused_before_it_is_read(tmp_path: Path) -> None:
    import os

    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes in folders here")
    os.mkfifo(tmp_path / "p.md")
    with pytest.raises(ImportRefused, match="neither a file nor a folder"):
        detect(tmp_path / "p.md")
