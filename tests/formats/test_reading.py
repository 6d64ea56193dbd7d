"""Files that people really keep, good and bad, become values and problems."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain import Concept, Decision, Document, Episode, Node, Piece, Record
from ascertain.errors import ImportRefused, NotFound
from ascertain.formats import jsonl
from ascertain.formats.base import Item, Problem
from ascertain.formats.catalogue import detect

CORPORA = Path(__file__).resolve().parents[3] / "shared" / "corpora"


def read(path: Path) -> tuple[dict[str, Node | Document], list[Problem]]:
    found = list(detect(path).read(path))
    values = {item.value.id: item.value for item in found if isinstance(item, Item)}
    assert len(values) == sum(isinstance(one, Item) for one in found)
    return values, [one for one in found if isinstance(one, Problem)]


def test_each_bad_line_is_named_and_every_good_one_taken(tmp_path: Path):
    file = tmp_path / "s.jsonl"
    lines = [
        b'{"type": "concept", "id": "a", "title": "A"}',
        b"[]",
        b'{"type": "concept", "id": "b", "title": ["B"]}',
        b'{"type": "record", "id": "a", "title": "again"}',
        b'{"type": "dream", "id": "c", "title": "C"}',
        b'{"type": "concept", "id": "d"}',
        b'{"type": "concept", "id": "e", "title": "\xff"}',
        b'{"type": "record", "id": "f", "title": "F", "observed_at": "yesterday"}',
        b'{"type": "concept", "id": "g", "title": "G"} {"type": "concept", "id": "h", "title": "H"}',
        b'{"type": "concept", "id": "i", "title": "\\ud800"}',
        b'{"type": "concept", "id": "z", "title": "Z"}',
        b'{"type": "concept", "id": "y", "ti',
    ]
    file.write_bytes(b"\n".join(lines))
    values, problems = read(file)
    assert set(values) == {"a", "z"}
    assert [problem.line for problem in problems] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 12]
    assert "first in line 1" in problems[2].reason


times = st.datetimes(timezones=st.timezones()).map(lambda value: value.astimezone(UTC))
words = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=20).filter(str.strip)
ids = st.from_regex(r"[a-z]{1,8}:[a-z0-9]{1,8}", fullmatch=True)


@st.composite
def nodes(draw: st.DrawFn) -> Node:
    common = {
        "id": draw(ids), "title": draw(words), "aliases": tuple(draw(st.lists(words, max_size=2, unique=True))),
        "lang": draw(st.sampled_from(["", "ko", "en"])), "source": draw(st.sampled_from(["", "p:1", "a book"])),
        "about": tuple(draw(st.lists(ids, max_size=2, unique=True))), "recorded_at": draw(st.none() | times),
    }  # fmt: skip
    kind = draw(st.sampled_from([Concept, Record, Decision, Episode]))
    if kind is Episode:
        return Episode(**common, summary=draw(words | st.just("")), started_at=draw(st.none() | times))
    when = {Record: "observed_at", Decision: "decided_at"}.get(kind)
    return kind(**common, body=draw(words | st.just("")), **({when: draw(st.none() | times)} if when else {}))


@given(st.lists(nodes(), max_size=5, unique_by=lambda node: node.id), words)
def test_what_is_written_reads_back_the_same(tmp_path_factory: pytest.TempPathFactory, made: list[Node], text: str):
    document = Document(id="doc", title=text, source="s", pieces=(Piece(id="doc#1", text=text, mentions=("a:b",)),))
    file = tmp_path_factory.mktemp("trip") / "s.jsonl"
    file.write_text("\n".join(jsonl.write(made, [document])), encoding="utf-8", newline="\n")
    values, problems = read(file)
    assert not problems
    assert values == {**{node.id: node for node in made}, "doc": document}


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
    ],
)
def test_marks_and_line_ends_do_not_change_a_note(tmp_path: Path, data: bytes):
    (tmp_path / "n.md").write_bytes(data)
    values, problems = read(tmp_path)
    assert not problems
    note = values["concept:n"]
    assert isinstance(note, Concept)
    assert (note.title, note.aliases, note.body) == ("A thing", ("thing", "것"), "Text of it.")


def test_bad_front_matter_loses_no_note_and_is_named(tmp_path: Path):
    bad = {
        "star.md": "---\ntitle: *starred\n---\nBody.\n",
        "path.md": "---\nfile: C:\\notes: here\n---\n# Path\n\nBody.\n",
        "link.md": "---\nup:\n  - [[x]]y\n---\n# Link\n\nBody.\n",
        "rule.md": "---\n\nonly a rule above\n\n---\n\nBody.\n",
        "good.md": "---\ntitle: Good\n---\nBody.\n",
    }
    for name, text in bad.items():
        (tmp_path / name).write_text(text)
    values, problems = read(tmp_path)
    assert {f"concept:{name.removesuffix('.md')}" for name in bad} <= set(values)
    named = {Path(problem.file).name for problem in problems if "front matter" in problem.reason}
    assert {"star.md", "path.md", "link.md"} <= named
    assert "good.md" not in named


def test_links_are_joined_or_ambiguous_or_reported_never_guessed(tmp_path: Path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "Same.md").write_text("# Same\n\none\n")
    (tmp_path / "b" / "Same.md").write_text("# Same\n\ntwo\n")
    (tmp_path / "One.md").write_text(
        "# One\n\nSee [[Two]], [[Same]], [[Nowhere]] and [[a/Same]].\n\n```\n[[Two]]\n```\n"
    )
    (tmp_path / "Two.md").write_text("# Two\n\nText.\n")
    values, problems = read(tmp_path)
    document = values["doc:One.md"]
    assert isinstance(document, Document)
    assert document.pieces[0].mentions == ("concept:Two", "concept:a/Same")
    reasons = sorted(problem.reason for problem in problems)
    assert len(reasons) == 2
    assert "ambiguous link [[Same]]" in reasons[0]
    assert "link to nothing [[Nowhere]]" in reasons[1]


def test_links_out_of_the_folder_and_in_a_circle_are_not_followed(tmp_path: Path):
    outside = tmp_path / "outside.md"
    outside.write_text("# Secret\n\nx\n")
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "in.md").write_text("# In\n\nx\n")
    (folder / "out.md").symlink_to(outside)
    (folder / "loop").symlink_to(folder)
    values, problems = read(folder)
    assert set(values) == {"concept:in", "doc:in.md"}
    assert len([problem for problem in problems if problem.skipped]) == 2


def test_decision_records_tell_title_date_status_and_what_took_their_place(tmp_path: Path):
    folder = tmp_path / "adr"
    folder.mkdir()
    (folder / "0001-use-redis.md").write_text(
        "# 1. Use Redis\n\nDate: 2024-03-01\n\n## Status\n\nSuperseded by [2](0002-use-postgres.md)\n\n## Decision\n\n"
        "Yes.\n"
    )
    (folder / "0002-use-postgres.md").write_text(
        "---\nstatus: accepted\ndate: 2025-01-02\n---\n# Use Postgres\n\nOne less.\n"
    )
    values, _ = read(tmp_path)
    old, new = values["decision:adr/0001-use-redis"], values["decision:adr/0002-use-postgres"]
    assert isinstance(old, Decision)
    assert isinstance(new, Decision)
    assert (old.title, new.title) == ("Use Redis", "Use Postgres")
    assert str(old.decided_at) == "2024-03-01 00:00:00+00:00"
    assert new.supersedes == (old.id,)


def test_a_dated_note_is_an_episode_and_a_template_only_a_document(tmp_path: Path):
    (tmp_path / "2026-02-27.md").write_text("Did things.\n")
    (tmp_path / "2026-W09.md").write_text("A week.\n")
    (tmp_path / "README.md").write_text("# Read me\n")
    (tmp_path / "Glossary.md").write_text("# Glossary\n\n**Gate**: a check.\n\n**Bar**: the least.\n")
    (tmp_path / "talk.md").write_text("---\nkind: episode\nsummary: A quagglenaut came.\n---\nPoints.\n")
    values, _ = read(tmp_path)
    assert str(values["episode:2026-W09"].started_at)[:10] == "2026-02-23"
    assert not [id for id in values if id.endswith("README") and not id.startswith("doc:")]
    assert {"concept:Glossary#gate", "concept:Glossary#bar"} <= set(values)
    told = values["episode:talk"]
    assert isinstance(told, Episode)
    assert told.summary == "A quagglenaut came."
    pieces = [piece.text for value in values.values() if isinstance(value, Document) for piece in value.pieces]
    assert not any("quagglenaut" in text for text in pieces)


def test_a_path_that_is_not_there_or_of_no_known_kind_is_refused(tmp_path: Path):
    with pytest.raises(NotFound, match="no such"):
        detect(tmp_path / "none")
    (tmp_path / "x.bin").write_bytes(b"\0")
    with pytest.raises(ImportRefused):
        detect(tmp_path / "x.bin")


@pytest.mark.skipif(not CORPORA.is_dir(), reason="the shared corpora are not beside this checkout")
@pytest.mark.parametrize("kind", ["adr", "vaults", "episodes"])
def test_real_folders_are_read_whole_and_twice_alike(kind: str):
    for folder in sorted((CORPORA / kind).iterdir()):
        values, problems = read(folder)
        documents = sum(isinstance(value, Document) for value in values.values())
        skipped = sum(problem.skipped for problem in problems)
        assert documents + skipped == len([file for file in folder.rglob("*.md") if "/." not in str(file)])
        assert read(folder)[0] == values
