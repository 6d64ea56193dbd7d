"""A node, a document, a piece or a whole store, for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ascertain.interfaces.plain import lines, one_line
from ascertain.interfaces.wire import status_json, thing_json
from ascertain.memory import Status
from ascertain.model.documents import Document
from ascertain.model.edges import EDGE_TYPES, Edge
from ascertain.store.base import NodeRow, PieceRow

_MOST_EDGES = 10
_TEXTS = ("body", "summary", "text")
_HEAD = ("id", "kind", "title", "edges", "pieces", "mentions", *_TEXTS)  # shown on their own


def show_thing(console: Console, thing: NodeRow | Document | PieceRow, edges: Sequence[Edge]) -> None:
    """Prints all fields that say something, the whole text, and the edges both ways."""
    told = thing_json(thing, edges)
    console.print(Text.assemble((one_line(told.get("title") or told["id"]), "bold")))
    console.print(Text(f"{told['kind']}  {one_line(told['id'])}", "dim"))
    console.print(_fields({name: value for name, value in told.items() if name not in _HEAD}))
    for text in (told.get(name) for name in _TEXTS):
        if text:
            console.print(Padding(Text(lines(text)), (1, 0, 0, 2)))
    for piece in told.get("pieces", ()):
        console.print(Text("\n" + one_line(piece["id"]), "dim"))
        console.print(Padding(Text(lines(piece["text"])), (0, 0, 0, 2)))
    _show_edges(console, told["id"], edges)


def _fields(values: Mapping[str, Any]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in values.items():
        if value or (value == 0 and name in ("documents", "pieces", "generation")):
            said = ", ".join(value) if isinstance(value, list) else str(value)
            table.add_row(name.replace("_", " "), Text(one_line(said)))
    return table


def _show_edges(console: Console, id: str, edges: Sequence[Edge]) -> None:
    for type in EDGE_TYPES:
        for arrow, ends in (
            ("→", [edge.end for edge in edges if edge.type == type and edge.start == id]),
            ("←", [edge.start for edge in edges if edge.type == type and edge.end == id]),
        ):
            if ends:
                more = f"  and {len(ends) - _MOST_EDGES} more" if len(ends) > _MOST_EDGES else ""
                said = ", ".join(one_line(end) for end in ends[:_MOST_EDGES])
                console.print(Text.assemble("\n", (f"{type} {arrow} ", "cyan"), said, (more, "dim")))


def show_status(console: Console, status: Status) -> None:
    """Prints what a store is and holds."""
    told = status_json(status)
    nodes, edges = told["nodes"], told["edges"]
    told["nodes"] = _counted(nodes)
    told["edges"] = _counted(edges)
    told["encoder"] = f"{told['encoder']} ({told.pop('dimension')} dimensions)"
    console.print(_fields(told))


def _counted(counts: Mapping[str, int]) -> str:
    total = f"{sum(counts.values()):,}"
    return f"{total} ({', '.join(f'{count:,} {name}' for name, count in counts.items())})" if counts else total
