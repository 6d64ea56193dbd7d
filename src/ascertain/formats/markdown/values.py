"""The values a note becomes: its node, those of its entries, its document, and what is to be said of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ascertain.errors import InvalidInput
from ascertain.formats.base import Item, Problem
from ascertain.formats.markdown.entry import Entry
from ascertain.formats.markdown.front_matter import as_instant, as_text
from ascertain.formats.markdown.links import Names, names_a_note, unjoined
from ascertain.formats.markdown.note import Note
from ascertain.formats.markdown.page import Block, Part, pieces_of
from ascertain.formats.texts import clean
from ascertain.model.documents import Document, Piece
from ascertain.model.ids import check_id
from ascertain.model.nodes import Concept, Decision, Episode, Kind, Node, Record
from ascertain.model.times import check_interval

_SUMMARY = re.compile(r"summary|tl;?dr|요약|zusammenfassung|résumé|resumen|要約|摘要", re.I)


@dataclass(frozen=True)
class Folder:
    """What a note must know of the others: their names, the kinds of their nodes by id, and which
    older nodes name a node as their successor."""

    names: Names
    kinds: Mapping[str, Kind]
    older: Mapping[str, tuple[str, ...]]


def values_of(note: Note, folder: Folder) -> Iterator[Item | Problem]:
    """The note's node, its entries, then its document, among problems as they are met."""
    for remark in note.remarks:
        yield Problem(note.file, None, remark, skipped=False)
    summary, blocks = _told(note)
    parts = pieces_of(blocks)
    if note.parts.raw.strip():
        # Last, so that a note whose front matter is mended keeps the ids of its other pieces.
        parts += pieces_of([Block(note.parts.raw.strip(), 0, code=True)])
    pieces: list[Piece] = []
    told: dict[str, Problem] = {}
    for at, part in enumerate(parts):
        mentions, problems = _mentions(note, part, folder)
        pieces.append(Piece(id=f"{note.document_id}#{at}", text=part.text, mentions=mentions))
        for problem in problems:
            told.setdefault(problem.reason, problem)  # once a note, however often it links there
    yield from told.values()
    if note.kind is not None:
        about, problems = _joined(note, "about", note.about, folder)
        yield from problems
        about = tuple(dict.fromkeys((*about, *_concepts(note, note.related, folder))))
        supersedes, problems = _joined(note, "supersedes", note.supersedes, folder)
        yield from problems
        older = [id for id in (*supersedes, *folder.older.get(note.id, ())) if id != note.id]
        first = pieces[0].id if pieces else ""
        try:
            node = _node(note, summary, first, about=about, supersedes=tuple(dict.fromkeys(older)))
            yield Item(node, note.file, note.parts.line)
        except InvalidInput as error:
            yield Problem(note.file, None, error.problem)
    own = (note.id,) if note.kind == "concept" else ()
    for entry in note.entries:
        within = [piece.id for piece, part in zip(pieces, parts, strict=True) if 0 < part.line <= entry.line]
        about = (*(own if entry.of_note else ()), *_concepts(note, entry.about, folder))
        joined, problems = _joined(note, "supersedes", entry.supersedes, folder, of=entry)
        yield from problems
        earlier = (*joined, *folder.older.get(entry.id, ()))
        node = _entry_node(entry, source=within[-1] if within else "", about=about, supersedes=earlier)
        yield Item(node, note.file, _line(note, entry.line))
    source = as_text(note.parts.values.get("source")) if note.stated_document else ""
    document = Document(
        id=check_id(note.document_id), title=note.title, source=source or clean(str(note.path)), pieces=tuple(pieces)
    )
    yield Item(document, note.file, note.parts.line)


def _mentions(note: Note, part: Part, folder: Folder) -> tuple[tuple[str, ...], list[Problem]]:
    """Concepts that a piece links to, and links that join nothing."""
    found: dict[str, None] = {}
    problems = []
    for link in part.links:
        ids = folder.names.find(link.target, note.path)
        if ids is None or (not ids and not names_a_note(link.target, wiki=link.wiki)):
            continue
        if len(ids) == 1:
            found |= dict.fromkeys(id for id in ids if folder.kinds.get(id) == "concept")
        else:
            target = link.target.partition("|")[0].strip()
            problems.append(Problem(note.file, _line(note, part.line), unjoined(target, ids), skipped=False))
    return tuple(found), problems


def _concepts(note: Note, targets: Sequence[str], folder: Folder) -> tuple[str, ...]:
    """Ids of the Concepts that links of lists mean; what joins nothing is told where the link stands."""
    found: dict[str, None] = {}
    for target in targets:
        fit = [id for id in folder.names.find(target, note.path) or () if folder.kinds.get(id) == "concept"]
        if len(fit) == 1 and fit[0] != note.id:
            found[fit[0]] = None
    return tuple(found)


def _joined(
    note: Note, key: str, targets: Sequence[str], folder: Folder, *, of: Entry | None = None
) -> tuple[tuple[str, ...], list[Problem]]:
    """Ids that the note's references mean. What an edge can't join is no rival for a name: `about`
    leads to Concepts, and `supersedes` to another node of the same kind."""
    found: dict[str, None] = {}
    problems = []
    for target in targets:
        find = folder.names.find_decision if key == "supersedes" else folder.names.find
        own = of.id if of else note.id
        ids = [id for id in find(target, note.path) or () if id != own]
        kind = (of.kind if of else note.kind) if key == "supersedes" else "concept"
        fit = [id for id in ids if folder.kinds.get(id) == kind]
        if len(fit) == 1:
            found[fit[0]] = None
            continue
        reason = f"{unjoined(target, fit)} ({key})"
        if ids and not fit:
            reason = f"[[{target}]] is no {kind}, and `{key}` joins nothing else"
        problems.append(Problem(note.file, None, reason, skipped=False))
    return tuple(found), problems


def _node(note: Note, summary: str, first: str, *, about: tuple[str, ...], supersedes: tuple[str, ...]) -> Node:
    values = note.parts.values
    common: dict[str, Any] = {
        "id": note.id,
        "title": note.title,
        "aliases": note.aliases,
        "lang": as_text(values.get("lang")),
        "source": as_text(values.get("source")) or first,
        "about": () if note.kind == "concept" else about,
        "supersedes": supersedes,
        **_interval(values, "valid_from", "valid_to"),
        **_interval(values, "recorded_at", "retired_at"),
    }
    if note.kind == "concept":
        return Concept(**common, body=note.body)
    if note.kind == "record":
        return Record(**common, body=note.body, observed_at=note.moment)
    if note.kind == "decision":
        return Decision(**common, body=note.body, decided_at=note.moment)
    ended = _instant(values, "ended_at")
    check_interval(note.moment, ended)
    return Episode(**common, summary=summary, started_at=note.moment, ended_at=ended)


def _entry_node(entry: Entry, *, source: str, about: tuple[str, ...], supersedes: tuple[str, ...]) -> Node:
    common: dict[str, Any] = {"id": entry.id, "title": entry.title, "source": source}
    if entry.kind == "concept":
        return Concept(**common, aliases=entry.aliases, body=entry.text)
    common |= {"about": tuple(dict.fromkeys(about)), "supersedes": tuple(dict.fromkeys(supersedes))}
    if entry.kind == "record":
        return Record(**common, body=entry.text, observed_at=entry.moment)
    if entry.kind == "decision":
        return Decision(**common, body=entry.text, decided_at=entry.moment)
    return Episode(**common, started_at=entry.moment)


def _interval(values: Mapping[str, Any], start: str, end: str) -> dict[str, datetime | None]:
    """Raises InvalidInput where a bound can't be read: a node without the limit that somebody set
    would be shown as holding when it may not."""
    found = {name: _instant(values, name) for name in (start, end)}
    try:
        check_interval(found[start], found[end])
    except InvalidInput as error:
        raise InvalidInput(f"{start}, {end}: {error.problem}") from error
    return found


def _instant(values: Mapping[str, Any], name: str) -> datetime | None:
    found, problem = as_instant(values.get(name))
    if problem:
        raise InvalidInput(f"{name}: {problem}")
    return found


def _told(note: Note) -> tuple[str, Sequence[Block]]:
    """An Episode's summary, and the blocks without it: a summary never stands in a piece."""
    blocks = note.page.blocks
    if note.kind != "episode":
        return "", blocks
    if summary := as_text(note.parts.values.get("summary")):
        return summary, blocks
    under = [block for block in blocks if any(_SUMMARY.fullmatch(head.text.strip(" :")) for head in block.under)]
    if not under and note.told:
        under = list(blocks)
    chosen = set(map(id, under))
    return "\n".join(block.text for block in under), [block for block in blocks if id(block) not in chosen]


def _line(note: Note, line: int) -> int | None:
    """A line of the body as one of the file."""
    return line + note.parts.line - 1 if line else None
