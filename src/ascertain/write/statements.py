"""What a file said of a node, and what was said here since.

A file that is imported again says again what it said before. That undoes nothing: only what it says
otherwise than last time counts as news, field by field, as in a three-way merge.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields, replace
from hashlib import blake2b
from typing import Any

from ascertain.model.nodes import Node


def statement_of(node: Node) -> str:
    """What a file says of a node, as a JSON object: field → list, or mark of any other value.
    Fields that state nothing are left out."""
    said = {name: list(value) if isinstance(value, tuple) else _mark(value) for name, value in _values(node) if value}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def news(said: Node, before: str, held: Node) -> Node:
    """What the store is to hold where a file said `before` and says `said` now.

    held: what the store holds. A field that the file says as before stays as it is held; a list loses
    what the file dropped and keeps what was added to it here.
    """
    if said.kind != held.kind:
        return said
    told = json.loads(before)
    changes: dict[str, Any] = {}
    for name, value in _values(said):
        kept = getattr(held, name)
        if isinstance(value, tuple):
            changes[name] = _list(value, told.get(name, ()), kept)
        elif (_mark(value) if value else None) == told.get(name):
            changes[name] = kept
    return replace(said, **changes)


def stated(statements: Iterable[str]) -> dict[str, set[str]]:
    """What files say a node is called, is about and supersedes, all together."""
    found: dict[str, set[str]] = {"aliases": set(), "about": set(), "supersedes": set()}
    for statement in statements:
        said = json.loads(statement)
        for name, values in found.items():
            values.update(said.get(name, ()))
    return found


def _list(said: tuple[str, ...], before: Iterable[str], held: tuple[str, ...]) -> tuple[str, ...]:
    before = tuple(before)
    if said == before:
        return held
    taken_out = set(before) - set(held)
    added = (one for one in held if one not in before)
    return tuple(dict.fromkeys((*(one for one in said if one not in taken_out), *added)))


def _values(node: Node) -> list[tuple[str, Any]]:
    return [(field.name, getattr(node, field.name)) for field in fields(node) if field.name != "id"]


def _mark(value: object) -> str:
    return blake2b(str(value).encode(errors="surrogatepass"), digest_size=8).hexdigest()
