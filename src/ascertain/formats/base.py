"""What a format yields: nodes and documents with their place in a file, and problems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
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

    scan: names of Concepts are to be looked for in its pieces, since its author states no mentions.
    """

    value: Node | Document
    file: str
    line: int | None = None
    scan: bool = True


KnownAs = Callable[[Path], PurePosixPath]
"""Tells the name by which a file is known in a store: ids are made of it, and not of where the file
lies now, so that a file that was moved stays what it was. See write/origins.py."""


class Format(Protocol):
    """Reads one kind of file or folder. Knows no store."""

    @property
    def name(self) -> str: ...

    def recognises(self, path: Path) -> bool:
        """Is this path (a file or a folder) of this format? Reads as little as it can."""

    def read(self, path: Path, known_as: KnownAs | None = None) -> Iterator[Item | Problem]:
        """What the path holds, in reading order. One bad file or line is a Problem and stops
        nothing; only a path that can't be read at all raises (ImportRefused, NotFound).

        known_as: None for the path that each file has in what is read."""


class DataFormat(Format, Protocol):
    """A format of single files that may also lie among others in a folder.

    suffixes: in lower case; no other file is looked into."""

    @property
    def suffixes(self) -> tuple[str, ...]: ...

    def holds(self, file: Path) -> bool:
        """Is this file of the format, by what is in it?"""

    def read_files(self, files: Iterable[Path]) -> Iterator[Item | Problem]:
        """What the files hold together. Raises ImportRefused where one can't be opened."""
