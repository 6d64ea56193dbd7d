"""The entry: text to tokens with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from unicodedata import decimal, normalize

from ascertain.model.tokens import Token, TokenKind
from ascertain.text.korean import is_particle, stem_hangul
from ascertain.text.ngrams import pieces_of
from ascertain.text.normalise import canonical, fold_marks
from ascertain.text.scripts import EMOJI, HANGUL, UNSPACED, WORD, shape_of
from ascertain.text.stems import (
    CONTRACTIONS,
    ELISIONS,
    fold_semitic,
    is_arabic,
    stem,
    strip_article,
    without_points,
)
from ascertain.text.stopwords import STOP

LONGEST = 128
"""Characters kept of a term. What is cut off still tells long identifiers apart by their parts."""

_READ = 4 * LONGEST  # folding can shorten, so more is read than is kept

_UNIT = re.compile(
    rf"(?P<word>(?:(?<![^ ])\.(?=[aA]))?{WORD}"
    rf"(?:(?:::|://|\+\+|_+|[-/.:#+&@]|(?<=[aAm])'(?=[aA])){WORD})*(?:\+\+|[+#](?![aA9]))?)"
    rf"|(?P<hangul>{HANGUL})|(?P<run>{UNSPACED})|(?P<emoji>{EMOJI})"
)
_PLAIN = re.compile("A?m*[am]*|[Am]+|9[9m]*")
"""A word without parts: lower case, Capitalised, CAPITALS, or a number."""

_PART = re.compile(
    r"(?<![aA9m])[aA](?:\+\+|[+#](?![aA]))"  # C++ and C# inside a longer identifier
    r"|A[Am]*(?=Aa)|Am*a[am]*|a[am]*|A[Am]*|9[9m]*"
)

Piece = tuple[str, int, int, TokenKind, bool]
"""A token whose place is in the canonical text."""


def tokenise(text: str) -> tuple[Token, ...]:
    """The tokens of a text, ordered by start; at one start the word comes before its parts and those
    before grams. Spans point into the text as given, which may be composed or not, and of any width.

    Words and identifiers give a `word`, and a `part` for each piece between joiners, humps and
    digits; Hangul gives its stem; scripts without blanks give overlapping pairs; an emoji is a
    word. Punctuation, controls and blanks give nothing: the result may be empty.

    >>> [(token.text, token.kind) for token in tokenise("Queries to svc-auth")][:4]
    [('queri', 'word'), ('to', 'word'), ('svc-auth', 'word'), ('svc', 'part')]
    """
    form = canonical(text)
    pieces = _pieces(form.text)
    if form.starts is None or form.ends is None:
        return tuple([Token(*piece) for piece in pieces])
    starts, ends = form.starts, form.ends
    found = [Token(one, starts[start], ends[end - 1], kind, stop) for one, start, end, kind, stop in pieces]
    # Several characters may come from one («㎏»): their tokens then start together.
    return tuple(sorted(found, key=lambda token: (token.start, _ORDER[token.kind])))


_ORDER: dict[TokenKind, int] = {"word": 0, "part": 1, "gram": 2}


def index_terms(text: str) -> list[str]:
    """The terms to index a text by, in order and as often as they occur: those of tokens that say
    something, or all where none does. No term has a blank in it.

    >>> index_terms("What is the rate limit?"), index_terms("The Who")
    (['rate', 'limit'], ['the', 'who'])
    """
    pieces = list(_pieces(canonical(text).text))
    return [piece[0] for piece in pieces if not piece[4]] or [piece[0] for piece in pieces]


def _pieces(text: str) -> Iterator[Piece]:
    """text: canonical, with its case."""
    shape = shape_of(text)
    for match in _UNIT.finditer(shape):
        start, end = match.span()
        sort = match.lastgroup
        if sort == "word":
            if _PLAIN.fullmatch(shape, start, end):
                term, stop = _term(text[start : min(end, start + _READ)], shape[start] != "9")
                if term:
                    yield term, start, end, "word", stop
            else:
                yield from _identifier(text, shape, start, end)
        elif sort == "hangul":
            glued = start > 0 and shape[start - 1] in "aA9m+#"
            if not (glued and is_particle(text[start:end])):
                yield from _hangul(text[start:end], start)
        elif sort == "run":
            for term, a, b, kind, stop in pieces_of(text[start:end], shape[start]):
                yield term[:LONGEST], start + a, start + b, kind, stop
        else:
            yield text[start:end], start, end, "word", False


@lru_cache(maxsize=1 << 16)
def _term(surface: str, stems: bool) -> tuple[str, bool]:
    """A canonical word as a term, and whether it is a stop word.

    surface: up to _READ characters; stems: made of letters, so that an ending may come off.
    """
    if surface.isascii():
        word = surface.lower()
        return (stem(word) if stems else word)[:LONGEST], word in STOP
    word = normalize("NFKC", surface.casefold())
    bare = without_points(word)
    folded = fold_marks(fold_semitic(word) if is_arabic(word) else bare)
    if not stems:
        folded = "".join([str(decimal(char, char)) for char in folded])
    elif is_arabic(folded):
        folded = strip_article(folded)
    else:
        folded = stem(folded)
    return folded[:LONGEST], bare in STOP


def _identifier(text: str, shape: str, start: int, end: int) -> Iterator[Piece]:
    """The tokens of a word that is more than letters or more than digits."""
    while (at := shape.find("'", start, end)) >= 0 and text[start:at].lower() in ELISIONS and end - at > 2:
        yield text[start:at].lower(), start, at, "word", True
        start = at + 1
    last = shape.rfind("'", start, end)
    if last >= 0 and text[last + 1 : end].lower() in CONTRACTIONS:
        end = last
    if _is_plural_acronym(text, shape, start, end) or _PLAIN.fullmatch(shape, start, end):
        term, stop = _term(text[start : min(end, start + _READ)], shape[start] != "9")
        if term:
            yield term, start, end, "word", stop
        return
    parts = list(_parts(text, shape, start, end))
    letters = not shape[start:end].strip("aAm'")
    whole, stop = _term(text[start : min(end, start + _READ)].replace("'", ""), letters)
    if whole:
        yield whole, start, end, "word", stop or (bool(parts) and all(part[4] for part in parts))
    if not stop:
        yield from (part for part in parts if part[0] != whole)


def _parts(text: str, shape: str, start: int, end: int) -> Iterator[Piece]:
    for match in _PART.finditer(shape, start, end):
        a, b = match.span()
        term, stop = _term(text[a : min(b, a + _READ)], shape[a] != "9")
        if term:
            yield term, a, b, "part", stop


def _is_plural_acronym(text: str, shape: str, start: int, end: int) -> bool:
    """PDFs, URLs: not a hump."""
    return end - start > 2 and text[end - 1] == "s" and shape[start:end].rstrip("a") == "A" * (end - start - 1)


def _hangul(word: str, start: int) -> Iterator[Piece]:
    """The tokens of a run of Hangul: its stem, the forms it is also found by, pairs of a long stem."""
    whole = word[:LONGEST]
    if whole in STOP:
        yield whole, start, start + len(word), "word", True
        return
    found = stem_hangul(word)
    stop = found.stem in STOP
    end = start + len(word) if found.stem == word else start + len(found.stem)
    yield found.stem[:LONGEST], start, end, "word", stop
    if stop:
        return
    for also in found.also:
        yield also[:LONGEST], start, start + len(also), "part", False
    if len(found.stem) > 2:
        for at in range(len(found.stem) - 1):
            yield found.stem[at : at + 2], start + at, start + at + 2, "gram", False
