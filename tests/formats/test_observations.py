"""Notes with lists that a program reads: observations and relations."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascertain import Concept, Decision, Record
from formats.noted import noted

HEAD = "---\ntitle: Storage\npermalink: notes/storage\n---\n"


def test_an_observation_is_a_record_about_the_notes_concept_and_says_where_it_stands(tmp_path: Path) -> None:
    text = HEAD + "- [choice] One file per store #wal #저장소 (agreed in the weekly)\n- [위험] 백업은 WAL도 복사한다\n"
    read = noted(tmp_path, {"s.md": text})
    first, second = (read.get(Record, id) for id in sorted(read.nodes) if id.startswith("record:"))
    told = {one.title: one for one in (first, second)}
    assert set(told) == {"One file per store", "백업은 WAL도 복사한다"}
    assert told["One file per store"].body == "[choice] One file per store #wal #저장소 (agreed in the weekly)"
    assert all(one.about == ("concept:s",) and one.source.startswith("doc:s.md#") for one in told.values())
    assert all(one.observed_at is None for one in told.values())


@pytest.mark.parametrize(
    "line",
    ["- [ ] open", "- [x] done", "- [-] dropped", "- [!] urgent", "- [a](https://a.test) is a link", "- [fact]no blank",
     "- [[Storage]] alone", "- [^1] a footnote", "```\n- [fact] in code\n```", "<!-- - [fact] aside -->"],
)  # fmt: skip
def test_what_only_looks_like_an_observation_is_none(tmp_path: Path, line: str) -> None:
    read = noted(tmp_path, {"s.md": HEAD + "Text.\n\n" + line + "\n"})
    assert read.nodes == {"concept:s"}


def test_another_order_of_the_list_changes_no_id(tmp_path: Path) -> None:
    lines = ["- [a1] one", "- [b2] two", "- [c3] three"]
    ids = [noted(tmp_path, {"s.md": HEAD + "\n".join(order)}).nodes for order in (lines, lines[::-1])]
    assert ids[0] == ids[1]
    assert len(ids[0]) == 4


def test_lists_of_a_note_that_no_program_reads_stay_text(tmp_path: Path) -> None:
    read = noted(tmp_path, {"s.md": "# Plain\n\n- [fact] a list of somebody's own\n"})
    assert read.nodes == {"concept:s"}


def test_relations_join_what_is_there_and_report_what_is_not(tmp_path: Path) -> None:
    files = {
        "new.md": "---\ntitle: Use one file\ntype: decision\npermalink: decisions/new\n---\n"
        '- supersedes [[Use many files]]\n- "depends on" [[Storage#WAL]] (first half)\n'
        "- implements [[notes/backup]]\n- relates to [[Nobody wrote it]]\n",
        "old.md": "---\ntitle: Use many files\ntype: decision\n---\nText.\n",
        "storage.md": HEAD + "What keeps things.\n",
        "backup.md": "---\ntitle: Copies\npermalink: notes/backup\n---\nText.\n",
    }
    read = noted(tmp_path, files)
    new = read.get(Decision, "decision:new")
    assert new.supersedes == ("decision:old",)
    assert set(new.about) == {"concept:storage", "concept:backup"}
    assert [reason for reason in read.reasons if "Nobody" in reason] == ["link to nothing [[Nobody wrote it]]"]


def test_a_relation_to_one_of_two_equal_titles_is_reported_and_not_guessed(tmp_path: Path) -> None:
    note = "---\ntitle: Cache\npermalink: {}\n---\nText.\n"
    read = noted(tmp_path, {"a/c.md": note.format("a/c"), "b/c.md": note.format("b/c"),
                            "d.md": "---\ntype: decision\npermalink: d\n---\n# D\n\n- uses [[Cache]]\n"})  # fmt: skip
    assert read.get(Decision, "decision:d").about == ()
    assert any(reason.startswith("ambiguous link [[Cache]]") for reason in read.reasons)


def test_a_second_block_of_front_matter_is_kept_as_text_and_told(tmp_path: Path) -> None:
    read = noted(tmp_path, {"s.md": HEAD + "\n---\ntitle: Another\n---\nThe body.\n"})
    assert read.get(Concept, "concept:s").title == "Storage"
    assert read.get(Concept, "concept:s").body == "The body."
    assert any("Another" in text for text in read.texts("doc:s.md"))
    assert any("second block" in reason for reason in read.reasons)
