"""Instants, half-open intervals, and the moment from which a store is read.

All instants are aware datetimes in UTC. A date alone means its first instant in UTC.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from ascertain.errors import InvalidTime

_WEEK = re.compile(r"(\d{4})-?W(\d{2})(?:-?([1-7]))?")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse_instant(value: object, *, where: str = "") -> datetime | None:
    """ISO 8601 text (a date, a date-time, `2026-W09`), a date or a datetime → an instant in UTC.

    None and blank text mean "not stated" and give None. A date-time without an offset is
    read as UTC, never as the zone of the process. Precision is microseconds; finer digits
    are cut.

    Raises InvalidTime for anything else, and for years outside 1 to 9999.

    >>> parse_instant("2026-03-01T00:00:00+09:00").isoformat()
    '2026-02-28T15:00:00+00:00'
    """
    if value is None:
        return None
    try:
        if isinstance(value, datetime):
            return _utc(value)
        if isinstance(value, date):
            return datetime(value.year, value.month, value.day, tzinfo=UTC)
        if isinstance(value, str):
            text = value.strip()
            if not text:
                return None
            if week := _WEEK.fullmatch(text):
                year, number, day = int(week[1]), int(week[2]), int(week[3] or 1)
                return parse_instant(date.fromisocalendar(year, number, day))
            return _utc(datetime.fromisoformat(text))
    except (ValueError, OverflowError) as error:
        raise InvalidTime(f"not a time: {value!r}", where=where, hint=_HINT) from error
    raise InvalidTime(f"not a time: {value!r}", where=where, hint=_HINT)


_HINT = "Write an ISO 8601 date (2026-03-01) or date-time with an offset (2026-03-01T09:00:00+09:00)."


def _utc(value: datetime) -> datetime:
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def format_instant(value: datetime | None) -> str | None:
    """The one rendering of an instant: ISO 8601 in UTC, `Z`, no fraction where it is zero.

    >>> format_instant(parse_instant("2026-03-01"))
    '2026-03-01T00:00:00Z'
    """
    return None if value is None else value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def to_micros(value: datetime | None) -> int | None:
    """Whole microseconds since 1970 in UTC (negative before): how stores keep and compare instants."""
    if value is None:
        return None
    delta = value - _EPOCH
    return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds


def from_micros(value: int | None) -> datetime | None:
    """The inverse of `to_micros`."""
    return None if value is None else _EPOCH + timedelta(microseconds=value)


def check_interval(start: datetime | None, end: datetime | None, *, where: str = "") -> None:
    """Raises InvalidTime if the half-open interval [start, end) ends before it starts.

    An interval that starts and ends at one instant is empty and allowed: it never holds.
    """
    if start is not None and end is not None and end < start:
        raise InvalidTime(f"ends at {format_instant(end)}, before it starts at {format_instant(start)}", where=where)


def holds(start: datetime | None, end: datetime | None, moment: datetime) -> bool:
    """Is the moment in the half-open interval [start, end)? None means no limit."""
    return (start is None or start <= moment) and (end is None or moment < end)


@dataclass(frozen=True, slots=True)
class TimeView:
    """From when a store is read.

    valid_at: the moment in the world. known_at: the moment in the life of the store.
    include_retired: show what does not hold or was withdrawn as well, marked so.
    """

    valid_at: datetime
    known_at: datetime
    include_retired: bool = False

    @classmethod
    def at(
        cls,
        now: datetime,
        *,
        valid_at: object = None,
        known_at: object = None,
        as_of: object = None,
        include_retired: bool = False,
    ) -> TimeView:
        """`as_of` sets both moments unless they are given; what is not given is `now`. With
        `include_retired` and no moment of knowing, all that the store holds is known."""
        if include_retired and known_at is None and as_of is None:
            known_at = datetime.max.replace(tzinfo=UTC)
        both = parse_instant(as_of, where="as_of") or now
        return cls(
            parse_instant(valid_at, where="valid_at") or both,
            parse_instant(known_at, where="known_at") or both,
            include_retired,
        )
