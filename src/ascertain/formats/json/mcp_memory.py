"""The memory files of MCP memory servers: entities, observations and relations, a JSON object a line.

Every server writes them a little differently: with `type`, `_type` or neither; the verb of a relation
as `relationType` or `relation`; observations as texts or as objects with a time; or notes of a topic
and a sentence. An entity becomes a Concept, each of its observations a Record about it, each relation
a Record about both of its ends.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ascertain.errors import AscertainError, InvalidInput
from ascertain.formats.base import Item, KnownAs, Problem
from ascertain.formats.json.values import MOST_BYTES, epoch_or_text, mended, object_of
from ascertain.formats.texts import clean, lines_of, read_text, short
from ascertain.model.nodes import Concept, Node, Record

_INTERCHANGE = {"concept", "record", "decision", "episode", "document"}
_PEEKED = 40
"""Lines that are looked at to tell what a file is."""

_LISTS = {"entities": "entity", "relations": "relation", "observations": "observed"}
"""What the lists of a whole file hold."""

_ENTITY = {"name", "entityType", "observations", "type", "_type", "_savedAt", "createdAt", "updatedAt"}
_RELATION = {"from", "to", "relationType", "relation", "type", "_type", "_savedAt", "createdAt", "updatedAt"}


class McpMemoryFormat:
    """A memory file of an MCP memory server."""

    name = "mcp-memory"
    suffixes = (".jsonl", ".ndjson", ".json")

    def recognises(self, path: Path) -> bool:
        """See Format."""
        return path.is_file() and self.holds(path)

    def read(self, path: Path, known_as: KnownAs | None = None) -> Iterator[Item | Problem]:
        """See Format. Entities of one name, over all files, are one Concept with the observations of
        all; a relation to a name that is declared nowhere makes no edge to it.

        Raises ImportRefused where a file can't be opened."""
        return self.read_files([path])

    def holds(self, file: Path) -> bool:
        """See DataFormat."""
        return file.suffix.lower() in self.suffixes and _is_memory(file)

    def read_files(self, files: Iterable[Path]) -> Iterator[Item | Problem]:
        """See DataFormat."""
        found = _Found()
        for file in files:
            yield from found.read(file)
        yield from found.items()


def _is_memory(file: Path) -> bool:
    try:
        if _whole(file) is not None:
            return True
        for number, line in enumerate(lines_of(file, most_bytes=MOST_BYTES)):
            if number >= _PEEKED:
                break
            try:
                if _sort_of(object_of(line)) is not None:
                    return True
            except InvalidInput:
                continue
    except AscertainError:
        return False
    return False


def _whole(file: Path) -> list[tuple[str | None, Any]] | None:
    """What is in a file that is one object with a list of entities, or a list of entities and relations,
    each with its sort; None for a file of lines."""
    try:
        stream = file.open("rb")
    except OSError:
        return None
    with stream:
        start = stream.read(200).removeprefix(b"\xef\xbb\xbf").lstrip()
    first = start.split(b"\n", 1)[0].strip()
    if first != b"{" and file.suffix.lower() != ".json":
        return None
    try:
        found = mended(json.loads(read_text(file)))
    except (ValueError, RecursionError):
        return None
    if isinstance(found, list):
        told = [(_sort_of(one) if isinstance(one, dict) else None, one) for one in found]
        return told if any(sort for sort, _ in told) else None
    if not isinstance(found, dict) or not isinstance(found.get("entities"), list):
        return None
    whole: list[tuple[str | None, Any]] = [(_LISTS[key], one) for key in _LISTS for one in _listed(found.get(key))]
    return whole + [("unread", key) for key, it in found.items() if it and (key not in _LISTS or not _listed(it))]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _sort_of(found: Mapping[str, Any]) -> str | None:
    """entity, relation, note or marker; None for what is none of these."""
    told = found.get("_type", found.get("type"))
    if told == "_aim":
        return "marker"
    if told == "relation" or ({"from", "to"} <= set(found)):
        return "relation"
    if told == "entity" or ("name" in found and ("entityType" in found or "observations" in found)):
        return "entity"
    if isinstance(told, str) and told not in _INTERCHANGE and set(found) == {"type", "content"}:
        return "note"
    return None


@dataclass
class _Entity:
    name: str
    file: str
    line: int | None
    spellings: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    recorded_at: datetime | None = None


@dataclass
class _Found:
    """What was read so far; an entity is whole when all lines are read. entities: by their names without
    case and width, so that one name in two spellings is one."""

    entities: dict[str, _Entity] = field(default_factory=dict)
    facts: dict[str, Item] = field(default_factory=dict)

    def read(self, file: Path) -> Iterator[Problem]:
        name = str(file)
        if (whole := _whole(file)) is not None:
            for sort, found in whole:
                yield from self._take(found, sort, name, None)
            return
        empty = True
        for number, line in enumerate(lines_of(file, most_bytes=MOST_BYTES), 1):
            if not line.strip():
                continue
            empty = False
            try:
                found = object_of(line)
            except InvalidInput as error:
                yield Problem(name, number, error.problem)
                continue
            yield from self._take(found, _sort_of(found), name, number)
        if empty:
            yield Problem(name, None, "the file is empty")

    def items(self) -> Iterator[Item]:
        for one in self.entities.values():
            body = "\n".join(dict.fromkeys((*one.kinds, *one.extra)))
            node = Concept(
                id=_entity_id(one.name),
                title=one.name,
                aliases=tuple(one.spellings),
                body=body,
                source=Path(one.file).name,
                recorded_at=one.recorded_at,
            )
            yield Item(node, one.file, one.line)
        for item in self.facts.values():
            if isinstance(item.value, Record):
                about = tuple(dict.fromkeys(self._id_of(name) for name in item.value.about))
                yield replace(item, value=replace(item.value, about=about))

    def _id_of(self, name: str) -> str:
        known = self.entities.get(_folded(name))
        return _entity_id(known.name if known else name)

    def _take(self, found: Any, sort: str | None, file: str, line: int | None) -> Iterator[Problem]:
        if sort == "unread":
            yield Problem(file, line, f"`{found}` is not read")
        elif not isinstance(found, dict):
            yield Problem(file, line, f"no object but {type(found).__name__}")
        elif sort == "entity":
            yield from self._entity(found, file, line)
        elif sort == "relation":
            yield from self._relation(found, file, line)
        elif sort == "note":
            yield from self._note(found, file, line)
        elif sort == "observed":
            yield from self._observed(found, file, line)
        elif sort == "marker":
            yield Problem(file, line, "a marker of the server that wrote the file", skipped=False)
        else:
            yield Problem(file, line, "neither an entity, a relation nor a note")

    def _entity(self, found: Mapping[str, Any], file: str, line: int | None) -> Iterator[Problem]:
        name = _name(found.get("name"))
        if not name:
            yield Problem(file, line, "an entity without a name")
            return
        known = _folded(name) in self.entities
        entity = self.entities.setdefault(_folded(name), _Entity(name, file, line))
        if known:
            spelt = "" if entity.name == name else f", spelt {entity.name!r}"
            yield Problem(file, line, f"{name!r} was declared before{spelt}: joined with it", skipped=False)
            if name not in (entity.name, *entity.spellings):
                entity.spellings.append(name)
        kind = found.get("entityType")
        if isinstance(kind, str) and kind.strip():
            entity.kinds.append(kind.strip())
        else:
            yield Problem(file, line, "an entity without a type: taken without", skipped=False)
        entity.extra += _extra(found, _ENTITY)
        entity.recorded_at = entity.recorded_at or epoch_or_text(found.get("createdAt"))
        listed = found.get("observations")
        if isinstance(listed, str):
            yield Problem(file, line, "`observations` is a text and no list: taken as one", skipped=False)
            listed = [listed]
        if not isinstance(listed, list):
            told = "has no observations" if listed is None else "`observations` is no list: passed over"
            yield Problem(file, line, told, skipped=listed is not None)
            listed = []
        for number, one in enumerate(listed, 1):
            yield from self._observation(name, one, file, line, f"observation {number}")

    def _observation(self, name: str, one: Any, file: str, line: int | None, what: str) -> Iterator[Problem]:
        text, at, more = _observation(one)
        if text:
            yield from self._fact(f"{name}: {text}", (name,), at, None, file, line, what, more=more)
        else:
            yield Problem(file, line, f"{what} holds no text")

    def _observed(self, found: Mapping[str, Any], file: str, line: int | None) -> Iterator[Problem]:
        """Observations apart from their entity, as tools take and give them back."""
        name = _name(found.get("entityName"))
        listed = found.get("contents", found.get("addedObservations", found.get("observations")))
        if not name or not isinstance(listed, list):
            yield Problem(file, line, "observations without the name of an entity, or without contents")
            return
        for number, one in enumerate(listed, 1):
            yield from self._observation(name, one, file, line, f"observation {number}")

    def _relation(self, found: Mapping[str, Any], file: str, line: int | None) -> Iterator[Problem]:
        ends = [_name(found.get(end)) for end in ("from", "to")]
        if not all(ends):
            yield Problem(file, line, "a relation without " + ("a start" if not ends[0] else "an end"))
            return
        verb = found.get("relationType", found.get("relation"))
        if not isinstance(verb, str) or not verb.strip():
            yield Problem(file, line, "a relation without a type: taken as «relates to»", skipped=False)
            verb = "relates to"
        text = " ".join((ends[0], verb.strip().replace("_", " "), ends[1], *_extra(found, _RELATION)))
        at = epoch_or_text(found.get("createdAt"))
        yield from self._fact(text, tuple(dict.fromkeys(ends)), None, at, file, line, "the relation")

    def _note(self, found: Mapping[str, Any], file: str, line: int | None) -> Iterator[Problem]:
        content, topic = found["content"], str(found["type"]).replace("_", " ").strip()
        if not isinstance(content, str) or not content.strip():
            yield Problem(file, line, "a note without content")
            return
        yield from self._fact(f"{topic}: {content.strip()}", (), None, None, file, line, "the note")

    def _fact(
        self,
        text: str,
        about: tuple[str, ...],
        observed_at: datetime | None,
        recorded_at: datetime | None,
        file: str,
        line: int | None,
        what: str,
        *,
        more: Sequence[str] = (),
    ) -> Iterator[Problem]:
        id = "fact:" + hashlib.sha256(f"{about}\n{text}".encode(errors="replace")).hexdigest()[:24]
        if id in self.facts:
            yield Problem(file, line, f"{what} was said before: taken once", skipped=False)
            return
        title = short(text)
        node: Node = Record(
            id=id,
            title=title,
            body="\n".join((*((text,) if title != text else ()), *more)),
            about=about,  # names, until all entities are read
            observed_at=observed_at,
            recorded_at=recorded_at,
            source=Path(file).name,
        )
        self.facts[id] = Item(node, file, line)


def _name(value: object) -> str:
    """A name composed and without blanks at its ends, so that one written in two ways is one."""
    return " ".join(unicodedata.normalize("NFC", value).split()) if isinstance(value, str) else ""


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _entity_id(name: str) -> str:
    return f"entity:{clean(name)}"


def _observation(value: object) -> tuple[str, datetime | None, list[str]]:
    """What it says, when that was observed, and what else stands there."""
    if isinstance(value, str):
        return value.strip(), None, []
    if isinstance(value, dict):
        key = next((key for key in ("text", "content", "observation") if isinstance(value.get(key), str)), "text")
        text = value.get(key)
        more = _extra(value, {key, "timestamp"})
        return (text.strip() if isinstance(text, str) else ""), epoch_or_text(value.get("timestamp")), more
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value), None, []
    return "", None, []


def _extra(found: Mapping[str, Any], known: set[str]) -> list[str]:
    """What else an object says, a line each: nothing that came in is lost."""
    return [
        f"{key}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for key, value in found.items()
        if key not in known and value not in (None, "", [], {})
    ]
