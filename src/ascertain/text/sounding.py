"""Words across scripts: one rough Latin spelling for names as different alphabets write them."""

from __future__ import annotations

import re
from functools import lru_cache

from anyascii import anyascii

SHORTEST = 4
"""Letters that a spelling must have: shorter ones lie near too many others."""

_ALIKE = (
    ("sch", "sh"),
    ("tch", "ch"),
    ("ph", "f"),
    ("th", "t"),
    ("ck", "k"),
    ("kh", "h"),
    ("zh", "z"),
    ("dz", "z"),
    ("ts", "c"),
    ("x", "ks"),
    ("q", "k"),
    ("w", "v"),
    ("y", "i"),
    ("j", "i"),
)
_HARD_C = re.compile("c(?=[aouklrtn]|$)")
_DOUBLE = re.compile(r"(.)\1+")
_VOWELS = re.compile("[aeiou]")
_HAN = re.compile("[\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


@lru_cache(maxsize=1 << 16)
def spelling(word: str) -> str:
    """A word's rough Latin spelling: transliterated, with letters that different languages use for
    one sound brought together; '' where fewer than four letters are left, where it holds a
    digit, and for Han, whose readings differ from language to language.

    >>> spelling("Германия"), spelling("germany"), spelling("도쿄")
    ('germania', 'germani', 'dokio')
    """
    if _HAN.search(word) or any(char.isdigit() for char in word):
        return ""
    letters = "".join(char for char in anyascii(word).lower() if "a" <= char <= "z")
    for found, alike in _ALIKE:
        letters = letters.replace(found, alike)
    letters = _DOUBLE.sub(r"\1", _HARD_C.sub("k", letters))
    return letters if len(letters) >= SHORTEST else ""


def grams(spelled: str) -> list[str]:
    """What a spelling is compared by: triples of its letters and pairs of its consonants.

    Vowels change most between languages, so the consonants count once more without them. The
    marks `v` and `s` keep the two sorts apart; ^ and $ stand for the word's ends. Distinct,
    in order.
    """
    if not spelled:
        return []
    marked = f"^{spelled}$"
    bones = f"^{spelled[0]}{_VOWELS.sub('', spelled[1:])}$"
    found = ["v" + marked[at : at + 3] for at in range(len(marked) - 2)]
    found += ["s" + bones[at : at + 2] for at in range(len(bones) - 1)]
    return list(dict.fromkeys(found))


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Dice's coefficient of two sets of grams, 0 to 1."""
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 0.0
