"""calibrate writes weights that ask takes; a choice is offered where somebody sits at the terminal."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from ascertain import Memory
from ascertain.decide.calibrated import Weights, shipped_weights
from exam.folders import TINY
from interfaces.ran import Cli


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.db"
    with Memory.open(path) as memory:
        memory.import_path(TINY / "store.jsonl")
    return path


def test_calibrating_writes_weights_and_tells_what_they_promise(cli: Cli, tmp_path: Path) -> None:
    recording = tmp_path / "tiny.rec"
    assert cli("exam", "run", TINY, "--record", recording).status == 0
    ran = cli("calibrate", TINY, "--out", "own.json", "--json")
    assert (ran.status, ran.err) == (0, "")
    assert (ran.json["bar"], ran.json["tuned"] + ran.json["held_out"]) == (None, 12)
    weights = Weights.from_json(json.loads(Path("own.json").read_text("utf-8")))
    assert weights.resolve > 1
    again = cli("calibrate", recording, "--out", "again.json", "--json")
    assert again.json | {"file": ""} == ran.json | {"file": ""}
    assert Path("again.json").read_bytes() == Path("own.json").read_bytes()


def test_a_small_exam_is_told_how_many_more_questions_it_takes(cli: Cli) -> None:
    ran = cli("calibrate", TINY)
    assert ran.status == 0
    assert "No bar can be promised" in ran.out
    assert "Written to weights.json" in ran.out


def test_ask_takes_weights_of_ones_own(cli: Cli, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("own.json").write_text(json.dumps(shipped_weights().to_json()), "utf-8")
    plain = cli("ask", "What?", "--store", own, "--json").json
    told = cli("ask", "What?", "--store", own, "--weights", "own.json", "--json").json
    monkeypatch.setenv("ASCERTAIN_WEIGHTS", "own.json")
    from_environment = cli("ask", "What?", "--store", own, "--json").json
    for one in (plain, told, from_environment):
        one.pop("timings_ms")
    assert plain == told == from_environment


@pytest.mark.parametrize("text", ["{}", "nonsense", "[]"])
def test_a_file_that_holds_no_weights_is_one_line(cli: Cli, own: Path, text: str) -> None:
    Path("bad.json").write_text(text, "utf-8")
    ran = cli("ask", "What?", "--store", own, "--weights", "bad.json")
    assert ran.status in (1, 2)
    assert "bad.json" in ran.err
    assert len(ran.err.splitlines()) == 1
    assert cli("ask", "What?", "--store", own, "--weights", "nowhere.json").err.count("nowhere.json") >= 1


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("typed", "picked"), [("1\n", [True]), ("0\n", [False]), ("\n", []), ("9\n", []), ("x\n", []), ("", [])]
)
def test_at_a_terminal_the_choice_is_offered_at_once(
    filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, picked: list[bool]
) -> None:
    from ascertain.interfaces.cli.main import run

    store = tmp_path / "copy.db"
    store.write_bytes(filled.read_bytes())
    out = _Terminal()
    monkeypatch.setattr(sys, "stdin", _Terminal(typed))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setenv("LOGNAME", "mina")
    assert run(["ask", "outbox", "--store", str(store)]) == 3
    monkeypatch.undo()
    with Memory.open(store) as memory:
        assert [one.picked is not None for one in memory.choices()] == picked
        assert all(one.picked_by == "mina" and len(one.offered) >= 2 for one in memory.choices())


def test_a_script_is_never_asked(cli: Cli, filled: Path) -> None:
    assert "Pick 1" not in cli("ask", "outbox", "--store", filled).out
