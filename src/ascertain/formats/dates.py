"""The day that a line of text names, as people write it; one that may be two days is none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime

from ascertain.errors import InvalidTime
from ascertain.model.times import parse_instant

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_FORMS = (
    re.compile(
        r"(?<![\d-])(?P<date>\d{4}-\d{2}-\d{2})(?P<by>[T ])(?P<hour>\d{1,2}):(?P<rest>\d{2}(?::\d{2}(?:\.\d+)?)?)(?!\d)"
        r"(?:\s?(?P<half>[ap])\.?m\b\.?)?"
        r"(?:(?P<offset>[+-]\d{2}:?\d{2}(?!\d))|\s?\(?(?:UTC|GMT)(?P<hours>[+-]\d{1,2}(?::?\d{2})?)(?!\d)\)?"
        r"|\s?\(?(?:Z|UTC|GMT)\b\)?|\s?\(?(?P<zone>(?-i:"
        r"[ECMP][SD]T|AK[SD]T|HST|[CEW]ES?T|BST|[IJK]ST|A[EC][SD]T|AWST|NZ[SD]T|MSK|SGT|HKT))\b\)?)?",
        re.I,
    ),
    re.compile(r"(?<![\d./-])(?P<year>\d{4})(?P<by>[-/._])(?P<month>\d{1,2})(?P=by)(?P<day>\d{1,2})(?![\d/]|[.-]\d)"),
    re.compile(r"(?<!\d)(?P<year>\d{4})\s?[年년]\s?(?P<month>\d{1,2})\s?[月월]\s?(?P<day>\d{1,2})\s?[日일]"),
    re.compile(rf"\b{_MONTH}\s+{_DAY},?\s+(?P<year>\d{{4}})\b", re.I),
    re.compile(rf"\b{_DAY}\s+{_MONTH},?\s+(?P<year>\d{{4}})\b", re.I),
    re.compile(r"(?<![\d./-])(?P<first>\d{1,2})(?P<by>[/.])(?P<second>\d{1,2})(?P=by)(?P<year>\d{4})(?![\d/]|[.-]\d)"),
)


@dataclass(frozen=True)
class Dated:
    """A date in a text. start, end: where it stands. instant: None where it can't be read, and
    problem why."""

    start: int
    end: int
    instant: datetime | None
    problem: str = ""


def date_in(text: str) -> Dated | None:
    """The first date in a text, at the start of its day in UTC unless it states a time.

    >>> str(date_in("## 2/27/2025 - Title").instant), date_in("2/3/2025").problem
    ('2025-02-27 00:00:00+00:00', "'2/3/2025' may be two days: not read as a date")
    >>> str(date_in("Beta 0.10.15 Dec 1st, 2025").instant), date_in("version 10.1.2")
    ('2025-12-01 00:00:00+00:00', None)
    """
    found = [_read(match) for form in _FORMS for match in [form.search(text)] if match]
    return min(found, key=lambda one: (one.start, -one.end), default=None)


def _with_time(said: str, parts: Mapping[str, str | None], start: int, end: int) -> Dated:
    """A date with a time. A zone that is only named may be several: then the day is taken, not the time."""
    try:
        hour = int(parts["hour"] or 0)
        if parts["half"]:
            if not 1 <= hour <= 12:
                raise InvalidTime("no hour of half a day")
            hour = hour % 12 + (12 if parts["half"].lower() == "p" else 0)
        if parts["zone"]:
            told = f"{said!r}: a zone by its name is not read, so only the day is taken"
            return Dated(start, end, parse_instant(parts["date"]), told)
        offset = parts["offset"] or parts["hours"] or "+0"
        if parts["offset"] and offset[0] == "-" and ":" in offset and parts["by"] == " " and offset[1:] > f"{hour:02}":
            # «10:00-11:30» is a span and no offset: none is said of its zone.
            return Dated(start, end, parse_instant(f"{parts['date']}T{hour:02}:{parts['rest']}Z"))
        digits = offset[1:].replace(":", "")
        digits = digits.zfill(2) + "00" if len(digits) <= 2 else digits.zfill(4)
        whole = f"{parts['date']}T{hour:02}:{parts['rest']}{offset[0]}{digits[:2]}:{digits[2:]}"
        return Dated(start, end, parse_instant(whole))
    except InvalidTime:
        return Dated(start, end, None, f"not a time: {said!r}")


def _read(match: re.Match[str]) -> Dated:
    parts = match.groupdict()
    said, (start, end) = match[0], match.span()
    if "hour" in parts:
        return _with_time(said, parts, start, end)
    if "first" in parts:
        first, second = int(parts["first"]), int(parts["second"])
        if first <= 12 and second <= 12 and first != second:
            return Dated(start, end, None, f"{said!r} may be two days: not read as a date")
        month, day = (second, first) if first > 12 else (first, second)
    else:
        named = parts["month"].casefold()[:3]
        month = _MONTHS.index(named) + 1 if named in _MONTHS else int(parts["month"])
        day = int(parts["day"])
    try:
        of = date(int(parts["year"]), month, day)
    except ValueError:
        return Dated(start, end, None, f"not a time: {said!r}")
    return Dated(start, end, datetime(of.year, of.month, of.day, tzinfo=UTC))
