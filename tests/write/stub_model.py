"""A language model's server on this machine, with recorded answers."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

GOOD = {"kind": "decision", "title": "Use one file", "text": "It is simple.", "quote": "we use   ONE file"}
ANSWERS = {
    "good": json.dumps({"nodes": [GOOD, GOOD]}),
    "fenced": f"```json\n{json.dumps({'nodes': [GOOD]})}\n```",
    "invented": json.dumps({"nodes": [{**GOOD, "quote": "we use two files"}, {**GOOD, "quote": ""}]}),
    "odd": json.dumps({"nodes": ["text", {"kind": "mood", "title": "x", "quote": "x"}, {**GOOD, "title": " "}]}),
    "broken": '{"nodes": [',
    "no list": '{"nodes": 7}',
}


class Server(BaseHTTPRequestHandler):
    """Answers «case NAME: …» with ANSWERS[NAME], «case down: …» with a failure. asked: what was sent."""

    asked: list[dict[str, Any]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append({"path": self.path, "key": self.headers["Authorization"], **body})
        text = body["messages"][1]["content"]
        answer = next((told for name, told in ANSWERS.items() if f"case {name}:" in text), '{"nodes": []}')
        data = json.dumps({"choices": [{"message": {"content": answer}}]}).encode()
        self.send_response(500 if "case down:" in text else 200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@contextmanager
def serving() -> Iterator[str]:
    """Its address, while it runs."""
    Server.asked.clear()
    server = HTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
