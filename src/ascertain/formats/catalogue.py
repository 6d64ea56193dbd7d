"""Which format is this path?"""

from __future__ import annotations

from pathlib import Path

from ascertain.errors import ImportRefused, NotFound
from ascertain.formats.base import Format
from ascertain.formats.folder import FolderFormat
from ascertain.formats.json.chats import ChatsFormat
from ascertain.formats.json.jsonl import JsonlFormat
from ascertain.formats.json.mcp_memory import McpMemoryFormat
from ascertain.formats.markdown.adr import AdrFormat
from ascertain.formats.markdown.vault import VaultFormat, is_note

_DATA = (ChatsFormat(), McpMemoryFormat(), JsonlFormat())

FORMATS: tuple[Format, ...] = (*_DATA, AdrFormat(), FolderFormat(_DATA), VaultFormat())
"""In the order in which they are asked."""


def is_candidate(file: Path) -> bool:
    """May a format read this file, by its name?"""
    return is_note(file) or any(file.suffix.lower() in one.suffixes for one in _DATA)


def detect(path: Path) -> Format:
    """The format of a path. Raises NotFound where there is nothing, ImportRefused where it is of no
    known format."""
    if not path.exists():
        raise NotFound("there is no such file or folder", where=str(path), hint="Check the path.")
    if not path.is_file() and not path.is_dir():
        raise ImportRefused("is neither a file nor a folder", where=str(path), hint="Write it into a file first.")
    for one in FORMATS:
        if one.recognises(path):
            return one
    known = ", ".join(one.name for one in FORMATS)
    raise ImportRefused(
        "is of no known format",
        where=str(path),
        hint=f"Known are {known}: JSON Lines, an export of conversations, Markdown, or a folder of these.",
    )


def by_name(name: str) -> Format:
    """Raises NotFound for a name that no format has."""
    for one in FORMATS:
        if one.name == name:
            return one
    raise NotFound(f"no format named {name!r}", hint=f"Known: {', '.join(one.name for one in FORMATS)}")
