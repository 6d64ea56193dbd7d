"""The one JSON shape of every answer, for every interface.

Each function gives dicts, lists, strings, numbers, booleans and None. Instants are ISO 8601 in UTC.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from ascertain.errors import AscertainError
from ascertain.formats.base import Problem
from ascertain.memory import Status
from ascertain.model.documents import Document, Piece
from ascertain.model.edges import Edge
from ascertain.model.evidence import Evidence
from ascertain.model.nodes import Decision, Episode, Node, Record
from ascertain.model.resolution import Offer, Resolution, State
from ascertain.model.times import format_instant
from ascertain.search.pieces import Passage
from ascertain.store.base import NodeRow, PieceRow
from ascertain.write.report import ImportReport
from ascertain.write.twins import Twins

Json = dict[str, Any]  # Any: nested JSON has no finite type


def resolution_json(answer: Resolution) -> Json:
    """{"state", "question", "node", "candidates": [...], "hidden", "reason", "policy", "timings_ms",
    "why": {"rule", "grounds", "obstacles"}, "ask_back"}; node is an id, or None unless resolved;
    ask_back is one short question to whoever asked, or None unless choose.

    A candidate is {"id", "kind", "title", "score", "visible", "arms": {arm: its evidence},
    "valid_from", "valid_to", "retired_at"}, on choose with "differs_by": {what: how}.
    """
    return {
        "state": answer.state,
        "question": answer.question,
        "node": answer.node,
        "candidates": [_offer(offer, answer.state) for offer in answer.candidates],
        "hidden": answer.hidden,
        "reason": answer.reason,
        "policy": answer.policy,
        "timings_ms": dict(answer.timings_ms),
        "why": {
            "rule": answer.why.rule,
            "grounds": list(answer.why.grounds),
            "obstacles": list(answer.why.obstacles),
        },
        "ask_back": answer.ask_back or None,
    }


def _offer(offer: Offer, state: State) -> Json:
    one = offer.candidate
    told: Json = {
        "id": one.node,
        "kind": one.kind,
        "title": one.title,
        "score": offer.score,
        "visible": one.visible,
        "arms": {arm: evidence_json(evidence) for arm, evidence in one.arms.items()},
        "valid_from": one.valid_from,
        "valid_to": one.valid_to,
        "retired_at": one.retired_at,
    }
    if state == "choose":
        told["differs_by"] = dict(offer.differs_by)
    return told


def evidence_json(evidence: Evidence) -> Json:
    """The fields of an arm's evidence, under their own names (model/evidence.py)."""
    found: Json = _listed(asdict(evidence))
    return found


def _listed(value: Any) -> Any:  # Any: any field of any evidence
    if isinstance(value, dict):
        return {key: _listed(one) for key, one in value.items()}
    return [_listed(one) for one in value] if isinstance(value, list | tuple) else value


def import_json(reports: Sequence[ImportReport]) -> Json:
    """One or more imports as one: {"added", "changed", "unchanged", "documents", "pieces", "skipped",
    "notes", "retired", "seconds"}. The first three and retired count nodes. skipped is what was
    not taken, notes are remarks on what was taken otherwise than written, both
    [{"file", "line", "reason"}]; line may be None."""
    problems = [problem for report in reports for problem in report.problems]
    return {
        "added": sum(report.added for report in reports),
        "changed": sum(report.changed for report in reports),
        "unchanged": sum(report.unchanged for report in reports),
        "documents": sum(report.documents for report in reports),
        "pieces": sum(report.pieces for report in reports),
        "skipped": [_problem(one) for one in problems if one.skipped],
        "notes": [_problem(one) for one in problems if not one.skipped],
        "retired": sum(report.retired for report in reports),
        "seconds": round(sum(report.seconds for report in reports), 3),
    }


def _problem(problem: Problem) -> Json:
    return {"file": problem.file, "line": problem.line, "reason": problem.reason}


def twins_json(found: Iterable[Twins]) -> Json:
    """{"twins": [{"kept", "other", "evidence"}]}: kept and other are {"id", "kind", "title", "source"},
    evidence is [{"sort", "detail", "similarity"}]; similarity may be None."""
    return {
        "twins": [
            {
                **{
                    name: {"id": node.id, "kind": node.kind, "title": node.title, "source": node.source}
                    for name, node in (("kept", one.kept), ("other", one.other))
                },
                "evidence": [
                    {"sort": why.sort, "detail": why.detail, "similarity": why.similarity} for why in one.reasons
                ],
            }
            for one in found
        ]
    }


def pieces_json(question: str, found: Iterable[Passage]) -> Json:
    """{"question", "pieces": [{"id", "document", "text", "rank", "word_rank", "vector_rank", "score"}]},
    best first; a rank is None where that ranking missed the piece."""
    return {
        "question": question,
        "pieces": [
            {
                "id": one.row.piece.id,
                "document": one.row.document,
                "text": one.row.piece.text,
                "rank": one.rank,
                "word_rank": one.word_rank,
                "vector_rank": one.vector_rank,
                "score": one.score,
            }
            for one in found
        ],
    }


def thing_json(thing: NodeRow | Document | PieceRow, edges: Sequence[Edge]) -> Json:
    """What `show` shows: a node, a document or a piece, each in its shape below."""
    match thing:
        case NodeRow():
            return node_json(thing, edges)
        case PieceRow():
            return piece_json(thing, edges)
        case Document():
            return document_json(thing)


def node_json(row: NodeRow, edges: Sequence[Edge]) -> Json:
    """A node with all that its store knows of it.

    {"id", "kind", "title", "aliases", "lang", "body" (an Episode: "summary"), "source", the kind's own
    moments ("observed_at"; "decided_at"; "started_at", "ended_at"), "valid_from", "valid_to",
    "holds_from", "holds_to" (with its successors taken into account), "recorded_at", "retired_at",
    "reason", "version", "since", "until", "older", "newer", "edges": [{"type", "start", "end"}]}
    """
    node = row.node
    return {
        "id": node.id,
        "kind": node.kind,
        "title": node.title,
        "aliases": list(node.aliases),
        "lang": node.lang,
        **_text(node),
        "source": node.source,
        **_moments(node),
        "valid_from": format_instant(node.valid_from),
        "valid_to": format_instant(node.valid_to),
        "holds_from": format_instant(row.holds_from),
        "holds_to": format_instant(row.holds_to),
        "recorded_at": format_instant(node.recorded_at),
        "retired_at": format_instant(node.retired_at),
        "reason": row.reason,
        "version": row.version,
        "since": format_instant(row.since),
        "until": format_instant(row.until),
        "older": list(row.older),
        "newer": list(row.newer),
        "edges": [{"type": edge.type, "start": edge.start, "end": edge.end} for edge in edges],
    }


def _text(node: Node) -> Json:
    return {"summary": node.summary} if isinstance(node, Episode) else {"body": node.text}


def _moments(node: Node) -> Json:
    match node:
        case Record():
            return {"observed_at": format_instant(node.observed_at)}
        case Decision():
            return {"decided_at": format_instant(node.decided_at)}
        case Episode():
            return {"started_at": format_instant(node.started_at), "ended_at": format_instant(node.ended_at)}
    return {}


def document_json(document: Document) -> Json:
    """{"id", "kind": "document", "title", "source", "pieces": [{"id", "text", "mentions"}]}"""
    return {
        "id": document.id,
        "kind": "document",
        "title": document.title,
        "source": document.source,
        "pieces": [_piece(piece) for piece in document.pieces],
    }


def piece_json(row: PieceRow, edges: Sequence[Edge]) -> Json:
    """{"id", "kind": "piece", "text", "mentions", "document", "position" (from 0), "edges"}"""
    return {
        **_piece(row.piece),
        "kind": "piece",
        "document": row.document,
        "position": row.position,
        "edges": [{"type": edge.type, "start": edge.start, "end": edge.end} for edge in edges],
    }


def _piece(piece: Piece) -> Json:
    return {"id": piece.id, "text": piece.text, "mentions": list(piece.mentions)}


def status_json(status: Status) -> Json:
    """{"path", "uuid", "encoder", "dimension", "generation", "nodes": {kind: count}, "documents",
    "pieces", "edges": {type: count}}"""
    return {
        "path": status.path,
        "uuid": status.uuid,
        "encoder": status.encoder,
        "dimension": status.dimension,
        "generation": status.generation,
        "nodes": dict(status.counts.nodes),
        "documents": status.counts.documents,
        "pieces": status.counts.pieces,
        "edges": dict(status.counts.edges),
    }


def error_json(error: AscertainError) -> Json:
    """{"error": {"type", "problem", "where", "hint"}}; where and hint may be empty."""
    return {"error": {"type": type(error).__name__, "problem": error.problem, "where": error.where, "hint": error.hint}}
