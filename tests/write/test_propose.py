"""A model proposes, from recorded answers of a local server; nothing is written before a review."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from ascertain.formats.base import Problem
from ascertain.memory import Memory
from ascertain.model.nodes import Node
from ascertain.write.propose import ChatModel, ModelError, propose
from laws.tiny import TinyEncoder

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
    asked: list[dict] = []  # type: ignore[type-arg]

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


@pytest.fixture
def model() -> Iterator[ChatModel]:
    Server.asked.clear()
    server = HTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield ChatModel(f"http://127.0.0.1:{server.server_port}/v1/", "stub", "secret")
    server.shutdown()
    server.server_close()
    thread.join()


def asked(model: ChatModel, case: str) -> tuple[list[Node], list[str]]:
    found = list(propose(model, [("d#0", f"case {case}: from now on we use one\nfile for all of it.")]))
    return (
        [one for one in found if not isinstance(one, Problem)],
        [one.reason for one in found if isinstance(one, Problem)],
    )


@pytest.mark.parametrize("case", ["good", "fenced"])
def test_a_proposal_names_the_piece_that_it_is_drawn_from(model: ChatModel, case: str) -> None:
    nodes, problems = asked(model, case)
    assert problems == []
    (node,) = nodes
    assert (node.kind, node.title, node.text, node.source) == ("decision", "Use one file", "It is simple.", "d#0")
    assert asked(model, case)[0] == nodes
    assert (Server.asked[0]["path"], Server.asked[0]["key"]) == ("/v1/chat/completions", "Bearer secret")
    assert "secret" not in repr(model)


@pytest.mark.parametrize(("case", "amiss"), [("invented", 2), ("odd", 3), ("broken", 1), ("no list", 1)])
def test_what_a_model_says_amiss_is_told_and_left_out(model: ChatModel, case: str, amiss: int) -> None:
    nodes, problems = asked(model, case)
    assert nodes == []
    assert len(problems) == amiss


def test_a_server_that_fails_is_one_clear_error(model: ChatModel) -> None:
    with pytest.raises(ModelError, match="no answer"):
        asked(model, "down")


def test_proposals_change_nothing_until_they_are_added(model: ChatModel, tmp_path: Path) -> None:
    folder = tmp_path / "v"
    folder.mkdir()
    (folder / "README.md").write_text("case good: from now on we use one file.\n", "utf-8")
    with Memory.open(tmp_path / "s.db", encoder=TinyEncoder()) as memory:
        memory.import_path(folder)
        before = list(memory.export())
        found = memory.propose(folder, model)
        assert list(memory.export()) == before
        (node,) = (one for one in found if not isinstance(one, Problem))
        memory.add(node)
        edges = {(edge.type, edge.end) for edge in memory.neighbours(node.id)}
        assert ("FROM", "doc:README.md#0") in edges
        assert memory.propose(tmp_path / "elsewhere", model) == []


def test_notebooks_show_answers_and_material_without_being_misled(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "s.db", encoder=TinyEncoder()) as memory:
        from ascertain.model.nodes import Concept

        memory.add(Concept(id="a", title="Gate <b>*x*</b>", body="Lets ``` through."))
        shown = memory.ask("Gate <b>*x*</b>")._repr_markdown_()
        assert "resolved" in shown
        assert "<b>" not in shown.replace("\\<b\\>", "")
        assert memory.material("a")._repr_markdown_().startswith("````")
