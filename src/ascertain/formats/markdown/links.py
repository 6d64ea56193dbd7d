"""Which note a link means: joined where exactly one bears the name, never guessed."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from urllib.parse import unquote

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.I)
_ADR = re.compile(r"(?:adr[-_ #]*)?0*(\d{1,5})", re.I)
_NUMBERED = re.compile(r"(?:adr[-_ ]?)?0*(\d{1,5})[-_ ]", re.I)
_NOTE = re.compile(r"\.(?:md|markdown|org)$", re.I)
_OTHER_FILE = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|bmp|avif|pdf|canvas|base|excalidraw|mp3|mp4|wav|webm|mov|m4a|ogg|flac|zip|csv|tsv"
    r"|json|jsonl|txt|html?|docx?|xlsx?|pptx?|epub)$",
    re.I,
)


def folded(name: str) -> str:
    """Names are equal without regard to case, blanks at the ends and composition."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


class Names:
    """What the notes of a folder are called. An id may stand for a node or for a document."""

    def __init__(self, *, label_first: bool = False) -> None:
        """label_first: a link shows what stands before its bar, as Dendron writes it."""
        self._label_first = label_first
        self._inner: dict[str, list[str]] = {}
        self._ids: set[str] = set()
        self._paths: dict[str, list[str]] = {}
        self._tails: dict[str, list[str]] = {}
        self._names: dict[str, list[str]] = {}
        self._numbers: dict[tuple[str, int], list[str]] = {}

    def add(self, id: str, names: Iterable[str], path: PurePosixPath | None = None) -> None:
        """path: of the note whose node (or, where it has none, whose document) this is; None for what
        stands inside a note, which a link means only where no note bears the name."""
        self._ids.add(id)
        for name in names:
            _put(self._inner if path is None else self._names, folded(name), id)
        if path is None:
            return
        bare = path.with_suffix("")
        _put(self._names, folded(bare.name), id)
        _put(self._paths, folded(str(bare)), id)
        for start in range(1, len(bare.parts)):
            _put(self._tails, folded("/".join(bare.parts[start:])), id)
        if number := _NUMBERED.match(path.name):
            self._numbers.setdefault((str(path.parent), int(number[1])), []).append(id)

    def find(self, link: str, path: PurePosixPath) -> list[str] | None:
        """Ids that a link in the note at `path` may mean: one, several, or none; None where it
        points out of the folder (a URL) or to a place in its own note."""
        first, bar, second = (part.strip() for part in link.partition("|"))
        whole = second if bar and self._label_first else first
        if whole in self._ids:
            return [whole]
        if not whole or whole.startswith(("#", "^")) or (_SCHEME.match(whole) and not self._bearing(whole)):
            return None
        if found := self._named(whole, path):
            return found
        cut = unquote(whole).partition("#")[0].partition("^")[0].strip()
        return self._named(cut, path) if cut else None

    def _named(self, target: str, path: PurePosixPath) -> list[str]:
        bare = _NOTE.sub("", target).replace("\\", "/")
        if bare != target or "/" in bare:
            # A path: beside the note, then from the folder's top, then its end.
            beside = posixpath.normpath(posixpath.join(str(path.parent), bare))
            for key in (beside, posixpath.normpath(bare.lstrip("/"))):
                if found := self._paths.get(folded(key)):
                    return found
            tail = folded(re.sub(r"^(?:\.{0,2}/)+", "", bare))
            if "/" in bare:
                return self._tails.get(tail) or self._bearing(bare)
        return self._bearing(bare)

    def _bearing(self, name: str) -> list[str]:
        return self._names.get(folded(name)) or self._inner.get(folded(name)) or []

    def find_decision(self, target: str, path: PurePosixPath) -> list[str] | None:
        """As `find`, and a number alone (`ADR-12`, `0012`) means the file beside that bears it."""
        found = self.find(target, path)
        if not found and (number := _ADR.fullmatch(target.strip())):
            return self._numbers.get((str(path.parent), int(number[1])), [])
        return found


def _put(table: dict[str, list[str]], key: str, id: str) -> None:
    known = table.setdefault(key, [])
    if key and id not in known:
        known.append(id)


def names_a_note(target: str, *, wiki: bool) -> bool:
    """Would somebody miss a note behind this link? A picture, another file or a page of a site is none."""
    bare = unquote(target.partition("|")[0]).partition("#")[0].strip()
    return not _OTHER_FILE.search(bare) if wiki else bool(_NOTE.search(bare))


def unjoined(link: str, ids: Sequence[str]) -> str:
    """What is said of a link that is not joined."""
    if len(ids) > 1:
        return f"ambiguous link [[{link}]]: {', '.join(ids[:4])}" + (", …" if len(ids) > 4 else "")
    return f"link to nothing [[{link}]]"
