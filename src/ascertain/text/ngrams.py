"""Scripts that write no blanks: a run becomes overlapping pairs of clusters.

Source: character bigrams as the index unit for Chinese and Japanese, Nie, Gao, Zhang and Zhou 2000
(«On the use of words and n-grams for Chinese information retrieval»).
"""

from __future__ import annotations

from itertools import pairwise

from ascertain.model.tokens import TokenKind
from ascertain.text.scripts import clusters
from ascertain.text.stopwords import STOP, STOP_GRAMS, is_empty_pair

Piece = tuple[str, int, int, TokenKind, bool]
"""text, start, end, kind, stop: a token whose place is counted from the start of its run."""


def pieces_of(run: str, shape: str) -> list[Piece]:
    """The tokens of a run of one script, in order.

    run:   canonical text, at least one character.
    shape: the letter of its script.

    One cluster or two are one word; a longer run is every pair as a gram, and for Katakana
    (mostly loan words) the whole run as a word first.

    >>> [piece[0] for piece in pieces_of("会议纪要", "H")]
    ['会议', '议纪', '纪要']
    """
    spans = clusters(run, shape)
    if not spans:  # separators only
        return []
    if len(spans) <= 2:
        start, end = spans[0][0], spans[-1][1]
        text = run[start:end]
        # A single Hiragana is a particle or the end of a verb.
        stop = text in STOP or text in STOP_GRAMS or (shape == "h" and len(spans) == 1)
        return [(text, start, end, "word", stop)]
    made: list[Piece] = []
    if shape in ("k", "p"):
        made.append((run, 0, len(run), "word", False))
    for (start, _), (_, end) in pairwise(spans):
        text = run[start:end]
        made.append((text, start, end, "gram", text in STOP_GRAMS or (shape == "H" and is_empty_pair(text))))
    return made
