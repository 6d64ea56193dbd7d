"""Decision records: what their title, date and status are, in the forms people use.

Read after adr-tools, MADR 2 to 4 and localised variants; none of them is a strict format.
What took the place of what, formats/markdown/succession.py reads.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from ascertain.formats.markdown.front_matter import as_instant, as_list, as_text
from ascertain.formats.markdown.page import Block, Page, plain
from ascertain.formats.markdown.succession import successions
from ascertain.formats.texts import day_in

_FOLDERS = frozenset(
    ("adr", "adrs", "adl", "decision", "decisions", "결정", "決定", "决策", "décisions", "decisiones", "entscheidungen")
)
_NUMBERED = re.compile(r"(?:adr[-_ ]?\d{1,5}|\d{3,4})(?:[-_ ](?!\d{1,2}(?:[-_. ]|$))|\.)", re.I)
_STAMPED = re.compile(r"(?P<date>(?:19|20)\d{6})[-_ ]\D")
_NUMBER_IN_TITLE = re.compile(
    r"^(?:adr[-_ #]*\d{1,5}\s*[.:)\-–—]*\s*|\d{1,5}\s*[.:)]\s+|\d{1,5}\s+[-–—]\s+|\d{3,5}[-_]\s*(?=\D))", re.I
)
_STATUS = "status|statut|estado|stato|상태|ステータス|状態|状态"
_DATE = "date|datum|fecha|data|날짜|일자|日付|日期"
_DECIDED = (
    "decision|decision outcome|decisions|entscheidung|entscheidungsergebnis|décision|résultat de la décision|decisión"
    "|resultado de la decisión|결정|결정 결과|決定|決定事項|决策|决定"
)
_CONTEXT = (
    "context|context and problem statement|kontext|kontext und problemstellung|contexte"
    "|contexte et énoncé du problème|contexto|맥락|배경|컨텍스트|背景|コンテキスト|文脈|上下文"
)
_OUTCOME = "consequences|konsequenzen|folgen|conséquences|consecuencias|결과|영향|結果|影響|影响|后果"
_FIELD = (
    r"^[ \t]*(?:>[ \t]*)?(?:(?:[*+-][ \t]+)?[*_]*(?:{names})[*_]*[ \t]*[:：][*_]*[ \t]*"
    r"|\|[ \t]*[*_]*(?:{names})[*_]*[ \t]*\|[ \t]*)(?P<value>[^\n]*?)(?:[ \t]*\|)?[ \t]*$"
)
_STATUS_LINE = re.compile(_FIELD.format(names=_STATUS), re.I | re.M)
_DATE_LINE = re.compile(_FIELD.format(names=_DATE), re.I | re.M)
_LATER_HEADING = re.compile(r"^#{2,}\s", re.M)


@dataclass(frozen=True)
class DecisionRecord:
    """supersedes, superseded_by: targets as written. body: the text without the metadata.
    remarks: what was left out, and why."""

    title: str
    status: str
    decided_at: datetime | None
    body: str
    supersedes: tuple[str, ...]
    superseded_by: tuple[str, ...]
    remarks: tuple[str, ...]


def is_numbered(path: PurePosixPath) -> bool:
    """Is this a decision record's file name: `0007-…`, `ADR-12 …`, `20200924-…`?"""
    return bool(_NUMBERED.match(path.name) or _STAMPED.match(path.name))


def is_decision(path: PurePosixPath, page: Page, values: Mapping[str, Any], *, folders: frozenset[str]) -> bool:
    """By its folder's name; by a number together with a heading or key of decision records; by the
    headings Context and Decision together with Status or Consequences. folders: paths of folders
    that `.adr-dir` names."""
    parents = [part.casefold() for part in path.parent.parts]
    if str(path.parent) in folders or (parents and parents[-1] in _FOLDERS):
        return True
    found = telling(page, values)
    numbered = is_numbered(path) and (found >= 1 or bool(_FOLDERS.intersection(parents)))
    return numbered or found >= 3


def telling(page: Page, values: Mapping[str, Any]) -> int:
    """How many of context, decision, status or consequences it has. Three make a record."""
    heads = {heading.text.strip().casefold() for heading in page.headings}
    state = heads & {*_STATUS.split("|"), *_OUTCOME.split("|")} or "status" in values
    return sum(map(bool, (heads & set(_CONTEXT.split("|")), heads & set(_DECIDED.split("|")), state)))


def read_decision(path: PurePosixPath, page: Page, values: Mapping[str, Any], name: str) -> DecisionRecord:
    """What a decision record says. name: the title where it has none of its own."""
    title = _untitled(as_text(values.get("title")) or _first_title(page) or name, path) or name
    lead = _lead(page)
    section = " ".join(block.text for block in page.blocks if _is_status(block))
    stated, told = _filled(as_text(values.get("status"))), _filled(_value(_STATUS_LINE, lead))
    decided, remarks = _decided_at(path, values, page, lead)
    found = successions("\n".join((stated, told, _section(page))), page.prose)
    by, of = list(found.superseded_by), list(found.supersedes)
    for key, targets in (("superseded_by", by), ("superseded-by", by), ("supersedes", of), ("replaces", of)):
        targets += [bare(one) for one in as_list(values.get(key))]
    return DecisionRecord(
        title=title,
        status=" ".join(plain(stated or told or section).split())[:200].rstrip("."),
        decided_at=decided,
        body=_body(page),
        supersedes=tuple(dict.fromkeys(of)),
        superseded_by=tuple(dict.fromkeys(by)),
        remarks=(*remarks, *found.remarks),
    )


def _untitled(title: str, path: PurePosixPath) -> str:
    """A title without its record's number; another number («404-page redesign») is a part of it."""
    match = _NUMBER_IN_TITLE.match(title)
    if match is None:
        return title.strip()
    own, stated = (re.search(r"\d+", text) for text in (path.stem, match[0]))
    return title.strip() if own and stated and int(own[0]) != int(stated[0]) else title[match.end() :].strip()


def _decided_at(
    path: PurePosixPath, values: Mapping[str, Any], page: Page, lead: str
) -> tuple[datetime | None, list[str]]:
    """As the front matter says, else a `Date:` line above the sections, else a section Date, else the
    file's name."""
    remarks: list[str] = []
    told = [as_text(values.get(key)) for key in ("decided_at", "date", "날짜")] + [_value(_DATE_LINE, lead)]
    told.append(next((block.text.strip() for block in page.blocks if _is_under(block, _DATE)), ""))
    for text in told:
        decided, problem = as_instant(text.strip("*_{}[]\"' "))
        if decided is not None:
            return decided, remarks
        if problem:
            remarks.append(f"date: {problem}")
    if stamp := _STAMPED.match(path.name):
        text = stamp["date"]
        return as_instant(f"{text[:4]}-{text[4:6]}-{text[6:]}")[0], remarks
    return day_in(path.stem), remarks


def _first_title(page: Page) -> str:
    known = {name for names in (_STATUS, _DECIDED, _CONTEXT) for name in names.split("|")}
    for heading in page.headings:
        if heading.level == 1 and heading.text.strip().casefold() not in known:
            return heading.text
    return ""


def _lead(page: Page) -> str:
    """What stands above the sections: where the metadata is, and a later «Status:» is not."""
    start = page.prose.find("\n") + 1 if page.prose.lstrip("\n").startswith("##") else 0
    match = _LATER_HEADING.search(page.prose, start)
    return page.prose[: match.start()] if match else page.prose


def _value(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match["value"].strip() if match else ""


def _filled(status: str) -> str:
    """A status, or '' for a template's list of what it may be."""
    bare = status.strip("{}\"' ")
    return "" if "|" in bare else bare


def _is_status(block: Block) -> bool:
    return _is_under(block, _STATUS)


def _is_under(block: Block, names: str) -> bool:
    return block.heading.strip().casefold() in names.split("|")


def _section(page: Page) -> str:
    """The text under a heading Status as written, links and all."""
    lines = page.prose.split("\n")
    for at, heading in enumerate(page.headings):
        if heading.text.strip().casefold() in _STATUS.split("|"):
            end = page.headings[at + 1].line - 1 if at + 1 < len(page.headings) else len(lines)
            return "\n".join(lines[heading.line : end])
    return ""


def _body(page: Page) -> str:
    """The text without status and date: they have fields of their own."""
    texts = []
    for block in page.blocks:
        if not _is_status(block):
            lines = block.text.split("\n")
            if not block.code:
                lines = [line for line in lines if not (_STATUS_LINE.match(line) or _DATE_LINE.match(line))]
            texts.append("\n".join(lines).strip("\n"))
    return "\n".join(text for text in texts if text)


def bare(target: str) -> str:
    """A reference without the marks of a link.

    >>> bare("[[One|that]]"), bare("[1](0001-one.md)"), bare("One")
    ('One', '0001-one.md', 'One')
    """
    if wiki := re.fullmatch(r"\[\[(?P<target>[^\]|#]+)[^\]]*\]\]", target.strip()):
        return wiki["target"].strip()
    link = re.fullmatch(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)", target.strip())
    return link["target"] if link else target.strip()
