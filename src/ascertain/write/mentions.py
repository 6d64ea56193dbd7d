"""Which Concepts a piece names: whole names, in any script, longest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ascertain.text.names import name_key, name_spans
from ascertain.text.tokens import index_terms

_FEW_NAMES = 64


def usable_name(name: str) -> bool:
    """Is a name long enough, and more than function words, to be looked for in running text?
    Questions may still name such a Concept: only text is too full of chance hits."""
    return len(name) > 1 and bool(index_terms(name)) and not name.isdigit()


def mentioned(text: str, names: Mapping[str, str]) -> list[str]:
    """Ids of the Concepts that a text names, in order of first mention.

    names: name key → id. A name inside a longer name that also stands there does not count.
    """
    found = [(start, end, names[key]) for key, start, end in name_spans(text, max_spans=None) if key in names]
    kept = [
        (start, id)
        for start, end, id in found
        if not any(a <= start and end <= b and (a, b) != (start, end) for a, b, _ in found)
    ]
    return list(dict.fromkeys(id for _, id in sorted(kept)))


def mentioned_in(pieces: Iterable[tuple[str, str]], names: Mapping[str, str]) -> list[tuple[str, str]]:
    """(piece id, Concept id) for every mention in (id, text) pairs."""
    if not names:
        return []
    found = []
    for piece, text in pieces:
        if len(names) <= _FEW_NAMES:
            # A plain look for the letters first: most pieces name none of a few new Concepts.
            folded = name_key(text)
            if not any(name in folded for name in names):
                continue
        found += [(piece, id) for id in mentioned(text, names)]
    return found
