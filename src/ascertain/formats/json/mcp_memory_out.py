"""A store as the memory file of an MCP memory server: what such a file can say of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from ascertain.model.nodes import Episode, Node


def write(nodes: Iterable[Node]) -> Iterator[str]:
    """Lines in the form of the protocol's own memory server: each node an entity, named by its title,
    with its text and other names as observations; what it is about and supersedes as relations.

    Names that several nodes bear are followed by the id. Times and documents find no place in it, and
    withdrawn nodes are left out.
    """
    told = [node for node in nodes if node.retired_at is None]
    titles: dict[str, int] = {}
    for node in told:
        titles[node.title] = titles.get(node.title, 0) + 1
    names = {node.id: node.title if titles[node.title] == 1 else f"{node.title} ({node.id})" for node in told}
    for node in told:
        text = node.summary if isinstance(node, Episode) else node.text
        observations = [text] if text else []
        observations += [f"Also called: {alias}" for alias in node.aliases]
        yield _line({"type": "entity", "name": names[node.id], "entityType": node.kind, "observations": observations})
    for node in told:
        for verb, ends in (("about", node.about), ("supersedes", node.supersedes)):
            for end in ends:
                if end in names:
                    yield _line({"type": "relation", "from": names[node.id], "to": names[end], "relationType": verb})


def _line(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"
