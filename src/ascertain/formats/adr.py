"""Decision records: what their title, date, status and successors are, in the forms people use.

Read after adr-tools, MADR 2 to 4 and localised variants; none of them is a strict format.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from ascertain.formats.front_matter import as_instant, as_text
from ascertain.formats.markdown import Page

_FOLDERS = frozenset(
    ("adr", "adrs", "adl", "decision", "decisions", "결정", "決定", "决策", "décisions", "decisiones", "entscheidungen")
)
_NUMBERED = re.compile(r"(?:adr[-_ ]?)?(?P<number>\d{3,4})[-_ ]\D", re.I)
_STAMPED = re.compile(r"(?P<date>(?:19|20)\d{6})[-_ ]\D")
_NUMBER_IN_TITLE = re.compile(r"^(?:adr[-_ ]?)?\d{1,5}\s*[.:)\-–—]+\s*|^adr[-_ ]?\d{1,5}\s+", re.I)
_STATUS = "status|statut|estado|stato|상태|ステータス|状態|状态"
_DATE = "date|datum|fecha|data|날짜|일자|日付|日期"
_DECIDED = "decision|decision outcome|entscheidung|décision|decisión|결정|決定|决策|decision drivers"
_CONTEXT = "context|context and problem statement|kontext|contexte|contexto|맥락|배경|背景|コンテキスト"
_FIELD = r"^\s*(?:[*+-]\s+)?\**(?:{names})\**\s*[:：]\**[ \t]*(?P<value>[^\n]*)$"
_STATUS_LINE = re.compile(_FIELD.format(names=_STATUS), re.I | re.M)
_DATE_LINE = re.compile(_FIELD.format(names=_DATE), re.I | re.M)
_BY = re.compile(
    r"(?:superse(?:d|e)ed by|replaced by|remplacée? par|ersetzt durch|reemplazad[ao] por|대체됨|被取代)", re.I
)
_OF = re.compile(r"(?:supersedes|replaces|remplace|ersetzt(?! durch)|reemplaza a|대체함|取代了)", re.I)
_PARTLY = re.compile(r"\b(?:part(?:ly|ially)?|in part|teilweise|partiellement|parcialmente)\b", re.I)
_TARGET = re.compile(
    r"\[\[(?P<wiki>[^\]|#]+)[^\]]*\]\]|\]\((?P<file>[^)\s]+)\)|\b(?P<name>ADR[-_ ]?\d{1,5})\b|\[(?P<number>\d{3,5})\]"
)


@dataclass(frozen=True)
class DecisionRecord:
    """supersedes, superseded_by: targets as written. remarks: what was left out, and why."""

    title: str
    status: str
    decided_at: datetime | None
    supersedes: tuple[str, ...]
    superseded_by: tuple[str, ...]
    remarks: tuple[str, ...]


def is_decision(path: PurePosixPath, page: Page, values: Mapping[str, Any]) -> bool:
    """By its folder; by a numbered file name together with a heading or key of decision records."""
    if path.parent.name.casefold() in _FOLDERS:
        return True
    heads = {heading.text.strip().casefold() for heading in page.headings}
    known = {name for names in (_STATUS, _DECIDED, _CONTEXT) for name in names.split("|")}
    numbered = bool(_NUMBERED.match(path.name) or _STAMPED.match(path.name))
    telling = len(heads & known)
    return (numbered and (telling >= 1 or "status" in values)) or telling >= 3


def read_decision(path: PurePosixPath, body: str, page: Page, values: Mapping[str, Any], name: str) -> DecisionRecord:
    """What a decision record says. name: the title where it has none of its own."""
    remarks: list[str] = []
    title = _NUMBER_IN_TITLE.sub("", as_text(values.get("title")) or _first_title(page) or name).strip() or name
    status = as_text(values.get("status")) or _after(_STATUS_LINE, body) or _section(body, _STATUS)
    decided, problem = as_instant(values.get("decided_at", values.get("date")))
    if problem:
        remarks.append(f"date: {problem}")
    if decided is None and (told := _after(_DATE_LINE, body)):
        decided, problem = as_instant(told.strip().strip("*{}[] "))
        if problem:
            remarks.append(f"date: {problem}")
    if decided is None and (stamp := _STAMPED.match(path.name)):
        text = stamp["date"]
        decided, _ = as_instant(f"{text[:4]}-{text[4:6]}-{text[6:]}")
    found: dict[str, tuple[str, ...]] = {}
    for key, pattern in (("by", _BY), ("of", _OF)):
        targets: list[str] = []
        for line in (status, *body.splitlines()):
            for match in pattern.finditer(line):
                if _PARTLY.search(line[max(0, match.start() - 30) : match.start()]):
                    remarks.append(f"superseded in part only, so no edge: {line.strip()[:120]}")
                    continue
                if target := _TARGET.search(line, match.end()):
                    targets.append(next(group for group in target.groups() if group))
        found[key] = tuple(dict.fromkeys(targets))
    return DecisionRecord(
        title, " ".join(status.split())[:200], decided, found["of"], found["by"], tuple(dict.fromkeys(remarks))
    )


def _first_title(page: Page) -> str:
    known = {name for names in (_STATUS, _DECIDED, _CONTEXT) for name in names.split("|")}
    for heading in page.headings:
        if heading.level == 1 and heading.text.strip().casefold() not in known:
            return heading.text
    return ""


def _after(pattern: re.Pattern[str], body: str) -> str:
    match = pattern.search(body)
    return match["value"].strip() if match else ""


def _section(body: str, names: str) -> str:
    """The text under a heading of one of these names, up to the next heading."""
    match = re.search(rf"^#+\s*(?:{names})\s*#*\s*\n(?P<text>.*?)(?=^#|\Z)", body, re.I | re.M | re.S)
    return match["text"].strip() if match else ""
