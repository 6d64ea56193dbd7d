"""Stemming: endings of English words, the article and spelling variants of Arabic ones.

Other languages are left as they are written; a stemmer for one of them would be a function here.
"""

from __future__ import annotations

import re
import threading

import snowballstemmer

_ELIDED = "l d j n s t m c qu lorsqu jusqu puisqu quelqu presqu un dell nell all dall sull coll quest quell gl"
ELISIONS = frozenset(_ELIDED.split())
"""Romance words that lose their vowel and are written onto the next word: l'amour, dell'arte."""

CONTRACTIONS = frozenset(("s", "m", "re", "ve", "ll", "d"))
"""What English writes after an apostrophe without changing which word is meant."""

_ARABIC = re.compile("[\u0620-\u064a\u066e-\u06d3]")
_SILENT = re.compile("[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]")
_VARIANTS = str.maketrans("أإآٱىیةک", "ااااييهك")
_ARTICLE = re.compile("(?:[وبفك]?ال|لل)(?=.{3})", re.S)


_ENGLISH = snowballstemmer.stemmer("english")
_ONE_AT_A_TIME = threading.Lock()  # the stemmer keeps the word it works on in itself


def stem(word: str) -> str:
    """A folded Latin word without its English ending. Words of up to three letters and words that
    are not plain ASCII letters come back unchanged. Words of other languages are cut by the same
    rules, on both sides alike: that brings more of their forms together than it confuses.

    Source: Porter's second English stemmer, as the Snowball project keeps it.

    >>> [stem(word) for word in ("classes", "queries", "movies", "movie", "painted", "status")]
    ['class', 'queri', 'movi', 'movi', 'paint', 'status']
    """
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    with _ONE_AT_A_TIME:
        return str(_ENGLISH.stemWord(word))


def without_points(word: str) -> str:
    """An Arabic or Hebrew word without vowel points and tatweel. Others come back unchanged."""
    return _SILENT.sub("", word)


def fold_semitic(word: str) -> str:
    """An Arabic or Hebrew word without vowel points and tatweel, with one letter for each of the
    alef, ya, kaf and ta-marbuta variants. Others come back unchanged."""
    return without_points(word).translate(_VARIANTS)


def strip_article(word: str) -> str:
    """A folded Arabic word without ال (nor a one-letter word written before it) where at least
    three letters remain. Others come back unchanged.

    Source: the prefixes of light10 (Larkey, Ballesteros and Connell 2007).
    """
    return _ARTICLE.sub("", word, count=1) if _ARTICLE.match(word) else word


def is_arabic(word: str) -> bool:
    """Does the word have a letter of the Arabic script?"""
    return _ARABIC.search(word) is not None
