"""The interchange format, both ways: each sound line is taken, each bad one named."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain import Concept, Decision, Document, Episode, Node, Piece, Record
from ascertain.errors import ImportRefused
from ascertain.formats.json import jsonl
from ascertain.formats.json import values as json_values
from formats.noted import Read

BAD = {
    "cut off": '{"type": "concept", "id": "a", "tit',
    "more follows": '{"type": "concept", "id": "a", "title": "A"} {"type": "concept", "id": "b", "title": "B"}',
    "NaN is not JSON": '{"type": "concept", "id": "a", "title": "A", "weight": NaN}',
    "but a list": "[]",
    "but a null": "null",
    "has no type": '{"id": "a", "title": "A"}',
    "unknown type 'dream'": '{"type": "dream", "id": "a", "title": "A"}',
    "unknown type ['concept']": '{"type": ["concept"], "id": "a", "title": "A"}',
    "has no id": '{"type": "concept", "title": "A"}',
    "an id must be a string": '{"type": "concept", "id": 7, "title": "A"}',
    "has no title": '{"type": "concept", "id": "a", "title": " "}',
    "`title` must be text": '{"type": "concept", "id": "a", "title": ["A"]}',
    "`aliases` must be a list": '{"type": "concept", "id": "a", "title": "A", "aliases": "B"}',
    "`about` must be a list": '{"type": "record", "id": "a", "title": "A", "about": [null]}',
    "`observed_at` is not a time": '{"type": "record", "id": "a", "title": "A", "observed_at": "yesterday"}',
    "`decided_at` must be a time": '{"type": "decision", "id": "a", "title": "A", "decided_at": 20260101}',
    "`valid_to` lies before `valid_from`": (
        '{"type": "concept", "id": "a", "title": "A", "valid_from": "2026-02-01", "valid_to": "2026-01-01"}'
    ),
    "`retired_at` lies before `recorded_at`": (
        '{"type": "concept", "id": "a", "title": "A", "recorded_at": "2026-02-01", "retired_at": "2026-01-01"}'
    ),
    "`ended_at` lies before `started_at`": (
        '{"type": "episode", "id": "a", "title": "A", "started_at": "2026-02-01", "ended_at": "2026-01-01"}'
    ),
    "`pieces` must be a list": '{"type": "document", "id": "a", "title": "A", "pieces": {"id": "p"}}',
    "the piece id 'p' is used twice": (
        '{"type": "document", "id": "a", "title": "A", "pieces": [{"id": "p", "text": "x"}, {"id": "p", "text": "y"}]}'
    ),
    "lone surrogate": '{"type": "concept", "id": "a", "title": "\\ud800"}',
    "too long or lists too deep": "[" * 100_000,
}


@pytest.mark.parametrize("reason", BAD)
def test_a_bad_line_is_named_with_its_reason_and_stops_nothing(tmp_path: Path, reason: str) -> None:
    file = tmp_path / "s.jsonl"
    sound = '{"type": "concept", "id": "z", "title": "Z"}'
    file.write_text(f"\n{BAD[reason]}\n{sound}\n", encoding="utf-8")
    read = Read(file)
    assert read.nodes == {"z"}
    assert [(problem.line, problem.skipped) for problem in read.problems] == [(2, True)]
    assert reason in read.reasons[0]


def test_a_line_that_is_not_utf_8_spoils_no_other(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    file.write_bytes(b'{"type": "concept", "id": "a", "title": "\xff"}\n{"type": "concept", "id": "b", "title": "B"}')
    read = Read(file)
    assert read.nodes == {"b"}
    assert read.reasons == ["not UTF-8 (at byte 42 of the line)"]


def test_of_two_lines_with_one_id_the_first_stands_even_if_they_are_equal(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    file.write_text('{"type": "concept", "id": "a", "title": "A"}\n' * 2)
    read = Read(file)
    assert read.nodes == {"a"}
    assert (read.problems[0].line, read.reasons) == (2, ["the id 'a' is used twice (first in line 1)"])


def test_null_and_unknown_fields_are_as_if_they_were_not_there(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    file.write_text('{"type": "record", "id": "a", "title": "A", "about": null, "observed_at": null, "mood": {"x": 1}}')
    read = Read(file)
    assert read.values == {"a": Record(id="a", title="A")}
    assert not read.problems


LINES = '{"type": "concept", "id": "a", "title": "가"}\r\n{"type": "concept", "id": "b", "title": "B"}\r\n'


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf" + LINES.encode(), LINES.encode("utf-16"), LINES.rstrip().encode()])
def test_a_byte_order_mark_and_line_ends_of_any_kind_are_read(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "s.jsonl"
    file.write_bytes(data)
    read = Read(file)
    assert [value.title for value in read.values.values()] == ["가", "B"]
    assert not read.problems


def test_utf_16_that_is_cut_inside_a_letter_loses_that_line_only(tmp_path: Path) -> None:
    """Read with its last letter replaced, the line would be taken with a title nobody wrote."""
    file = tmp_path / "s.jsonl"
    damaged = LINES.encode("utf-16-le").replace("B".encode("utf-16-le"), b"\x00\xd8", 1)
    file.write_bytes(b"\xff\xfe" + damaged)
    read = Read(file)
    assert read.nodes == {"a"}
    assert read.problems[0].line == 2


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "s.jsonl"
    file.write_text(text)
    assert Read(file).reasons == ["the file is empty"]


def test_a_line_beyond_the_limit_is_named_and_the_next_one_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl, "MOST_BYTES", 100)
    monkeypatch.setattr(json_values, "MOST_BYTES", 100)
    file = tmp_path / "s.jsonl"
    long = json.dumps({"type": "concept", "id": "a", "title": "A", "body": "x" * 350})
    file.write_text(f'{long}\n{{"type": "concept", "id": "b", "title": "B"}}\n')
    read = Read(file)
    assert read.nodes == {"b"}
    assert "over 100 bytes" in read.reasons[0]
    assert read.items[0].line == 2


def test_a_folder_of_such_files_is_read_as_one(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"type": "concept", "id": "a", "title": "A"}\n')
    (tmp_path / "b.jsonl").write_text(
        '{"type": "concept", "id": "a", "title": "again"}\n{"type": "record", "id": "r", "title": "R"}\n'
    )
    read = Read(tmp_path)
    assert read.nodes == {"a", "r"}
    assert (Path(read.problems[0].file).name, read.problems[0].line) == ("b.jsonl", 1)
    assert "a.jsonl, line 1" in read.reasons[0]


def test_of_an_exams_folder_the_store_is_read(tmp_path: Path) -> None:
    (tmp_path / "store.jsonl").write_text('{"type": "concept", "id": "a", "title": "A"}\n')
    (tmp_path / "exam.jsonl").write_text('{"id": "q", "question": "A?", "gold": ["a"]}\n')
    (tmp_path / "exam.json").write_text("{}")
    (tmp_path / "README.md").write_text("# About it\n")
    read = Read(tmp_path)
    assert (read.nodes, read.problems) == ({"a"}, [])


def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match="can't be read"):
        list(jsonl.JsonlFormat().read(tmp_path / "gone.jsonl"))


def test_fields_are_written_in_the_order_of_the_format_and_what_is_not_stated_is_left_out() -> None:
    moment = datetime(2026, 1, 2, tzinfo=UTC)
    decision = Decision(id="d", title="결정", body="b", about=("c",), decided_at=moment, supersedes=("e",), lang="ko")
    (line,) = jsonl.write([decision], [])
    assert list(json.loads(line)) == ["type", "id", "title", "body", "about", "decided_at", "supersedes", "lang"]
    assert '"결정"' in line
    assert '"2026-01-02T00:00:00Z"' in line


times = st.datetimes(timezones=st.timezones()).map(lambda value: value.astimezone(UTC))
instants = st.none() | times
words = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
named = words.filter(str.strip)
ids = st.from_regex(r"[a-z가-힣]{1,8}:[a-z0-9]{1,8}", fullmatch=True)
several = st.lists(ids, max_size=2, unique=True).map(tuple)


@st.composite
def intervals(draw: st.DrawFn) -> tuple[datetime | None, datetime | None]:
    start, end = draw(instants), draw(instants)
    return (start, end) if not (start and end and end < start) else (end, start)


@st.composite
def nodes(draw: st.DrawFn) -> Node:
    valid, known, lasted = draw(intervals()), draw(intervals()), draw(intervals())
    common = {
        "id": draw(ids), "title": draw(named), "aliases": tuple(draw(st.lists(named, max_size=2, unique=True))),
        "lang": draw(st.sampled_from(["", "ko", "en"])), "source": draw(words), "about": draw(several),
        "supersedes": draw(several), "valid_from": valid[0], "valid_to": valid[1], "recorded_at": known[0],
        "retired_at": known[1],
    }  # fmt: skip
    text = draw(words)
    return draw(
        st.sampled_from(
            [
                Concept(**common, body=text),
                Record(**common, body=text, observed_at=lasted[0]),
                Decision(**common, body=text, decided_at=lasted[0]),
                Episode(**common, summary=text, started_at=lasted[0], ended_at=lasted[1]),
            ]
        )
    )


pieces = st.builds(Piece, id=ids, text=words, mentions=several)
documents = st.builds(
    Document,
    id=ids,
    title=words,
    source=words,
    pieces=st.lists(pieces, max_size=3, unique_by=lambda piece: piece.id).map(tuple),
)


@given(st.lists(nodes() | documents, max_size=6, unique_by=lambda value: value.id))
def test_what_is_written_reads_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, made: list[Node | Document]
) -> None:
    file = tmp_path_factory.mktemp("trip") / "s.jsonl"
    lines = jsonl.write(
        [one for one in made if isinstance(one, Node)], [one for one in made if isinstance(one, Document)]
    )
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    read = Read(file)
    assert [reason for reason in read.reasons if reason != "the file is empty"] == []
    assert read.values == {value.id: value for value in made}
