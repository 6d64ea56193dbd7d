"""Decision records: title, date, status, and what took the place of what."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascertain import Concept, Decision
from ascertain.formats.catalogue import detect
from formats.noted import Read, noted

OLD = "# 1. Use Redis\n\nDate: 2024-03-01\n\n## Status\n\n{status}\n\n## Context\n\nSlow.\n\n## Decision\n\nYes.\n"
NEW = "# 2. Use Postgres\n\n## Status\n\n{status}\n\n## Context\n\n{context}\n\n## Decision\n\nOne less.\n"
OLD_ID, NEW_ID = "decision:adr/0001-redis", "decision:adr/0002-postgres"


def pair(folder: Path, old: str, new: str, context: str = "Two stores.") -> Read:
    return noted(
        folder,
        {
            "adr/0001-redis.md": OLD.format(status=old),
            "adr/0002-postgres.md": NEW.format(status=new, context=context),
            "adr/README.md": "# All of them\n",
        },
    )


def test_title_date_and_status_are_fields_and_the_rest_is_the_body(tmp_path: Path) -> None:
    old = pair(tmp_path, "Accepted", "Accepted").get(Decision, OLD_ID)
    assert (old.title, str(old.decided_at)[:10]) == ("Use Redis", "2024-03-01")
    assert old.body == "Status: Accepted.\nSlow.\nYes."
    assert old.retired_at is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Superseded by [2. Use Postgres](0002-postgres.md)", "Accepted"),
        ("Accepted", "Accepted\n\nSupersedes [1. Use Redis](0001-redis.md)"),
        ("Superseded by ADR-2", "Accepted"),
        ("Superseded by 0002-postgres", "Accepted"),
        ("superseded by the decision of 2025, [[0002-postgres|2]]", "Accepted"),
        ("Remplacé par [2](0002-postgres.md)", "Accepté"),
        ("Ersetzt durch [2](0002-postgres.md)", "Angenommen"),
        ("Reemplazada por [2](0002-postgres.md)", "Aceptada"),
        ("[2](0002-postgres.md)로 대체됨", "채택"),
        ("[2](0002-postgres.md)に置き換えられた", "承認"),
        ("被 [2](0002-postgres.md) 取代", "已采纳"),
        ("채택", "[1](0001-redis.md)을 대체함"),
    ],
)
def test_a_whole_supersession_makes_the_newer_one_supersede_the_older(tmp_path: Path, old: str, new: str) -> None:
    read = pair(tmp_path, old, new)
    assert read.get(Decision, NEW_ID).supersedes == (OLD_ID,)
    assert read.get(Decision, OLD_ID).supersedes == ()
    assert not read.problems


@pytest.mark.parametrize(
    ("old", "new", "context"),
    [
        ("Partly superseded by [2](0002-postgres.md)", "Accepted", ""),
        ("Superseded by [2](0002-postgres.md) in part", "Accepted", ""),
        ("Partly superseded\n\nSuperseded by [2](0002-postgres.md)", "Accepted", ""),
        ("Accepted", "Accepted", "This ADR in part supersedes [1](0001-redis.md)."),
        ("Accepted; will be superseded by [2](0002-postgres.md)", "Accepted", ""),
        ("[2](0002-postgres.md)로 일부 대체됨", "채택", "이 결정은 [1](0001-redis.md)의 일부를 대체한다"),
    ],
)
def test_a_supersession_in_part_or_to_come_withdraws_nothing(tmp_path: Path, old: str, new: str, context: str) -> None:
    read = pair(tmp_path, old, new, context)
    assert read.get(Decision, NEW_ID).supersedes == ()


def test_a_supersession_in_part_is_told(tmp_path: Path) -> None:
    read = pair(tmp_path, "Partly superseded by [2](0002-postgres.md)", "Accepted")
    assert [problem.skipped for problem in read.problems] == [False]
    assert "in part only" in read.reasons[0]


@pytest.mark.parametrize(
    "context",
    [
        "**These ranges have been superseded by [1](0001-redis.md).**",
        "The behaviour supersedes that description in [1](0001-redis.md).",
        "Postgres replaces Redis, see [1](0001-redis.md).",
        "```\nSupersedes [1](0001-redis.md)\n```",
        "<!-- Supersedes [1](0001-redis.md) -->",
        "This ADR is not superseded by [1](0001-redis.md).",
    ],
)
def test_a_sentence_about_something_else_withdraws_nothing(tmp_path: Path, context: str) -> None:
    read = pair(tmp_path, "Accepted", "Accepted", context)
    assert read.get(Decision, NEW_ID).supersedes == read.get(Decision, OLD_ID).supersedes == ()


def test_a_line_that_speaks_of_the_record_itself_counts(tmp_path: Path) -> None:
    read = pair(tmp_path, "Accepted", "Accepted", "This ADR supersedes [1](0001-redis.md).")
    assert read.get(Decision, NEW_ID).supersedes == (OLD_ID,)


def test_several_can_be_superseded_at_once(tmp_path: Path) -> None:
    read = noted(
        tmp_path,
        {
            "adr/0001-a.md": "# A\n\nx\n",
            "adr/0002-b.md": "# B\n\nx\n",
            "adr/0003-c.md": "# C\n\n## Status\n\nSupersedes [A](0001-a.md), [B](0002-b.md) and not [D](0004-d.md)\n",
            "adr/0004-d.md": "# D\n\nx\n",
        },
    )
    assert read.get(Decision, "decision:adr/0003-c").supersedes == ("decision:adr/0001-a", "decision:adr/0002-b")


@pytest.mark.parametrize("target", ["[9](0009-gone.md)", "ADR-9", "[0005](0005-*.md)"])
def test_a_successor_that_is_not_there_or_not_the_only_one_is_reported(tmp_path: Path, target: str) -> None:
    read = pair(tmp_path, f"Superseded by {target}", "Accepted")
    assert [problem.skipped for problem in read.problems if "(superseded by)" in problem.reason] == [False]


def test_a_number_that_two_records_bear_joins_neither(tmp_path: Path) -> None:
    read = noted(
        tmp_path,
        {
            "adr/0001-a.md": "# A\n\n## Status\n\nSuperseded by ADR-2\n",
            "adr/0002-b.md": "# B\n\nx\n",
            "adr/0002-c.md": "# C\n\nx\n",
        },
    )
    assert read.get(Decision, "decision:adr/0002-b").supersedes == ()
    assert any("ambiguous link [[ADR-2]]" in reason for reason in read.reasons)


MADR = "---\nstatus: {{ accepted }}\ndate: {date}\n---\n# Use Markdown\n\n## Context and Problem Statement\n\nWhich?\n"


@pytest.mark.parametrize(
    ("date", "read_as"), [("{2023-11-10}", "2023-11-10"), ("2023-11-10", "2023-11-10"), ("", "None")]
)
def test_front_matter_of_madr_is_read(tmp_path: Path, date: str, read_as: str) -> None:
    read = noted(tmp_path, {"docs/decisions/0005-markdown.md": MADR.format(date=date)})
    found = read.get(Decision, "decision:docs/decisions/0005-markdown")
    assert (str(found.decided_at)[:10], found.body) == (read_as, "Status: accepted.\nWhich?")
    assert not read.problems


def test_a_date_that_cannot_be_read_is_told_and_not_guessed(tmp_path: Path) -> None:
    read = noted(tmp_path, {"docs/decisions/0005-markdown.md": MADR.format(date="2024-023-2706")})
    assert read.get(Decision, "decision:docs/decisions/0005-markdown").decided_at is None
    assert read.reasons == ["date: not a time: '2024-023-2706'"]


@pytest.mark.parametrize(
    ("name", "text", "title", "day", "status"),
    [
        ("20200924-x.md", "# Use Markdown\n\n- Status: accepted\n", "Use Markdown", "2020-09-24", "accepted"),
        ("0002-x.md", "# In\n\nFirst.\n\n- Status: accepted\n- Date: 2020-01-02\n", "In", "2020-01-02", "accepted"),
        ("0003-x.md", "# Choix\n\n* statut : proposé\n* date : 2025-05-27\n", "Choix", "2025-05-27", "proposé"),
        ("0004-x.md", "# ADR-0004: 分层策略\n\n## 背景\n\nx\n\n## 决策\n\ny\n", "分层策略", "None", ""),
        ("0005-x.md", "# 5. 캐시\n\n- 상태: 채택\n- 날짜: 2026-01-02\n", "캐시", "2026-01-02", "채택"),
        ("0006-x.md", "# 決定\n\n## ステータス\n\n承認\n\n## 決定\n\nx\n", "決定", "None", "承認"),
        ("0007-x.md", "---\ntitle: 0007-Choix du modèle\n---\n# Other\n", "Choix du modèle", "None", ""),
        ("0008-x.md", "# 3-tier architecture\n\nText. Status: not this one.\n", "3-tier architecture", "None", ""),
        ("0009-x.md", "# T\n\nx\n\n## Example\n\nStatus: Deprecated\n", "T", "None", ""),
        ("0010-x.md", "---\nstatus: \"{proposed | accepted}\"\n---\n# T\n\nx\n", "T", "None", ""),
        ("2026-12-01-float16.md", "# Keep floats\n\nx\n", "Keep floats", "2026-12-01", ""),
    ],
)  # fmt: skip
def test_forms_that_people_use(tmp_path: Path, name: str, text: str, title: str, day: str, status: str) -> None:
    read = noted(tmp_path, {f"adr/{name}": text})
    found = read.get(Decision, f"decision:adr/{Path(name).stem}")
    said = found.body.partition("\n")[0] if found.body.startswith("Status") else ""
    expected = "" if not status else f"Status: {status}."
    assert (found.title, str(found.decided_at)[:10], said) == (title, day, expected)


@pytest.mark.parametrize(
    ("name", "text", "is_one"),
    [
        ("docs/0007-x.md", "# X\n\n## Decision\n\ny\n", True),
        ("docs/ADR-12 X.md", "# X\n\n## Status\n\nAccepted\n", True),
        ("docs/x.md", "# X\n\n## Status\n\na\n\n## Context\n\nb\n\n## Decision\n\nc\n", True),
        ("docs/x.md", "# X\n\n## Kontext\n\nb\n\n## Entscheidung\n\nc\n\n## Konsequenzen\n\nd\n", True),
        ("docs/x.md", "# X\n\n## Contexto\n\nb\n\n## Decisión\n\nc\n\n## Estado\n\nd\n", True),
        ("docs/x.md", "# X\n\n## 배경\n\nb\n\n## 결정\n\nc\n\n## 결과\n\nd\n", True),
        ("docs/x.md", "# X\n\n## Context\n\nb\n\n## Status\n\na\n", False),
        ("docs/0007-x.md", "# X\n\n## Plot\n\ny\n", False),
        ("decisions/backend/0001-x.md", "# X\n\ny\n", True),
    ],
)
def test_what_makes_a_note_a_decision_record(tmp_path: Path, name: str, text: str, is_one: bool) -> None:
    read = noted(tmp_path, {name: text, "other.md": "# Other\n\nx\n"})
    kind = "decision" if is_one else "concept"
    assert f"{kind}:{name.removesuffix('.md')}" in read.nodes


def test_adr_dir_names_the_folder_of_records(tmp_path: Path) -> None:
    read = noted(
        tmp_path, {".adr-dir": "doc/choices\n", "doc/choices/why.md": "# Why\n\nx\n", "doc/why.md": "# W\n\nx\n"}
    )
    assert read.nodes == {"decision:doc/choices/why", "concept:doc/why"}


def test_a_folder_of_records_alone_is_recognised_whatever_it_is_called(tmp_path: Path) -> None:
    """A numbered record without any telling heading is one too, since it stands among them."""
    folder = tmp_path / "whatever"
    read = noted(
        folder, {"0001-a.md": "# 1. A\n\nBare.\n", "0002-b.md": "# B\n\n## Decision\n\nx\n", "index.md": "# I\n"}
    )
    assert detect(folder).name == "adr"
    assert read.nodes == {"decision:0001-a", "decision:0002-b"}
    assert read.documents == {"doc:0001-a.md", "doc:0002-b.md", "doc:index.md"}


def test_a_folder_with_other_notes_is_more_than_decisions(tmp_path: Path) -> None:
    noted(tmp_path, {"0001-a.md": "# A\n\n## Status\n\nx\n", "Kyoto.md": "# Kyoto\n\nx\n"})
    assert detect(tmp_path).name == "folder"


def test_a_record_says_what_it_is_about_in_its_front_matter(tmp_path: Path) -> None:
    text = "---\nabout: [Cache]\nsupersedes: 0001-a\n---\n# B\n\nx\n"
    read = noted(tmp_path, {"adr/0001-a.md": "# A\n", "adr/0002-b.md": text, "Cache.md": "# Cache\n\nx\n"})
    found = read.get(Decision, "decision:adr/0002-b")
    assert (found.about, found.supersedes) == (("concept:Cache",), ("decision:adr/0001-a",))
    assert isinstance(read.values["concept:Cache"], Concept)
