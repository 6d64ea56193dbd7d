"""What a note is: a concept, record, decision, episode, glossary, or a document only."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from ascertain.errors import InvalidInput
from ascertain.formats.markdown.decision_records import bare, is_decision, is_numbered, read_decision
from ascertain.formats.markdown.entry import Entry
from ascertain.formats.markdown.front_matter import FrontMatter, as_instant, as_list, as_text
from ascertain.formats.markdown.glossary import is_glossary, terms_of
from ascertain.formats.markdown.logs import read_log
from ascertain.formats.markdown.observations import is_observing, read_observed
from ascertain.formats.markdown.page import WIKI, Page
from ascertain.formats.texts import clean, day_in
from ascertain.model.ids import check_id, slug
from ascertain.model.nodes import Kind

_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("concept", "개념", "용어", "概念"), "concept"),
    **dict.fromkeys(("record", "fact", "기록", "사실", "記録", "记录"), "record"),
    **dict.fromkeys(("decision", "adr", "결정", "決定", "决定"), "decision"),
    **dict.fromkeys(("episode", "event", "사건", "에피소드", "사건(에피소드)"), "episode"),
    **dict.fromkeys(("meeting", "minutes", "회의록"), "episode"),
}
_DOCUMENTS = frozenset(("document", "문서", "文書", "文档"))
_MINUTES = frozenset(("meeting", "minutes", "회의록"))
_ONLY_DOCUMENTS = frozenset(("readme", "index", "_index", "changelog", "license", "contributing"))
_TEMPLATE = re.compile(
    r"(?!\d*[1-9]).*(?:^|[-_. ])(?:templates?|템플릿|テンプレート|模板)"
    r"|[\W\d_]*(?:m?adr|decision(?:[-_ ]record)?|rfc|note)?[-_ ]?templates?"
    r"(?:[-_. ](?:m?adr|bare|minimal|short|long|full|simple|nygard|y-statements?|v?\d[\d.]*|[a-z]{2}))+",
    re.I,
)
_TEMPLATES = re.compile(r"[\d\W_]*(?:templates?|템플릿|テンプレート|模板)", re.I)
_ABOUT = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+)?[*_]*(?:about|주제)[*_]*[ \t]*[:：][*_]*[ \t]*(?P<value>\S.*)$", re.I | re.M
)
_PROPERTY = re.compile(r"^[ \t]*(?:-[ \t]+)?(?P<key>title|alias|aliases)::[ \t]*(?P<value>\S.*)$", re.I | re.M)
MOMENTS = ("started_at", "observed_at", "decided_at", "date", "날짜")
MOST_OF_OPENING = 500


@dataclass(frozen=True)
class Note:
    """A note as understood, before its links are joined.

    path: where it lies in the folder; links lead there. place: the path that ids are made of.
    kind: None for a document only, and for glossaries and logs, which have entries. id: its node's,
    '' where it has none. body: what its node says. told: it says of itself that it is an Episode, and is its
    narrative. is_log: it is nothing beside its entries. permalink: a name for links only. about,
    supersedes, superseded_by: targets as written; related: those of lists, which are links as well
    and are reported as such. remarks go into the report.
    """

    file: str
    path: PurePosixPath
    place: PurePosixPath
    parts: FrontMatter
    page: Page
    kind: Kind | None
    id: str
    title: str
    aliases: tuple[str, ...] = ()
    body: str = ""
    told: bool = False
    is_log: bool = False
    permalink: str = ""
    related: tuple[str, ...] = ()
    moment: datetime | None = None
    about: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    remarks: tuple[str, ...] = ()
    stated_document: str = ""

    @property
    def document_id(self) -> str:
        """Of the document that every note becomes; a note that is nothing else may state it."""
        return self.stated_document or f"doc:{clean(str(self.place))}"


def is_only_document(path: PurePosixPath) -> bool:
    """Is this a README, an index, or a template by its name or folder?"""
    if path.stem.casefold() in _ONLY_DOCUMENTS or _TEMPLATE.fullmatch(path.stem):
        return True
    return any(_TEMPLATES.fullmatch(part) for part in path.parts[:-1])


def note_of(
    file: str,
    path: PurePosixPath,
    parts: FrontMatter,
    page: Page,
    place: PurePosixPath,
    *,
    folders: frozenset[str] = frozenset(),
    all_decisions: bool = False,
) -> Note:
    """What a note is: as its front matter says; a decision record; a glossary; dated; else a
    Concept with its title, save READMEs, indexes and templates, which are documents only.

    path: relative to what is imported. place: the path that ids are made of. folders: folders of
    decision records. all_decisions: every numbered note is a decision record.
    """
    values = parts.values
    note = _plain(file, path, place, parts, page)
    said = as_text(values.get("kind") or values.get("type") or values.get("종류")).casefold()
    if said in _DOCUMENTS:
        return replace(note, stated_document=_stated_id(values))
    kind = _KINDS.get(said)
    if kind is None:
        if is_only_document(path):
            return _logged(note) if path.stem.casefold() == "changelog" else note
        if as_text(values.get("kind")) and not is_glossary(path, page, values):
            remark = f"the kind {as_text(values['kind'])!r} is unknown, so the note is read as if it had none"
            note = replace(note, remarks=(remark,))
    decided = (all_decisions and is_numbered(path)) or is_decision(path, page, values, folders=folders)
    if kind == "decision" or (kind is None and decided):
        return _observed(_decision(note))
    if kind is None and is_glossary(path, page, values):
        terms, remarks = terms_of(place, page)
        if terms:
            return replace(note, entries=terms, remarks=(*note.remarks, *remarks))
    day = _day_of(path)
    if kind is None and day is None:
        note = _logged(note)
        if note.is_log:
            return note
    moment, remarks = _moment(values, day)
    stated = kind is not None
    kind = kind or ("episode" if day else "concept")
    whole = "\n".join(block.text for block in page.blocks)
    opening = next((block.text for block in page.blocks if not block.code), "")[:MOST_OF_OPENING]
    read = replace(
        note,
        kind=kind,
        id=_id(kind, place, values),
        body=whole if stated or kind != "concept" else opening,
        told=stated and kind == "episode" and said not in _MINUTES,
        moment=moment,
        about=_about(parts, page),
        supersedes=tuple(map(bare, as_list(values.get("supersedes")))),
        remarks=(*note.remarks, *remarks),
    )
    return _observed(read)


def _plain(file: str, path: PurePosixPath, place: PurePosixPath, parts: FrontMatter, page: Page) -> Note:
    values = parts.values
    listed = {match["key"].casefold(): match["value"] for match in _PROPERTY.finditer(_opening(page.prose))}
    own_title = (
        as_text(values.get("title"))
        or listed.get("title", "").strip()
        or next((head.text for head in page.headings if head.level == 1), "")
    )
    # Logseq writes the blank of a namespace into a file's name as three of these.
    title = " ".join(own_title.split()) or clean(path.stem).replace("___", "/")
    told = [as_list(where.get(key)) for where in (values, listed) for key in ("aliases", "alias", "별칭")]
    named = [alias for aliases in told for alias in map(_unlinked, aliases) if alias != title]
    aliases = tuple(dict.fromkeys(named))
    link = as_text(values.get("permalink"))
    return Note(file, path, place, parts, page, kind=None, id="", title=title, aliases=aliases, permalink=link)


def _opening(prose: str) -> str:
    """The lines above the first that is blank: where Logseq keeps a page's properties."""
    return prose.lstrip("\n").partition("\n\n")[0]


def _unlinked(alias: str) -> str:
    return alias.removeprefix("[[").removesuffix("]]").strip()


def _logged(note: Note) -> Note:
    """With the entries of a log, where it is one."""
    log = read_log(note.path, note.place, note.page, note.title)
    return replace(note, entries=log.entries, remarks=(*note.remarks, *log.remarks), is_log=log.named)


def _observed(note: Note) -> Note:
    """With what its lists say, where a program is to read them."""
    if not is_observing(note.page, note.parts.values):
        return note
    found = read_observed(note.place, note.page)
    return replace(
        note,
        entries=(*note.entries, *found.facts),
        related=found.about,
        supersedes=tuple(dict.fromkeys((*note.supersedes, *found.supersedes))),
        superseded_by=tuple(dict.fromkeys((*note.superseded_by, *found.superseded_by))),
    )


def _decision(note: Note) -> Note:
    found = read_decision(note.path, note.page, note.parts.values, note.title)
    status = f"Status: {found.status}." if found.status else ""
    return replace(
        note,
        kind="decision",
        id=_id("decision", note.place, note.parts.values),
        title=found.title,
        body="\n".join(text for text in (status, found.body) if text),
        moment=found.decided_at,
        about=_about(note.parts, note.page),
        supersedes=found.supersedes,
        superseded_by=found.superseded_by,
        remarks=(*note.remarks, *found.remarks),
    )


def _about(parts: FrontMatter, page: Page) -> tuple[str, ...]:
    """What the front matter says it is about, and lines «About: [[..]]»."""
    lines = [match["value"] for match in _ABOUT.finditer(page.prose)]
    linked = [match[2].partition("|")[0].strip() for line in lines for match in WIKI.finditer(line)]
    return tuple(dict.fromkeys([*map(bare, as_list(parts.values.get("about"))), *linked]))


def _day_of(path: PurePosixPath) -> datetime | None:
    """The day in its name, else the one that the name of the nearest folder begins with: a folder that
    was put away on a day holds what is older."""
    if day := day_in(path.stem):
        return day
    return next((day for name in reversed(path.parts[:-1]) if name[:4].isdigit() and (day := day_in(name))), None)


def _moment(values: Mapping[str, Any], day: datetime | None) -> tuple[datetime | None, tuple[str, ...]]:
    """When it was observed or began: as the front matter says, else as its name does. A time that
    can't be read is none, and the name's is not put in its place."""
    for key in MOMENTS:
        found, problem = as_instant(values.get(key))
        if found or problem:
            return found, (f"{key}: {problem}",) if problem else ()
    return day, ()


def _stated_id(values: Mapping[str, Any]) -> str:
    try:
        return check_id(as_text(values.get("id")))
    except InvalidInput:
        return ""


def _id(kind: str, path: PurePosixPath, values: Mapping[str, Any]) -> str:
    stated = as_text(values.get("id"))
    try:
        return check_id(stated) if stated else check_id(f"{kind}:{clean(str(path.with_suffix('')))}")
    except InvalidInput:
        return check_id(f"{kind}:{slug(str(path))[:400]}")
