"""A file's bytes as text, whatever it was saved by."""

from __future__ import annotations

import codecs
from pathlib import Path

from ascertain.errors import InvalidInput

MOST_BYTES = 20 * 1024 * 1024


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
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise InvalidInput(f"not UTF-8 (at byte {error.start + 1})") from error
    return text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")
