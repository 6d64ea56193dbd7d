"""What a tool gives: text for a model, the same as data, and links to the nodes it speaks of."""

import functools
import json
from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar
from urllib.parse import quote

from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, ResourceLink, TextContent

from ascertain.errors import AscertainError, NotFound
from ascertain.interfaces.plain import line_of
from ascertain.interfaces.wire import Json, thing_json
from ascertain.memory import Memory
from ascertain.model.documents import Document
from ascertain.model.times import format_instant
from ascertain.store.base import NodeRow, PieceRow

P = ParamSpec("P")
R = TypeVar("R")


def result(text: str, told: Json, links: Sequence[tuple[str, str]] = ()) -> CallToolResult:
    """links: (id, title) of each node or document, told once each."""
    blocks = [
        ResourceLink(
            type="resource_link",
            uri=f"ascertain://memory/{quote(id, safe='')}",
            name=id,
            title=title,
            mime_type="application/json",
        )
        for id, title in dict(links).items()
    ]
    return CallToolResult(content=[TextContent(type="text", text=text), *blocks], structured_content=told)


def told_plainly(function: Callable[P, R]) -> Callable[P, R]:
    """What went wrong becomes an error result in one line, with what to do next."""

    @functools.wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except AscertainError as error:
            raise ToolError(line_of(error)) from error

    return wrapped


def kept(row: NodeRow, *, added: bool = False, note: str = "") -> CallToolResult:
    """The node that stands after a write."""
    node = row.node
    told: Json = {
        "id": node.id,
        "kind": node.kind,
        "title": node.title,
        "added": added,
        "version": row.version,
        "valid_from": format_instant(row.holds_from),
        "valid_to": format_instant(row.holds_to),
        "retired_at": format_instant(node.retired_at),
        "superseded_by": row.superseded_by,
        "note": note,
    }
    text = f"{'Remembered' if added else 'Stands'}: {node.title} ({node.kind}, id {node.id}). {note}".rstrip()
    return result(text, told, [(node.id, node.title)])


def dumped(told: Json) -> str:
    """JSON for a reader."""
    return json.dumps(told, ensure_ascii=False, indent=1)


def thing(memory: Memory, id: str) -> Json:
    """What bears the id, with its edges. Raises NotFound."""
    found = memory.find(id)
    if found is None:
        raise NotFound(f"nothing has the id {id!r}", hint="Ask for it by name.")
    match found:
        case NodeRow():
            return thing_json(found, memory.neighbours(found.node.id))
        case PieceRow():
            return thing_json(found, memory.neighbours(found.piece.id))
        case Document():
            return thing_json(found, [])
