"""Logs: decisions, sessions and changes, an entry a heading."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain import Concept, Decision, Episode
from ascertain.formats.dates import date_in
from formats.noted import noted

LOG = """# Decision Log

## Table of Contents
1. [Use one file (2/27/2025)](#x)

## 2/27/2025 - Use one file
Context: many files were slow.

### Consequences
- Backup copies one file.

## 2026-04-24 — Drop the cache
Supersedes: [[Use one file]]

## 2/3/2025 - Ask twice
Text.

## Template for Future Decisions

## [Date] - [Decision Topic]
Context: [..]
"""


def test_each_dated_heading_of_a_decision_log_is_a_decision_with_its_text(tmp_path: Path) -> None:
    read = noted(tmp_path, {"memory-bank/decisionLog.md": LOG})
    told = {node.title: node for id in read.nodes for node in [read.get(Decision, id)]}
    assert set(told) == {"Use one file", "Drop the cache", "Ask twice"}
    first = told["Use one file"]
    assert first.decided_at == datetime(2025, 2, 27, tzinfo=UTC)
    assert first.body == "Context: many files were slow.\nBackup copies one file."
    assert "many files were slow" in dict(_pieces(read))[first.source]
    assert told["Drop the cache"].supersedes == (first.id,)


def test_a_date_that_may_be_two_days_is_reported_and_stays_unstated(tmp_path: Path) -> None:
    read = noted(tmp_path, {"decisions.md": LOG})
    (asked,) = (node for id in read.nodes for node in [read.get(Decision, id)] if node.title == "Ask twice")
    assert asked.decided_at is None
    assert "'2/3/2025' may be two days: not read as a date" in read.reasons


def test_the_same_log_in_two_folders_gives_nodes_of_its_own_each(tmp_path: Path) -> None:
    read = noted(tmp_path, {"a/decisionLog.md": LOG, "b/decisionLog.md": LOG})
    assert len(read.nodes) == 6


def test_entries_of_other_logs_are_episodes_whose_text_stays_in_the_pieces(tmp_path: Path) -> None:
    text = "# Session Log\n\n## 2026-05-18 - Docs added\n- Wrote the page\n\n## 2026-05-19\n- Rested\n"
    read = noted(tmp_path, {"sessionLog.md": text})
    told = {node.title: node for id in read.nodes for node in [read.get(Episode, id)]}
    assert set(told) == {"Docs added", "Session Log 2026-05-19"}
    assert told["Docs added"].started_at == datetime(2026, 5, 18, tzinfo=UTC)
    assert not any(node.summary for node in told.values())
    assert dict(_pieces(read))[told["Session Log 2026-05-19"].source].endswith("Rested")


def test_a_changelog_has_an_episode_a_version(tmp_path: Path) -> None:
    text = (
        "# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-01-02\n### Added\n- Logs\n\n## 1.0.0\n- First\n\n"
        "[1.1.0]: https://example.test\n"
    )
    read = noted(tmp_path, {"CHANGELOG.md": text})
    told = {node.title: node.started_at for id in read.nodes for node in [read.get(Episode, id)]}
    assert told == {"Changelog 1.1.0": datetime(2026, 1, 2, tzinfo=UTC), "Changelog 1.0.0": None}
    kept = noted(tmp_path, {"CHANGELOG.md": text.replace("[Unreleased]\n", "[Unreleased]\n- Soon\n")})
    assert "Changelog Unreleased" in {node.title for id in kept.nodes for node in [kept.get(Episode, id)]}


@pytest.mark.parametrize(
    "text",
    ["- ## Beta 2 [[Dec 1st, 2025]]\n\t- Fixed\n- ## Beta 1 [[Nov 30th, 2025]]\n\t- Begun\n",
     "- [[Dec 1st, 2025]]\n\t- Fixed\n- [[Nov 30th, 2025]]\n\t- Begun\n",
     "- [2025-12-01 10:00:00] - Fixed\n- [2025-11-30 10:00:00] - Begun\n"],
)  # fmt: skip
def test_entries_may_be_items_of_a_list(tmp_path: Path, text: str) -> None:
    read = noted(tmp_path, {"Changelog_09.md": text})
    days = {node.started_at.date().isoformat() for id in read.nodes if (node := read.get(Episode, id)).started_at}
    assert days == {"2025-12-01", "2025-11-30"}
    sources = {read.get(Episode, id).source for id in read.nodes}
    assert "" not in sources


def test_a_note_with_dated_headings_keeps_its_concept_and_the_episodes_are_about_it(tmp_path: Path) -> None:
    days = "".join(f"## 2026-01-0{n} step {n}\nDone {n}.\n" for n in (1, 2, 3))
    read = noted(tmp_path, {"bridge.md": "# The bridge\n\nSpans the river.\n\n" + days})
    assert read.get(Concept, "concept:bridge").title == "The bridge"
    episodes = [read.get(Episode, id) for id in read.nodes - {"concept:bridge"}]
    assert len(episodes) == 3
    assert all(one.about == ("concept:bridge",) for one in episodes)


def test_one_dated_heading_makes_no_log(tmp_path: Path) -> None:
    assert noted(tmp_path, {"bridge.md": "# The bridge\n\n## 2026-01-01 opened\nText.\n"}).nodes == {"concept:bridge"}


def test_headings_inside_code_are_no_entries(tmp_path: Path) -> None:
    text = "# Session Log\n\n## 2026-05-18 - Real\nText\n\n```\n## 2026-05-19 - Not real\nText\n```\n"
    assert len(noted(tmp_path, {"sessionLog.md": text}).nodes) == 1


@given(day=st.dates(), form=st.sampled_from(["%Y-%m-%d", "%Y/%m/%d", "%Y년 %m월 %d일", "%B %d, %Y", "%d %b %Y"]))
def test_a_day_that_is_written_out_is_read_as_that_day(day, form: str) -> None:
    text = f"on {form} it rained".replace("%Y", f"{day.year:04}")
    found = date_in(day.strftime(text))
    assert found is not None
    assert found.instant == datetime(day.year, day.month, day.day, tzinfo=UTC)


@given(day=st.dates())
def test_a_day_with_numbers_in_either_order_is_that_day_or_none(day) -> None:
    for text in (f"{day.month}/{day.day}/{day.year:04}", f"{day.day}/{day.month}/{day.year:04}"):
        found = date_in(text)
        assert found is not None
        sure = day.day > 12 or day.day == day.month
        assert found.instant == (datetime(day.year, day.month, day.day, tzinfo=UTC) if sure else None)
        assert bool(found.problem) != sure


@given(st.text(max_size=60))
def test_no_text_breaks_the_reading_of_dates(text: str) -> None:
    found = date_in(text)
    assert found is None or text[found.start : found.end]


def _pieces(read):
    return [(piece.id, piece.text) for id in read.documents for piece in read.values[id].pieces]
