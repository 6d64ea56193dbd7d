"""A model proposes, from recorded answers of a local server; nothing is written before a review."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ascertain.errors import ModelError
from ascertain.formats.base import Problem
from ascertain.memory import Memory
from ascertain.model.nodes import Decision, Node
from ascertain.write.propose import ChatModel, propose
from laws.tiny import TinyEncoder
from write.stub_model import Server, serving


@pytest.fixture
def model() -> Iterator[ChatModel]:
    with serving() as address:
        yield ChatModel(address, "stub", "secret")


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


def test_a_server_that_fails_later_loses_nothing_that_was_proposed(model: ChatModel) -> None:
    texts = ["case good: we use one file", "case down: x", "case good: we use one file"]
    found = list(propose(model, [(f"d#{at}", text) for at, text in enumerate(texts)]))
    assert [type(one) for one in found] == [Decision, Problem]
    assert "was not asked" in getattr(found[-1], "reason", "")
    assert len(Server.asked) == 2


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
