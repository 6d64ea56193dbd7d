"""A store as a folder of Markdown notes, which is read back as the nodes that it was made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import yaml

from ascertain.model.documents import Document
from ascertain.model.ids import key_of, slug
from ascertain.model.nodes import Episode, Node
from ascertain.model.times import format_instant

MOST_OF_NAME = 80
_MOMENTS = {"record": "observed_at", "decision": "decided_at", "episode": "started_at"}
_TIMES = ("ended_at", "valid_from", "valid_to", "recorded_at", "retired_at")


def write(nodes: Iterable[Node], documents: Iterable[Document]) -> Iterator[tuple[str, str]]:
    """(name of a file, its text): a note for each node with all that it states in its front matter, in
    the folder of its kind, and one for each document in `documents`.

    Names are made of titles, and of letters and digits only: no id or title leads anywhere else.
    """
    taken: set[str] = set()
    for node in nodes:
        text = node.summary if isinstance(node, Episode) else node.text
        front = yaml.safe_dump(_front(node), allow_unicode=True, sort_keys=False, width=2**31)
        yield _name(f"{node.kind}s", node.title, node.id, taken), f"---\n{front}---\n\n{text}\n"
    for document in documents:
        body = "\n\n".join(piece.text for piece in document.pieces)
        front = yaml.safe_dump(
            {"kind": "document", "id": document.id, "title": document.title, "source": document.source},
            allow_unicode=True,
            sort_keys=False,
            width=2**31,
        )
        yield _name("documents", document.title, document.id, taken), f"---\n{front}---\n\n{body}\n"


def _front(node: Node) -> dict[str, Any]:
    told: dict[str, Any] = {"kind": node.kind, "id": node.id, "title": node.title}
    for name in ("aliases", "lang", "source", "about", "supersedes"):
        if value := getattr(node, name):
            told[name] = list(value) if isinstance(value, tuple) else value
    if node.moment is not None:
        told[_MOMENTS[node.kind]] = format_instant(node.moment)
    for name in _TIMES:
        value = getattr(node, name, None)
        if isinstance(value, datetime):
            told[name] = format_instant(value)
    return told


def _name(folder: str, title: str, id: str, taken: set[str]) -> str:
    """A file's name that is told apart from all others, on file systems without case as well."""
    base = "".join(char if char.isalnum() else "-" for char in slug(title))
    base = "-".join(part for part in base.split("-") if part)[:MOST_OF_NAME] or "untitled"
    base = re.sub(r"(?<=\d)-(?=\d)", "", base)  # a day in a name would be read as when it was
    name = f"{folder}/{base}.md"
    if name.casefold() in taken:
        name = f"{folder}/{base}-{key_of('file', id) % 16**8:08x}.md"
    number = 2
    while name.casefold() in taken:
        name, number = f"{folder}/{base}-{number}.md", number + 1
    taken.add(name.casefold())
    return name
