"""Whom a question means: names that stand side by side, names inside longer ones, and text that goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascertain import Memory
from laws.tiny import TinyEncoder

NOTE = """# Kestrel
A small falcon of the shore.

## Feeding
It hovers over grass and takes voles.

## Nesting
It lays four eggs in a ledge of the old lighthouse.
"""
FEW = {"Kestrel.md": NOTE, "Red kite.md": "# Red kite\nA raptor with a forked tail.\n",
       "Draught.md": "# Draught\nHow deep a hull lies.\n", "Night Shift.md": "# Night Shift\nFrom ten to six.\n",
       "Spring.md": "# Spring\nA tide with the greatest range.\n",
       "예비 펌프.md": "# 예비 펌프\n작은 것.\n"}  # fmt: skip
MANY = FEW | {f"Rope {at}.md": f"# Rope {at}\nRope number {at}.\n" for at in range(14)}
"""Enough for the probabilities of the calibrated policy; the few are decided by its rules."""


@pytest.fixture(params=(FEW, MANY), ids=("few", "many"))
def memory(request, tmp_path: Path):
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in request.param.items():
        (folder / name).write_text(text, "utf-8")
    with Memory.open(tmp_path / "store.db", encoder=TinyEncoder()) as opened:
        opened.import_path(folder)
        yield opened


@pytest.mark.parametrize(
    "question",
    ["kestrel or red kite?", "Is it the kestrel, the red kite?", "kestrel and the red kite", "Red kite / Kestrel"],
)
def test_two_that_are_named_side_by_side_are_both_handed_back(memory: Memory, question: str) -> None:
    answer = memory.ask(question)
    assert answer.state == "choose"
    assert {"Kestrel", "Red kite"} <= {one.candidate.title for one in answer.candidates}


@pytest.mark.parametrize("question", ["Draught beer", "Night Shift (film)", "the Night Shift film", "Spring roll"])
def test_a_longer_name_is_not_the_name_that_it_holds(memory: Memory, question: str) -> None:
    assert memory.ask(question).state == "choose"


@pytest.mark.parametrize(
    ("question", "title"),
    [("What is a spring?", "Spring"), ("kestrel", "Kestrel"), ("the red kite", "Red kite"),
     ("예비 펌프는 뭐야?", "예비 펌프")],
)  # fmt: skip
def test_what_a_question_asks_of_one_name_is_resolved(memory: Memory, question: str, title: str) -> None:
    answer = memory.ask(question)
    assert answer.state == "resolved"
    assert answer.candidates[0].candidate.title == title


def test_the_later_sections_of_a_note_lead_to_it(memory: Memory) -> None:
    answer = memory.ask("who lays four eggs in a ledge of the lighthouse?")
    found = {one.candidate.title: one.candidate for one in answer.candidates}
    graph = found["Kestrel"].arms["graph"]
    assert any(path.edges == ("GOES_ON", "FROM") for path in graph.paths)


def test_the_material_of_a_note_holds_its_later_sections(memory: Memory) -> None:
    gathered = memory.material("concept:Kestrel")
    told = gathered.text
    assert "voles" in told
    assert "lighthouse" in told
    assert "forked tail" not in told
