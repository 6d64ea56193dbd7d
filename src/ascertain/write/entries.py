"""Texts to indexed entries: terms and vectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ascertain.encoders.base import Encoder
from ascertain.model.documents import Piece
from ascertain.model.ids import key_of
from ascertain.model.nodes import Node
from ascertain.store.base import Entry, Family
from ascertain.text.sounding import grams, spelling
from ascertain.text.tokens import index_terms

Draft = tuple[Family, int, int, int, str]
"""family, entry key, owner key, slot, text: an entry before it is tokenised and encoded."""


def title_key(key: int, slot: int = 0) -> int:
    """The key of the entry of a node's title (slot 0) or of an alias."""
    return key_of("title", str(key), slot)


def node_drafts(node: Node, key: int) -> Iterator[Draft]:
    """The title, each alias, and the text that may be matched. Never an Episode's summary."""
    for slot, text in enumerate((node.title, *node.aliases)):
        yield "title", title_key(key, slot), key, slot, text
    if node.text:
        yield "body", key_of("body", str(key)), key, 0, node.text


def piece_draft(piece: Piece) -> Draft:
    """The one entry of a piece."""
    key = key_of("piece", piece.id)
    return "piece", key_of("text", piece.id), key, 0, piece.text


def encoded(texts: Sequence[str], encoder: Encoder) -> list[bytes]:
    """One vector for each text as the store keeps it: float16, little endian. Equal texts are
    encoded once.

    Half precision is the truth from here on: it halves the store, and every backend and
    machine compares the same numbers.
    """
    distinct = list(dict.fromkeys(texts))
    rows = encoder.encode(distinct).astype("<f2") if distinct else np.zeros((0, 0), "<f2")
    found = {text: rows[at].tobytes() for at, text in enumerate(distinct)}
    return [found[text] for text in texts]


def entries_of(drafts: Iterable[Draft], encoder: Encoder) -> list[Entry]:
    """Tokenises and encodes.  Raises EncoderError."""
    ready = list(drafts)
    vectors = encoded([draft[4] for draft in ready], encoder)
    return [
        Entry(family, key, owner, slot, " ".join(index_terms(text)), vector)
        for (family, key, owner, slot, text), vector in zip(ready, vectors, strict=True)
    ]


def word_entries(entries: Sequence[Entry]) -> list[Entry]:
    """An entry for each word of these titles that has a spelling across scripts."""
    words = {term for entry in entries if entry.family == "title" for term in entry.terms.split()}
    found = []
    for word in sorted(words):
        if told := grams(spelling(word)):
            key = key_of("word", word)
            found.append(Entry("word", key, key, 0, " ".join((f"={word}", *told)), b""))
    return found
