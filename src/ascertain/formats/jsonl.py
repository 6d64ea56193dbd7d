"""The interchange format (placeholder until the full reader lands)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ascertain.errors import InvalidInput
from ascertain.formats.base import Item, Problem
from ascertain.model.documents import Document, Piece
from ascertain.model.nodes import Concept, Decision, Episode, Node, Record
from ascertain.model.times import parse_instant


class JsonlFormat:
    name = "jsonl"

    def recognises(self, path: Path) -> bool:
        return path.suffix == ".jsonl"

    def read(self, path: Path) -> Iterator[Item | Problem]:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    yield Item(_value(json.loads(line)), str(path), number)
                except (ValueError, KeyError, TypeError, InvalidInput) as error:
                    yield Problem(str(path), number, f"can't be read: {error}")


def _value(o: dict[str, Any]) -> Node | Document:
    if o["type"] == "document":
        pieces = tuple(
            Piece(id=x["id"], text=x["text"], mentions=tuple(x.get("mentions") or ())) for x in o["pieces"]
        )
        return Document(id=o["id"], title=o["title"], source=o.get("source") or "", pieces=pieces)
    kw: dict[str, Any] = {k: parse_instant(o.get(k)) for k in ("valid_from", "valid_to", "recorded_at", "retired_at")}
    kw |= {k: tuple(o.get(k) or ()) for k in ("aliases", "about", "supersedes")}
    kw |= {"id": o["id"], "title": o["title"], "lang": o.get("lang") or "", "source": o.get("source") or ""}
    if o["type"] == "concept":
        return Concept(**kw, body=o.get("body") or "")
    if o["type"] == "record":
        return Record(**kw, body=o.get("body") or "", observed_at=parse_instant(o.get("observed_at")))
    if o["type"] == "decision":
        return Decision(**kw, body=o.get("body") or "", decided_at=parse_instant(o.get("decided_at")))
    if o["type"] == "episode":
        times = {"started_at": parse_instant(o.get("started_at")), "ended_at": parse_instant(o.get("ended_at"))}
        return Episode(**kw, summary=o.get("summary") or "", **times)
    raise InvalidInput(f"unknown type {o['type']!r}")


def write(nodes: Iterable[Node], documents: Iterable[Document]) -> Iterator[str]:
    raise NotImplementedError
