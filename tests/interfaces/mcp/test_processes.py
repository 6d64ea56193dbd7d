"""Servers of their own process: both transports, both eras, two servers on one store, a clean stdout."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as types
import pytest

from ascertain import Decision, Memory
from interfaces.mcp.served import (
    ERAS,
    Answering,
    call,
    client,
    failing,
    http_server,
    picking,
    stdio_parameters,
)  # fmt: skip
from interfaces.ran import Cli

UNSURE = "Use SQLite"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "notes.db"
    with Memory.open(path) as memory:
        memory.add(
            Decision(id="cache", title="Use SQLite for the cache", body="We cache in SQLite."),
            Decision(id="queue", title="Use SQLite for the queue", body="The queue lives in SQLite."),
        )
    return path


async def _used(server: Any, era: str) -> None:
    """What an agent does in a day, with a person who can be asked and one who can't."""
    answers: list[tuple[Answering, str]] = [
        (lambda _: types.ElicitResult(action="decline"), "choose"),
        (lambda _: types.ElicitResult(action="accept", content={"pick": "off the list"}), "choose"),
        (picking(0), "resolved"),
        (picking(-1), "none"),
    ]
    turns = iter([answer for answer, _ in answers])
    async with client(server, era=era, answering=lambda asked: next(turns)(asked)) as agent:
        for _, state in answers:
            assert (await call(agent, "ask", question=UNSURE))["state"] == state
    async with client(server, era=era) as agent:
        assert (await call(agent, "ask", question=UNSURE))["state"] == "choose"
        kept = await call(agent, "remember", kind="concept", title="Backpressure", text="Slowing down.")
        assert (await call(agent, "ask", question="Backpressure"))["node"] == kept["id"]
        assert "no node" in await failing(agent, "history", id="nothing")


@pytest.mark.parametrize("era", ERAS)
def test_over_stdio(store: Path, era: str) -> None:
    anyio.run(_used, stdio_parameters(store), era)


@pytest.mark.parametrize("era", ERAS)
def test_over_http(store: Path, era: str) -> None:
    with http_server(store) as address:
        anyio.run(_used, address, era)


def test_http_answers_its_hosts_and_those_with_the_token_only(store: Path) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    kinds = {"Accept": "application/json, text/event-stream"}
    with http_server(store, "--allow-host", "memory.example", token="a secret") as address, httpx2.Client() as http:

        def status(**headers: str) -> int:
            told = {name.replace("_", "-"): value for name, value in headers.items()}
            return http.post(address, json=body, headers=kinds | told).status_code

        assert status() == 401
        assert status(Authorization="Bearer another") == 401
        assert status(Authorization="Basic a secret") == 401
        allowed = {"Authorization": "Bearer a secret"}
        assert status(**allowed) != 401
        assert status(**allowed, Host="evil.example") == 421
        assert status(**allowed, Host="memory.example") != 421
        assert status(**allowed, Host="memory.example:443") != 421
        assert status(**allowed, Origin="http://evil.example") == 403

        async def with_token() -> None:
            async with client(address, token="a secret") as agent:
                assert (await call(agent, "ask", question="Use SQLite for the cache"))["node"] == "cache"

        anyio.run(with_token)


def test_other_machines_need_a_token(cli: Cli, store: Path) -> None:
    told = cli("mcp", "--http", "--host", "0.0.0.0", "--port", "0", "--store", store)
    assert told.status == 2
    assert "ASCERTAIN_MCP_TOKEN" in told.err


def test_a_port_that_is_taken_is_told_in_one_line(cli: Cli, store: Path) -> None:
    with http_server(store) as address:
        port = address.split(":")[2].split("/")[0]
        told = cli("mcp", "--http", "--port", port, "--store", store)
    assert told.status == 1
    assert "Traceback" not in told.err
    assert len(told.err.splitlines()) == 1


_INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}},
}  # fmt: skip
_INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def _ask(id: int, tool: str = "ask", **arguments: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def _spoken(store: Path, messages: list[object], **environment: str) -> tuple[dict[int, Any], str]:
    """Sends lines, reads until each request is answered; the answers by id, and stderr."""
    command = [sys.executable, "-W", "always", "-m", "ascertain", "mcp", "--store", str(store)]
    told = {name: value for name, value in os.environ.items() if not name.startswith("ASCERTAIN_")} | environment
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=told, text=True,
        encoding="utf-8",
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        wanted = {one["id"] for one in messages if isinstance(one, dict) and "id" in one}
        answers: dict[int, Any] = {}
        for message in messages:
            process.stdin.write((message if isinstance(message, str) else json.dumps(message)) + "\n")
            process.stdin.flush()
            while isinstance(message, dict) and "id" in message and message["id"] not in answers:
                found = json.loads(process.stdout.readline())
                assert found["jsonrpc"] == "2.0"
                answers[found.get("id")] = found
        assert wanted <= set(answers)
        rest, errors = process.communicate(timeout=30)
        for line in rest.splitlines():
            assert json.loads(line)["jsonrpc"] == "2.0"
        assert process.returncode == 0
    return answers, errors


def test_stdout_is_protocol_and_nothing_else_whatever_goes_wrong(tmp_path: Path) -> None:
    """Row 15 of the public reports: warnings on, and a store that isn't there and can't be made."""
    missing = tmp_path / "nowhere" / "deep" / "notes.db"
    missing.parent.parent.write_text("a file where a folder should be")
    answers, errors = _spoken(
        missing,
        [_INITIALIZE, _INITIALIZED, _ask(2, question="anything"), _ask(3, "remember", kind="concept", title="x")],
        PYTHONWARNINGS="always",
    )
    for id in (2, 3):
        assert answers[id]["result"]["isError"] is True
        assert str(missing.parent) in answers[id]["result"]["content"][0]["text"]
    assert "Traceback" not in errors


def test_lines_that_are_no_protocol_end_nothing(store: Path) -> None:
    odd = ["", "not json", "[]", "null", '{"jsonrpc": "2.0"}', '{"a": "' + "x" * 300_000 + '"}', "\ud55c글"]
    answers, _ = _spoken(store, [_INITIALIZE, _INITIALIZED, *odd, _ask(2, question="Use SQLite for the cache")])
    assert answers[2]["result"]["structuredContent"]["node"] == "cache"


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_what_was_acknowledged_survives_a_kill(store: Path) -> None:
    command = [sys.executable, "-m", "ascertain", "mcp", "--store", str(store)]
    told = {name: value for name, value in os.environ.items() if not name.startswith("ASCERTAIN_")}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=told, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in (_INITIALIZE, _INITIALIZED, _ask(2, "remember", kind="concept", title="Last words")):
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()
        while json.loads(process.stdout.readline()).get("id") != 2:
            pass
        process.send_signal(signal.SIGKILL)
        process.wait()
    with Memory.open(store) as memory:
        assert memory.ask("Last words").state == "resolved"
        assert memory.doctor() == []


def test_two_servers_with_four_writers_each_lose_nothing(store: Path) -> None:
    """Row 13: adding nodes, aliases and edges and retiring at once, with a reader in a loop. What a
    writer was told stands exactly once, and the reader never fails."""
    writes = 60

    kept: list[str] = []

    async def write(agent: Any, name: str) -> None:
        kept.extend(await _written(agent, name, writes))

    async def read(agent: Any, done: anyio.Event) -> None:
        while not done.is_set():
            told = await call(agent, "ask", question="Use SQLite for the cache")
            assert told["node"] == "cache"

    async def run() -> None:
        done = anyio.Event()
        async with (
            client(stdio_parameters(store)) as one,
            client(stdio_parameters(store)) as two,
            client(stdio_parameters(store)) as reader,
            anyio.create_task_group() as reading,
        ):
            reading.start_soon(read, reader, done)
            async with anyio.create_task_group() as writing:
                for agent, server in ((one, 0), (two, 1)):
                    for number in range(4):
                        writing.start_soon(write, agent, f"{server}-{number}")
            done.set()

    anyio.run(run)
    assert len(kept) == len(set(kept)) == 2 * 4 * writes
    with Memory.open(store) as memory:
        assert memory.doctor() == []
        for id in kept:
            row = memory.node(id)
            assert row.node.aliases == (f"other name of {row.node.title}",)
            retired = int(row.node.title.split()[-1]) % 3 == 0
            assert (row.node.retired_at is not None) == retired
        counts = memory.status().counts
        assert counts.nodes["concept"] == len(kept)
        assert counts.nodes["record"] == len(kept)
        assert counts.edges["ABOUT"] == len(kept)


async def _written(agent: Any, name: str, writes: int) -> list[str]:
    """Writes nodes with an alias, a Record about each, and withdraws every third."""
    kept = []
    for number in range(writes):
        concept = await call(agent, "remember", kind="concept", title=f"Thing {name} number {number}")
        assert concept["added"]
        await call(agent, "link", id=concept["id"], aliases=[f"other name of {concept['title']}"])
        await call(
            agent, "remember", kind="record", title=f"Fact of {name} number {number}", about=[concept["id"]]
        )  # fmt: skip
        if number % 3 == 0:
            await call(agent, "retire", id=concept["id"])
        kept.append(concept["id"])
    return kept


def test_ten_clients_over_http_and_two_over_stdio_are_answered_as_one_would_be(store: Path) -> None:
    questions = ["Use SQLite for the cache", "Use SQLite for the queue", UNSURE, "What is for lunch?"]
    with Memory.open(store) as memory:
        alone = {one: (memory.ask(one).state, memory.ask(one).node) for one in questions}

    async def ask(server: Any, times: int) -> None:
        async with client(server) as agent:
            for number in range(times):
                question = questions[number % len(questions)]
                told = await call(agent, "ask", question=question)
                assert (told["state"], told["node"]) == alone[question]

    async def run(address: str) -> None:
        async with anyio.create_task_group() as all:
            for _ in range(10):
                all.start_soon(ask, address, 10)
            for _ in range(2):
                all.start_soon(ask, stdio_parameters(store), 10)

    with http_server(store) as address:
        anyio.run(run, address)
