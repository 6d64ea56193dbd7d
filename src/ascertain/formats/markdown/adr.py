"""A folder of nothing but decision records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from ascertain.errors import InvalidInput
from ascertain.formats.base import Item, KnownAs, Problem
from ascertain.formats.markdown.decision_records import is_numbered, telling
from ascertain.formats.markdown.front_matter import split
from ascertain.formats.markdown.note import is_only_document
from ascertain.formats.markdown.page import parse
from ascertain.formats.markdown.vault import is_note, read_notes
from ascertain.formats.texts import read_text
from ascertain.formats.walk import walk


class AdrFormat:
    """Read as a vault whose notes are all decisions, so that a record has the same id whichever of
    the two formats reads it, and whatever its folder is called."""

    name = "adr"

    def recognises(self, path: Path) -> bool:
        """See Format. All notes save READMEs and templates bear a number, and one of them has a
        heading or key of decision records."""
        if not path.is_dir():
            return False
        records = []
        for file in walk(path, is_note):
            if isinstance(file, Problem) or is_only_document(PurePosixPath(file.relative_to(path).as_posix())):
                continue
            if not is_numbered(PurePosixPath(file.name)):
                return False
            records.append(file)
        return any(map(_reads_as_one, records))

    def read(self, path: Path, known_as: KnownAs | None = None) -> Iterator[Item | Problem]:
        """See Format."""
        return read_notes(
            path, walk(path, is_note) if path.is_dir() else (path,), all_decisions=True, known_as=known_as
        )


def _reads_as_one(file: Path) -> bool:
    try:
        parts = split(read_text(file))
    except InvalidInput:
        return False
    return telling(parse(parts.body), parts.values) > 0
