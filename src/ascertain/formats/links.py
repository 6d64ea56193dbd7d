"""Which note a link means: joined where exactly one bears the name, never guessed."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath
from urllib.parse import unquote

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)
_ADR = re.compile(r"(?:adr[-_ ]?)?0*(\d{1,5})", re.I)


def folded(name: str) -> str:
    """Names are equal without regard to case, blanks at the ends and composition."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


class Names:
    """What the notes of a folder are called."""

    def __init__(self) -> None:
        self._paths: dict[str, list[str]] = {}
        self._names: dict[str, list[str]] = {}
        self._numbers: dict[tuple[str, int], list[str]] = {}

    def add(self, id: str, path: PurePosixPath, names: Iterable[str]) -> None:
        """id: of the node that the note became."""
        bare = str(path.with_suffix(""))
        self._put(self._paths, folded(bare), id)
        for name in {path.stem, *names}:
            self._put(self._names, folded(name), id)
        if number := re.match(r"(?:adr[-_ ]?)?0*(\d{1,5})[-_ ]", path.name, re.I):
            self._numbers.setdefault((str(path.parent), int(number[1])), []).append(id)

    @staticmethod
    def _put(table: dict[str, list[str]], key: str, id: str) -> None:
        known = table.setdefault(key, [])
        if key and id not in known:
            known.append(id)

    def find(self, link: str, path: PurePosixPath) -> list[str] | None:
        """Ids that a link in the note at `path` may mean: one, several, or none; None where it
        points out of the folder (a URL) or to a place in its own note."""
        target = unquote(link.partition("|")[0]).partition("#")[0].partition("^")[0].strip()
        if not target or (_SCHEME.match(target) and target[1:2] != ":"):
            return None
        bare = re.sub(r"\.(?:md|markdown)$", "", target, flags=re.I).replace("\\", "/")
        beside = posixpath.normpath(posixpath.join(str(path.parent), bare))
        for key in (beside, bare.lstrip("/")):
            if found := self._paths.get(folded(key)):
                return found
        if found := self._names.get(folded(bare)):
            return found
        if "/" in bare:
            tail = [ids for known, ids in self._paths.items() if known.endswith("/" + folded(bare).lstrip("./"))]
            return [id for ids in tail for id in ids]
        if number := _ADR.fullmatch(bare):
            return self._numbers.get((str(path.parent), int(number[1])), [])
        return []
