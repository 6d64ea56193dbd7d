"""Exports of conversations from ChatGPT and Claude: a conversation is an Episode and a document.

The file is read as a stream, one conversation at a time, by ijson: such exports reach hundreds of
megabytes. Each turn is a piece. Times are taken where they are stated, and nowhere else.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any

import ijson

from ascertain.errors import ImportRefused
from ascertain.formats.base import Item, KnownAs, Problem
from ascertain.formats.json.values import epoch_or_text
from ascertain.formats.texts import clean, short, whole
from ascertain.model.documents import Document, Piece
from ascertain.model.nodes import Episode

INSIDE = "conversations.json"
"""What the file is called in an export's folder or archive."""

MOST_TITLE = 120
_DEEPEST = 40
_PEEKED = 256 * 1024
_MARKS = re.compile(rb'"(mapping|chat_messages)"\s*:')
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


class ChatsFormat:
    """`conversations.json` of ChatGPT or Claude, alone, in its folder, or in the archive that was sent."""

    name = "chats"
    suffixes = (".json", ".zip")

    def recognises(self, path: Path) -> bool:
        """See Format."""
        return path.is_file() and self.holds(path)

    def holds(self, file: Path) -> bool:
        """See DataFormat."""
        if file.suffix.lower() not in self.suffixes:
            return False
        try:
            with _opened(file, _members(file)[0]) as stream:
                start = stream.read(_PEEKED).removeprefix(b"\xef\xbb\xbf").lstrip()
        except (*_BROKEN, ImportRefused):
            return False
        return start[:1] in (b"[", b"{") and _MARKS.search(start) is not None

    def read(self, path: Path, known_as: KnownAs | None = None) -> Iterator[Item | Problem]:
        """See Format. A conversation without text is reported; what follows a place where the file is
        no JSON can't be read, and is reported as well.

        Raises ImportRefused where the file can't be opened."""
        inside = path / INSIDE
        return self.read_files([inside if inside.is_file() else path])

    def read_files(self, files: Iterable[Path]) -> Iterator[Item | Problem]:
        """See DataFormat. Two exports may hold one conversation: what was read first stands."""
        seen: set[str] = set()
        for file in files:
            number = 0
            for member in _members(file):
                with _opened(file, member) as stream:
                    for found in _conversations(stream, str(file)):
                        number += 1
                        if isinstance(found, Problem):
                            yield found
                        else:
                            yield from _conversation(found, number, str(file), seen)
            if not number:
                yield Problem(str(file), None, "holds no conversation")


_BROKEN = (OSError, zipfile.BadZipFile, zlib.error, EOFError)


def _members(file: Path) -> list[str | None]:
    """What an archive has of conversations; [None] for a file that is none. Raises ImportRefused."""
    if file.suffix.lower() != ".zip":
        return [None]
    try:
        with zipfile.ZipFile(file) as archive:
            names = [name for name in archive.namelist() if name.rsplit("/", 1)[-1] == INSIDE]
    except _BROKEN as error:
        raise ImportRefused(f"can't be read: {error}", where=str(file)) from error
    if not names:
        raise ImportRefused(f"the archive holds no {INSIDE}", where=str(file))
    return [*names]


@contextmanager
def _opened(file: Path, member: str | None) -> Iterator[IO[bytes]]:
    """Raises ImportRefused: not there, damaged, encrypted, or packed in a way that is not known."""
    with ExitStack() as stack:
        try:
            if member is None:
                stream: IO[bytes] = stack.enter_context(file.open("rb"))
            else:
                archive = stack.enter_context(zipfile.ZipFile(file))
                stream = stack.enter_context(archive.open(member))
        except (*_BROKEN, RuntimeError, NotImplementedError) as error:
            raise ImportRefused(f"can't be read: {error}", where=str(file)) from error
        yield stream


def _conversations(stream: IO[bytes], file: str) -> Iterator[Any]:
    """Each conversation of a list, or of the list under `conversations`; a lone one as well."""
    if stream.read(3) != b"\xef\xbb\xbf":
        stream.seek(0)
    start = stream.tell()
    while (first := stream.read(1)).isspace():
        pass
    stream.seek(start)
    try:
        if first == b"[":
            yield from ijson.items(stream, "item", use_float=True)
            return
        wrapped = False
        for one in ijson.items(stream, "conversations.item", use_float=True):
            wrapped = True
            yield one
        if not wrapped:
            stream.seek(start)
            yield from ijson.items(stream, "", use_float=True)
    except (ijson.JSONError, UnicodeError, ValueError, OverflowError, RecursionError, *_BROKEN) as error:
        told = " ".join(str(error).split())[:120]
        yield Problem(file, None, f"not JSON from here on, so what follows is not read: {told}")


def _conversation(found: Any, number: int, file: str, seen: set[str]) -> Iterator[Item | Problem]:
    where = f"conversation {number}"
    if not isinstance(found, dict):
        yield Problem(file, None, f"{where} is no object")
        return
    if isinstance(found.get("mapping"), dict):
        turns, empty = _chatgpt_turns(found["mapping"])
    elif isinstance(found.get("chat_messages"), list):
        turns, empty = _claude_turns(found["chat_messages"])
    else:
        yield Problem(file, None, f"{where} has neither `mapping` nor `chat_messages`")
        return
    title = _line(_text(found.get("title")) or _text(found.get("name")))
    if not turns:
        yield Problem(file, None, f"{where} («{title or 'untitled'}») holds no text")
        return
    id = _conversation_id(found, turns)
    if id in seen:
        yield Problem(file, None, f"{where} («{title or 'untitled'}») has the id of an earlier one: passed over")
        return
    seen.add(id)
    if empty:
        yield Problem(
            file, None, f"{where} («{title or 'untitled'}»): turns without text left out: {empty}", skipped=False
        )
    title = title or short(_line(turns[0].text), MOST_TITLE)
    document = f"chat:{id}"
    used: set[str] = set()
    pieces = []
    for at, turn in enumerate(turns, 1):
        key = turn.id if turn.id and turn.id not in used else str(at)
        used.add(key)
        pieces.append(Piece(id=f"{document}#{key}", text=f"{turn.who}: {turn.text}"))
    name = INSIDE if file.lower().endswith(".zip") else Path(file).name
    yield Item(Document(id=document, title=title, source=name, pieces=tuple(pieces)), file)
    started = epoch_or_text(found.get("create_time", found.get("created_at")))
    last = max((turn.at for turn in turns if turn.at is not None), default=None)
    ended = last if started is not None and last is not None and last >= started else None
    yield Item(Episode(id=f"episode:{id}", title=title, started_at=started, ended_at=ended, source=pieces[0].id), file)


class _Turn:
    __slots__ = ("at", "id", "text", "who")

    def __init__(self, id: str, who: str, text: str, at: datetime | None) -> None:
        self.id, self.who, self.text, self.at = id, who, text, at


def _chatgpt_turns(mapping: Mapping[str, Any]) -> tuple[list[_Turn], int]:
    """The messages in the order of the tree, all its branches, then what no root leads to."""
    turns, empty = [], 0
    for key in _tree_order(mapping):
        node = mapping[key]
        message = node.get("message") if isinstance(node, dict) else None
        if not isinstance(message, dict):
            continue
        author = message.get("author")
        who = _line(_text(author.get("role")) if isinstance(author, dict) else "") or "unknown"
        text = _content(message.get("content"))
        if text:
            turns.append(
                _Turn(_key(message.get("id")) or _key(key), who, text, epoch_or_text(message.get("create_time")))
            )
        elif who != "system":  # ChatGPT begins each with an empty one
            empty += 1
    return turns, empty


def _tree_order(mapping: Mapping[str, Any]) -> list[str]:
    children: dict[str, list[str]] = {}
    roots = []
    for key, node in mapping.items():
        parent = node.get("parent") if isinstance(node, dict) else None
        if isinstance(parent, str) and parent in mapping and parent != key:
            children.setdefault(parent, []).append(key)
        else:
            roots.append(key)
    for key, node in mapping.items():
        listed = node.get("children") if isinstance(node, dict) else None
        order = {one: at for at, one in enumerate(listed)} if isinstance(listed, list) and all(
            isinstance(one, str) for one in listed
        ) else {}  # fmt: skip
        if key in children:
            children[key].sort(key=lambda one: order.get(one, len(order)))
    met: dict[str, None] = {}
    waiting = list(reversed(roots))
    while waiting:
        key = waiting.pop()
        if key not in met:
            met[key] = None
            waiting += reversed(children.get(key, []))
    return [*met, *(key for key in mapping if key not in met)]


def _claude_turns(messages: list[Any]) -> tuple[list[_Turn], int]:
    turns, empty = [], 0
    for message in messages:
        if not isinstance(message, dict):
            empty += 1
            continue
        who = _line(_text(message.get("sender")) or _text(message.get("role"))) or "unknown"
        text = _content(message.get("text")) or _content(message.get("content"))
        attached = message.get("attachments")
        for one in attached if isinstance(attached, list) else []:
            if isinstance(one, dict) and (inside := _content(one.get("extracted_content"))):
                text = f"{text}\n\n{_line(_text(one.get('file_name'))) or 'attachment'}:\n{inside}".strip()
        if text:
            turns.append(_Turn(_key(message.get("uuid")), who, text, epoch_or_text(message.get("created_at"))))
        else:
            empty += 1
    return turns, empty


def _content(found: Any, depth: int = 0) -> str:
    """All text in a message's content, whichever of its many forms it has; none from beyond _DEEPEST."""
    if depth > _DEEPEST:
        return ""
    if isinstance(found, str):
        return _CONTROLS.sub("", whole(found)).strip()
    if isinstance(found, list):
        return "\n\n".join(filter(None, (_content(one, depth + 1) for one in found)))
    if isinstance(found, dict):
        for key in ("parts", "text", "result", "content", "thoughts", "summary", "input", "code"):
            if told := _content(found.get(key), depth + 1):
                return told
    return ""


def _conversation_id(found: Mapping[str, Any], turns: list[_Turn]) -> str:
    """Its own id; else one made of its title and its first turn, so that it is the same next time."""
    for key in ("id", "conversation_id", "uuid"):
        if told := _key(found.get(key)):
            return told
    said = f"{_text(found.get('title')) or _text(found.get('name'))}\n{turns[0].text}"
    return hashlib.sha256(said.encode(errors="replace")).hexdigest()[:24]


def _key(value: Any) -> str:
    return clean(value).strip()[:200] if isinstance(value, str) else ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _line(text: str) -> str:
    return " ".join(_CONTROLS.sub(" ", whole(text)).split())
