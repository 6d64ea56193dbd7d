"""The JSON shapes of material and history. See wire.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from ascertain.interfaces.wire import Json
from ascertain.material.budget import Material
from ascertain.material.offers import Glimpse
from ascertain.material.render import sections_json
from ascertain.model.nodes import Episode
from ascertain.model.times import format_instant
from ascertain.store.base import NodeRow


def material_json(found: Material) -> Json:
    """{"node", "sections": [{"kind", "items": [{"id", "text", "source", "valid_from", "valid_to",
    "retired_at", "distance", and where there is one "moment" and "mark"}]}], "tokens", "left_out"}"""
    return {
        "node": found.node,
        "sections": sections_json(found.sections),
        "tokens": found.tokens,
        "left_out": found.left_out,
    }


def glimpses_json(found: Sequence[Glimpse]) -> list[Json]:
    """[{"id", "kind", "title", "beginning", "moment", "valid_from", "valid_to", "retired_at", "mark",
    "differs_by"}], best first."""
    return [asdict(one) | {"differs_by": dict(one.differs_by)} for one in found]


def history_json(id: str, versions: Sequence[NodeRow]) -> Json:
    """{"node", "versions": [{"version", "kind", "title", "text", "valid_from", "valid_to", "recorded_at",
    "retired_at", "reason", "superseded_by"}]}, oldest first.

    valid_to takes into account what took the node's place. recorded_at: when the store learnt this
    version, null for as long as anybody asks. retired_at: when it was withdrawn, else corrected.
    """
    return {"node": id, "versions": [version_json(row) for row in versions]}


def version_json(row: NodeRow) -> Json:
    """One of them."""
    node = row.node
    return {
        "version": row.version,
        "kind": node.kind,
        "title": node.title,
        "text": node.summary if isinstance(node, Episode) else node.text,
        "valid_from": format_instant(node.valid_from),
        "valid_to": format_instant(row.holds_to),
        "recorded_at": format_instant(row.since or node.recorded_at),
        "retired_at": format_instant(node.retired_at or row.until),
        "reason": row.reason,
        "superseded_by": row.superseded_by,
    }
