"""Remembering one thing: refused where the store holds it already, and then that one is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ascertain.encoders.base import Encoder
from ascertain.errors import InvalidInput, NotFound
from ascertain.formats.base import Item
from ascertain.model.nodes import Node
from ascertain.store.base import NodeRow
from ascertain.store.writing import StoreWriter
from ascertain.text.names import name_key
from ascertain.write.writer import Writer

MAX_SLUG = 60
"""How many characters of a title go into an id that is made of it."""


@dataclass(frozen=True)
class Remembered:
    """row: the node that stands now. added: False where it was there before, under this name."""

    row: NodeRow
    added: bool


def twin_of(store: StoreWriter, node: Node) -> NodeRow | None:
    """The node that stands in the store for the same thing, or None.

    A Concept's twin bears one of its names, up to case, width, blanks and punctuation, as title or
    alias. A Record's, Decision's or Episode's twin bears its title and states the same moment: what
    is measured again under the same title is no twin. Withdrawn and superseded nodes are none.
    """
    names = [name_key(node.title), *(name_key(one) for one in node.aliases if node.kind == "concept")]
    found = store.named([name for name in names if name])
    keys = [key for name in names for key, slot in found.get(name, ()) if slot == 0 or node.kind == "concept"]
    rows = store.nodes(keys)
    for row in (rows[key] for key in keys if key in rows):
        other = row.node
        stands = other.retired_at is None and row.superseded_by is None and other.id not in node.supersedes
        if stands and other.kind == node.kind and other.moment == node.moment:
            return row
    return None


def id_for(store: StoreWriter, node: Node) -> str:
    """An id made of kind and title that no node or document bears yet."""
    slug = "-".join(name_key(node.title).split())[:MAX_SLUG].strip("-") or "untitled"
    base = f"{node.kind}:{slug}"
    if node.moment is not None:
        base += f"-{node.moment:%Y-%m-%d}"
    tried, number = base, 1
    while store.node(tried) or store.document(tried) or store.piece(tried):
        number += 1
        tried = f"{base}-{number}"
    return tried


def remember(store: StoreWriter, encoder: Encoder, node: Node, now: datetime) -> Remembered:
    """Adds a node in one transaction, unless it has a twin: then nothing changes.

    node: with an empty id one is made. Its `recorded_at` is now where it states none.
    Raises InvalidInput for an id that another node bears, and for edges that can't be.
    """
    if not name_key(node.title):
        raise InvalidInput("the title is empty", hint="Name what is to be remembered.")
    with store.transaction():
        if twin := twin_of(store, node):
            return Remembered(twin, False)
        if node.id and store.node(node.id):
            raise InvalidInput("another node bears this id", where=node.id, hint="Leave the id out, or correct it.")
        _check_about(store, node.title, node.about)
        for old in node.supersedes:
            _row(store, old)
        named = node if node.id else replace(node, id=id_for(store, node))
        _write(store, encoder, named, now, stamp=True)
        return Remembered(_row(store, named.id), True)


def link(
    store: StoreWriter,
    encoder: Encoder,
    id: str,
    now: datetime,
    *,
    about: Sequence[str] = (),
    aliases: Sequence[str] = (),
    source: str = "",
) -> NodeRow:
    """Adds Concepts that a node is about, other names of it, and where it came from.

    Raises InvalidInput where one of `about` is no Concept of the store, or an alias names another
    Concept; then nothing changes.
    """
    with store.transaction():
        node = _row(store, id).node
        if node.kind == "concept" and about:
            raise InvalidInput("a concept is about nothing", where=id, hint="Link a record, decision or episode to it.")
        held = {name_key(one) for one in (node.title, *node.aliases)}
        new = {name_key(one): one for one in aliases if name_key(one) not in held | {""}}
        if node.kind == "concept":
            for alias in new.values():
                other = twin_of(store, replace(node, title=alias, aliases=()))
                if other is not None and other.node.id != id:
                    raise InvalidInput(f"{alias!r} already names {other.node.id!r}", where=id)
        _check_about(store, id, about)
        changed = replace(
            node,
            about=tuple(dict.fromkeys((*node.about, *about))),
            aliases=(*node.aliases, *new.values()),
            source=source or node.source,
        )
        if changed != node:
            _write(store, encoder, changed, now)
        return _row(store, id)


def _check_about(store: StoreWriter, where: str, about: Sequence[str]) -> None:
    """An import waits for what comes later; one who remembers by hand means what is there."""
    for id in about:
        if (kind := _row(store, id).node.kind) != "concept":
            raise InvalidInput(f"{id!r} is a {kind}: things are about concepts only", where=where)


def _row(store: StoreWriter, id: str) -> NodeRow:
    row = store.node(id)
    if row is None:
        raise NotFound(f"no node {id!r}", hint="Ask for it by name: ascertain ask QUESTION")
    return row


def _write(store: StoreWriter, encoder: Encoder, node: Node, now: datetime, *, stamp: bool = False) -> None:
    writer = Writer(store, encoder, now, stamp=stamp)
    for problem in writer.write([Item(node, "", None)]).problems:
        raise InvalidInput(problem.reason, where=node.id)
