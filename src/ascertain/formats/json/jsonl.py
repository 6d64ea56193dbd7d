"""The interchange format, version 1, both ways: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from ascertain.errors import ImportRefused, InvalidInput, InvalidTime
from ascertain.formats.base import Item, KnownAs, Problem
from ascertain.formats.json.values import MOST_BYTES, object_of
from ascertain.formats.texts import lines_of
from ascertain.model.documents import Document, Piece
from ascertain.model.ids import check_id
from ascertain.model.nodes import Concept, Decision, Episode, Node, Record
from ascertain.model.times import check_interval, format_instant, parse_instant

_TIMES = ("valid_from", "valid_to", "recorded_at", "retired_at")
_PEEKED = 40
"""Lines that are looked at to tell what a file is."""


class JsonlFormat:
    """A `.jsonl` file, the `store.jsonl` of an exam's folder, or a folder of nothing but such files."""

    name = "jsonl"
    suffixes = (".jsonl", ".ndjson")

    def recognises(self, path: Path) -> bool:
        """See Format. A folder of other files is FolderFormat's."""
        return (path / "store.jsonl").is_file() if path.is_dir() else path.suffix.lower() in self.suffixes

    def read(self, path: Path, known_as: KnownAs | None = None) -> Iterator[Item | Problem]:
        """See Format. A line is skipped where it is no object, where a field has a wrong type or is
        missing, and where its id stands in an earlier line, of this file or of one before it.

        Raises ImportRefused where a file can't be opened."""
        return self.read_files(_files(path) or [path])

    def holds(self, file: Path) -> bool:
        """See DataFormat. One of the first lines has a type of ours."""
        if file.suffix.lower() not in self.suffixes:
            return False
        try:
            return any(_is_ours(line) for line in islice(lines_of(file, most_bytes=MOST_BYTES), _PEEKED))
        except ImportRefused:
            return False

    def read_files(self, files: Iterable[Path]) -> Iterator[Item | Problem]:
        """See DataFormat."""
        first: dict[str, str] = {}
        for file in files:
            yield from _read(file, first)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path] if path.suffix.lower() in JsonlFormat.suffixes else []
    if (path / "store.jsonl").is_file():
        return [path / "store.jsonl"]
    files = [file for file in sorted(path.iterdir()) if not file.name.startswith(".")]
    fit = all(file.is_file() and file.suffix.lower() in JsonlFormat.suffixes for file in files)
    return [file for file in files if file.name != "exam.jsonl"] if fit else []


def _is_ours(line: bytes) -> bool:
    try:
        return object_of(line).get("type") in _MAKERS
    except (InvalidInput, TypeError):
        return False


def _read(file: Path, first: dict[str, str]) -> Iterator[Item | Problem]:
    """One file. first: id → where it was met, over all files."""
    empty = True
    for number, line in enumerate(lines_of(file, most_bytes=MOST_BYTES), 1):
        if not line.strip():
            continue
        empty = False
        try:
            value = value_of(object_of(line))
            if (id := value.id) in first:
                raise InvalidInput(f"the id {id!r} is used twice (first in {first[id].removeprefix(f'{file}, ')})")
            first[id] = f"{file}, line {number}"
        except InvalidInput as error:
            yield Problem(str(file), number, error.problem)
        else:
            yield Item(value, str(file), number, scan=False)
    if empty:
        yield Problem(str(file), None, "the file is empty")


def value_of(found: Mapping[str, Any]) -> Node | Document:
    """A line's object as a value. Raises InvalidInput, naming the field."""
    kind = found.get("type")
    make = _MAKERS.get(kind) if isinstance(kind, str) else None
    if make is None:
        known = ", ".join(_MAKERS)
        raise InvalidInput("has no type" if kind is None else f"unknown type {kind!r}; known are {known}")
    return make(found)


def _concept(found: Mapping[str, Any]) -> Node:
    return Concept(**_common(found), body=_text(found, "body"))


def _record(found: Mapping[str, Any]) -> Node:
    return Record(**_common(found), body=_text(found, "body"), observed_at=_time(found, "observed_at"))


def _decision(found: Mapping[str, Any]) -> Node:
    return Decision(**_common(found), body=_text(found, "body"), decided_at=_time(found, "decided_at"))


def _episode(found: Mapping[str, Any]) -> Node:
    started, ended = _time(found, "started_at"), _time(found, "ended_at")
    _ordered(started, ended, "started_at", "ended_at")
    return Episode(**_common(found), summary=_text(found, "summary"), started_at=started, ended_at=ended)


def _document(found: Mapping[str, Any]) -> Document:
    pieces = found.get("pieces")
    if pieces is None:
        pieces = []
    if not isinstance(pieces, list) or not all(isinstance(piece, dict) for piece in pieces):
        raise InvalidInput("`pieces` must be a list of objects")
    made = tuple(Piece(id=_id(piece), text=_text(piece, "text"), mentions=_ids(piece, "mentions")) for piece in pieces)
    ids = [piece.id for piece in made]
    if twice := next((id for at, id in enumerate(ids) if id in ids[:at]), None) if len(set(ids)) < len(ids) else None:
        raise InvalidInput(f"the piece id {twice!r} is used twice")
    return Document(id=_id(found), title=_text(found, "title"), source=_text(found, "source"), pieces=made)


_MAKERS: Mapping[str, Callable[[Mapping[str, Any]], Node | Document]] = {
    "concept": _concept,
    "record": _record,
    "decision": _decision,
    "episode": _episode,
    "document": _document,
}


def _common(found: Mapping[str, Any]) -> dict[str, Any]:
    times = {name: _time(found, name) for name in _TIMES}
    _ordered(times["valid_from"], times["valid_to"], "valid_from", "valid_to")
    _ordered(times["recorded_at"], times["retired_at"], "recorded_at", "retired_at")
    title = _text(found, "title")
    if not title.strip():
        raise InvalidInput("has no title")
    return {
        "id": _id(found),
        "title": title,
        "aliases": _texts(found, "aliases"),
        "lang": _text(found, "lang"),
        "source": _text(found, "source"),
        "about": _ids(found, "about"),
        "supersedes": _ids(found, "supersedes"),
        **times,
    }


def _text(found: Mapping[str, Any], name: str) -> str:
    value = found.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidInput(f"`{name}` must be text, not {type(value).__name__}")
    return value


def _texts(found: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = found.get(name)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise InvalidInput(f"`{name}` must be a list of texts")
    return tuple(dict.fromkeys(one for one in value if one.strip()))


def _id(found: Mapping[str, Any]) -> str:
    if found.get("id") is None:
        raise InvalidInput("has no id")
    return check_id(found["id"])


def _ids(found: Mapping[str, Any], name: str) -> tuple[str, ...]:
    try:
        return tuple(dict.fromkeys(check_id(one) for one in _texts(found, name)))
    except InvalidInput as error:
        raise InvalidInput(error.problem if name in error.problem else f"`{name}`: {error.problem}") from error


def _time(found: Mapping[str, Any], name: str) -> datetime | None:
    value = found.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidInput(f"`{name}` must be a time as text, not {type(value).__name__}")
    try:
        return parse_instant(value)
    except InvalidTime as error:
        raise InvalidTime(f"`{name}` is {error.problem}", hint=error.hint) from error


def _ordered(start: datetime | None, end: datetime | None, first: str, last: str) -> None:
    try:
        check_interval(start, end)
    except InvalidTime as error:
        raise InvalidTime(f"`{last}` lies before `{first}`: {error.problem}") from error


def write(nodes: Iterable[Node], documents: Iterable[Document]) -> Iterator[str]:
    """One line of JSON for each, without line ends. What isn't stated is left out; reading the
    lines back gives equal values."""
    for node in nodes:
        yield _line(node_fields(node))
    for document in documents:
        pieces = [{"id": piece.id, "text": piece.text, "mentions": list(piece.mentions)} for piece in document.pieces]
        yield _line(
            {
                "type": "document",
                "id": document.id,
                "title": document.title,
                **({"source": document.source} if document.source else {}),
                "pieces": pieces,
            }
        )


def node_fields(node: Node) -> dict[str, Any]:
    """A node as an object of the format."""
    found: dict[str, Any] = {"type": node.kind, "id": node.id, "title": node.title}
    found["aliases"] = list(node.aliases)
    if isinstance(node, Episode):
        found |= {"summary": node.summary, "about": list(node.about)}
        found |= {"started_at": format_instant(node.started_at), "ended_at": format_instant(node.ended_at)}
    else:
        found |= {"body": node.text, "about": list(node.about)}
    if isinstance(node, Record):
        found["observed_at"] = format_instant(node.observed_at)
    if isinstance(node, Decision):
        found["decided_at"] = format_instant(node.decided_at)
    found["supersedes"] = list(node.supersedes)
    found["lang"] = node.lang
    found |= {name: format_instant(getattr(node, name)) for name in _TIMES}
    found["source"] = node.source
    return {name: value for name, value in found.items() if value not in (None, "", [])}


def _line(fields: Mapping[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False)
