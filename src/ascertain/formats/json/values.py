"""One JSON object from bytes, with what is wrong said in words; and times as programs write them."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from typing import Any, NoReturn

from ascertain.errors import InvalidInput, InvalidTime
from ascertain.formats.texts import whole
from ascertain.model.times import parse_instant

MOST_BYTES = 64 * 1024 * 1024
"""A longer line is reported and passed over."""

_JSON_NAMES = {
    dict: "an object",
    list: "list",
    str: "text",
    int: "number",
    float: "number",
    bool: "truth value",
    type(None): "null",
}


def object_of(line: bytes) -> dict[str, Any]:
    """The JSON object in a line. Raises InvalidInput: too long, not UTF-8, not one object, half a
    character, a constant that is not JSON."""
    if len(line) > MOST_BYTES:
        raise InvalidInput(f"the line has over {MOST_BYTES} bytes, which is the most that is read")
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"not UTF-8 (at byte {error.start + 1} of the line)") from error
    try:
        found = json.loads(text, parse_constant=_no_constant)
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()
    except InvalidInput:
        raise
    except UnicodeEncodeError as error:
        raise InvalidInput("holds half a character (a lone surrogate)") from error
    except json.JSONDecodeError as error:
        raise InvalidInput(f"not one JSON object: {_said(error, text)}") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput("not one JSON object: a number too long or lists too deep to be read") from error
    if not isinstance(found, dict):
        raise InvalidInput(f"not a JSON object but a {_JSON_NAMES[type(found)]}")
    return found


def mended(found: Any) -> Any:
    """A JSON value whose texts are made of whole characters only."""
    if isinstance(found, str):
        return whole(found)
    if isinstance(found, list):
        return [mended(one) for one in found]
    if isinstance(found, dict):
        return {whole(key): mended(one) for key, one in found.items()}
    return found


def epoch_or_text(value: object) -> datetime | None:
    """A time written as seconds or milliseconds since 1970, or as ISO 8601 text; None for what is none.

    >>> str(epoch_or_text(1768107430)), str(epoch_or_text(1768107430000)), epoch_or_text("soon")
    ('2026-01-11 04:57:10+00:00', '2026-01-11 04:57:10+00:00', None)
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        if not math.isfinite(value) or value <= 0:
            return None
        # Seconds reach 11 digits in the year 5138, milliseconds had 12 in 1973.
        seconds = value / 1000 if value >= 1e11 else value
        try:
            return datetime.fromtimestamp(seconds, UTC)
        except (OverflowError, OSError, ValueError):
            return None
    try:
        return parse_instant(value)
    except (InvalidTime, InvalidInput):
        return None


def _said(error: json.JSONDecodeError, text: str) -> str:
    if error.msg == "Extra data":
        return f"more follows after it (at character {error.pos + 1})"
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
        return "it is cut off"
    return f"{error.msg} (at character {error.pos + 1})"


def _no_constant(name: str) -> NoReturn:
    raise InvalidInput(f"{name} is not JSON")
