"""Found pieces, for people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ascertain.interfaces.plain import cut, one_line
from ascertain.search.pieces import Passage

_SNIPPET = 240


def show_pieces(console: Console, found: Sequence[Passage]) -> None:
    """Prints pieces with both ranks, best first."""
    if not found:
        console.print(Text("Nothing was found.", "dim"))
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("#", "words", "vector"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("piece", overflow="fold")
    for one in found:
        said = Text.assemble(
            (one_line(one.row.document), "bold"), "  ", (one_line(one.row.piece.id), "dim"), "\n",
            cut(one.row.piece.text, _SNIPPET), "\n" * (one is not found[-1]),
        )  # fmt: skip
        table.add_row(str(one.rank), _rank(one.word_rank), _rank(one.vector_rank), said)
    console.print(table)


def _rank(rank: int | None) -> Text:
    return Text("–", "dim") if rank is None else Text(str(rank))
