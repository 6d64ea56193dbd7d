"""How the server is reached: over stdio, or over HTTP behind a Host allow-list and a bearer token."""

from __future__ import annotations

import hmac
import ipaddress
import os
import socket
import sys
import threading
from collections.abc import Sequence

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ascertain.interfaces.mcp.opened import Opened
from ascertain.interfaces.mcp.server import build

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def serve_stdio(opened: Opened) -> None:
    """Serves one client on stdin and stdout until it closes them. Whatever else is printed goes to stderr."""
    server = build(opened)
    threading.Thread(target=opened.warm, daemon=True).start()
    server.run("stdio")


def serve_http(opened: Opened, *, host: str, port: int, allowed: Sequence[str], token: str) -> None:
    """Serves any number of clients at /mcp until the process is told to end; says on stderr where.

    port: 0 for any that is free. Raises OSError where it can't listen there."""
    app = http_app(opened, host=host, allowed=allowed, token=token)
    with _listening(host, port) as listening:
        named = f"[{host}]" if ":" in host else host
        sys.stderr.write(f"Serving MCP at http://{named}:{listening.getsockname()[1]}/mcp\n")
        sys.stderr.flush()
        threading.Thread(target=opened.warm, daemon=True).start()
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    """A socket that says it is TCP: asyncio switches Nagle's algorithm off only for those that do, and
    with it on, each answer waits 40 ms for an acknowledgement of its headers."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen()
    except BaseException:
        found.close()
        raise
    return found


def http_app(opened: Opened, *, host: str = "127.0.0.1", allowed: Sequence[str] = (), token: str = "") -> ASGIApp:
    """The ASGI application.

    host: where it listens. allowed: Host headers that are answered beside loopback's and `host`'s, with
    or without a port. token: what clients must send as a bearer token; empty for none.
    """
    names = [*LOOPBACK, *([] if _everywhere(host) else [f"[{host}]" if ":" in host else host]), *allowed]
    hosts = [form for name in names for form in (name, f"{name}:*")]
    security = TransportSecuritySettings(
        allowed_hosts=hosts,
        allowed_origins=[f"{scheme}://{one}" for scheme in ("http", "https") for one in hosts],
    )
    app = build(opened).streamable_http_app(transport_security=security, host=host)
    return _Bearer(app, token) if token else app


def _everywhere(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


class _Bearer:
    """Answers 401 to a request without the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = b"bearer " + token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._allowed(scope):
            refusal = JSONResponse({"error": "a bearer token is needed"}, 401, {"WWW-Authenticate": "Bearer"})
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _allowed(self, scope: Scope) -> bool:
        told: bytes = dict(scope["headers"]).get(b"authorization", b"")
        scheme, _, rest = told.partition(b" ")
        return hmac.compare_digest(scheme.lower() + b" " + rest.strip(), self._wanted)
