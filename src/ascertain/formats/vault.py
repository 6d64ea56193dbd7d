"""A folder of Markdown notes, or one note."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from ascertain.errors import InvalidInput, NotFound
from ascertain.formats import front_matter, markdown
from ascertain.formats.base import Item, Problem
from ascertain.formats.links import Names
from ascertain.formats.notes import Note, note_of, values_of
from ascertain.formats.texts import read_text
from ascertain.model.nodes import Node

_SUFFIXES = (".md", ".markdown")


class VaultFormat:
    """Every note becomes a document; what it is beside that, formats/notes.py says."""

    name = "vault"

    def recognises(self, path: Path) -> bool:
        """See Format."""
        if path.is_dir():
            return next(_files(path, []), None) is not None
        return path.suffix.lower() in _SUFFIXES

    def read(self, path: Path) -> Iterator[Item | Problem]:
        """See Format. All notes are read before the first is yielded: links may point forward."""
        if not path.exists():
            raise NotFound("there is no such file or folder", where=str(path), hint="Check the path.")
        root = path if path.is_dir() else path.parent
        problems: list[Problem] = []
        files = list(_files(path, problems)) if path.is_dir() else [path]
        notes: list[Note] = []
        for file in files:
            relative = PurePosixPath(file.relative_to(root).as_posix())
            try:
                text = read_text(file)
            except InvalidInput as error:
                problems.append(Problem(str(file), None, error.problem))
                continue
            if not text.strip():
                problems.append(Problem(str(file), None, "the file is empty"))
                continue
            parts = front_matter.split(text)
            if parts.problem:
                reason = f"front matter not read, kept as text: {parts.problem}"
                problems.append(Problem(str(file), 1, reason, skipped=False))
            notes.append(note_of(str(file), relative, parts, markdown.parse(parts.body)))
        yield from problems
        names = Names()
        for note in notes:
            if note.id:
                names.add(note.id, note.path, (note.title, *note.aliases))
            for term in note.terms:
                names.add(term.id, note.path / term.title, (term.title, *term.aliases))
        concepts = {note.id for note in notes if note.kind == "concept"}
        concepts |= {term.id for note in notes for term in note.terms}
        later = _supersessions(notes, names)
        seen: dict[str, str] = {}
        for note in notes:
            for item in values_of(note, names, concepts, later.get(note.id, ())):
                if isinstance(item, Item) and isinstance(item.value, Node):
                    if item.value.id in seen:
                        reason = f"the id {item.value.id!r} is used twice (first in {seen[item.value.id]})"
                        yield Problem(item.file, item.line, reason)
                        continue
                    seen[item.value.id] = item.file
                yield item


def _supersessions(notes: list[Note], names: Names) -> dict[str, tuple[str, ...]]:
    """id of a newer decision → ids of older ones that name it as what took their place."""
    found: dict[str, list[str]] = {}
    for note in notes:
        for target in note.superseded_by:
            ids = names.find(target, note.path)
            if ids and len(ids) == 1 and note.id and ids[0] != note.id:
                found.setdefault(ids[0], []).append(note.id)
    return {newer: tuple(dict.fromkeys(older)) for newer, older in found.items()}


def _files(root: Path, problems: list[Problem]) -> Iterator[Path]:
    """Markdown files below a folder, in path order; each real file once, none outside, nothing hidden."""
    inside = root.resolve()
    met: set[Path] = set()
    others: Counter[str] = Counter()
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in [one for one in folders if (Path(folder) / one).is_symlink()]:
            # os.walk does not follow it; what it points to inside is met under its own name.
            problems.append(Problem(str(Path(folder) / name), None, "a link to a folder is not followed"))
        for name in sorted(files):
            file = Path(folder) / name
            if name.startswith("."):
                continue
            if file.suffix.lower() not in _SUFFIXES:
                others[file.suffix.lower() or "(none)"] += 1
                continue
            real = file.resolve()
            if not real.is_relative_to(inside):
                problems.append(Problem(str(file), None, "a link to outside the folder is not followed"))
            elif real in met:
                problems.append(Problem(str(file), None, "a link to a file that is read under another name"))
            else:
                met.add(real)
                yield file
    if others:
        told = ", ".join(f"{suffix} {count}" for suffix, count in sorted(others.items()))
        reason = f"{others.total()} file{'s' * (others.total() > 1)} that are not Markdown were left: {told}"
        problems.append(Problem(str(root), None, reason, skipped=False))
