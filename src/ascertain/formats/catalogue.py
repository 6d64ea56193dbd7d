"""Which format is this path? (placeholder until the full readers land)"""

from __future__ import annotations

from pathlib import Path

from ascertain.errors import ImportRefused, NotFound
from ascertain.formats.base import Format
from ascertain.formats.jsonl import JsonlFormat

FORMATS: tuple[Format, ...] = (JsonlFormat(),)


def detect(path: Path) -> Format:
    if not path.exists():
        raise NotFound("there is no such file or folder", where=str(path), hint="Check the path.")
    for one in FORMATS:
        if one.recognises(path):
            return one
    raise ImportRefused("nothing here is of a known format", where=str(path))


def by_name(name: str) -> Format:
    for one in FORMATS:
        if one.name == name:
            return one
    raise NotFound(f"no format named {name!r}")
