"""What a note is, and the values it becomes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from ascertain.errors import InvalidInput
from ascertain.formats.adr import is_decision, read_decision
from ascertain.formats.base import Item, Problem
from ascertain.formats.front_matter import FrontMatter, as_instant, as_list, as_text
from ascertain.formats.links import Names
from ascertain.formats.markdown import Page, pieces_of
from ascertain.model.documents import Document, Piece
from ascertain.model.ids import check_id, slug
from ascertain.model.nodes import Concept, Decision, Episode, Kind, Node, Record
from ascertain.model.times import check_interval

_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("concept", "개념", "용어", "概念"), "concept"),
    **dict.fromkeys(("record", "fact", "기록", "사실", "記録", "记录"), "record"),
    **dict.fromkeys(("decision", "adr", "결정", "決定", "决定"), "decision"),
    **dict.fromkeys(("episode", "event", "meeting", "사건", "에피소드", "회의록"), "episode"),
}
_ONLY_DOCUMENTS = frozenset(
    ("readme", "index", "_index", "template", "templates", "changelog", "license", "contributing")
)
_GLOSSARIES = re.compile(
    r"(?:.*[-_ ])?(?:glossary|glossar|glossaire|glosario|용어집|용어|用語集|用語|术语表|术语)", re.I
)
_DAY = re.compile(r"(?<!\d)(\d{4})[-_.](\d{1,2})[-_.](\d{1,2})(?!\d)")
_WEEK = re.compile(r"(?<!\d)(\d{4})-W(\d{2})(?!\d)")
_SUMMARY = re.compile(r"summary|요약|zusammenfassung|résumé|resumen|要約|摘要", re.I)
_TERM_LINE = re.compile(r"^(?P<term>[^:–—\n]{1,80}?)\s*(?::|–|—| - )\s*(?P<text>\S.*)$", re.S)
_LINK_MARKS = re.compile(r"^\[\[(?P<target>[^\]|#]+)[^\]]*\]\]$")


@dataclass(frozen=True)
class Term:
    """A glossary's entry."""

    id: str
    title: str
    text: str
    line: int
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Note:
    """A note as understood, before its links are joined. kind is None for a document only; superseded_by
    are targets as written, as are supersedes; remarks go into the report."""

    file: str
    path: PurePosixPath
    parts: FrontMatter
    page: Page
    kind: Kind | None
    id: str
    title: str
    aliases: tuple[str, ...] = ()
    moment: datetime | None = None
    status: str = ""
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()
    remarks: tuple[str, ...] = field(default=())


def note_of(file: str, path: PurePosixPath, parts: FrontMatter, page: Page) -> Note:
    """What a note is: as its front matter says; a decision record; a glossary; dated; else a
    Concept with its title, save READMEs, indexes and templates, which are documents only."""
    values = parts.values
    own_title = as_text(values.get("title")) or next((head.text for head in page.headings if head.level == 1), "")
    title = " ".join(own_title.split()) or path.stem
    aliases = tuple(
        dict.fromkeys(
            alias for key in ("aliases", "alias", "별칭") for alias in as_list(values.get(key)) if alias != title
        )
    )
    said = as_text(values.get("kind") or values.get("type") or values.get("종류")).casefold()
    plain = Note(file, path, parts, page, kind=None, id="", title=title, aliases=aliases)
    stem = path.stem.casefold()
    templates = any("template" in part.casefold() for part in (*path.parent.parts, path.stem))
    if not said and (stem in _ONLY_DOCUMENTS or templates):
        return plain
    kind = _KINDS.get(said)
    if kind == "decision" or (kind is None and is_decision(path, page, values)):
        found = read_decision(path, parts.body, page, values, title)
        return replace(
            plain,
            kind="decision",
            id=_id("decision", path, values),
            title=found.title,
            moment=found.decided_at,
            status=found.status,
            supersedes=(*found.supersedes, *map(_bare, as_list(values.get("supersedes")))),
            superseded_by=found.superseded_by,
            remarks=found.remarks,
        )
    if kind is None and (said == "glossary" or _GLOSSARIES.fullmatch(path.stem)) and (terms := _terms(path, page)):
        return replace(plain, terms=terms)
    moment, remarks = _moment(path, values)
    if kind is None and (_DAY.search(path.stem) or _WEEK.search(path.stem)):
        kind = "episode"
    kind = kind or "concept"
    supersedes = tuple(map(_bare, as_list(values.get("supersedes"))))
    return replace(
        plain,
        kind=kind,
        id=_id(kind, path, values),
        moment=moment,
        supersedes=supersedes,
        remarks=remarks,
    )


def values_of(note: Note, names: Names, concepts: set[str], replaces: Sequence[str]) -> Iterator[Item | Problem]:
    """The note's node or terms, its document, and what is to be said of it.

    replaces: ids of older decisions that name this one as their successor.
    """
    document_id = f"doc:{_plain(note.path)}"
    for remark in note.remarks:
        yield Problem(note.file, None, remark, skipped=False)
    summary, blocks = _told(note)
    pieces = []
    for at, (text, links) in enumerate(pieces_of(blocks)):
        mentioned = []
        for link in links:
            ids = names.find(link, note.path)
            if ids is None or not note.path.suffix:
                continue
            if len(ids) == 1 and ids[0] in concepts:
                mentioned.append(ids[0])
            elif len(ids) != 1 and not _is_file_link(link):
                yield Problem(note.file, None, _unjoined(link, ids), skipped=False)
        pieces.append(Piece(id=f"{document_id}#{at}", text=text, mentions=tuple(dict.fromkeys(mentioned))))
    first = pieces[0].id if pieces else ""
    if note.kind is not None:
        joined: dict[str, list[str]] = {"about": [], "supersedes": list(replaces)}
        for key, targets in (("about", as_list(note.parts.values.get("about"))), ("supersedes", note.supersedes)):
            for target in targets:
                ids = names.find(_bare(target), note.path)
                if ids is not None and len(ids) == 2 and key == "about":
                    ids = [id for id in ids if id in concepts] or ids
                if key == "supersedes" and ids and len(ids) > 1:
                    ids = [id for id in ids if id.startswith(f"{note.kind}:") and id != note.id] or ids
                if ids and len(ids) == 1:
                    joined[key].append(ids[0])
                else:
                    yield Problem(note.file, None, _unjoined(target, ids or []) + f" ({key})", skipped=False)
        try:
            yield Item(_node(note, note.kind, summary, first, joined), note.file, note.parts.line)
        except InvalidInput as error:
            yield Problem(note.file, None, error.problem)
    for term in note.terms:
        node = Concept(id=term.id, title=term.title, aliases=term.aliases, body=term.text, source=first)
        yield Item(node, note.file, term.line + note.parts.line - 1)
    yield Item(
        Document(id=check_id(document_id), title=note.title, source=str(note.path), pieces=tuple(pieces)),
        note.file,
        note.parts.line,
    )


def _node(note: Note, kind: Kind, summary: str, first: str, joined: Mapping[str, Sequence[str]]) -> Node:
    values = note.parts.values
    times: dict[str, datetime | None] = {}
    for name in ("valid_from", "valid_to", "recorded_at", "retired_at"):
        times[name], problem = as_instant(values.get(name))
        if problem:
            raise InvalidInput(f"{name}: {problem}")
    check_interval(times["valid_from"], times["valid_to"])
    common: dict[str, Any] = {
        "id": note.id,
        "title": note.title,
        "aliases": note.aliases,
        "lang": as_text(values.get("lang")),
        "source": as_text(values.get("source")) or first,
        "about": tuple(dict.fromkeys(joined["about"])),
        "supersedes": tuple(dict.fromkeys(id for id in joined["supersedes"] if id != note.id)),
        **times,
    }
    whole = "\n".join(block.text for block in note.page.blocks)
    if kind == "concept":
        opening = next((block.text for block in note.page.blocks if not block.code), "")
        return Concept(**common, body=opening[:500])
    if kind == "record":
        return Record(**common, body=whole, observed_at=note.moment)
    if kind == "decision":
        status = f"Status: {note.status}.\n" if note.status else ""
        return Decision(**common, body=status + whole, decided_at=note.moment)
    ended, problem = as_instant(values.get("ended_at"))
    if problem:
        raise InvalidInput(f"ended_at: {problem}")
    check_interval(note.moment, ended)
    return Episode(**common, summary=summary, started_at=note.moment, ended_at=ended)


def _told(note: Note) -> tuple[str, Page]:
    """An Episode's summary, and the page without it: a summary never stands in a piece."""
    if note.kind != "episode":
        return "", note.page
    if summary := as_text(note.parts.values.get("summary")):
        return summary, note.page
    under = [block for block in note.page.blocks if _SUMMARY.fullmatch(block.heading.strip())]
    said = as_text(note.parts.values.get("kind") or note.parts.values.get("type"))
    if not under and said:
        under = list(note.page.blocks)  # a note that calls itself an Episode is its narrative
    rest = tuple(block for block in note.page.blocks if block not in under)
    return "\n".join(block.text for block in under), Page(note.page.headings, rest)


def _moment(path: PurePosixPath, values: Mapping[str, Any]) -> tuple[datetime | None, tuple[str, ...]]:
    """When it was observed or began: as the front matter says, else as the file's name does."""
    for key in ("started_at", "observed_at", "decided_at", "date", "날짜"):
        if key in values:
            found, problem = as_instant(values[key])
            if found or problem:
                return found, (f"{key}: {problem}",) if problem else ()
    if week := _WEEK.search(path.stem):
        return as_instant(week[0])[0], ()
    if day := _DAY.search(path.stem):
        found, problem = as_instant(f"{day[1]}-{int(day[2]):02}-{int(day[3]):02}")
        return found, (f"file name: {problem}",) if problem else ()
    return None, ()


def _terms(path: PurePosixPath, page: Page) -> tuple[Term, ...]:
    """Terms as headings with text under them, else as lines «term: text»."""
    found: dict[str, Term] = {}

    def add(title: str, text: str, line: int) -> None:
        id = f"concept:{_plain(path.with_suffix(''))}#{slug(title)}"
        if title.strip() and slug(title):
            found.setdefault(id, Term(id, title.strip(), text, line))

    for heading in page.headings:
        under = [block.text for block in page.blocks if block.heading == heading.text]
        if heading.level > 1 and under:
            add(heading.text, "\n".join(under)[:500], heading.line)
    if not found:
        for block in page.blocks:
            for line in block.text.split("\n"):
                if match := _TERM_LINE.match(line.strip()):
                    add(match["term"].strip("*_ "), match["text"], block.line)
    return tuple(found.values())


def _id(kind: str, path: PurePosixPath, values: Mapping[str, Any]) -> str:
    stated = as_text(values.get("id"))
    try:
        return check_id(stated) if stated else check_id(f"{kind}:{_plain(path.with_suffix(''))}")
    except InvalidInput:
        return check_id(f"{kind}:{slug(str(path))[:400]}")


def _plain(path: PurePosixPath) -> str:
    """A path as an id's part: composed alike on every file system, without control characters."""
    text = unicodedata.normalize("NFC", str(path))
    return "".join(char for char in text if unicodedata.category(char) not in ("Cc", "Cs"))


def _bare(target: str) -> str:
    match = _LINK_MARKS.match(target.strip())
    return match["target"].strip() if match else target.strip()


def _is_file_link(link: str) -> bool:
    return bool(re.search(r"\.\w{1,5}(?:#|$)", link)) and not link.lower().endswith((".md", ".markdown"))


def _unjoined(link: str, ids: Sequence[str]) -> str:
    if ids:
        return f"ambiguous link [[{link}]]: {', '.join(ids[:4])}"
    return f"link to nothing [[{link}]]"
