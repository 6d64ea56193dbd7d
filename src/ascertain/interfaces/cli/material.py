"""material: what to read once it is clear which memory is meant."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypedDict

import click

from ascertain.interfaces.cli.call import Call, shared
from ascertain.interfaces.cli.failures import DONE
from ascertain.interfaces.plain import lines, one_line

if TYPE_CHECKING:
    from ascertain.interfaces.wire import Json
    from ascertain.material.render import Form
    from ascertain.memory import Memory
    from ascertain.model.resolution import Resolution


@click.command
@click.argument("id")
@click.option("--budget", type=click.IntRange(0), default=2000, show_default=True, help="Tokens at most.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["markdown", "prompt"]),
    default="markdown",
    show_default=True,
    help="For people with citations, or for a model with what is quoted fenced in.",
)
@click.option("--valid-at", metavar="TIME", help="What holds in the world then. Default: now.")
@click.option("--known-at", metavar="TIME", help="What the store knew then. Default: now.")
@click.option("--as-of", metavar="TIME", help="Both of these at once.")
@click.option("--include-retired", is_flag=True, help="Show what no longer holds or was withdrawn, too, marked.")
@shared
def material(
    call: Call,
    id: str,
    budget: int,
    form: Form,
    valid_at: str | None,
    known_at: str | None,
    as_of: str | None,
    include_retired: bool,
) -> int:
    """What lies around the node with this ID: its text, what is attached to it, what backs it."""
    with call.memory_unasked() as memory:
        found = memory.material(
            id,
            budget=budget,
            form="json" if call.json else form,
            valid_at=valid_at,
            known_at=known_at,
            as_of=as_of,
            include_retired=include_retired,
        )
    if call.json:
        from ascertain.interfaces.wire_material import material_json

        call.tell(material_json(found))
    else:
        sys.stdout.write(lines(found.text) + "\n")
        if found.left_out:
            sys.stderr.write(f"{found.left_out} more found no room in {budget} tokens.\n")
    return DONE


class Read(TypedDict):
    """The moment that a command reads from, as `Memory.ask` and `Memory.material` take it."""

    valid_at: str | None
    known_at: str | None
    as_of: str | None
    include_retired: bool


def material_beside(memory: Memory, answer: Resolution, read: Read, *, budget: int) -> Json | list[Json] | None:
    """What `ask --material` adds to an answer, as JSON: on resolved the material, on choose enough of
    each candidate to choose by (a list), on none nothing."""
    from ascertain.interfaces.wire_material import glimpses_json, material_json

    if answer.node is None:
        return glimpses_json(memory.glimpses(answer)) or None
    return material_json(memory.material(answer.node, budget=budget, form="json", **read))


def show_material_beside(memory: Memory, answer: Resolution, read: Read, *, budget: int) -> None:
    """The same for people, on stdout."""
    if answer.node is not None:
        found = memory.material(answer.node, budget=budget, form="markdown", **read)
        sys.stdout.write("\n" + lines(found.text) + "\n")
    for one in memory.glimpses(answer):
        sys.stdout.write(f"\n{one_line(one.title)} ({one_line(one.id)})\n  {one_line(one.beginning)}\n")
