"""Whole names: one key for all ways of writing a name, and the names that may stand in a question.

A name is a row of units: words, identifiers, Hangul words, characters of scripts without blanks,
emoji. Its key is those units without case and punctuation. Accents and endings stay, since names
that differ by them are different names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple
from unicodedata import is_normalized, normalize

from ascertain.text.korean import bare_forms
from ascertain.text.normalise import Mapped, canonical, match_form
from ascertain.text.scripts import EMOJI, HANGUL, UNSPACED, WORD, clusters, shape_of
from ascertain.text.stems import ELISIONS

_UNIT = re.compile(
    rf"(?P<word>(?:(?<![^ ])\.(?=[aA]))?{WORD}"
    rf"(?:(?:[-_.:]|\+\+|[+#]|(?<=[aAm])'(?=[aA])){WORD})*(?:\+\+|[+#](?![aA9]))?)"
    rf"|(?P<hangul>{HANGUL})|(?P<run>{UNSPACED})|(?P<emoji>{EMOJI})"
)
_BETWEEN = re.compile("[-_:]|(?<=[aAm+#])[.]")
"""What parts the words of an identifier without digits; a dot in front (.NET) does not."""

Form = tuple[str, int]
"""A shorter way to read a unit at an end of a span, and where it starts or ends."""


class _Unit(NamedTuple):
    key: str
    start: int
    end: int
    glue: str  # units with equal glue are written together: u, no blanks; k, Hangul
    weight: int  # 2 for a word, 1 for a character
    heads: tuple[Form, ...] = ()  # (key, start) without an elided article
    tails: tuple[Form, ...] = ()  # (key, end) without a possessive or particle


def name_key(text: str) -> str:
    """The form in which names are equal: up to case, width, blanks and punctuation.

    Words are joined by one blank; characters of scripts without blanks, and Hangul words (whose
    spacing varies from writer to writer), by nothing. An apostrophe inside a word is dropped. An
    identifier with digits stays one unit with its joiners, so that `KX-2031` is not the beginning
    of `KX-2031-0417`; one of letters alone falls into words. `C`, `C++`, `C#` and `.NET` stay apart.
    A text without any unit gives its `match_form`, which is empty only where nothing can be seen.

    >>> name_key("Rate-Limiting") == name_key(" rate limiting! "), name_key("KX-2031-0417"), name_key("VPN設定")
    (True, 'kx-2031-0417', 'vpn 設定')
    """
    units = _units(canonical(text, fold_case=True))
    return _joined(units) if units else match_form(text)


def name_spans(text: str, *, max_words: int = 12, max_spans: int | None = 2000) -> Iterator[tuple[str, int, int]]:
    """Every (name key, start, end) that may be a name in the text: rows of neighbouring units, up to
    max_words words or twice as many characters of scripts without blanks; and the whole text.

    A span's last unit is offered with and without a Korean particle or what follows an apostrophe,
    its first with and without an elided article (l', dell'). The key of a span is the name_key of
    the text in it, so looking all of them up finds every stored name; each key is a part of
    name_key(text).

    max_spans: about how many are wanted at most. A long text is then read up to a fifth as many
               units, in shorter rows; None reads all of it (text to be searched for mentions).

    In order of start, then length. Nothing for an empty text.
    """
    form = canonical(text, fold_case=True)
    units = _units(form)
    if not units:
        if key := match_form(text):
            yield key, 0, len(text)
        return
    read, most = units, 2 * max_words
    if max_spans is not None:
        read = units[: max(1, max_spans // 5)]
        forms = sum(1 + len(unit.heads) for unit in read) * sum(1 + len(unit.tails) for unit in read) / len(read)
        most = max(2, min(most, int(max_spans * sum(unit.weight for unit in read) / len(read) / forms)))
    for at in range(len(read)):
        for key, start, end in _spans_from(read, at, most):
            yield key, *form.span(start, end)
    if sum(unit.weight for unit in units) > most:
        yield _joined(units), *form.span(units[0].start, units[-1].end)


def _spans_from(units: Sequence[_Unit], at: int, most: int) -> Iterator[tuple[str, int, int]]:
    """Spans that begin with this unit. most: the weight of a span, at least one unit."""
    first = units[at]
    for key, end in (*first.tails, (first.key, first.end)):
        yield key, first.start, end
    for key, start in first.heads:
        yield key, start, first.end
    rows = [(first.key, first.start), *first.heads]
    weight = first.weight
    before = first
    for to in range(at + 1, len(units)):
        unit = units[to]
        weight += unit.weight
        if weight > most:
            return
        blank = "" if unit.glue and unit.glue == before.glue else " "
        for row, (begun, start) in enumerate(rows):
            for key, end in unit.tails:
                yield _composed(begun + blank + key), start, end
            whole = _composed(begun + blank + unit.key)
            yield whole, start, unit.end
            rows[row] = whole, start
        before = unit


def _joined(units: Sequence[_Unit]) -> str:
    key = [units[0].key]
    for before, unit in pairwise(units):
        if not (unit.glue and unit.glue == before.glue):
            key.append(" ")
        key.append(unit.key)
    return _composed("".join(key))


def _composed(key: str) -> str:
    """A mark that stood apart may join the character before it once blanks are gone."""
    return key if key.isascii() or is_normalized("NFKC", key) else normalize("NFKC", key)


def _units(form: Mapped) -> list[_Unit]:
    """The units of a canonical text without case."""
    text = form.text
    shape = shape_of(text)
    units: list[_Unit] = []
    for match in _UNIT.finditer(shape):
        start, end = match.span()
        sort = match.lastgroup
        if sort == "word":
            if "9" in shape[start:end]:
                units.append(_word(text, shape, start, end))
            else:
                for gap in _BETWEEN.finditer(shape, start, end):
                    units.append(_word(text, shape, start, gap.start()))
                    start = gap.end()
                units.append(_word(text, shape, start, end))
        elif sort == "hangul":
            word = text[start:end]
            tails = tuple((bare, start + len(bare)) for bare in bare_forms(word))
            units.append(_Unit(word, start, end, "k", 2, (), tails[::-1]))
        elif sort == "run":
            run = text[start:end]
            units += [_Unit(run[a:b], start + a, start + b, "u", 1) for a, b in clusters(run, shape[start])]
        else:
            units.append(_Unit(text[start:end], start, end, "", 2))
    return units


def _word(text: str, shape: str, start: int, end: int) -> _Unit:
    """A word, with its shorter forms around apostrophes."""
    key = text[start:end]
    if "'" not in key:
        return _Unit(key, start, end, "", 2)
    first, last = shape.index("'", start, end), shape.rindex("'", start, end)
    heads = ((text[first + 1 : end].replace("'", ""), first + 1),) if text[start:first] in ELISIONS else ()
    tails = ((text[start:last].replace("'", ""), last),) if last - start > 1 else ()
    return _Unit(key.replace("'", ""), start, end, "", 2, heads, tails)
