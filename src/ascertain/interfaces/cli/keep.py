"""doctor, reindex and reembed: keeping a store well."""

from __future__ import annotations

import time

import click

from ascertain.errors import AscertainError, StoreDamaged
from ascertain.interfaces.cli.call import Call, counting, shared
from ascertain.interfaces.cli.failures import DONE, FAILED
from ascertain.interfaces.plain import line_of


@click.command
@shared
def doctor(call: Call) -> int:
    """Check the store and its indexes. Ends with status 1 where something is wrong."""
    problems = _problems(call)
    if call.json:
        call.tell({"problems": problems})
    else:
        for problem in problems:
            call.say(f"✗ {problem}")
        if not problems:
            call.say("✓ All is well.")
    return FAILED if problems else DONE


def _problems(call: Call) -> list[str]:
    """What is wrong, one sentence each. A store that is too damaged to look into is a finding here,
    not a failure; one that isn't there is a failure."""
    store = str(call.settings.store)
    try:
        with call.memory_unasked() as memory:
            held = memory.status()
            found = memory.doctor()
    except StoreDamaged as error:
        # The error's own hint would send whoever reads it here.
        return [f"{error.where or store}: {error.problem}; go back to a copy or to an export"]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        if isinstance(error, AscertainError):
            raise
        return [f"{store}: its content makes no sense ({error!r}); go back to a copy or to an export"]
    try:
        encoder = call.settings.encoder()
    except AscertainError as error:
        return [*found, line_of(error)]
    if (encoder.name, encoder.dimension) != (held.encoder, held.dimension):
        found.append(
            f"{store}: holds vectors of {held.encoder} ({held.dimension}), not of {encoder.name}"
            f" ({encoder.dimension}); set ASCERTAIN_ENCODER, or run: ascertain reembed --store {store}"
        )
    return found


@click.command
@shared
def reindex(call: Call) -> int:
    """Build the indexes beside the store anew. They are caches: nothing is lost."""
    start = time.perf_counter()
    with call.memory_unasked() as memory:
        memory.reindex()
    seconds = round(time.perf_counter() - start, 3)
    if call.json:
        call.tell({"seconds": seconds})
    else:
        call.say(f"The indexes are new ({seconds:.1f} s).")
    return DONE


@click.command
@shared
def reembed(call: Call) -> int:
    """Write all vectors anew with another encoder.

    With the one that ASCERTAIN_ENCODER names; the store is then of that encoder.
    """
    from ascertain.memory import Memory

    encoder = call.settings.encoder()
    memory = Memory.open(call.settings.store, encoder=encoder, create=False, check_encoder=False)
    with memory, counting("Vectors:") as progress:
        count = memory.reembed(progress)
    if call.json:
        call.tell({"vectors": count, "encoder": encoder.name, "dimension": encoder.dimension})
    else:
        call.say(f"{count:,} vectors of {encoder.name} ({encoder.dimension} dimensions).")
    return DONE
