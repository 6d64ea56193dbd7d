"""Which half a question is in: one to tune with, one to test with, never both."""

from __future__ import annotations

import unicodedata
from hashlib import blake2b
from typing import Literal

Half = Literal["tune", "test"]
HALVES: tuple[Half, ...] = ("tune", "test")


def half_of(question: str) -> Half:
    """By a hash of the question's words: however often, under whatever id and as of whenever a
    question is asked, it stays in its half. Case, width and blanks don't count.

    >>> half_of("What is a gate?") == half_of("what  is a GATE?")
    True
    """
    folded = " ".join(unicodedata.normalize("NFKC", question).casefold().split())
    return HALVES[blake2b(folded.encode(), digest_size=8).digest()[0] & 1]
