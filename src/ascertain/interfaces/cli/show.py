"""show and status: looking at what a store holds."""

from __future__ import annotations

import click

from ascertain.errors import NotFound
from ascertain.interfaces.cli.call import Call, shared
from ascertain.interfaces.cli.failures import DONE


@click.command
@click.argument("id")
@shared
def show(call: Call, id: str) -> int:
    """The node, document or piece with this ID, and its edges."""
    from ascertain.interfaces import wire
    from ascertain.interfaces.cli import thing_view

    with call.memory_unasked() as memory:
        id = id.encode(errors="replace").decode()  # bytes that are no text are in no id
        thing = memory.find(id)
        if thing is None:
            raise NotFound(f"nothing here has the id {id!r}", hint="Find it by name: ascertain ask QUESTION")
        edges = memory.neighbours(id)
    if call.json:
        call.tell(wire.thing_json(thing, edges))
    else:
        with call.page() as console:
            thing_view.show_thing(console, thing, edges)
    return DONE


@click.command
@shared
def status(call: Call) -> int:
    """What the store is and how much it holds."""
    with call.memory_unasked() as memory:
        found = memory.status()
    if call.json:
        from ascertain.interfaces.wire import status_json

        call.tell(status_json(found))
    else:
        from ascertain.interfaces.cli.thing_view import show_status

        with call.page() as console:
            show_status(console, found)
    return DONE
