"""A folder of Markdown notes, or one note."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from ascertain.errors import InvalidInput, NotFound
from ascertain.formats.base import Item, KnownAs, Problem
from ascertain.formats.markdown import front_matter
from ascertain.formats.markdown import page as markdown
from ascertain.formats.markdown.links import Names, unjoined
from ascertain.formats.markdown.note import Note, note_of
from ascertain.formats.markdown.org import as_markdown
from ascertain.formats.markdown.values import Folder, values_of
from ascertain.formats.texts import read_text
from ascertain.formats.walk import AGENTS_FILES, decision_folders, walk
from ascertain.model.nodes import Kind

SUFFIXES = (".md", ".markdown", ".mdc", ".org")


class VaultFormat:
    """Every note becomes a document; what it is beside that, formats/markdown/note.py says."""

    name = "vault"

    def recognises(self, path: Path) -> bool:
        """See Format."""
        if path.is_dir():
            return any(isinstance(one, Path) for one in walk(path, is_note))
        return is_note(path)

    def read(self, path: Path, known_as: KnownAs | None = None) -> Iterator[Item | Problem]:
        """See Format. All notes are read before the first is yielded: links may point forward."""
        return read_notes(path, walk(path, is_note) if path.is_dir() else (path,), known_as=known_as)


def is_note(file: Path) -> bool:
    """Is this Markdown (or Org) by its name?"""
    return file.suffix.lower() in SUFFIXES or file.name in AGENTS_FILES


def read_notes(
    path: Path,
    files: Iterable[Path | Problem],
    *,
    all_decisions: bool = False,
    known_as: KnownAs | None = None,
) -> Iterator[Item | Problem]:
    """The notes of a folder, or one note; files: those of them that are read.
    all_decisions: every numbered one is a decision record. known_as: see Format.
    Raises NotFound where there is nothing."""
    if not path.exists():
        raise NotFound("there is no such file or folder", where=str(path), hint="Check the path.")
    root = path if path.is_dir() else path.parent
    folders = decision_folders(root) if path.is_dir() else frozenset[str]()
    notes: list[Note] = []
    for file in files:
        if isinstance(file, Problem):
            yield file
            continue
        try:
            text = read_text(file)
            if not text.strip():
                raise InvalidInput("the file is empty")
        except InvalidInput as error:
            yield Problem(str(file), None, error.problem)
            continue
        parts = front_matter.split(as_markdown(text) if file.suffix.lower() == ".org" else text)
        if parts.problem:
            yield Problem(str(file), 1, f"front matter not read, kept as text: {parts.problem}", skipped=False)
        relative = PurePosixPath(file.relative_to(root).as_posix())
        page = markdown.parse(parts.body)
        place = known_as(file) if known_as else relative
        notes.append(note_of(str(file), relative, parts, page, place, folders=folders, all_decisions=all_decisions))
    notes, problems = _each_id_once(notes)
    yield from problems
    names = _names(notes, label_first=any((one / "dendron.yml").is_file() for one in (root, root.parent)))
    kinds: dict[str, Kind] = {note.id: note.kind for note in notes if note.kind}
    kinds |= {entry.id: entry.kind for note in notes for entry in note.entries}
    older, problems = _successions(notes, names)
    yield from problems
    folder = Folder(names, kinds, older)
    for note in notes:
        yield from values_of(note, folder)


def _each_id_once(notes: Sequence[Note]) -> tuple[list[Note], list[Problem]]:
    """A node whose id an earlier note has is left out; its note stays as a document. Two files may
    also have one name (composed and decomposed): the second is not taken."""
    kept: list[Note] = []
    problems: list[Problem] = []
    seen: dict[str, str] = {}
    for note in notes:
        if note.document_id in seen:
            problems.append(Problem(note.file, None, f"has the same name as {seen[note.document_id]}"))
            continue
        seen[note.document_id] = note.file
        twice = [id for id in (note.id, *(entry.id for entry in note.entries)) if id and id in seen]
        problems += [
            Problem(note.file, note.parts.line, f"the id {id!r} is used twice (first in {seen[id]})") for id in twice
        ]
        if note.id in twice:
            note = replace(note, kind=None, id="")
        note = replace(note, entries=tuple(entry for entry in note.entries if entry.id not in twice))
        seen |= dict.fromkeys((id for id in (note.id, *(entry.id for entry in note.entries)) if id), note.file)
        kept.append(note)
    return kept, problems


def _names(notes: Sequence[Note], *, label_first: bool) -> Names:
    names = Names(label_first=label_first)
    for note in notes:
        known = [name for name in (note.title, *note.aliases, note.permalink) if name]
        names.add(note.id or note.document_id, known, note.path)
        for entry in note.entries:
            names.add(entry.id, (entry.title, *entry.aliases))
    return names


def _successions(notes: Sequence[Note], names: Names) -> tuple[dict[str, tuple[str, ...]], list[Problem]]:
    """id of a newer decision → ids of older ones that name it as what took their place."""
    told = [(note, note.id, note.superseded_by) for note in notes if note.kind == "decision"]
    told += [(note, one.id, one.superseded_by) for note in notes for one in note.entries if one.kind == "decision"]
    decisions = {id for _, id, _ in told}
    found: dict[str, list[str]] = {}
    problems = []
    for note, own, targets in told:
        for target in targets:
            ids = [id for id in names.find_decision(target, note.path) or () if id in decisions and id != own]
            if len(ids) == 1:
                found.setdefault(ids[0], []).append(own)
            else:
                problems.append(Problem(note.file, None, f"{unjoined(target, ids)} (superseded by)", skipped=False))
    return {newer: tuple(dict.fromkeys(older)) for newer, older in found.items()}, problems
