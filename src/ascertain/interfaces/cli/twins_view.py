"""Suggested twins, for people."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from ascertain.interfaces.plain import one_line
from ascertain.write.twins import Reason, Twins


def show_twins(console: Console, found: Sequence[Twins], *, most: int) -> None:
    """Prints at most so many pairs, each with its evidence and the command that confirms it."""
    if not found:
        console.print("No two nodes look like one.")
        return
    for one in found[:most]:
        for mark, node in (("•", one.kept), (" ", one.other)):
            source = f"  {one_line(node.source)}" if node.source else ""
            console.print(
                Text.assemble(f"{mark} ", (one_line(node.title), "bold"), f"  {one_line(node.id)}", (source, "dim"))
            )
        console.print(Text("  " + "; ".join(map(_said, one.reasons)), "dim"))
        console.print(Text(f"  ascertain merge {shlex.quote(one.kept.id)} {shlex.quote(one.other.id)}", "cyan"))
    if len(found) > most:
        console.print(Text(f"… and {len(found) - most:,} more pairs; --json shows all.", "dim"))


def _said(reason: Reason) -> str:
    if reason.sort == "name":
        return f"both are called “{one_line(reason.detail)}”"
    if reason.sort == "words":
        return f"the same words: {one_line(reason.detail)}"
    if reason.sort == "text":
        return f"the same text: {one_line(reason.detail)}"
    return f"titles near in meaning ({reason.similarity})"
