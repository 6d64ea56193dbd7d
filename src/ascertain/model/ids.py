"""Ids: strings that people and files choose, and the keys that the indexes sort by."""

from __future__ import annotations

import unicodedata
from hashlib import blake2b

from ascertain.errors import InvalidInput

MAX_ID_LENGTH = 2_048


def check_id(text: object, *, where: str = "") -> str:
    """The id, NFC and without blanks around it.

    Raises InvalidInput if it is not a string, empty, over 2,048 characters, or holds a
    control character (a NUL or a line break would tear rows and reports apart).
    """
    if not isinstance(text, str):
        raise InvalidInput(f"an id must be a string, not {type(text).__name__}", where=where)
    value = unicodedata.normalize("NFC", text).strip()
    if not value:
        raise InvalidInput("an id must not be empty", where=where)
    if len(value) > MAX_ID_LENGTH:
        raise InvalidInput(f"an id may have {MAX_ID_LENGTH} characters, this has {len(value)}", where=where)
    if any(unicodedata.category(char) in ("Cc", "Cs") for char in value):
        raise InvalidInput("an id must not hold control characters", where=where)
    return value


def key_of(namespace: str, id: str, version: int = 0) -> int:
    """A positive 63-bit key that depends on nothing but its arguments.

    Indexes keep their entries in key order and break ties by it, so answers do not
    depend on the order in which a store was written.
    """
    digest = blake2b(f"{namespace}\x1f{id}\x1f{version}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def slug(text: str) -> str:
    """A readable id part that keeps letters of every script (only blanks and separators go).

    >>> slug("31 회의 방식")
    '31-회의-방식'
    """
    folded = unicodedata.normalize("NFC", text).casefold()
    kept = "".join(
        char if unicodedata.category(char)[0] in "LNM" or char in "._~" else ("-" if char.isascii() else char)
        for char in folded
        if unicodedata.category(char)[0] != "C" or char == "\u200d"
    )
    return "-".join(part for part in "".join("-" if c.isspace() else c for c in kept).split("-") if part)
