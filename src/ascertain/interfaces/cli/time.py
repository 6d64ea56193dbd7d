"""retire, restore, supersede, correct, forget and history: what holds now, what held then."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import click

from ascertain.errors import InvalidInput
from ascertain.interfaces.cli.call import Call, shared
from ascertain.interfaces.cli.failures import DONE
from ascertain.interfaces.plain import one_line
from ascertain.model.times import format_instant, parse_instant
from ascertain.store.base import NodeRow

_TIMES = ("valid_from", "valid_to", "observed_at", "decided_at", "started_at", "ended_at")
_TEXTS = ("title", "body", "summary", "lang", "source")
_LISTS = ("aliases", "about")


@click.command
@click.argument("id")
@click.option("--reason", default="", help="Why.")
@click.option("--at", metavar="TIME", help="Since when. Default: now.")
@shared
def retire(call: Call, id: str, reason: str, at: str | None) -> int:
    """Withdraw the node with this ID. It stays readable with --include-retired."""
    with call.memory() as memory:
        return _tell(call, memory.retire(id, reason=reason, at=at), "withdrawn")


@click.command
@click.argument("id")
@shared
def restore(call: Call, id: str) -> int:
    """Take the withdrawal of the node with this ID back."""
    with call.memory() as memory:
        return _tell(call, memory.restore(id), "restored")


@click.command
@click.argument("old")
@click.argument("new")
@click.option("--at", metavar="TIME", help="When NEW begins to hold, where it states nothing. Default: now.")
@shared
def supersede(call: Call, old: str, new: str, at: str | None) -> int:
    """Say that the node NEW took the place of the node OLD."""
    with call.memory() as memory:
        return _tell(call, memory.supersede(old, new, at=at), f"takes the place of {one_line(old)}")


@click.command
@click.argument("id")
@click.option(
    "--set",
    "changes",
    multiple=True,
    required=True,
    metavar="FIELD=VALUE",
    help="title, body, summary, lang, source, a time, or aliases and about as JSON lists. Repeatable.",
)
@click.option("--reason", default="", help="Why.")
@shared
def correct(call: Call, id: str, changes: tuple[str, ...], reason: str) -> int:
    """Write a new version of the node with this ID. The earlier one is kept."""
    with call.memory() as memory:
        node = memory.node(id).node
        told = dict(_change(one, {field.name for field in fields(node)}) for one in changes)
        return _tell(call, memory.correct(replace(node, **told), reason=reason), "corrected")


@click.command
@click.argument("id")
@click.option("--yes", is_flag=True, help="Don't ask whether this is meant.")
@shared
def forget(call: Call, id: str, yes: bool) -> int:
    """Erase the node or document with this ID for good. There is no way back."""
    if not yes and not call.json:
        click.confirm(f"Erase {one_line(id)} with all its versions, for good?", abort=True, err=True)
    with call.memory() as memory:
        memory.forget(id)
    if call.json:
        call.tell({"forgotten": id})
    else:
        call.say(f"✓ {one_line(id)} is forgotten.")
    return DONE


@click.command
@click.argument("id")
@shared
def history(call: Call, id: str) -> int:
    """All versions of the node with this ID: when each was known, and when it holds."""
    with call.memory_unasked() as memory:
        versions = memory.history(id)
    if call.json:
        from ascertain.interfaces.wire_material import history_json

        call.tell(history_json(id, versions))
    else:
        from ascertain.interfaces.cli.history_view import show_history

        with call.page() as console:
            show_history(console, versions)
    return DONE


def _change(text: str, known: set[str]) -> tuple[str, Any]:  # Any: a field of any type
    name, equals, value = text.partition("=")
    if not equals or name not in known or name not in (*_TIMES, *_TEXTS, *_LISTS):
        raise InvalidInput(f"can't set {name!r}", where="--set", hint="Write FIELD=VALUE, such as title=New title.")
    if name in _TIMES:
        return name, parse_instant(value, where=name)
    if name in _LISTS:
        try:
            told = json.loads(value)
        except ValueError as error:
            raise InvalidInput(
                f"{name} is no JSON list", where="--set", hint='Write aliases=["One", "Two"].'
            ) from error
        if not isinstance(told, list) or not all(isinstance(one, str) for one in told):
            raise InvalidInput(f"{name} is no list of strings", where="--set")
        return name, tuple(told)
    return name, value


def _tell(call: Call, row: NodeRow, done: str) -> int:
    if call.json:
        from ascertain.interfaces.wire_material import version_json

        call.tell({"node": row.node.id, **version_json(row)})
    else:
        at = row.node.retired_at or row.since
        since = f" ({format_instant(at)})" if at else ""
        call.say(f"✓ {one_line(row.node.title)} ({one_line(row.node.id)}): {done}{since}.")
    return DONE
