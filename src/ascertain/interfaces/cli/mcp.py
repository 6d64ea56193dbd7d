"""`ascertain mcp`: the memory in an agent's hands."""

from __future__ import annotations

from contextlib import closing

import click

from ascertain.errors import InvalidInput, MissingExtra
from ascertain.interfaces.cli.call import Call, shared
from ascertain.interfaces.cli.failures import DONE

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@click.command("mcp")
@click.option("--http", is_flag=True, help="Serve streamable HTTP at /mcp instead of stdio.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address to listen on.")
@click.option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535), help="With --http: the port.")
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="HOST[:PORT]",
    help="With --http: a Host header to answer beside loopback's. Repeatable.",
)
@shared
def mcp_command(call: Call, http: bool, host: str, port: int, allowed: tuple[str, ...]) -> int:
    """Serve the memory to agents over the Model Context Protocol.

    Over stdio unless --http is given. Anything but loopback needs a bearer token in
    ASCERTAIN_MCP_TOKEN, which loopback heeds too where it is set.
    """
    try:
        from ascertain.interfaces.mcp.opened import Opened
        from ascertain.interfaces.mcp.serve import serve_http, serve_stdio
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("mcp", "mcp_types", "uvicorn", "starlette", "pydantic"):
            raise
        raise MissingExtra("the MCP server needs the mcp package", hint="Run: pip install 'ascertain[mcp]'") from error
    token = call.settings.mcp_token
    if http and not token and host not in _LOOPBACK:
        raise InvalidInput(
            f"{host} can be reached from other machines",
            where="--host",
            hint="Set ASCERTAIN_MCP_TOKEN to a secret that clients send as a bearer token.",
        )
    with closing(Opened(lambda create: call.memory(create=create))) as opened:
        if http:
            serve_http(opened, host=host, port=port, allowed=allowed, token=token)
        else:
            serve_stdio(opened)
    return DONE
