"""What took the place of what, as decision records say it in words.

Only a whole supersession counts, and only where the record speaks of itself: in its status, or in a
line that begins with the verb («Supersedes [..]», «This ADR is superseded by [..]»). A sentence
about some part («These ranges have been superseded by [..]») would withdraw a decision that holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

MOST_OF_LINE = 1_000
"""What a longer line says behind this is not looked at: it is no statement, and the search is not linear."""

_LINK = r"\[\[([^\]|#]+)[^\]]*\]\]|\[[^\]]*\]\(([^)\s]+)\)"
_TARGET = (
    rf"(?:{_LINK}|(?<!\w)(\d{{3,5}}-\w[\w-]*)|(?<![0-9A-Za-z_])(ADR[-_ #]*\d{{1,5}})(?![0-9A-Za-z_])"
    r"|\[?(?<!\w)(\d{3,5})(?![0-9A-Za-z_])\]?)"
)
_LINK_TARGET = re.compile(_LINK)
_ANY_TARGET = re.compile(_TARGET, re.I)
_AND = re.compile(r"\s*(?:,|;|&|\+|/|and|und|et|y|및|와|과|、)\s*(?:and\s+|by\s+)?", re.I)
_BY = re.compile(
    r"super[sc]e(?:d|e)ed[ _-]by|replaced by|(?:ersetzt|abgelöst) (?:durch|von)|(?:remplacée?|supplantée?) par"
    r"|(?:reemplazad|sustituid|substitu[ií]d)[ao] p(?:or|el[oa])|sostituit[ao] d(?:a|al|alla)\b",
    re.I,
)
_OF = re.compile(
    r"\b(?:super[sc]edes|replaces|ersetzt(?! durch)|löst ab|remplace|reemplaza(?: a)?|sustituye(?: a)?)\b", re.I
)
# Languages that put the verb behind, or around, what it is about.
_BY_BEHIND = re.compile(
    rf"{_TARGET}\s*(?:에\s*의해|으?로)\s*(?:완전히\s*)?대체(?:됨|되|된)"
    rf"|{_TARGET}\s*に(?:よって|より)?\s*(?:置き換え|取って代わ|差し替え)ら"
    rf"|被\s*{_TARGET}\s*(?:取代|替代|代替)",
    re.I,
)
_OF_BEHIND = re.compile(
    rf"{_TARGET}\s*(?:을|를)\s*대체(?!되|됨)|{_TARGET}\s*を\s*(?:置き換え|差し替え)|(?:取代|替代)了?\s*{_TARGET}", re.I
)
_CLAUSE = re.compile(
    r"[.;!?。；！？](?:\s|$)|,\s+(?!and\b)\w+\s|\s[-–—]\s|\b(?:with|see|as in|like|by using|mit|avec|con)\b", re.I
)
"""What ends a verb's own clause before a target is met."""

_PARTLY = re.compile(
    r"\b(?:part|partly|partial|partially|teilweise|zum teil|partiellement|en partie|parcialmente|en parte)\b"
    r"|일부|부분|一部|部分",
    re.I,
)
_BEFORE: tuple[tuple[re.Pattern[str], Literal["of", "by"]], ...] = ((_BY, "by"), (_OF, "of"))
_BEHIND: tuple[tuple[re.Pattern[str], Literal["of", "by"]], ...] = ((_BY_BEHIND, "by"), (_OF_BEHIND, "of"))
_NOT_YET = re.compile(r"\b(?:not|never|no longer|will be|to be|may be|might be|could be|should be|nicht)\b", re.I)
_LIST_BELOW = re.compile(r":[ \t]*\n\s*[-*+][ \t]+")
_OWN_START = re.compile(
    r"^[\s>*+_\-]*(?:(?:this|the present) (?:adr|decision|record|document)\s+(?:(?:is|was|has been)\s+)?"
    r"|이 (?:결정|문서|기록)[은이]\s*|本(?:决策|决定|文档)\s*|この決定は、?\s*)?",
    re.I,
)


@dataclass(frozen=True)
class Successions:
    """Targets as written, in order; remarks say what was left out, and why."""

    supersedes: tuple[str, ...]
    superseded_by: tuple[str, ...]
    remarks: tuple[str, ...]


def successions(status: str, prose: str) -> Successions:
    """status: what stands as the record's status, any number of lines; prose: its whole text without code."""
    of: list[str] = []
    by: list[str] = []
    remarks: list[str] = []
    status = _LIST_BELOW.sub(": ", status)
    own = set(status.split("\n"))
    for line in (*status.split("\n"), *prose.split("\n")):
        for way, start, named in _said(line[:MOST_OF_LINE]):
            if _PARTLY.search(status if line in own else line):
                remarks.append(f"superseded in part only, so no edge: {line.strip()[:120]}")
            elif line in own or _OWN_START.fullmatch(line[:start]):
                (of if way == "of" else by).extend(named)
    return Successions(tuple(dict.fromkeys(of)), tuple(dict.fromkeys(by)), tuple(dict.fromkeys(remarks)))


def _said(line: str) -> Iterator[tuple[Literal["of", "by"], int, list[str]]]:
    """What a line says: which way, where the saying begins, and of which targets."""
    for verb, way in _BEFORE:
        for match in verb.finditer(line):
            named = _after(line, match.end())
            if named and not _NOT_YET.search(line[: match.start()]):
                yield way, match.start(), named
    for order, way in _BEHIND:
        for match in order.finditer(line):
            yield way, match.start(), [_target(match)]


def _after(line: str, start: int) -> list[str]:
    """The first target after a verb (a link before a mere number), and those that «and» joins to it. A
    target of another clause («Replaces the manual builds; builds on [..]») is none of the verb's."""
    found: list[str] = []
    match = _LINK_TARGET.search(line, start) or _ANY_TARGET.search(line, start)
    if match and _CLAUSE.search(line[start : match.start()]):
        return []
    while match:
        found.append(_target(match))
        joint = _AND.match(line, match.end())
        match = _ANY_TARGET.match(line, joint.end()) if joint else None
    return found


def _target(match: re.Match[str]) -> str:
    return next(group.strip() for group in match.groups() if group)
