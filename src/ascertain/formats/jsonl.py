"""The interchange format, version 1, both ways: one JSON object a line."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

from ascertain.errors import InvalidInput
from ascertain.formats.base import Item, Problem
from ascertain.model.documents import Document, Piece
from ascertain.model.ids import check_id
from ascertain.model.nodes import Concept, Decision, Episode, Node, Record
from ascertain.model.times import check_interval, format_instant, parse_instant

MOST_BYTES = 64 * 1024 * 1024
"""A longer line is reported and passed over."""

_TIMES = ("valid_from", "valid_to", "recorded_at", "retired_at")
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class JsonlFormat:
    """A `.jsonl` file, or the `store.jsonl` of an exam's folder."""

    name = "jsonl"

    def recognises(self, path: Path) -> bool:
        """See Format."""
        if path.is_dir():
            return (path / "store.jsonl").is_file()
        return path.suffix.lower() in (".jsonl", ".ndjson")

    def read(self, path: Path) -> Iterator[Item | Problem]:
        """See Format. A line is skipped where it is no object, where a field has a wrong type or is
        missing, and where its id stands in an earlier line."""
        file = path / "store.jsonl" if path.is_dir() else path
        first: dict[str, int] = {}
        number = 0
        for number, line in enumerate(_lines(file), 1):
            if not line.strip():
                continue
            try:
                value = value_of(_object(line))
                if (id := value.id) in first:
                    raise InvalidInput(f"the id {id!r} is used twice (first in line {first[id]})")
                first[id] = number
            except InvalidInput as error:
                yield Problem(str(file), number, error.problem)
            else:
                yield Item(value, str(file), number)
        if not first and not number:
            yield Problem(str(file), None, "the file is empty")


def _lines(file: Path) -> Iterator[bytes]:
    """Lines as bytes in UTF-8, so that one that isn't spoils no other. UTF-16 is read by its mark."""
    with file.open("rb") as stream:
        start = stream.read(3)
        stream.seek(0)
        if start.startswith(_UTF16):
            text = stream.read().decode("utf-16", errors="replace")
            yield from (line.encode() for line in text.split("\n"))
            return
        if start.startswith(codecs.BOM_UTF8):
            stream.seek(len(codecs.BOM_UTF8))
        yield from stream


def _object(line: bytes) -> dict[str, Any]:
    if len(line) > MOST_BYTES:
        raise InvalidInput(f"the line has {len(line)} bytes, at most {MOST_BYTES} are read")
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"not UTF-8 (at byte {error.start + 1} of the line)") from error
    try:
        found = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        said = error.msg if isinstance(error, json.JSONDecodeError) else "it can't be read"
        raise InvalidInput(f"not one JSON object: {said}") from error
    if not isinstance(found, dict):
        raise InvalidInput(f"not a JSON object but a {type(found).__name__}")
    try:
        text.encode()
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("holds half a character (a lone surrogate)") from error
    return found


def _no_constant(name: str) -> NoReturn:
    raise InvalidInput(f"{name} is not JSON")


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
    check_interval(started, ended)
    return Episode(**_common(found), summary=_text(found, "summary"), started_at=started, ended_at=ended)


def _document(found: Mapping[str, Any]) -> Document:
    pieces = found.get("pieces")
    if pieces is None:
        pieces = []
    if not isinstance(pieces, list) or not all(isinstance(piece, dict) for piece in pieces):
        raise InvalidInput("`pieces` must be a list of objects")
    made = tuple(
        Piece(id=check_id(piece.get("id")), text=_text(piece, "text"), mentions=_ids(piece, "mentions"))
        for piece in pieces
    )
    return Document(
        id=check_id(found.get("id")), title=_text(found, "title"), source=_text(found, "source"), pieces=made
    )


_MAKERS: Mapping[str, Callable[[Mapping[str, Any]], Node | Document]] = {
    "concept": _concept,
    "record": _record,
    "decision": _decision,
    "episode": _episode,
    "document": _document,
}


def _common(found: Mapping[str, Any]) -> dict[str, Any]:
    times = {name: _time(found, name) for name in _TIMES}
    check_interval(times["valid_from"], times["valid_to"])
    check_interval(times["recorded_at"], times["retired_at"])
    title = _text(found, "title")
    if not title.strip():
        raise InvalidInput("has no title")
    return {
        "id": check_id(found.get("id")),
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


def _ids(found: Mapping[str, Any], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(check_id(one) for one in _texts(found, name)))


def _time(found: Mapping[str, Any], name: str) -> datetime | None:
    value = found.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidInput(f"`{name}` must be a time as text, not {type(value).__name__}")
    return parse_instant(value, where=name)


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
    found |= {name: format_instant(getattr(node, name)) for name in _TIMES}
    found |= {"lang": node.lang, "source": node.source}
    return {name: value for name, value in found.items() if value not in (None, "", [])}


def _line(fields: Mapping[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False)
