"""The project's own memory in docs/memory: its form, its names, its references."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

DOCS = Path(__file__).parents[1] / "docs"
FOLDER = DOCS / "memory"
LEAST = {"concept": 30, "decision": 18, "record": 14, "episode": 6}
KEYS = {"kind", "title", "aliases", "lang", "about", "date", "supersedes", "valid_from", "valid_to", "summary"}
NAMESAKES = {"seed policy": ["concept", "decision"], "시드 정책": ["concept", "decision"]}
"""Names that two notes bear on purpose, and the kinds of those notes."""

HANGUL = re.compile("[가-힣]")
FRONT = re.compile(r"---\n(.*?)\n---\n(.*)", re.DOTALL)


@dataclass(frozen=True)
class Note:
    path: Path
    fields: dict[str, Any]
    body: str

    @property
    def names(self) -> list[str]:
        return [self.fields["title"], *self.fields.get("aliases", [])]


def read(path: Path) -> Note:
    found = FRONT.fullmatch(path.read_text(encoding="utf-8"))
    assert found, f"{path.name}: no front matter"
    return Note(path, yaml.safe_load(found[1]), found[2].strip())


PATHS = sorted(FOLDER.glob("*/*.md"))
each = pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}/{path.stem}")


@pytest.fixture(scope="module")
def notes() -> list[Note]:
    return [read(path) for path in PATHS]


@each
def test_a_note_has_a_kind_a_title_a_language_and_a_text(path: Path) -> None:
    note = read(path)
    assert f"{note.fields['kind']}s" == path.parent.name
    assert set(note.fields) <= KEYS
    assert all(isinstance(name, str) and name.strip() == name != "" for name in note.names)
    assert note.fields["lang"] in ("en", "ko")
    assert note.body


@each
def test_a_note_has_what_its_kind_asks_for(path: Path) -> None:
    fields = read(path).fields
    kind = fields["kind"]
    assert bool(fields.get("about")) == (kind != "concept")
    assert ("summary" in fields) == (kind == "episode")
    assert "supersedes" not in fields or kind == "decision"
    assert isinstance(fields.get("date"), datetime.date) or (kind != "decision" and "date" not in fields)


def test_there_are_enough_notes_of_every_kind(notes: list[Note]) -> None:
    counts = Counter(note.fields["kind"] for note in notes)
    assert {kind: counts[kind] >= least for kind, least in LEAST.items()} == dict.fromkeys(LEAST, True)


def test_decisions_are_numbered_without_a_hole(notes: list[Note]) -> None:
    numbers = [int(note.path.name[:4]) for note in notes if note.fields["kind"] == "decision"]
    assert numbers == list(range(1, len(numbers) + 1))


def test_no_name_is_borne_twice_but_by_the_namesakes(notes: list[Note]) -> None:
    """A name that two notes bear can't be referred to, and asking for it ends in choose."""
    bearers: dict[str, list[str]] = {}
    for note in notes:
        for name in note.names:
            bearers.setdefault(name.casefold(), []).append(note.fields["kind"])
    assert {name: sorted(kinds) for name, kinds in bearers.items() if len(kinds) > 1} == NAMESAKES


def test_about_names_concepts_that_are_here_and_have_no_namesake(notes: list[Note]) -> None:
    concepts = {note.fields["title"] for note in notes if note.fields["kind"] == "concept"}
    named = {(note.path.name, title) for note in notes for title in note.fields.get("about", [])}
    assert {one for one in named if one[1] not in concepts or one[1].casefold() in NAMESAKES} == set()


def test_what_is_superseded_is_an_older_decision_that_is_here(notes: list[Note]) -> None:
    numbers = {note.fields["title"]: note.path.name for note in notes if note.fields["kind"] == "decision"}
    pairs = [(note.path.name, title) for note in notes for title in note.fields.get("supersedes", [])]
    assert pairs
    assert all(numbers[title] < newer for newer, title in pairs)


def test_at_least_eight_notes_have_a_korean_name_and_two_are_korean(notes: list[Note]) -> None:
    assert sum(any(HANGUL.search(name) for name in note.names) for note in notes) >= 8
    korean = [note for note in notes if note.fields["lang"] == "ko"]
    assert len(korean) >= 2
    assert all(HANGUL.search(note.fields["title"]) and HANGUL.search(note.body) for note in korean)


@pytest.mark.parametrize("page", ["README.md", "architecture.md"])
def test_links_between_pages_lead_somewhere(page: str) -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", (DOCS / page).read_text(encoding="utf-8"))
    assert targets
    assert [target for target in targets if not (DOCS / target).exists()] == []
