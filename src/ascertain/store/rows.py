"""Row ↔ value. The same for both databases: tuples in the order of COLUMNS."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ascertain.errors import StoreDamaged
from ascertain.model.nodes import NODE_TYPES, Concept, Decision, Episode, Node, Record
from ascertain.model.times import from_micros, to_micros

NODE_COLUMNS = (
    "key", "id", "version", "since", "until", "kind", "title", "aliases", "lang", "source", "body", "summary",
    "moment", "ended_at", "valid_from", "valid_to", "recorded_at", "retired_at", "reason",
    "about", "supersedes",
)  # fmt: skip


def node_values(node: Node) -> dict[str, Any]:
    """The columns that a node itself fills (not key, version, since, until and what is derived)."""
    return {
        "id": node.id,
        "kind": node.kind,
        "title": node.title,
        "aliases": _list(node.aliases),
        "lang": node.lang,
        "source": node.source,
        "body": node.text,
        "summary": node.summary if isinstance(node, Episode) else "",
        "moment": to_micros(node.moment),
        "ended_at": to_micros(node.ended_at) if isinstance(node, Episode) else None,
        "valid_from": to_micros(node.valid_from),
        "valid_to": to_micros(node.valid_to),
        "recorded_at": to_micros(node.recorded_at),
        "retired_at": to_micros(node.retired_at),
        "about": _list(node.about),
        "supersedes": _list(node.supersedes),
    }


def named_values(row: Sequence[Any]) -> dict[str, Any]:
    """A row of NODE_COLUMNS by the names of its columns."""
    return dict(zip(NODE_COLUMNS, row, strict=True))


def node_of(values: Mapping[str, Any]) -> Node:
    """The node in a row, by column. Raises StoreDamaged where the row makes no sense."""
    try:
        common: dict[str, Any] = {
            "id": values["id"],
            "title": values["title"],
            "aliases": _texts(values["aliases"]),
            "lang": values["lang"],
            "source": values["source"],
            "about": _texts(values["about"]),
            "supersedes": _texts(values["supersedes"]),
            "valid_from": from_micros(values["valid_from"]),
            "valid_to": from_micros(values["valid_to"]),
            "recorded_at": from_micros(values["recorded_at"]),
            "retired_at": from_micros(values["retired_at"]),
        }
        kind = NODE_TYPES[values["kind"]]
        moment = from_micros(values["moment"])
    except (KeyError, ValueError, OverflowError) as error:
        raise StoreDamaged(f"node {values['id']!r} can't be read", hint="Run: ascertain doctor") from error
    if kind is Concept:
        return Concept(**common, body=values["body"])
    if kind is Record:
        return Record(**common, body=values["body"], observed_at=moment)
    if kind is Decision:
        return Decision(**common, body=values["body"], decided_at=moment)
    return Episode(**common, summary=values["summary"], started_at=moment, ended_at=from_micros(values["ended_at"]))


def _list(values: Sequence[str]) -> str:
    return json.dumps(list(values), ensure_ascii=False)


def _texts(column: str) -> tuple[str, ...]:
    # Most are empty, and a question reads a hundred rows.
    return () if column == "[]" else tuple(json.loads(column))
