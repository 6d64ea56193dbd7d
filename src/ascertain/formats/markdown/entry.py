"""What one note tells beside itself: a glossary's term, an observation, an entry of a log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ascertain.model.nodes import Kind


@dataclass(frozen=True)
class Entry:
    """A part of a note that becomes a node of its own.

    line: where its text begins, from 1, in the note without front matter; 0 where it has none.
    about, supersedes, superseded_by: targets as written. of_note: it is about the note's Concept.
    """

    kind: Kind
    id: str
    title: str
    text: str = ""
    line: int = 0
    moment: datetime | None = None
    about: tuple[str, ...] = ()
    of_note: bool = False
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
