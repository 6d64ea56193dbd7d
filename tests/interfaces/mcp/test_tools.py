"""The tools, in this process: what an agent can do, and what the person at its client is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.server.mcpserver import MCPServer

from ascertain import Concept, Decision, Document, Memory, Piece, Record
from ascertain.interfaces.mcp.asking import NONE_OF_THESE
from ascertain.interfaces.mcp.opened import Opened
from ascertain.interfaces.mcp.server import build
from interfaces.mcp.served import ERAS, Answering, call, client, failing, listed, picking, words

CACHE, QUEUE = "d-cache", "d-queue"
UNSURE = "Use SQLite"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "notes.db"
    with Memory.open(path) as memory:
        memory.add(
            Concept(id="heron", title="Grey heron", body="A bird of the weir."),
            Decision(id=CACHE, title="Use SQLite for the cache", body="We cache in SQLite."),
            Decision(id=QUEUE, title="Use SQLite for the queue", body="The queue lives in SQLite."),
            Document(id="doc", title="Notes", pieces=(Piece(id="doc#1", text="Herons nest by the weir."),)),
        )
    return path


@pytest.fixture
def opened(store: Path) -> Iterator[Opened]:
    with closing(Opened(lambda create: Memory.open(store, create=create))) as opened:
        yield opened


@pytest.fixture
def server(opened: Opened) -> MCPServer:
    return build(opened)


def ask_with(server: MCPServer, era: str, answering: Answering | None, question: str = UNSURE) -> dict[str, Any]:
    async def run() -> dict[str, Any]:
        async with client(server, era=era, answering=answering) as agent:
            return await call(agent, "ask", question=question)

    return anyio.run(run)


def test_tools_have_schemas_and_say_what_they_change(server: MCPServer) -> None:
    async def run() -> None:
        async with client(server) as agent:
            tools = {one.name: one for one in (await agent.list_tools()).tools}
            assert list(tools) == [
                "ask", "search", "remember", "link", "retire", "supersede", "history", "show", "pick",
            ]  # fmt: skip
            assert all(one.output_schema and one.description for one in tools.values())
            reads = {name for name, one in tools.items() if one.annotations and one.annotations.read_only_hint}
            assert reads == {"search", "history", "show"}
            assert set(tools["ask"].input_schema["properties"]) == {
                "question", "valid_at", "as_of", "include_retired", "budget",
            }  # fmt: skip
            assert agent.instructions is not None
            assert "Never pick one yourself" in agent.instructions
            assert {one.name for one in (await agent.list_prompts()).prompts} == {
                "what_do_we_know", "keep_a_decision", "keep_what_happened",
            }  # fmt: skip
            told = await agent.get_prompt("what_do_we_know", {"question": "Where is the cache?"})
            assert "Where is the cache?" in str(told.messages[0].content)

    anyio.run(run)


@pytest.mark.parametrize("era", ERAS)
def test_a_resolved_answer_carries_its_material_and_a_link_that_can_be_read(server: MCPServer, era: str) -> None:
    async def run() -> None:
        async with client(server, era=era) as agent:
            result = await agent.call_tool("ask", {"question": "Use SQLite for the cache", "budget": 300})
            assert isinstance(result, types.CallToolResult)
            told = result.structured_content
            assert told is not None
            assert (told["state"], told["node"], told["choice_id"]) == ("resolved", CACHE, None)
            assert told["material"]["tokens"] <= 300
            assert "We cache in SQLite." in words(result)
            links = [one for one in result.content if isinstance(one, types.ResourceLink)]
            assert [one.name for one in links] == [CACHE]
            read = (await agent.read_resource(str(links[0].uri))).contents[0]
            assert isinstance(read, types.TextResourceContents)
            assert '"We cache in SQLite."' in read.text

    anyio.run(run)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(("number", "state"), [(0, "resolved"), (1, "resolved"), (-1, "none")])
def test_the_person_at_the_client_picks(server: MCPServer, opened: Opened, era: str, number: int, state: str) -> None:
    shown: list[types.ElicitRequestFormParams] = []

    def answering(params: types.ElicitRequestFormParams) -> types.ElicitResult:
        shown.append(params)
        return picking(number)(params)

    told = ask_with(server, era, answering)
    assert len(shown) == 1
    assert listed(shown[0])[-1] == NONE_OF_THESE
    assert "We cache in SQLite." in shown[0].message
    assert (told["state"], told["picked_by_user"], told["choice_id"]) == (state, True, None)
    logged = opened.memory().choices()[-1]
    assert (logged.picked, logged.question) == (told["node"], UNSURE)
    assert set(logged.offered) == {CACHE, QUEUE}
    assert logged.picked_by.startswith("user of ")
    assert (told["material"] is None) == (number == -1)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "answering",
    [
        None,
        lambda _: types.ElicitResult(action="decline"),
        lambda _: types.ElicitResult(action="cancel"),
        lambda _: types.ElicitResult(action="accept", content={"pick": "d-cache"}),
        lambda _: types.ElicitResult(action="accept", content={"pick": "9. Something else"}),
    ],
    ids=["can't ask", "decline", "cancel", "an id, not on the list", "not on the list"],
)
def test_without_a_pick_the_list_comes_back_and_nothing_changes(
    server: MCPServer, opened: Opened, era: str, answering: Answering | None
) -> None:
    told = ask_with(server, era, answering)
    assert (told["state"], told["node"], told["picked_by_user"]) == ("choose", None, False)
    assert [one["id"] for one in told["candidates"]] in ([CACHE, QUEUE], [QUEUE, CACHE])
    assert told["choice_id"]
    assert opened.memory().choices() == []


@pytest.mark.parametrize("era", ERAS)
def test_an_answer_of_another_shape_is_an_error_result(server: MCPServer, opened: Opened, era: str) -> None:
    async def run() -> str:
        wrong = types.ElicitResult(action="accept", content={"choice": "1"})
        async with client(server, era=era, answering=lambda _: wrong) as agent:
            return await failing(agent, "ask", question=UNSURE)

    assert anyio.run(run)
    assert opened.memory().choices() == []


@pytest.mark.parametrize("era", ERAS)
def test_what_changed_while_somebody_chose_is_not_picked(server: MCPServer, opened: Opened, era: str) -> None:
    rounds = []

    def answering(params: types.ElicitRequestFormParams) -> types.ElicitResult:
        rounds.append(listed(params))
        if len(rounds) == 1:
            opened.memory().correct(Decision(id=CACHE, title="Use SQLite for the session cache"))
        return types.ElicitResult(action="accept", content={"pick": next(one for one in rounds[0] if "cache" in one)})

    told = ask_with(server, era, answering)
    assert told["picked_by_user"] is False
    assert opened.memory().choices() == []


def test_a_choice_is_picked_later_once_and_from_its_list(server: MCPServer, opened: Opened) -> None:
    async def run() -> None:
        async with client(server) as agent:
            id = (await call(agent, "ask", question=UNSURE))["choice_id"]
            assert "not on the list" in await failing(agent, "pick", choice_id=id, node="heron")
            assert "no such choice" in await failing(agent, "pick", choice_id="guessed", node=CACHE)
            assert opened.memory().choices() == []
            assert (await call(agent, "pick", choice_id=id, node=QUEUE))["picked"] == QUEUE
            assert "no such choice" in await failing(agent, "pick", choice_id=id, node=CACHE)
            assert [one.picked for one in opened.memory().choices()] == [QUEUE]

            none = (await call(agent, "ask", question=UNSURE))["choice_id"]
            assert (await call(agent, "pick", choice_id=none))["picked"] is None

            late = (await call(agent, "ask", question=UNSURE))["choice_id"]
            opened.memory().retire(CACHE)
            assert "changed" in await failing(agent, "pick", choice_id=late, node=CACHE)
            assert len(opened.memory().choices()) == 2

    anyio.run(run)


def test_remember_refuses_twins_and_returns_the_one_it_found(server: MCPServer, opened: Opened) -> None:
    async def run() -> None:
        async with client(server) as agent:
            new = await call(
                agent, "remember", kind="concept", title="Backpressure", text="Slowing down.", aliases=["背圧"]
            )
            assert new["added"] is True
            before = opened.memory().status().counts
            for title in ("backpressure", "BACK-PRESSURE".replace("-", ""), "背圧"):
                twin = await call(agent, "remember", kind="concept", title=title, text="Another text.")
                assert (twin["added"], twin["id"]) == (False, new["id"])
            assert opened.memory().status().counts == before
            assert opened.memory().node(new["id"]).node.text == "Slowing down."

            first = await call(agent, "remember", kind="record", title="p50 of ask", text="24 ms", at="2026-01-01")
            second = await call(agent, "remember", kind="record", title="p50 of ask", text="19 ms", at="2026-02-01")
            assert first["id"] != second["id"]
            assert second["added"] is True

            newer = await call(
                agent, "remember", kind="decision", title="Use SQLite for the cache", text="In memory now.",
                supersedes=[CACHE],
            )  # fmt: skip
            assert newer["added"] is True
            assert opened.memory().node(CACHE).superseded_by == newer["id"]

    anyio.run(run)


def test_what_is_written_can_be_linked_withdrawn_superseded_and_read(server: MCPServer, opened: Opened) -> None:
    async def run() -> None:
        async with client(server) as agent:
            linked = await call(agent, "link", id=QUEUE, about=["heron"], aliases=["job queue"])
            assert linked["id"] == QUEUE
            assert ("ABOUT", QUEUE, "heron") in {
                (one.type, one.start, one.end) for one in opened.memory().neighbours(QUEUE)
            }
            versions = (await call(agent, "history", id=QUEUE))["versions"]
            assert len(versions) == 2

            retired = await call(agent, "retire", id=QUEUE, reason="moved to Kafka")
            assert retired["retired_at"]
            assert "job queue" in opened.memory().node(QUEUE).node.aliases

            new = await call(agent, "remember", kind="decision", title="Keep the cache in memory", at="2026-02-01")
            done = await call(agent, "supersede", old=CACHE, new=new["id"])
            assert done["id"] == new["id"]
            shown = (await call(agent, "show", id=CACHE))["thing"]
            assert (shown["newer"], shown["holds_to"]) == ([new["id"]], "2026-02-01T00:00:00Z")
            assert (await call(agent, "show", id="doc"))["thing"]["pieces"]
            assert (await call(agent, "search", question="herons"))["pieces"][0]["id"] == "doc#1"

    anyio.run(run)


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("ask", {"question": " "}, "question is empty"),
        ("ask", {"question": "cache", "valid_at": "last week"}, "last week"),
        ("ask", {}, "question"),
        ("show", {"id": "nothing"}, "nothing"),
        ("history", {"id": "nothing"}, "no node"),
        ("retire", {"id": "nothing"}, "no node"),
        ("link", {"id": CACHE, "about": ["nothing"]}, "no node 'nothing'"),
        ("link", {"id": CACHE, "about": [QUEUE]}, "concepts only"),
        ("link", {"id": "heron", "about": ["heron"]}, "concept is about nothing"),
        ("supersede", {"old": CACHE, "new": "heron"}, "can't supersede"),
        ("remember", {"kind": "idea", "title": "x"}, "concept"),
        ("remember", {"kind": "record", "title": " "}, "title is empty"),
        ("remember", {"kind": "record", "title": "x", "about": ["nothing"]}, "no node 'nothing'"),
        ("remember", {"kind": "record", "title": "x", "supersedes": ["nothing"]}, "no node 'nothing'"),
        ("remember", {"kind": "record", "title": "x", "at": "soon"}, "soon"),
        ("remember", {"kind": "concept", "title": "x", "at": "2026-01-01"}, "no moment"),
        ("remember", {"kind": "record", "title": "x", "ended_at": "2026-01-01"}, "episode"),
        ("remember", {"kind": "record", "title": "x", "valid_from": "2026-02-01", "valid_to": "2026-01-01"}, "x"),
    ],
)
def test_what_can_t_be_is_an_error_result_in_words_and_writes_nothing(
    server: MCPServer, opened: Opened, tool: str, arguments: dict[str, Any], said: str
) -> None:
    async def run() -> None:
        async with client(server) as agent:
            before = opened.memory().status()
            told = await failing(agent, tool, **arguments)
            assert said in told
            assert "Traceback" not in told
            assert opened.memory().status().counts == before.counts
            assert (await call(agent, "ask", question="Use SQLite for the cache"))["node"] == CACHE

    anyio.run(run)


def test_a_store_that_isn_t_there_is_an_error_until_something_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "new.db"

    async def run() -> None:
        with closing(Opened(lambda create: Memory.open(path, create=create))) as opened:
            async with client(build(opened)) as agent:
                assert str(path) in await failing(agent, "ask", question="anything")
                assert not path.exists()
                await call(agent, "remember", kind="concept", title="Weir")
                assert (await call(agent, "ask", question="Weir"))["state"] == "resolved"

    anyio.run(run)


def test_ids_of_any_kind_can_be_linked_to(server: MCPServer, opened: Opened) -> None:
    odd = ["../../etc/passwd", "a b?c#d%41", "메모/후보 풀", "x" * 300, "🦉"]
    opened.memory().add(*(Record(id=id, title=f"Odd {number}") for number, id in enumerate(odd)))

    async def run() -> None:
        async with client(server) as agent:
            for id in odd:
                result = await agent.call_tool("show", {"id": id})
                assert isinstance(result, types.CallToolResult)
                link = next(one for one in result.content if isinstance(one, types.ResourceLink))
                read = (await agent.read_resource(str(link.uri))).contents[0]
                assert isinstance(read, types.TextResourceContents)
                assert "Odd" in read.text

    anyio.run(run)
