"""Folders of notes written for a test, and what is read from them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from ascertain import Document, Node
from ascertain.formats.base import Item, Problem
from ascertain.formats.catalogue import detect

Kept = TypeVar("Kept", bound=Node | Document)


class Read:
    """What a path holds: values by id, items, problems."""

    def __init__(self, path: Path) -> None:
        self.all = list(detect(path).read(path))
        self.items = [one for one in self.all if isinstance(one, Item)]
        self.problems = [one for one in self.all if isinstance(one, Problem)]
        self.values = {item.value.id: item.value for item in self.items}
        assert len(self.values) == len(self.items), "an id is yielded twice"

    def get(self, kind: type[Kept], id: str) -> Kept:
        value = self.values[id]
        assert isinstance(value, kind)
        return value

    @property
    def nodes(self) -> set[str]:
        return {id for id, value in self.values.items() if isinstance(value, Node)}

    @property
    def documents(self) -> set[str]:
        return {id for id, value in self.values.items() if isinstance(value, Document)}

    def texts(self, id: str) -> list[str]:
        return [piece.text for piece in self.get(Document, id).pieces]

    @property
    def reasons(self) -> list[str]:
        return [problem.reason for problem in self.problems]


def noted(folder: Path, files: Mapping[str, str | bytes]) -> Read:
    """Writes the files below the folder and reads it."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return Read(folder)
