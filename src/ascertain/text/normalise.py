"""One form for texts that look alike: width, case, composed and decomposed letters, typography.

Source: Unicode Standard Annex 15 (NFKC) and section 3.13 (caseless matching).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import category, combining, is_normalized, normalize

_UNSEEN = re.compile(
    "[\u00ad\u034f\u055b\u055c\u055e\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What has no shape of its own: soft hyphens, zero-width and bidirectional marks, the byte order
mark, variation selectors, fillers, the keycap; and the Armenian marks that stand over a letter inside a word."""

_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")

_CROWDED = re.compile(r"[^\w\s]{31}")
"""Where more marks may follow one another than any language writes."""

_JOINING = str.maketrans(dict.fromkeys("‘’‚‛′ʹʻʼʽ´", "'") | dict.fromkeys("‐‑‒–−⁃", "-") | dict.fromkeys("⁄∕", "/"))
_TYPOGRAPHIC = _JOINING | str.maketrans(dict.fromkeys("“”„‟″«»‹›", '"') | dict.fromkeys("—―⸺⸻", "-"))

_PLAIN_LETTERS = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ŧ": "t",
    "ŋ": "n", "ı": "i", "ɓ": "b", "ɗ": "d", "ɖ": "d", "ƙ": "k", "ƴ": "y", "ɛ": "e", "ɔ": "o", "ə": "e",
    "ƒ": "f", "ʋ": "v",
}  # fmt: skip
_PLAIN = str.maketrans(
    _PLAIN_LETTERS | {a.upper(): b.upper() for a, b in _PLAIN_LETTERS.items() if len(a.upper()) == 1}
)
"""Letters that hold their mark inside, so that Unicode does not take it apart."""

_KEPT_MARKS = {"и\u0306", "И\u0306", "у\u0306", "У\u0306", "і\u0308", "І\u0308"}
"""й, ў and ї are letters of their own; ё is often written е."""


def match_form(text: str) -> str:
    """The form in which two texts are compared: NFKC, no case, ASCII quotes and dashes, one blank
    for each run of blanks, none at the ends; characters without a shape and controls are gone.
    Accents stay. Idempotent; may be empty.

    >>> match_form(" Ｒate\\u200b  “Limiting”— ")
    'rate "limiting"-'
    """
    if text.isascii():
        return " ".join(_CONTROL.sub("", text).lower().split())
    seen = _bounded(_CONTROL.sub("", _UNSEEN.sub("", text)).translate(_TYPOGRAPHIC))
    return " ".join(_caseless(seen).translate(_TYPOGRAPHIC).split())


def fold_marks(text: str) -> str:
    """The text without the accents of Latin, Greek and Cyrillic letters, in NFC. Marks of other
    scripts make other letters, and stay; so do й, ў and ї.

    >>> fold_marks("Förster, Łódź, ёлка, район, が")
    'Forster, Lodz, елка, район, が'
    """
    if text.isascii():
        return text
    kept: list[str] = []
    base = ""
    for char in normalize("NFD", _bounded(text)):
        if "\u0300" <= char <= "\u036f" or "\u1dc0" <= char <= "\u1dff":
            if not _takes_accents(base) or base + char in _KEPT_MARKS:
                kept.append(char)
        else:
            base = char
            kept.append(char)
    return normalize("NFC", "".join(kept).translate(_PLAIN))


@dataclass(frozen=True, slots=True)
class Mapped:
    """A normalised text and where each of its characters comes from.

    starts, ends: for each character, the half-open span in the text as given; None where both
                  texts have the same characters in the same places.
    """

    text: str
    starts: Sequence[int] | None = None
    ends: Sequence[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A span of `text` (at least one character) as a span of the text as given."""
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]


def canonical(text: str, *, fold_case: bool = False) -> Mapped:
    """The text in NFKC with ASCII apostrophes, hyphens and slashes and without unseen characters;
    controls and blanks stay. With fold_case also without case, so that no later folding is needed."""
    if text.isascii():
        return Mapped(text.lower() if fold_case else text)
    if not _CROWDED.search(text) and is_normalized("NFKC", text) and not _UNSEEN.search(text):
        same = text.translate(_JOINING)
        if fold_case:
            same = same.casefold()
        # Case folding never shortens, so an equal length means character for character.
        if len(same) == len(text) and is_normalized("NFKC", same):
            return Mapped(same)
    made: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _clusters(text):
        seen = _bounded(_UNSEEN.sub("", text[start:end]).translate(_JOINING))
        piece = (_caseless(seen) if fold_case else normalize("NFKC", seen)).translate(_JOINING)
        made.append(piece)
        if len(piece) == end - start and piece == seen:
            starts.extend(range(start, end))
            ends.extend(range(start + 1, end + 1))
        else:
            starts.extend([start] * len(piece))
            ends.extend([end] * len(piece))
    return Mapped("".join(made), starts, ends)


def _caseless(text: str) -> str:
    """NFKC and case folding until neither changes anything: folding can decompose, and composing
    can bring back what folds."""
    while True:
        folded = normalize("NFKC", normalize("NFKC", text).casefold())
        if folded == text:
            return folded
        text = folded


def _bounded(text: str) -> str:
    """The text with no more than 30 marks in a row: sorting more takes quadratic time.

    Source: the stream-safe text format of Unicode Standard Annex 15.
    """
    if text.isascii() or not _CROWDED.search(text):
        return text
    kept: list[str] = []
    row = 0
    for char in text:
        row = row + 1 if combining(char) else 0
        if row <= 30:
            kept.append(char)
    return "".join(kept)


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Spans that normalise on their own: a character and all that may combine with it."""
    start = 0
    for at in range(1, len(text)):
        if not _combines(text[at]):
            yield start, at
            start = at
    if text:
        yield start, len(text)


@lru_cache(maxsize=1 << 14)
def _combines(char: str) -> bool:
    """May it become one with what stands before it? Marks, Korean letters, half-width voicing."""
    return (
        category(char).startswith("M")
        or "\u1160" <= char <= "\u11ff"
        or "\u3131" <= char <= "\u318e"
        or "\ud7b0" <= char <= "\ud7ff"
        or "\uff9e" <= char <= "\uffdc"
        or _UNSEEN.match(char) is not None
    )


def _takes_accents(base: str) -> bool:
    return (
        "A" <= base < "\u0530"
        or "\u1e00" <= base < "\u2000"
        or "\u2c60" <= base < "\u2c80"
        or "\ua640" <= base < "\ua800"
        or "\uab30" <= base < "\uab70"
    )
