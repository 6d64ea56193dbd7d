"""An import of what was imported before, to the byte, need not read it: it would find the same."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache
from hashlib import blake2b
from importlib import metadata
from pathlib import Path

from ascertain.formats.base import Problem
from ascertain.formats.catalogue import is_candidate
from ascertain.formats.walk import DECISION_FOLDERS, walk
from ascertain.write.origins import Arrival
from ascertain.write.report import ImportReport


def digest_of(arrival: Arrival, format: str, own: Path | None) -> str:
    """Of all that an import depends on save the store: the program, the format, and under the root the
    names of all files and the bytes of those that a format may read. Empty where one can't be told.

    own: the store, which may lie in the folder; it and the files beside it don't count.
    """
    root = arrival.root
    told = blake2b(digest_size=16)

    def tell(*words: str) -> None:
        told.update(json.dumps(words).encode())

    tell(_program(), format, str(root))
    mine = str(own.absolute()) if own else None
    for found in walk(root, is_candidate) if root.is_dir() else (root,):
        if isinstance(found, Path):
            bytes = arrival.digest(found)
            if not bytes:
                return ""
            tell(str(found), bytes)
        elif mine is None or not str(Path(found.file).absolute()).startswith(mine):
            tell(found.file, found.reason)
    tell(arrival.digest(root / DECISION_FOLDERS))
    return told.hexdigest()


def report_of(report: ImportReport, repeated: list[Problem]) -> str:
    """What an import that just ended would report of the same files again, as JSON.
    repeated: what it would say again."""
    counts = {"unchanged": report.nodes, "documents": report.documents, "pieces": report.pieces}
    return json.dumps({**counts, "problems": [asdict(one) for one in repeated]})


def report_from(text: str) -> ImportReport:
    """The report that report_of wrote down."""
    told = json.loads(text)
    return ImportReport(**{**told, "problems": [Problem(**one) for one in told["problems"]]})


@cache
def _program() -> str:
    """This version of the program, to the letter: a source that was edited reads otherwise."""
    digest = blake2b(metadata.version("ascertain").encode(), digest_size=16)
    for file in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()
