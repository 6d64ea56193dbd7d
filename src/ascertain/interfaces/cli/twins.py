"""twins, merge and part: one thing under two names."""

from __future__ import annotations

import click

from ascertain.interfaces.cli.call import Call, shared
from ascertain.interfaces.cli.failures import DONE
from ascertain.interfaces.plain import one_line

_SHOWN = 50


@click.command
@shared
def twins(call: Call) -> int:
    """Nodes that may be one thing under two names, with what speaks for it.

    Nothing is merged unasked: confirm a pair with `ascertain merge`, or say with `ascertain part` that
    the two are two.
    """
    with call.memory_unasked() as memory:
        found = memory.twins()
    if call.json:
        from ascertain.interfaces.wire import twins_json

        call.tell(twins_json(found))
        return DONE
    from ascertain.interfaces.cli.twins_view import show_twins

    with call.page() as console:
        show_twins(console, found, most=_SHOWN)
    return DONE


@click.command
@click.argument("kept")
@click.argument("other")
@click.option("--by", default="", help="Who says so.")
@shared
def merge(call: Call, kept: str, other: str, by: str) -> int:
    """Say that the node OTHER is the node KEPT, which takes over its names and what is about it.

    OTHER stays readable with its source, and `ascertain part` takes it back.
    """
    with call.memory() as memory:
        row = memory.merge(kept, other, by=by)
    if call.json:
        from ascertain.interfaces.wire_material import version_json

        call.tell({"node": row.node.id, "merged": other, **version_json(row)})
    else:
        call.say(f"✓ {one_line(row.node.title)} ({one_line(row.node.id)}) stands for {one_line(other)} too.")
    return DONE


@click.command
@click.argument("one")
@click.argument("other")
@shared
def part(call: Call, one: str, other: str) -> int:
    """Say that the nodes ONE and OTHER are two: a merge is taken back, and they are suggested no more."""
    with call.memory() as memory:
        memory.part(one, other)
    if call.json:
        call.tell({"parted": [one, other]})
    else:
        call.say(f"✓ {one_line(one)} and {one_line(other)} are two.")
    return DONE
