"""A file's bytes as text, whatever it was saved by, and its name as a day or as part of an id."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from ascertain.errors import ImportRefused, InvalidInput, InvalidTime
from ascertain.model.times import parse_instant

MOST_BYTES = 20 * 1024 * 1024
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_text(file: Path) -> str:
    """The text with plain line ends and without a byte order mark. UTF-16 is read by its mark.

    Raises InvalidInput: over 20 MB, not UTF-8, or not readable.
    """
    try:
        size = file.stat().st_size
        if size > MOST_BYTES:
            raise InvalidInput(f"has {size} bytes; at most {MOST_BYTES} are read")
        data = file.read_bytes()
    except OSError as error:
        raise InvalidInput(f"can't be read: {error.strerror or error}") from error
    encoding = "utf-16" if data.startswith(_UTF16) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise InvalidInput(f"not UTF-8 (at byte {error.start + 1})") from error
    return text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")


def lines_of(file: Path, *, most_bytes: int) -> Iterator[bytes]:
    """Lines as bytes in UTF-8, so that one that isn't spoils no other. UTF-16 is read by its mark; its
    broken letters come out as bytes that are no UTF-8. Of a line over `most_bytes`, one more is given.

    Raises ImportRefused where the file can't be opened."""
    try:
        stream = file.open("rb")
    except OSError as error:
        raise ImportRefused(f"can't be read: {error.strerror or error}", where=str(file)) from error
    with stream:
        start = stream.read(3)
        if start.startswith(_UTF16):
            yield from _utf16(start + stream.read())
            return
        stream.seek(len(codecs.BOM_UTF8) if start == codecs.BOM_UTF8 else 0)
        while line := stream.readline(most_bytes + 1):
            yield line
            while len(line) > most_bytes and not line.endswith(b"\n"):
                # The rest of a line that is too long, without holding all of it.
                line = stream.readline(most_bytes + 1)


def _utf16(data: bytes) -> Iterator[bytes]:
    try:
        text, broken = data.decode("utf-16"), False
    except UnicodeDecodeError:
        text, broken = data.decode("utf-16", errors="replace"), True
    for line in text.split("\n"):
        # What was no letter must stay recognisable as none.
        yield line.encode().replace("\ufffd".encode(), b"\xff") if broken else line.encode()


_DAY = re.compile(r"(?<![\dvV])((?:19|20)\d\d)[-_.](\d{1,2})[-_.](\d{1,2})(?!\d)")
_WEEK = re.compile(r"(?<!\d)\d{4}-W\d{2}(?!\d)")


def day_in(name: str) -> datetime | None:
    """The first instant of the day or week (from Monday) in a file's name; None where it has none.

    >>> str(day_in("2018-9-18 minutes")), str(day_in("2026-W09")), day_in("2026-13-45")
    ('2018-09-18 00:00:00+00:00', '2026-02-23 00:00:00+00:00', None)
    """
    for found in (*_DAY.finditer(name), *_WEEK.finditer(name)):
        text = f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}" if found.re is _DAY else found[0]
        try:
            return parse_instant(text)
        except InvalidTime:
            continue
    return None


def clean(text: str) -> str:
    """A path or name as a part of an id: composed alike on every file system, without control
    characters and without what a file system holds that is no text."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(char for char in composed if unicodedata.category(char) not in ("Cc", "Cs"))


def whole(text: str) -> str:
    """With halves of a character joined where both stand there (as JSON escapes write them), and
    replaced where one stands alone.

    >>> whole("a\\ud83c\\udf89b\\ud800") == "a\N{PARTY POPPER}b\N{REPLACEMENT CHARACTER}"
    True
    """
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


MOST_OF_TITLE = 200


def short(text: str, most: int = MOST_OF_TITLE) -> str:
    """A text on one line and of at most so many characters, as a title.

    >>> short("one\\ntwo three", 8)
    'one two…'
    """
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"
