"""The versions of a node, for people: a timeline of both axes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ascertain.interfaces.plain import cut, one_line
from ascertain.model.times import format_instant
from ascertain.store.base import NodeRow

_WIDTH = 32
Span = tuple[datetime | None, datetime | None]


def show_history(console: Console, versions: Sequence[NodeRow]) -> None:
    """Prints each version with two bars on one scale: when the store stood by it, and when it holds."""
    node = versions[-1].node
    console.print(
        Text.assemble((one_line(node.title), "bold"), "  ", (node.kind, "dim"), "  ", (one_line(node.id), "dim"))
    )
    spans = [span for row in versions for span in (_known(row), _holds(row))]
    ends = sorted({end for span in spans for end in span if end is not None})
    table = Table.grid(padding=(0, 2))
    for row in versions:
        table.add_row(
            Text(f"v{row.version}", "bold"), "", Text(cut(row.node.title, 60)), Text(one_line(row.reason), "dim")
        )
        for name, span, style in (("known", _known(row), "blue"), ("holds", _holds(row), "green")):
            table.add_row("", Text(name, "dim"), Text(bar(span, ends), style), Text(_words(span)))
    console.print(table)
    if versions[-1].superseded_by:
        console.print(Text(f"Superseded by {one_line(versions[-1].superseded_by)}.", "dim"))


def _known(row: NodeRow) -> Span:
    return row.since or row.node.recorded_at, row.node.retired_at or row.until


def _holds(row: NodeRow) -> Span:
    return row.holds_from, row.holds_to


def bar(span: Span, ends: Sequence[datetime], width: int = _WIDTH) -> str:
    """A half-open interval over the steps between all ends that occur, each step equally wide: what
    comes first and what overlaps shows, how long it took does not. No end is drawn as an arrow.

    >>> bar((None, None), [], width=5)
    '◄━━━►'
    """
    start, end = span
    steps = len(ends) + 1
    left = 0 if start is None else (ends.index(start) + 1) * width // steps
    right = width if end is None else (ends.index(end) + 1) * width // steps
    if right <= left:
        return " " * left + "╵"
    line = list("━" * (right - left))
    line[0] = "◄" if start is None else "┠"
    line[-1] = "►" if end is None else ("┨" if len(line) > 1 else line[-1])
    return " " * left + "".join(line)


def _words(span: Span) -> str:
    start, end = (format_instant(one) for one in span)
    if start is None and end is None:
        return "no limit"
    return " ".join(part for part in (start and f"from {start}", end and f"to {end}") if part)
