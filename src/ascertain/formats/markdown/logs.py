"""Logs: one note with an entry a day. Decision logs, session logs, journals, changelogs.

Read after memory banks (Cline, Roo), Keep a Changelog and Logseq's outlines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import PurePosixPath

from ascertain.formats.dates import Dated, date_in
from ascertain.formats.markdown.entry import Entry
from ascertain.formats.markdown.page import Heading, Page, plain
from ascertain.formats.markdown.succession import successions
from ascertain.formats.texts import clean, short
from ascertain.model.ids import slug
from ascertain.model.nodes import Kind

ENOUGH = 3
"""So many dated entries are read from a note whose name doesn't say that it is a log."""

_DECISIONS = re.compile(
    r"(?:.*[-_. ])?(?:decision[-_ ]?log|decisions|adr[-_ ]?log|의사결정|결정[-_ ]?(?:로그|기록))", re.I
)
_CHANGES = re.compile(
    r"(?:change[-_ ]?logs?|changes|history|news|releases?|release[-_ ]?notes"
    r"|변경[-_ ]?(?:이력|내역|로그)|変更履歴|更新日志|更新履歴)"
    r"(?:[-_. ].*)?",
    re.I,
)
_HAPPENED = re.compile(
    r"(?:.*[-_. ])?(?:session[-_ ]?logs?|work[-_ ]?logs?|dev[-_ ]?logs?|activity[-_ ]?logs?|log(?:book)?|journal|diary"
    r"|progress|일지|일기|작업[-_ ]?기록|日誌|日记)",
    re.I,
)
_LINE = re.compile(r"^(?P<item>[ \t]{0,3}[-*+][ \t]+)?(?P<marks>#{1,6}[ \t]+)?(?P<said>\S.*)$")
_STAMPED = re.compile(r"\[(?P<stamp>\d{4}-\d{2}-\d{2}[^\]\n]{0,30})\]\s*[-–—:]*\s*(?P<said>\S.*)$")
_VERSION = re.compile(r"\[?v?\d+(?:\.\d+)+[\w.+-]*\]?|\[?unreleased\]?", re.I)
_LONGEST_DATE = 200
"""How many characters an item can have that is a date and nothing else, in whatever marks."""

_PADDED = re.compile(r"(?:19|20)\d\d\.\d\d\.\d\d")
_PLANNED = re.compile(r"(?:\b(?:due|until|by|before|eta|deadline|expected|planned|target(?:ed)?)\b|마감)[\s:(]*$", re.I)
"""What stands before a day on which nothing has happened yet."""

_EDGES = " \t-–—:,|·()[]【】"
_PATTERN = re.compile(r"\btemplates?\b|템플릿|テンプレート|模板|\[date\]|yyyy", re.I)


@dataclass(frozen=True)
class _Start:
    """Where an entry starts. level: its heading's, 7 for a line of a list; rest: what the line says
    beside its date; inline: the line is the whole entry."""

    line: int
    level: int
    whole: str
    rest: str
    dated: Dated | None
    inline: bool = False


@dataclass(frozen=True)
class Log:
    """named: the note calls itself a log, and is nothing beside it. remarks go into the report."""

    entries: tuple[Entry, ...] = ()
    remarks: tuple[str, ...] = ()
    named: bool = False


def read_log(path: PurePosixPath, place: PurePosixPath, page: Page, title: str) -> Log:
    """A log's entries; none where the note is no log.

    An entry begins at a heading with a date, at an item of a list that is a date, at a line «[time] -
    text», and in a changelog at a version. It reaches to the next one, or to a heading as high.
    Decision logs give Decisions with their text, the others Episodes, whose text stays in the pieces.
    """
    first = page.headings[0].text.strip() if page.headings else ""
    decisions = any(_DECISIONS.fullmatch(name) for name in (path.stem, first))
    changes = any(_CHANGES.fullmatch(name) for name in (path.stem, first))
    named = decisions or changes or any(_HAPPENED.fullmatch(name) for name in (path.stem, first))
    starts = list(_starts(page, changes=changes))
    if not named and len([start for start in starts if start.dated and (start.level < 7 or start.inline)]) < ENOUGH:
        return Log()
    kind: Kind = "decision" if decisions else "episode"
    found: dict[str, Entry] = {}
    remarks = []
    for start, end in _spans(starts, page):
        if start.dated and start.dated.problem:
            remarks.append(start.dated.problem)
        entry = _entry(kind, place, page, title, start, end, taken=found)
        if entry is not None:
            found[entry.id] = entry if named else replace(entry, of_note=True)
    return Log(tuple(found.values()), tuple(dict.fromkeys(remarks)), named=named and bool(found))


def _starts(page: Page, *, changes: bool) -> Iterator[_Start]:
    heads = {head.line: head for head in page.headings}
    for at, line in enumerate(page.prose.split("\n"), 1):
        match = _LINE.match(line)
        if match is None:
            continue
        head = heads.get(at)
        if head is None:
            if stamp := _STAMPED.match(match["said"]):
                said = plain(match["said"])
                yield _Start(at, 7, said, plain(stamp["said"]), date_in(stamp["stamp"]), inline=True)
            elif match["item"] and line[0] in "-*+" and len(match["said"]) <= _LONGEST_DATE:
                said = plain(match["said"])
                if (date := date_in(said)) and not _beside(said, date):
                    yield _Start(at, 7, said, "", date)
            continue
        said = plain(head.text)
        if _PATTERN.search(said) or any(_PATTERN.search(one.text) for one in _above(page, head)):
            continue
        version = _VERSION.match(said) if changes else None
        date = _date_of(said, version)
        if date and not _PLANNED.search(said[: date.start]) and (head.level > 1 or _beside(said, date)):
            yield _Start(at, head.level, said, _beside(said, date), date)
        elif version:
            yield _Start(at, head.level, said, said.strip(_EDGES), None)


def _date_of(said: str, version: re.Match[str] | None) -> Dated | None:
    """The date in a line. A version may look like one (`2024.1.5`): what stands behind it counts first,
    and a version that is not written as a day is none."""
    if version is None:
        return date_in(said)
    behind = date_in(said[version.end() :])
    if behind:
        return replace(behind, start=behind.start + version.end(), end=behind.end + version.end())
    return date_in(said) if _PADDED.fullmatch(version[0].strip("[]v")) else None


def _beside(said: str, date: Dated) -> str:
    """What a line says beside its date."""
    before, after = said[: date.start].strip(_EDGES), said[date.end :].strip(_EDGES)
    return " ".join(part for part in (before, after) if part)


def _above(page: Page, head: Heading) -> Iterator[Heading]:
    """The headings that this one stands under."""
    level = head.level
    for other in reversed(page.headings):
        if other.line < head.line and other.level < level:
            level = other.level
            yield other


def _spans(starts: list[_Start], page: Page) -> Iterator[tuple[_Start, int]]:
    """Each start, and the line before which its entry ends."""
    for at, start in enumerate(starts):
        ends = [starts[at + 1].line if at + 1 < len(starts) else 1 << 30]
        ends += [head.line for head in page.headings if head.line > start.line and head.level <= start.level][:1]
        yield start, start.line + 1 if start.inline else min(ends)


def _entry(
    kind: Kind, place: PurePosixPath, page: Page, title: str, start: _Start, end: int, *, taken: dict[str, Entry]
) -> Entry | None:
    blocks = [block for block in page.blocks if start.line <= block.line < end]
    text = "\n".join(block.text for block in blocks if block.line > start.line)
    if start.inline:
        text, line = start.rest, next((block.line for block in reversed(page.blocks) if block.line <= start.line), 0)
    else:
        line = next((block.line for block in blocks if block.line > start.line), 0)
    if not text and (not start.rest or _VERSION.fullmatch(start.rest)):
        return None  # a heading with nothing under it and nothing said in it, as an empty «Unreleased»
    moment = start.dated.instant if start.dated else None
    named = start.rest if start.rest and not _VERSION.match(start.rest) else ""
    day = f"{moment:%Y-%m-%d}" if moment else ""
    own = named or " ".join(part for part in (title, start.rest.replace("[", "").replace("]", "") or day) if part)
    id = f"{kind}:{clean(str(place.with_suffix('')))}#{slug(start.whole)[:200]}"
    if id in taken:
        id += f"-{blake2b(text.encode(), digest_size=4).hexdigest()}"
    if id in taken:
        return None  # the same once more, to the letter
    found = successions("", "\n".join(page.prose.split("\n")[start.line : end - 1])) if kind == "decision" else None
    return Entry(
        kind=kind,
        id=id,
        title=short(own),
        text=text if kind == "decision" else "",
        line=line,
        moment=moment,
        supersedes=found.supersedes if found else (),
        superseded_by=found.superseded_by if found else (),
    )
