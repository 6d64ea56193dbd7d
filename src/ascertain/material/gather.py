"""What lies around a node, and by which edge: sections of one kind each, in the order they are told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from ascertain.model.ids import key_of
from ascertain.model.nodes import Episode, Kind, Node
from ascertain.model.times import TimeView, format_instant
from ascertain.store.base import NodeRow, Reader
from ascertain.text.normalise import match_form

SectionKind = Literal[
    "meaning", "statement", "decision", "summary",
    "superseded_by", "supersedes", "records", "decisions", "episodes", "concepts", "pieces",
]  # fmt: skip
"""What a section holds. The first four: the node's own text, by its kind."""

_OWN: dict[Kind, SectionKind] = {
    "concept": "meaning", "record": "statement", "decision": "decision", "episode": "summary",
}  # fmt: skip
_ATTACHED: dict[Kind, SectionKind] = {
    "record": "records", "decision": "decisions", "episode": "episodes", "concept": "concepts",
}  # fmt: skip
_START = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to read.

    text:     title and text of a node, or a piece, as written.
    source:   where it came from, as far as it is known; may be empty.
    moment:   when it was observed, decided or began. Times are ISO 8601 in UTC or None.
    distance: how many edges lie between it and the node that is asked about; 0 for the node itself.
    mark:     why it no longer holds, in words; empty where it does.
    """

    id: str
    text: str
    source: str
    distance: int
    valid_from: str | None = None
    valid_to: str | None = None
    retired_at: str | None = None
    moment: str | None = None
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """Items of one kind, in the order they are told. more: how many there are beyond those."""

    kind: SectionKind
    items: tuple[Item, ...]
    more: int = 0


def gather(reader: Reader, row: NodeRow, view: TimeView, *, limit: int) -> list[Section]:
    """All that lies around a node, as its reader may see it; sections without items are left out.

    What is told of nodes that were merged with it is told of it.

    - its own meaning, statement, decision or summary, also where it no longer holds: it was asked for
    - what supersedes it, and what it supersedes (the nearest first)
    - for a Concept the Records, Decisions and Episodes about it; for another kind the Concepts that
      it is about: what holds first, then the newest first
    - the pieces that it was drawn from, those that mention it, and those that the nodes of the third
      kind were drawn from

    limit: how many items of a section are read at most.
    """
    id, known_at = row.node.id, view.known_at
    same = [id, *reader.merged(id, known_at)]
    own = Section(_OWN[row.node.kind], (_node_item(row, view, 0),))
    older, newer = reader.lineage([id]).get(id, ((), ()))
    chain = [
        _chain(reader, row, view, "superseded_by", newer, limit),
        _chain(reader, row, view, "supersedes", older, limit),
    ]
    if row.node.kind == "concept":
        ids = [start for start, _ in reader.edges("ABOUT", end=same, known_at=known_at)]
    else:
        ids = [end for _, end in reader.edges("ABOUT", start=same, known_at=known_at)]
    attached = _seen(reader, list(dict.fromkeys(ids)), view)
    attached.sort(key=lambda one: one.node.id)
    attached.sort(key=_when, reverse=True)
    attached.sort(key=lambda one: bool(one.retired_since(view)))
    sections = [own, *chain]
    for kind, name in _ATTACHED.items():
        rows = [one for one in attached if one.node.kind == kind]
        items = tuple(_node_item(one, view, 1) for one in rows[:limit])
        sections.append(Section(name, items, len(rows) - len(items)))
    sections.append(_pieces(reader, row.node, same, [one.node.id for one in attached[:limit]], view, limit))
    return [section for section in sections if section.items]


def _seen(reader: Reader, ids: Sequence[str], view: TimeView) -> list[NodeRow]:
    """The nodes, as they stood at the moment of the view, that its reader may see."""
    if not ids:
        return []
    return [one for one in reader.nodes_at(ids, view.known_at).values() if not one.hidden_since(view)]


def _when(row: NodeRow) -> datetime:
    return row.node.moment or row.node.valid_from or row.node.recorded_at or _START


def _chain(reader: Reader, row: NodeRow, view: TimeView, kind: SectionKind, ids: Sequence[str], limit: int) -> Section:
    rows = _seen(reader, ids, view)
    if not rows:
        return Section(kind, ())
    steps = _distances(reader.edges("SUPERSEDES", start=[*ids, row.node.id]), row.node.id, kind == "supersedes")
    rows = [one for one in rows if one.node.id in steps]
    rows.sort(key=lambda one: (steps[one.node.id], one.node.id))
    items = tuple(_node_item(one, view, steps[one.node.id]) for one in rows[:limit])
    return Section(kind, items, len(rows) - len(items))


def _distances(edges: Iterable[tuple[str, str]], origin: str, onward: bool) -> dict[str, int]:
    """id → how many edges away, along the edges or against them."""
    steps: dict[str, list[str]] = {}
    for start, end in edges:
        here, there = (start, end) if onward else (end, start)
        steps.setdefault(here, []).append(there)
    found, edge = {origin: 0}, [origin]
    while edge:
        edge = [there for here in edge for there in steps.get(here, ()) if there not in found]
        found |= dict.fromkeys(edge, max(found.values()) + 1)
    return found


def _node_item(row: NodeRow, view: TimeView, distance: int) -> Item:
    node = row.node
    withdrawn = node.retired_at is not None and node.retired_at <= view.known_at
    return Item(
        id=node.id,
        text=_told(node),
        source=node.source,
        distance=distance,
        valid_from=format_instant(node.valid_from),
        valid_to=format_instant(row.ends_at(view.known_at)),
        retired_at=format_instant(node.retired_at) if withdrawn else None,
        moment=format_instant(node.moment),
        mark=row.retired_since(view),
    )


def _told(node: Node) -> str:
    """Title and text; the title alone where there is no more, and left out where the text says it."""
    text = node.summary if isinstance(node, Episode) else node.text
    if not text.strip() or match_form(text) == match_form(node.title):
        return node.title
    return text if match_form(text).startswith(match_form(node.title)) else f"{node.title}\n{text}"


def _pieces(
    reader: Reader, node: Node, same: Sequence[str], attached: Sequence[str], view: TimeView, limit: int
) -> Section:
    known_at = view.known_at
    drawn = [end for _, end in reader.edges("FROM", start=same, known_at=known_at)]
    mention = reader.edges("MENTIONS", end=same, known_at=known_at) if node.kind == "concept" else []
    further = reader.edges("FROM", start=attached, known_at=known_at) if attached else []
    place = {id: at for at, id in enumerate(attached)}
    further.sort(key=lambda pair: (place[pair[0]], pair[1]))
    onward = reader.follows(drawn) if drawn else []
    distances = dict.fromkeys((*drawn, *onward, *(piece for piece, _ in mention)), 1)
    distances |= {piece: 2 for _, piece in further if piece not in distances}
    chosen = list(distances)[:limit]
    rows = {row.piece.id: row for row in reader.pieces([key_of("piece", id) for id in chosen]).values()}
    named = reader.documents_named({row.document for row in rows.values()}) if rows else {}
    items = []
    for id in chosen:
        if (found := rows.get(id)) is not None:
            title, source = named.get(found.document, ("", ""))
            items.append(Item(id, found.piece.text, source or title or found.document, distances[id]))
    return Section("pieces", tuple(items), len(distances) - len(chosen))
