"""What a format yields: nodes and documents with their place in a file, and problems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ascertain.model.documents import Document
from ascertain.model.nodes import Node


@dataclass(frozen=True, slots=True)
class Problem:
    """What could not be taken, or was taken otherwise than written. line is from 1, or None.

    skipped: nothing was taken for it (False: a note about something that was taken).
    """

    file: str
    line: int | None
    reason: str
    skipped: bool = True


@dataclass(frozen=True, slots=True)
class Item:
    """A node or a document, and where it was read.

    loose: names used as references (in `about`, `supersedes`, `mentions`, `source`) are titles
    or aliases to be looked up, not ids: the writer joins each where exactly one node bears
    the name and reports it otherwise.
    """

    value: Node | Document
    file: str
    line: int | None = None


class Format(Protocol):
    """Reads one kind of file or folder. Knows no store."""

    @property
    def name(self) -> str: ...

    def recognises(self, path: Path) -> bool:
        """Is this path (a file or a folder) of this format? Reads as little as it can."""

    def read(self, path: Path) -> Iterator[Item | Problem]:
        """What the path holds, in reading order. One bad file or line is a Problem and stops
        nothing; only a path that can't be read at all raises (ImportRefused, NotFound)."""
