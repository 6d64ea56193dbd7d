"""What an import took and what it did not, for people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ascertain.interfaces.plain import one_line
from ascertain.interfaces.wire import Json, import_json
from ascertain.write.report import ImportReport

_MOST = 20
"""How many lines of each sort are shown; the rest is counted."""


def show_import(console: Console, reports: Sequence[ImportReport], *, dry_run: bool) -> None:
    """Prints the counts, then what was skipped and what was taken otherwise than written."""
    told = import_json(reports)
    if not any(report.took_anything for report in reports):
        console.print(Text("Nothing was taken.", "bold red"))
    else:
        nodes = f"{told['added']:,} added, {told['changed']:,} changed, {told['unchanged']:,} unchanged"
        nodes += f", {told['retired']:,} withdrawn" if told["retired"] else ""
        console.print(Text("Dry run: nothing was written." if dry_run else "Taken.", "bold green"))
        table = Table.grid(padding=(0, 2))
        table.add_row(Text("nodes", "dim"), nodes)
        table.add_row(Text("documents", "dim"), f"{told['documents']:,} with {told['pieces']:,} pieces")
        table.add_row(Text("seconds", "dim"), f"{told['seconds']:.1f}")
        console.print(table)
    _show_problems(console, told["skipped"], "Not taken", "yellow")
    _show_problems(console, told["notes"], "Notes", "dim")


def _show_problems(console: Console, problems: Sequence[Json], heading: str, style: str) -> None:
    if not problems:
        return
    console.print(Text(f"\n{heading} ({len(problems):,}):", style))
    alike: dict[tuple[str, int], list[Json]] = {}
    for at, one in enumerate(problems):
        # What is wrong in a line is told line by line; what is so of a whole file, once for all such files.
        alike.setdefault((one["reason"], -1 if one["line"] is None else at), []).append(one)
    for (reason, _), those in list(alike.items())[:_MOST]:
        first = those[0]
        place = first["file"] if first["line"] is None else f"{first['file']}:{first['line']}"
        more = f" and {len(those) - 1:,} more" if len(those) > 1 else ""
        console.print(Text.assemble("  ", (one_line(place), "bold"), more, "  ", one_line(reason)))
    left = sum(map(len, list(alike.values())[_MOST:]))
    if left:
        console.print(Text(f"  … and {left:,} more; --json shows all.", "dim"))
