"""Text from a store or a command line, made safe for whoever reads it, and errors in one line."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from ascertain.errors import AscertainError

_BREAKS = dict.fromkeys(map(ord, "\t\n\v\f\r\x85\u2028\u2029"), " ")
# These turn the direction of all that follows, so that a line reads otherwise than it is written.
# Marks (U+200E, U+200F) and joiners stay: Arabic, Hebrew, Persian and emoji need them.
_TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_CONTROLS = re.compile(r"[\x7f-\x9f]")


def one_line(text: str) -> str:
    """The text without control characters, on one line; lone surrogates as U+FFFD.

    >>> one_line("a\\x1b[31m\\nb")
    'a[31m b'
    """
    return " ".join(_safe(text.translate(_BREAKS)).split())


def lines(text: str, *, most: int | None = None) -> str:
    """The text with its line breaks and without other control characters; of a longer one the
    first `most` lines and an ellipsis. Blank lines count and blanks at the end of a line go.

    >>> lines("a\\r\\nb\\x07\\nc", most=2)
    'a\\nb …'
    """
    told = [_safe(line.replace("\t", "    ")).rstrip() for line in text.strip().splitlines()]
    cut = told if most is None else told[:most]
    return "\n".join(cut) + (" …" if len(cut) < len(told) else "")


def cut(text: str, most: int) -> str:
    """One line of at most `most` characters, an ellipsis at its end where something was cut."""
    told = one_line(text)
    return told if len(told) <= most else told[: most - 1].rstrip() + "…"


def json_line(value: Any) -> str:  # Any: whatever wire.py makes
    """JSON in one line, letters of every script as they are. The controls that JSON allows raw
    (DEL and U+0080 to U+009F, some of which start terminal sequences) are escaped."""
    return escaped(json.dumps(value, ensure_ascii=False))


def escaped(line: str) -> str:
    """A line of JSON with those controls escaped: the same value."""
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def line_of(error: AscertainError) -> str:
    """`where: problem. hint`, on one line, safe for a terminal."""
    told = f"{error.where}: {error.problem}" if error.where else error.problem
    if error.hint:
        told = f"{told.rstrip('.')}. {error.hint}"
    return one_line(told)


def _safe(text: str) -> str:
    return "".join(
        "\ufffd" if category == "Cs" else char
        for char in text
        if (category := unicodedata.category(char)) != "Cc" and char not in _TURNS
    )
