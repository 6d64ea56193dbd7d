"""Exports of conversations: what ChatGPT and Claude write, and what can be wrong with it."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ascertain import Document, Episode, Memory
from ascertain.formats.base import Item, Problem
from ascertain.formats.catalogue import detect
from ascertain.formats.json.chats import ChatsFormat


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.temporary() as memory:
        yield memory


def message(id: str, role: str, *parts: object, at: float | None = None) -> dict[str, Any]:
    told = {"id": id, "author": {"role": role}, "content": {"content_type": "text", "parts": list(parts)}}
    return told if at is None else told | {"create_time": at}


def node(id: str, parent: str | None, children: list[str], told: object) -> dict[str, Any]:
    return {"id": id, "parent": parent, "children": children, "message": told}


CHATGPT = {
    "id": "c-1", "title": "Heron nests", "create_time": 1700000000.5, "update_time": 1800000000,
    "mapping": {
        "root": node("root", None, ["sys"], None),
        "second": node("second", "first", [], message("m-3", "user", "Where?", at=1700000300)),
        "other": node("other", "sys", [], message("m-4", "user", "When do herons return?", at=1700000400)),
        "sys": node("sys", "root", ["first", "other"], message("m-1", "system", "")),
        "first": node("first", "sys", ["second"], message("m-2", "user", "Where do herons nest?", at=1700000100)),
    },
}  # fmt: skip
CLAUDE = {
    "uuid": "u-1", "name": "Weir repairs", "created_at": "2024-01-02T10:00:00Z", "chat_messages": [
        {"uuid": "a", "sender": "human", "text": "When is the weir repaired?", "created_at": "2024-01-02T10:00:00Z"},
        {"uuid": "b", "sender": "assistant", "text": "", "content": [{"type": "text", "text": "In spring."}],
         "attachments": [{"file_name": "plan.txt", "extracted_content": "Repairs begin in April."}]},
    ],
}  # fmt: skip


def written(folder: Path, found: object, name: str = "conversations.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
    return path


def values(path: Path) -> tuple[list[Document], list[Episode], list[Problem]]:
    found = list(ChatsFormat().read(path))
    told = [one.value for one in found if isinstance(one, Item)]
    return (
        [one for one in told if isinstance(one, Document)],
        [one for one in told if isinstance(one, Episode)],
        [one for one in found if isinstance(one, Problem)],
    )


def test_a_conversation_is_an_episode_and_a_document_of_its_turns(memory: Memory, tmp_path: Path) -> None:
    path = written(tmp_path, [CHATGPT, CLAUDE])
    assert detect(path).name == "chats"
    report = memory.import_path(path)
    assert (report.added, report.documents, report.problems) == (2, 2, [])
    episode = memory.node("episode:c-1").node
    assert isinstance(episode, Episode)
    assert (episode.title, episode.source) == ("Heron nests", "chat:c-1#m-2")
    assert str(episode.started_at) == "2023-11-14 22:13:20.500000+00:00"
    assert [one.text for one in memory.document("chat:c-1").pieces] == [
        "user: Where do herons nest?", "user: Where?", "user: When do herons return?",
    ]  # fmt: skip
    assert "Repairs begin in April." in memory.document("chat:u-1").pieces[1].text
    assert memory.ask("Weir repairs").node == "episode:u-1"
    again = memory.import_path(path)
    assert (again.added, again.changed) == (0, 0)


def test_times_that_are_not_stated_stay_unstated(tmp_path: Path) -> None:
    told = {key: value for key, value in CHATGPT.items() if not key.endswith("_time")}
    (episode,) = values(written(tmp_path, [told]))[1]
    assert (episode.started_at, episode.ended_at) == (None, None)
    half = {**CLAUDE, "created_at": None}
    (episode,) = values(written(tmp_path, [half]))[1]
    assert (episode.started_at, episode.ended_at) == (None, None)


@pytest.mark.parametrize("wrapped", [{"conversations": [CLAUDE]}, CLAUDE, [CLAUDE]])
def test_a_list_an_object_around_it_and_one_alone_are_read(tmp_path: Path, wrapped: object) -> None:
    path = written(tmp_path, wrapped, "export.json")
    assert detect(path).name == "chats"
    assert [one.id for one in values(path)[0]] == ["chat:u-1"]


def test_the_folder_and_the_archive_of_an_export_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    written(folder, [CHATGPT])
    (folder / "user.json").write_text("{}")
    assert detect(folder).name == "folder"
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.write(folder / "conversations.json", "data/conversations.json")
    assert detect(archive).name == "chats"
    assert values(folder)[0] == values(archive)[0]


def test_a_moved_export_makes_no_twins(memory: Memory, tmp_path: Path) -> None:
    memory.import_path(written(tmp_path, [CHATGPT, CLAUDE]))
    (tmp_path / "new").mkdir()
    report = memory.import_path(written(tmp_path / "new", [CHATGPT, CLAUDE]))
    assert (report.added, report.changed) == (0, 0)


def test_what_can_t_be_taken_is_named_and_the_rest_comes_in(tmp_path: Path) -> None:
    empty = {"id": "e", "title": "Nothing", "mapping": {"a": node("a", None, [], message("m", "user", ""))}}
    unnamed = {"mapping": {"a": node("a", None, [], message("m", "user", "An unnamed talk"))}}
    image = {**CHATGPT, "id": "i", "mapping": {
        "a": node("a", "a", ["a", 3], message("m", "user", {"asset_pointer": "file"}, "look")),  # type: ignore[list-item]
        "b": node("b", "a", [], message("m", "tool", {"asset_pointer": "file"})),
    }}  # fmt: skip
    path = written(tmp_path, [CHATGPT, 7, {"title": "no turns"}, empty, CHATGPT, unnamed, image])
    documents, episodes, problems = values(path)
    assert [one.title for one in documents] == ["Heron nests", "An unnamed talk", "Heron nests"]
    assert len(documents) == len(episodes)
    assert [one.skipped for one in problems] == [True, True, True, True, False]
    assert "2 is no object" in problems[0].reason
    assert "turns without text left out: 1" in problems[-1].reason


def test_a_file_that_is_cut_off_gives_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([CHATGPT, CLAUDE])[:-40])
    documents, _, problems = values(path)
    assert [one.id for one in documents] == ["chat:c-1"]
    assert "not JSON from here on" in problems[-1].reason


def test_a_byte_order_mark_and_odd_letters_are_read(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    told = {**CLAUDE, "name": "무넘이 \x1b[31m 수리\n"}
    path.write_bytes(b"\xef\xbb\xbf  " + json.dumps([told]).encode())
    assert values(path)[0][0].title == "무넘이 [31m 수리"


_json = some.recursive(
    some.none()
    | some.booleans()
    | some.integers(-(2**60), 2**60)
    | some.floats(allow_nan=False, allow_infinity=False)
    | some.text(max_size=6),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
_messages = some.dictionaries(
    some.sampled_from(
        ["id", "uuid", "author", "sender", "text", "content", "create_time", "created_at", "attachments"]
    ),
    _json, max_size=6,
)  # fmt: skip
_chats = some.fixed_dictionaries(
    {},
    optional={
        "id": _json, "title": _json, "create_time": _json,
        "mapping": some.dictionaries(some.sampled_from("abc"), some.fixed_dictionaries(
            {"message": _messages | _json, "parent": some.sampled_from(["a", "b", None])}) | _json, max_size=3),
        "chat_messages": some.lists(_messages | _json, max_size=3),
    },
)  # fmt: skip


@given(some.lists(_chats | _json, max_size=4))
def test_every_conversation_is_taken_or_named(tmp_path_factory: pytest.TempPathFactory, chats: list[Any]) -> None:
    documents, episodes, problems = values(written(tmp_path_factory.mktemp("chats"), chats))
    assert len(documents) == len(episodes)
    assert len(documents) + sum(one.skipped for one in problems) == max(len(chats), 1)
    assert len({one.id for one in documents}) == len(documents)
    for one in documents:
        assert len({piece.id for piece in one.pieces}) == len(one.pieces)
