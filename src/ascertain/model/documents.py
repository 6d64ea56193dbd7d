"""Documents and their pieces: what search finds, and never the answer to "which one is meant"."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A part of a document. `mentions` holds the ids of Concepts it names."""

    id: str
    text: str
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Document:
    """Pieces in reading order, under one id."""

    id: str
    title: str
    source: str = ""
    pieces: tuple[Piece, ...] = ()
