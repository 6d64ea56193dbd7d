"""Folders of notes: what each note is, and what it becomes."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from ascertain import Concept, Decision, Document, Episode, Record
from formats.noted import Read, noted

ROWS = {
    "concept": ("concept", Concept), "개념": ("concept", Concept), "record": ("record", Record),
    "기록": ("record", Record), "decision": ("decision", Decision), "결정": ("decision", Decision),
    "episode": ("episode", Episode), "사건": ("episode", Episode), "에피소드": ("episode", Episode),
}  # fmt: skip


@pytest.mark.parametrize("key", ["kind", "type", "종류"])
@pytest.mark.parametrize("word", ROWS)
def test_front_matter_says_what_a_note_is(tmp_path: Path, word: str, key: str) -> None:
    kind, type_ = ROWS[word]
    read = noted(tmp_path, {"some/a.md": f"---\n{key}: {word}\ntitle: A\n---\nText.\n"})
    assert read.nodes == {f"{kind}:some/a"}
    assert read.get(type_, f"{kind}:some/a").title == "A"
    assert not read.problems


def test_every_field_of_the_front_matter_is_read(tmp_path: Path) -> None:
    note = (
        "---\nkind: record\nid: r:1\ntitle: A fact\nalias: [하나, one]\nabout:\n  - '[[Gate|that]]'\n  - concept:Bar\n"
        "supersedes: older\nobserved_at: 2026-01-02\nvalid_from: 2026-01-01\nvalid_to: 2027-01-01\n"
        "recorded_at: 2026-01-03\nretired_at: 2026-01-04\nlang: ko\nsource: https://example.org\n---\nText.\n\nMore.\n"
    )
    files = {"a.md": note, "Gate.md": "# Gate\n", "Bar.md": "# Bar\n", "older.md": "---\nkind: record\n---\nOld.\n"}
    read = noted(tmp_path, files)
    found = read.get(Record, "r:1")
    days = [found.observed_at, found.valid_from, found.valid_to, found.recorded_at, found.retired_at]
    assert [str(day)[:10] for day in days] == ["2026-01-02", "2026-01-01", "2027-01-01", "2026-01-03", "2026-01-04"]
    assert (found.title, found.aliases, found.lang) == ("A fact", ("하나", "one"), "ko")
    assert (found.about, found.supersedes) == (("concept:Gate", "concept:Bar"), ("record:older",))
    assert (found.source, found.body) == ("https://example.org", "Text.\nMore.")
    assert not read.problems


def test_a_line_about_something_counts_as_front_matter_does_and_other_links_are_mentions(tmp_path: Path) -> None:
    note = "---\nkind: record\n---\nAbout: [[Gate]], [[Bar]]\n\nIt came with [[Tie]].\n"
    read = noted(tmp_path, {"a.md": note} | {f"{name}.md": f"# {name}\n" for name in ("Gate", "Bar", "Tie")})
    assert read.get(Record, "record:a").about == ("concept:Gate", "concept:Bar")
    assert read.get(Document, "doc:a.md").pieces[0].mentions == ("concept:Gate", "concept:Bar", "concept:Tie")


def test_a_node_comes_from_its_first_piece(tmp_path: Path) -> None:
    read = noted(tmp_path, {"a.md": "# A\n\nText.\n"})
    document = read.get(Document, "doc:a.md")
    assert read.get(Concept, "concept:a").source == document.pieces[0].id == "doc:a.md#0"
    assert (document.title, document.source) == ("A", "a.md")


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "sub/index.md",
        "Templates/Book.md",
        "x/_templates/y/z.md",
        "Daily Template.md",
        "template.md",
        "템플릿/a.md",
    ],
)
def test_readmes_indexes_and_templates_are_documents_only(tmp_path: Path, name: str) -> None:
    read = noted(tmp_path, {name: "# T\n\nText.\n"})
    assert (read.nodes, read.documents) == (set(), {f"doc:{name}"})


def test_a_word_that_holds_another_makes_no_template(tmp_path: Path) -> None:
    assert noted(tmp_path, {"contemplate.md": "# C\n"}).nodes == {"concept:contemplate"}


def test_any_other_note_is_a_concept_with_its_first_paragraph(tmp_path: Path) -> None:
    files = {
        "headed.md": "# Night shift\n\nWho stays.\n\nMore of it.\n",
        "bare.md": "Only text.\n",
        "stub.md": "---\naliases: stub, 그루터기\n---\n",
        "long.md": "word " * 300,
        "typed.md": "---\ntype: book\n---\n# Out of Control\n\nA book.\n",
    }
    read = noted(tmp_path, files)
    found = {id: read.get(Concept, id) for id in read.nodes}
    assert (found["concept:headed"].title, found["concept:headed"].body) == ("Night shift", "Who stays.")
    assert (found["concept:bare"].title, found["concept:bare"].body) == ("bare", "Only text.")
    assert (found["concept:stub"].body, found["concept:stub"].aliases) == ("", ("그루터기",))
    assert len(found["concept:long"].body) <= 500
    assert "concept:typed" in found
    assert not read.problems


def test_a_kind_that_is_unknown_is_told(tmp_path: Path) -> None:
    read = noted(tmp_path, {"a.md": "---\nkind: dream\n---\nText.\n"})
    assert read.nodes == {"concept:a"}
    assert [problem.skipped for problem in read.problems] == [False]
    assert "'dream'" in read.reasons[0]


# dated notes


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2026-02-27.md", "2026-02-27"), ("2020_05_14.md", "2020-05-14"), ("2019-9-18 minutes.md", "2019-09-18"),
        ("dendron.journal.2020.08.10.md", "2020-08-10"), ("2026-W09.md", "2026-02-23"),
        ("2026-02-27/standup.md", "2026-02-27"), ("2026-02-27/notes/standup.md", "2026-02-27"),
    ],
)  # fmt: skip
def test_a_dated_note_is_an_episode_of_that_day(tmp_path: Path, name: str, day: str) -> None:
    read = noted(tmp_path, {name: "We talked.\n"})
    found = read.get(Episode, f"episode:{name.removesuffix('.md')}")
    assert (str(found.started_at)[:10], found.title) == (day, Path(name).stem)


@pytest.mark.parametrize(
    "name", ["2026-Q1.md", "2026-02.md", "2026.md", "2026-13-45.md", "2026-W60.md", "12026-02-271.md"]
)
def test_what_is_no_day_makes_no_episode(tmp_path: Path, name: str) -> None:
    assert noted(tmp_path, {name: "x\n"}).nodes == {f"concept:{name.removesuffix('.md')}"}


def test_the_date_of_the_front_matter_wins_and_a_bad_one_is_not_replaced(tmp_path: Path) -> None:
    files = {"2026-02-27.md": "---\ndate: 2026-01-01\n---\nx\n", "2026-02-28.md": "---\ndate: 1/2/26\n---\nx\n"}
    read = noted(tmp_path, files)
    assert str(read.get(Episode, "episode:2026-02-27").started_at)[:10] == "2026-01-01"
    assert read.get(Episode, "episode:2026-02-28").started_at is None
    assert read.reasons == ["date: not a time: '1/2/26'"]


# an episode's summary


@pytest.mark.parametrize(
    ("name", "text", "summary"),
    [
        ("talk.md", "---\nkind: episode\nsummary: A quagglenaut came.\n---\nPoints.\n", "A quagglenaut came."),
        ("talk.md", "---\n종류: 에피소드\n---\nA quagglenaut came.\n\n- It left.\n", "A quagglenaut came.\nIt left."),
        ("2026-01-02.md", "## Summary\n\nA quagglenaut\n\n### B\n\nx.\n\n## C\n\nPoints.\n", "A quagglenaut\nx."),
        ("2026-01-02.md", "# 일\n\n## 요약\n\nA quagglenaut.\n\n## 기록\n\nPoints.\n", "A quagglenaut."),
        ("2026-01-02.md", "---\nsummary: A quagglenaut came.\n---\nPoints.\n", "A quagglenaut came."),
        ("talk.md", "---\nkind: episode\n---\n## Summary\n\n```\nA quagglenaut\n```\n", "A quagglenaut"),
    ],
)  # fmt: skip
def test_a_summary_stands_in_no_piece(tmp_path: Path, name: str, text: str, summary: str) -> None:
    read = noted(tmp_path, {name: text})
    (id,) = read.nodes
    found = read.get(Episode, id)
    assert found.summary == summary
    assert "quagglenaut" not in "\n".join(read.texts(f"doc:{name}")) + found.title + found.text
    if "Points" in text:
        assert any("Points." in piece for piece in read.texts(f"doc:{name}"))


@pytest.mark.parametrize("front", ["", "---\ntype: daily\n---\n", "---\ntype: meeting\n---\n"])
def test_minutes_and_dated_notes_without_a_summary_can_be_searched_whole(tmp_path: Path, front: str) -> None:
    read = noted(tmp_path, {"2026-01-02.md": f"{front}# Standup\n\nWe talked.\n"})
    assert read.get(Episode, "episode:2026-01-02").summary == ""
    assert read.texts("doc:2026-01-02.md") == ["Standup: We talked."]


# glossaries


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Glossary.md", "# Glossary\n\n## Gate\n\nA check.\n\n## Bar\n\nThe least.\n"),
        ("glossary.md", "**Gate**: A check.\n\n__Bar:__ The least.\n"),
        ("our-glossary.md", "- **Gate** – A check.\n- **Bar** - The\n  least.\n"),
        ("용어집.md", "| 용어 | 뜻 |\n| --- | --- |\n| Gate | A check. |\n| Bar | The [least](x.md). |\n"),
        ("用語集.md", "Gate\n: A check.\n\nBar\n\n: The least.\n"),
        ("术语表.md", "- Gate：A check.\n- Bar：The least.\n"),
        ("Glossar.md", "Gate: A check.\n\nBar – The least.\n"),
        ("words.md", "---\ntype: glossary\n---\n## B\n\n**Bar**: The least.\n\n## G\n\n**Gate**: A check.\n"),
        ("words.md", "# Glossary\n\n**Gate**: A check.\n\n**Bar**: The **least**.\n"),
    ],
)
def test_each_term_of_a_glossary_is_a_concept(tmp_path: Path, name: str, text: str) -> None:
    read = noted(tmp_path, {name: text})
    stem = Path(name).stem
    assert read.nodes == {f"concept:{stem}#gate", f"concept:{stem}#bar"}
    bodies = {read.get(Concept, id).title: read.get(Concept, id).body for id in read.nodes}
    assert bodies == {"Gate": "A check.", "Bar": "The least."}
    pieces = {piece.id: piece.text for piece in read.get(Document, f"doc:{name}").pieces}
    for id in read.nodes:
        assert read.get(Concept, id).title in pieces[read.get(Concept, id).source]


def test_a_term_that_is_defined_twice_is_told(tmp_path: Path) -> None:
    read = noted(tmp_path, {"glossary.md": "**Gate**: A check.\n\n**gate**: Another.\n"})
    assert read.get(Concept, "concept:glossary#gate").body == "A check."
    assert "defined twice" in read.reasons[0]


def test_a_link_to_a_term_is_joined(tmp_path: Path) -> None:
    read = noted(
        tmp_path, {"glossary.md": "**Gate**: A check.\n", "a.md": "---\nkind: record\nabout: Gate\n---\nx [[gate]]\n"}
    )
    assert read.get(Record, "record:a").about == ("concept:glossary#gate",)
    assert read.get(Document, "doc:a.md").pieces[0].mentions == ("concept:glossary#gate",)


# files


NOTE = "---\ntitle: A thing\naliases: [thing, 것]\n---\n# Heading\n\nText of it.\n"


@pytest.mark.parametrize(
    "data",
    [
        NOTE.encode(),
        b"\xef\xbb\xbf" + NOTE.encode(),
        NOTE.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + NOTE.replace("\n", "\r\n").encode(),
        NOTE.replace("---\n#", "---  \n#").encode(),
        NOTE.encode("utf-16"),
        b"\xfe\xff" + NOTE.encode("utf-16-be"),
    ],
)
def test_marks_and_line_ends_do_not_change_a_note(tmp_path: Path, data: bytes) -> None:
    read = noted(tmp_path, {"n.md": data})
    assert not read.problems
    note = read.get(Concept, "concept:n")
    assert (note.title, note.aliases, note.body) == ("A thing", ("thing", "것"), "Text of it.")


def test_bad_front_matter_loses_no_note_and_is_named(tmp_path: Path) -> None:
    bad = {
        "star.md": "---\ntitle: *starred\n---\nBody.\n",
        "path.md": "---\nfile: C:\\notes: here\n---\n# Path\n\nBody.\n",
        "link.md": "---\nup:\n  - [[x]]y\n---\n# Link\n\nBody.\n",
        "date.md": "---\ncreated: {{date}}\n---\n# Date\n\nBody.\n",
    }
    fine = {"rule.md": "---\n\nonly a rule above\n\n---\n\nBody.\n", "good.md": "---\ntitle: Good\n---\nBody.\n"}
    read = noted(tmp_path, bad | fine)
    assert read.nodes == {f"concept:{name.removesuffix('.md')}" for name in bad | fine}
    assert {(Path(problem.file).name, problem.line, problem.skipped) for problem in read.problems} == {
        (name, 1, False) for name in bad
    }
    assert read.texts("doc:star.md") == ["Body.", "title: *starred"]
    assert read.texts("doc:rule.md") == ["only a rule above\nBody."]
    assert read.get(Concept, "concept:path").title == "Path"


def test_names_in_any_script_make_distinct_and_lasting_ids(tmp_path: Path) -> None:
    names = ["31 회의 방식.md", "31.md", "知识图谱入门.md", "开关.md", "🦊.md", unicodedata.normalize("NFD", "é한.md")]
    files = {name: f"# {name}\n\nx\n" for name in names}
    read = noted(tmp_path / "one", files)
    assert read.nodes == {f"concept:{unicodedata.normalize('NFC', name)[:-3]}" for name in names}
    assert noted(tmp_path / "renamed", files).values == read.values


def test_one_name_written_in_two_ways_is_taken_once_and_told(tmp_path: Path) -> None:
    names = [unicodedata.normalize(form, "é.md") for form in ("NFC", "NFD")]
    read = noted(tmp_path, dict.fromkeys(names, "x\n"))
    if len(list(tmp_path.iterdir())) == 1:
        pytest.skip("this file system takes the two for one")
    assert (read.nodes, read.documents) == ({"concept:é"}, {"doc:é.md"})
    assert [(problem.skipped, "the same name" in problem.reason) for problem in read.problems] == [(True, True)]


def test_a_file_whose_name_is_no_text_is_taken(tmp_path: Path) -> None:
    try:
        (tmp_path / "caf\udce9.md").write_text("# Café\n\nx\n")
    except (OSError, UnicodeError):
        pytest.skip("this file system takes no such name")
    read = Read(tmp_path)
    assert read.get(Concept, "concept:caf").title == "Café"
    read.get(Document, "doc:caf.md").source.encode()


def test_of_two_notes_with_one_id_the_second_is_a_document_only(tmp_path: Path) -> None:
    files = {"a.md": "---\nid: x\n---\nA.\n", "b.md": "---\nid: x\n---\nB.\n", "c.md": "# C\n\n[[b]]\n"}
    read = noted(tmp_path, files)
    assert read.get(Concept, "x").title == "a"
    assert read.documents == {"doc:a.md", "doc:b.md", "doc:c.md"}
    assert (Path(read.problems[0].file).name, read.problems[0].skipped) == ("b.md", True)
    assert "a.md" in read.reasons[0]
    # A link to the second must not lead to the first.
    assert read.get(Document, "doc:c.md").pieces[0].mentions == ()


def test_files_that_cannot_be_read_are_named_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ascertain.formats.texts.MOST_BYTES", 100)
    files = {
        "bad.md": b"caf\xe9",
        "cut.md": b"\xff\xfea",
        "empty.md": "",
        "blank.md": " \n",
        "big.md": "x" * 101,
        "ok.md": "x",
    }
    read = noted(tmp_path, files)
    assert read.nodes == {"concept:ok"}
    assert {Path(problem.file).name for problem in read.problems if problem.skipped} == set(files) - {"ok.md"}


def test_what_is_not_read_is_named(tmp_path: Path) -> None:
    files = {
        ".obsidian/x.md": "h",
        ".git/y.md": "g",
        "node_modules/z/README.md": "t",
        ".a.md": "h",
        "a.png": "",
        "c.canvas": "{}",
        "n.md": "x",
        "LICENSE": "x",
    }
    read = noted(tmp_path, files)
    assert read.documents == {"doc:n.md"}
    assert {Path(problem.file).name for problem in read.problems} == {
        ".obsidian", ".git", "node_modules", ".a.md", "a.png", "c.canvas", "LICENSE",
    }  # fmt: skip
    assert not any(problem.skipped for problem in read.problems)


def test_hidden_files_of_agents_are_read(tmp_path: Path) -> None:
    files = {
        ".github/copilot-instructions.md": "# For Copilot\n\nBe brief.\n",
        ".github/instructions/python.instructions.md": "Type it.\n",
        ".github/ISSUE_TEMPLATE/bug.md": "# Bug\n",
        ".cursor/rules/style.mdc": "---\ndescription: Style\nglobs: *.py\n---\nNo tabs.\n",
        ".windsurfrules": "Ask first.\n",
        ".claude/agents/reviewer.md": "# Reviewer\n\nReads.\n",
    }
    read = noted(tmp_path, files)
    assert read.documents == {f"doc:{name}" for name in files if "ISSUE" not in name}
    assert [Path(problem.file).name for problem in read.problems if "hidden" in problem.reason] == ["bug.md"]


def test_org_notes_are_read_beside_markdown(tmp_path: Path) -> None:
    org = (
        "#+TITLE: Kyoto\n* Weather\n:PROPERTIES:\n:id: x\n:END:\n    Mild, see [[Osaka]] and"
        " [[https://example.org/a b][the map]].\n** Notes\n#+BEGIN_SRC sh\n* no heading [[Nara]]\n#+END_SRC\n"
    )
    read = noted(tmp_path, {"kyoto.org": org, "Osaka.md": "# Osaka\n\nA city.\n"})
    assert read.get(Concept, "concept:kyoto").title == "Kyoto"
    pieces = read.get(Document, "doc:kyoto.org").pieces
    assert [piece.text for piece in pieces] == [
        "Weather: Mild, see Osaka and the map.",
        "Notes: * no heading [[Nara]]",
    ]
    assert pieces[0].mentions == ("concept:Osaka",)
    assert not read.problems


def test_links_out_of_the_folder_and_in_a_circle_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("# Secret\n\nx\n")
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "in.md").write_text("# In\n\nx\n")
    (folder / "a-link.md").symlink_to(folder / "in.md")
    (folder / "out.md").symlink_to(outside)
    (folder / "gone.md").symlink_to(folder / "nothing.md")
    (folder / "loop").symlink_to(folder)
    (folder / "up").symlink_to(tmp_path)
    read = Read(folder)
    assert set(read.values) == {"concept:in", "doc:in.md"}
    assert {Path(problem.file).name for problem in read.problems if problem.skipped} == {
        "a-link.md", "out.md", "gone.md", "loop", "up",
    }  # fmt: skip


def test_a_folder_that_cannot_be_opened_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who runs the tests may be allowed to open everything, so the refusal is made here."""
    scandir = os.scandir

    def refusing(path: str) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    read = noted(tmp_path, {"a.md": "x\n", "closed/b.md": "x\n"})
    assert read.documents == {"doc:a.md"}
    assert [(Path(problem.file).name, problem.skipped) for problem in read.problems] == [("closed", True)]


def test_times_that_set_a_limit_but_cannot_be_read_make_no_limitless_node(tmp_path: Path) -> None:
    files = {
        "a.md": "---\nkind: record\nvalid_to: soon\n---\nx\n",
        "b.md": "---\nkind: record\nvalid_from: 2026-02-01\nvalid_to: 2026-01-01\n---\nx\n",
        "c.md": "---\nkind: record\nrecorded_at: 2026-02-01\nretired_at: 2026-01-01\n---\nx\n",
        "d.md": "---\nkind: episode\nstarted_at: 2026-02-01\nended_at: 2026-01-01\n---\nx\n",
    }
    read = noted(tmp_path, files)
    assert (read.nodes, len(read.documents)) == (set(), 4)
    assert [problem.skipped for problem in read.problems] == [True] * 4
    assert "valid_to" in read.reasons[0]


def test_one_note_is_read_alone(tmp_path: Path) -> None:
    noted(tmp_path, {"a.md": "# A\n\nx\n", "b.md": "# B\n\nx\n"})
    assert Read(tmp_path / "a.md").nodes == {"concept:a"}
