"""What the tokeniser returns and what the indexes keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TokenKind = Literal["word", "part", "gram"]


@dataclass(frozen=True, slots=True)
class Token:
    """One index term and where it stands.

    text:       the term: NFKC, case-folded, stemmed where the script has stems; no blanks.
    start, end: the half-open span of characters in the text as given.
    kind:       `word` (a whole word, name or identifier), `part` (of an identifier or a
                compound that also stands whole), `gram` (two characters of a run that has
                no blanks, or of a long Hangul stem).
    stop:       a function word or question word: says nothing about what is meant.
    """

    text: str
    start: int
    end: int
    kind: TokenKind = "word"
    stop: bool = False
