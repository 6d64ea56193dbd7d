"""A folder of whatever people and their agents keep: notes, memory files, exports of conversations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ascertain.errors import ImportRefused, NotFound
from ascertain.formats.base import DataFormat, Item, KnownAs, Problem
from ascertain.formats.markdown.vault import is_note, read_notes
from ascertain.formats.walk import walk


class FolderFormat:
    """Reads notes as a vault does, and each data file by the format that knows it."""

    name = "folder"

    def __init__(self, formats: Sequence[DataFormat]) -> None:
        self._formats = formats

    def recognises(self, path: Path) -> bool:
        """See Format."""
        return path.is_dir() and any(isinstance(one, Path) for one in walk(path, self._is_read))

    def read(self, path: Path, known_as: KnownAs | None = None) -> Iterator[Item | Problem]:
        """See Format. Notes first, then data files, those of one format together. One that can't be
        opened is a Problem."""
        if not path.is_dir():
            raise NotFound("there is no such folder", where=str(path), hint="Name the format of a single file.")
        notes: list[Path | Problem] = []
        data: dict[int, list[Path]] = {}
        for found in walk(path, self._is_read):
            if isinstance(found, Problem) or is_note(found):
                notes.append(found)
            else:
                data.setdefault(self._format_of(found) or 0, []).append(found)
        yield from read_notes(path, notes, known_as=known_as)
        for at, files in sorted(data.items()):
            try:
                yield from self._formats[at].read_files(files)
            except ImportRefused as error:
                yield Problem(error.where or str(path), None, error.problem)

    def _is_read(self, file: Path) -> bool:
        return is_note(file) or self._format_of(file) is not None

    def _format_of(self, file: Path) -> int | None:
        return next((at for at, one in enumerate(self._formats) if one.holds(file)), None)
