"""Runs of one script, by way of a text's shape: one ASCII letter for each character, that says
what sort of character stands there, so that ordinary regular expressions can find words in any script.

| shape | stands for |
| --- | --- |
| a, A | a letter of a script that writes blanks; A if it is a capital |
| m | a mark that belongs to what stands before it |
| 9 | a digit or another number |
| K | Hangul |
| H, h, k, p | Han, Hiragana, Katakana, the prolonged sound mark |
| t, l, b, x, i, z | Thai, Lao, Myanmar, Khmer, Tibetan, others without blanks |
| E, R | an emoji; half a flag |
| - _ / . : # + & @ ' | itself: may join the parts of an identifier |
| blank | all else |
"""

from __future__ import annotations

import re
from bisect import bisect_right
from unicodedata import category

JOINERS = frozenset("-_/.:#+&@'")

WORD = "[aA9][aA9m]*"
"""Letters, marks and digits in a shape."""

UNSPACED = "H[Hm]*|h[hpm]*|[kp][kpm]*|t[tm]*|l[lm]*|b[bm]*|x[xm]*|i[im]*|z[zm]*"
"""A run of one script without blanks in a shape."""

HANGUL = "K[Km]*"
EMOJI = "RR|R|E"

_BLOCKS = (
    (0x0E00, 0x0E7F, "t"),
    (0x0E80, 0x0EFF, "l"),
    (0x0F00, 0x0FFF, "i"),
    (0x1000, 0x109F, "b"),
    (0x1100, 0x11FF, "K"),
    (0x1780, 0x17FF, "x"),
    (0x1950, 0x19DF, "z"),  # Tai Le, New Tai Lue
    (0x1A20, 0x1AAF, "z"),  # Tai Tham
    (0x1B00, 0x1B7F, "z"),  # Balinese
    (0x231A, 0x23FF, "E"),
    (0x2600, 0x275A, "E"),
    (0x2761, 0x27BF, "E"),
    (0x2B00, 0x2BFF, "E"),
    (0x2E80, 0x2FDF, "H"),
    (0x3005, 0x3007, "H"),
    (0x3021, 0x3029, "H"),
    (0x3038, 0x303B, "H"),
    (0x3041, 0x3096, "h"),
    (0x3099, 0x309A, "m"),
    (0x309D, 0x309F, "h"),
    (0x30A1, 0x30FB, "k"),
    (0x30FC, 0x30FC, "p"),
    (0x30FD, 0x30FF, "k"),
    (0x3105, 0x312F, "z"),  # Bopomofo
    (0x3131, 0x318E, "K"),
    (0x31A0, 0x31BF, "z"),
    (0x31F0, 0x31FF, "k"),
    (0x3400, 0x4DBF, "H"),
    (0x4E00, 0x9FFF, "H"),
    (0xA000, 0xA4CF, "z"),  # Yi
    (0xA960, 0xA97F, "K"),
    (0xA980, 0xA9DF, "z"),  # Javanese
    (0xA9E0, 0xA9FF, "b"),
    (0xAA60, 0xAA7F, "b"),
    (0xAA80, 0xAADF, "z"),  # Tai Viet
    (0xAC00, 0xD7FF, "K"),
    (0xF900, 0xFAFF, "H"),
    (0x1B000, 0x1B000, "k"),
    (0x1B001, 0x1B11F, "h"),
    (0x1F000, 0x1F0FF, "E"),
    (0x1F1E6, 0x1F1FF, "R"),
    (0x1F300, 0x1F3FA, "E"),  # skin tones follow, and are left out
    (0x1F400, 0x1FAFF, "E"),
    (0x20000, 0x3FFFF, "H"),
)
_STARTS = [block[0] for block in _BLOCKS]
_TSHEG = "\u0f0b"


def shape_of(text: str) -> str:
    """The shape of a canonical text; equal length.

    >>> shape_of("Slack에 KX-20, 東京タワー!")
    'AaaaaK AA-99  HHkkp '
    """
    return text.translate(_SHAPES)


def clusters(run: str, shape: str) -> list[tuple[int, int]]:
    """Half-open spans of the smallest readable units of a run without blanks: a character and its
    marks; for Thai and Lao with the vowel written before it; for Khmer and Myanmar with what is
    stacked below; for Tibetan a syllable.

    shape: the letter of the run's script.
    """
    return [match.span() for match in _CLUSTERS.get(shape, _CHARACTER).finditer(run)]


class _Shapes(dict[int, str]):
    """Filled as characters are met: all of Unicode would take longer than most programs run."""

    def __missing__(self, code: int) -> str:
        self[code] = shape = _classify(chr(code))
        return shape


_SHAPES = _Shapes()


def _classify(char: str) -> str:
    if char in JOINERS:
        return char
    if char == _TSHEG:
        return "i"
    sort = category(char)
    at = bisect_right(_STARTS, ord(char)) - 1
    block = _BLOCKS[at][2] if at >= 0 and ord(char) <= _BLOCKS[at][1] else ""
    if block in ("E", "R"):
        # A digit in a circle is a number; what a newer Unicode put here is an emoji all the same.
        return block if sort in ("So", "Cn") else "9" if sort == "No" else " "
    if sort == "Nd":
        return "9"
    if block and (sort[0] in "LM" or sort == "Nl" or (block == "H" and sort[0] != "P")):
        return block
    if sort in ("Lu", "Lt"):
        return "A"
    return {"L": "a", "M": "m", "N": "9"}.get(sort[0], " ")


_MARKS = "\u0300-\u036f\u302a-\u302d\u3099\u309a"
_CHARACTER = re.compile(f"[^{_MARKS}][{_MARKS}]*|[{_MARKS}]+")
_CLUSTERS = {
    "t": re.compile("[\u0e40-\u0e44]?[^\u0e30-\u0e3a\u0e40-\u0e4e][\u0e30-\u0e3a\u0e45-\u0e4e]*|.", re.S),
    "l": re.compile("[\u0ec0-\u0ec4]?[^\u0eb0-\u0ebc\u0ec0-\u0ecd][\u0eb0-\u0ebc\u0ec6-\u0ecd]*|.", re.S),
    "x": re.compile(".(?:\u17d2.|[\u17b6-\u17d1\u17d3\u17dd])*", re.S),
    "b": re.compile(
        ".(?:\u1039.|[\u102b-\u1038\u103a-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d"
        "\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d])*",
        re.S,
    ),
    "i": re.compile(f"[^{_TSHEG}]+"),
}
