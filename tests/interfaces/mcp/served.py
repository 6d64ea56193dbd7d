"""Servers of their own process, and the official client on them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

ERAS = ("legacy", "2026-07-28")
"""The last protocol with sessions, and the first without."""

Answering = Callable[[types.ElicitRequestFormParams], types.ElicitResult]


@contextmanager
def http_server(
    store: Path, *options: str, token: str = "", environment: dict[str, str] | None = None
) -> Iterator[str]:
    """`ascertain mcp --http` on a free port; its address."""
    command = [sys.executable, "-m", "ascertain", "mcp", "--http", "--port", "0", "--store", str(store), *options]
    told = {**(environment or _environment()), **({"ASCERTAIN_MCP_TOKEN": token} if token else {})}
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, env=told, text=True) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            found = re.search(r"http://\S+/mcp", line)
            assert found, line + process.stderr.read()
            yield found[0]
        finally:
            process.kill()
            process.communicate()


def stdio_parameters(store: Path) -> StdioServerParameters:
    """`ascertain mcp` as a client starts it."""
    return StdioServerParameters(
        command=sys.executable, args=["-m", "ascertain", "mcp", "--store", str(store)], env=_environment()
    )


def _environment() -> dict[str, str]:
    import os

    return {name: value for name, value in os.environ.items() if not name.startswith("ASCERTAIN_")}


@asynccontextmanager
async def client(
    server: Any, *, era: str = "legacy", answering: Answering | None = None, token: str = ""
) -> AsyncIterator[Client]:
    """A client on an address, on stdio parameters, or on a server in this process.

    answering: what its user does when asked; None for a client whose user can't be asked."""

    async def asked(context: object, params: Any) -> types.ElicitResult:
        assert answering is not None
        return answering(params)

    callback: dict[str, Any] = {} if answering is None else {"elicitation_callback": asked}
    if isinstance(server, StdioServerParameters):
        server = stdio_client(server)
    if isinstance(server, str) and token:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http,
            Client(streamable_http_client(server, http_client=http), mode=era, **callback) as found,
        ):
            yield found
        return
    async with Client(server, mode=era, **callback) as found:
        yield found


async def call(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    """The structured result of a call, which must not fail and must say the same in words."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, types.CallToolResult)
    assert not result.is_error, words(result)
    assert result.structured_content is not None
    assert words(result)
    return result.structured_content


async def failing(client: Client, tool: str, **arguments: object) -> str:
    """What a call that must fail says."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, types.CallToolResult)
    assert result.is_error, json.dumps(result.structured_content)
    return words(result)


def words(result: types.CallToolResult) -> str:
    """The text of a result."""
    return "\n".join(one.text for one in result.content if isinstance(one, types.TextContent))


def picking(number: int) -> Answering:
    """Somebody who picks the answer with this number, from 0; -1 is none of these."""

    def answer(params: types.ElicitRequestFormParams) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={"pick": listed(params)[number]})

    return answer


def listed(params: types.ElicitRequestFormParams) -> list[str]:
    """What can be picked."""
    found = params.requested_schema["properties"]["pick"]["enum"]
    assert isinstance(found, list)
    return found
