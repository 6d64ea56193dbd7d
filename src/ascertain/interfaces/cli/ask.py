"""ask and search: questions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ascertain.errors import NotFound
from ascertain.interfaces.cli.call import Call, shared
from ascertain.interfaces.cli.failures import CHOOSE, DONE, NONE
from ascertain.interfaces.cli.material import Read, material_beside, show_material_beside

if TYPE_CHECKING:
    from ascertain.decide.base import Policy
    from ascertain.memory import Memory
    from ascertain.model.resolution import Resolution

_STATUS = {"resolved": DONE, "choose": CHOOSE, "none": NONE}


def _policy(context: click.Context, parameter: click.Parameter, name: str | None) -> Policy:
    """The policy of that name, the default where none was given."""
    from ascertain.decide.catalogue import DEFAULT
    from ascertain.decide.gates.catalogue import gated_policy_named

    try:
        return gated_policy_named(name or DEFAULT)
    except NotFound as error:
        raise click.BadParameter(str(error)) from error


@click.command
@click.argument("question", nargs=-1, required=True)
@click.option(
    "--policy",
    metavar="NAME",
    callback=_policy,
    help="How to decide: seed, grounds, or one with gates as in seed+residual.",
)
@click.option(
    "--weights",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Weights that ascertain calibrate wrote. Default: $ASCERTAIN_WEIGHTS, else the package's own.",
)
@click.option("--valid-at", metavar="TIME", help="What holds in the world then. Default: now.")
@click.option("--known-at", metavar="TIME", help="What the store knew then. Default: now.")
@click.option("--as-of", metavar="TIME", help="Both of these at once.")
@click.option("--include-retired", is_flag=True, help="Show what no longer holds or was withdrawn, too.")
@click.option(
    "--material", is_flag=True, help="Give what to read, too; on choose enough of each candidate to choose by."
)
@click.option("--budget", type=click.IntRange(0), default=2000, show_default=True, help="Tokens of material at most.")
@click.option("--why", is_flag=True, help="Show the evidence, the rule that fired and what stood in the way.")
@shared
def ask(
    call: Call,
    question: tuple[str, ...],
    policy: Policy,
    weights: Path | None,
    valid_at: str | None,
    known_at: str | None,
    as_of: str | None,
    include_retired: bool,
    material: bool,
    budget: int,
    why: bool,
) -> int:
    """Which one memory does QUESTION mean?

    The words are joined by blanks. A TIME is an ISO 8601 date or date-time: 2026-03-01. Ends with
    status 0 (resolved), 3 (choose) or 4 (none).
    """
    read = Read(valid_at=valid_at, known_at=known_at, as_of=as_of, include_retired=include_retired)
    if weights is not None or call.settings.weights is not None:
        from ascertain.interfaces.weights import with_weights

        policy = with_weights(policy, weights or call.settings.weights)
    with call.memory() as memory:
        answer = memory.ask(" ".join(question), policy=policy, **read)
        if call.json:
            from ascertain.interfaces.wire import resolution_json

            told = {"material": material_beside(memory, answer, read, budget=budget)} if material else {}
            call.tell(resolution_json(answer) | told)
        else:
            from ascertain.interfaces.cli.answer_view import show_answer

            row = None
            if answer.node is not None:
                try:
                    row = memory.node(answer.node, version=answer.candidates[0].candidate.version)
                except NotFound:  # removed by another process since it was resolved: the title is still told
                    row = None
            with call.page() as console:
                show_answer(console, answer, row, why=why)
            if material:
                show_material_beside(memory, answer, read, budget=budget)
            if answer.state == "choose" and sys.stdin.isatty() and sys.stdout.isatty():
                offer_to_pick(call, memory, answer)
    return _STATUS[answer.state]


def offer_to_pick(call: Call, memory: Memory, answer: Resolution) -> None:
    """Asks the person at the terminal which one it is and writes that down; no answer writes nothing.
    The exit status stays that of the answer."""
    import getpass

    ids = [one.candidate.node for one in answer.candidates]
    try:
        said = input(f"\n  Pick 1 to {len(ids)}, 0 for none of these, or leave it with Enter: ").strip()
    except (EOFError, KeyboardInterrupt):
        call.say("")
        return
    if not (said.isascii() and said.isdigit() and int(said) <= len(ids)):
        if said:
            call.say("  Not a number of the list: nothing is written down.")
        return
    picked = ids[int(said) - 1] if int(said) else None
    choice = memory.choose(answer.question, picked, by=getpass.getuser(), offered=ids)
    call.say(
        f"  Choice {choice.number}: {picked or 'none of these'}. Take it back: ascertain pick --undo {choice.number}"
    )


@click.command
@click.argument("question", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many at most.")
@shared
def search(call: Call, question: tuple[str, ...], limit: int) -> int:
    """The pieces of documents that QUESTION could be about, best first.

    By full text and by vector. Search finds where it may be; ask says which one is meant.
    """
    text = " ".join(question)
    with call.memory() as memory:
        found = memory.search(text, limit=limit)
    if call.json:
        from ascertain.interfaces.wire import pieces_json

        call.tell(pieces_json(text, found))
    else:
        from ascertain.interfaces.cli.pieces_view import show_pieces

        with call.page() as console:
            show_pieces(console, found)
    return DONE
