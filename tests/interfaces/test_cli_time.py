"""retire, restore, supersede, correct, forget, history and material, as somebody types them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascertain import Concept, Decision, Document, Episode, Memory, Piece, Record
from ascertain.model.times import parse_instant
from interfaces.ran import EVIL, Cli

DAY = parse_instant("2025-01-01")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "notes.db"
    with Memory.open(path) as memory:
        memory.add(
            Concept(id="kiln", title="Tunnel kiln", body="It burns bricks."),
            Record(id="heat", title="The tunnel kiln reaches 1,100 degrees", about=("kiln",), observed_at=DAY),
            Decision(id="coal", title="Fire the kiln with coal", about=("kiln",), decided_at=DAY),
            Decision(id="gas", title="Fire the kiln with gas", about=("kiln",)),
            Episode(id="fire", title="The yard fire", summary="Sparks flew.", about=("kiln",), started_at=DAY),
            Concept(id="evil", title=EVIL),
            Document(
                id="log",
                title="Yard log",
                source="log.md",
                pieces=(Piece(id="log#1", text="The tunnel kiln ran.", mentions=("kiln",)),),
            ),
        )
    return path


@pytest.fixture
def at(cli: Cli, store: Path) -> Cli:
    """The command line on that store."""
    return lambda *words: cli(*words, "--store", store)


def test_what_is_retired_is_not_answered_with_until_it_is_restored(at: Cli) -> None:
    told = at("retire", "heat", "--reason", "misread", "--at", "2025-05-01")
    assert (told.status, told.err) == (0, "")
    assert "withdrawn (2025-05-01T00:00:00Z)" in told.out
    asked = ("ask", "the tunnel kiln reaches 1,100 degrees", "--json")
    assert at(*asked).json["node"] != "heat"
    assert at(*asked, "--as-of", "2025-04-01").json["node"] == "heat"
    assert at("restore", "heat").status == 0
    assert at(*asked).json["node"] == "heat"


def test_a_version_that_took_over_says_since_when(at: Cli) -> None:
    told = at("supersede", "coal", "gas", "--at", "2025-06-01", "--json")
    assert (told.status, told.json["node"]) == (0, "gas")
    past = at("history", "coal", "--json").json
    assert past["node"] == "coal"
    assert past["versions"][-1]["valid_to"] == "2025-06-01T00:00:00Z"
    shown = at("history", "coal")
    assert "Superseded by gas." in shown.out
    assert "to 2025-06-01T00:00:00Z" in shown.out


def test_correcting_keeps_the_earlier_version(at: Cli) -> None:
    assert at("correct", "heat", "--set", "title=It reaches 1,200 degrees", "--reason", "new probe").status == 0
    versions = at("history", "heat", "--json").json["versions"]
    assert [one["title"] for one in versions] == [
        "The tunnel kiln reaches 1,100 degrees",
        "It reaches 1,200 degrees",
    ]
    assert "new probe" in at("history", "heat").out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("colour=red", "can't set 'colour'"),
        ("title", "can't set 'title'"),
        ("id=other", "can't set 'id'"),
        ("aliases=oven", "aliases is no JSON list"),
        ("aliases=[1]", "aliases is no list of strings"),
        ("observed_at=soon", "observed_at"),
    ],
)
def test_a_change_that_makes_no_sense_is_one_line_and_changes_nothing(at: Cli, change: str, said: str) -> None:
    ran = at("correct", "heat", "--set", change)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert len(at("history", "heat", "--json").json["versions"]) == 1


@pytest.mark.parametrize(
    "words",
    [
        ("retire", "nobody"),
        ("restore", "nobody"),
        ("supersede", "nobody", "gas"),
        ("correct", "nobody", "--set", "title=x"),
        ("forget", "nobody", "--yes"),
        ("history", "nobody"),
        ("material", "nobody"),
    ],
)
def test_an_id_that_is_not_there_is_one_line(at: Cli, words: tuple[str, ...]) -> None:
    ran = at(*words)
    assert (ran.status, ran.out) == (1, "")
    assert "nobody" in ran.err
    assert len(ran.err.splitlines()) <= 2


def test_forgetting_asks_first_and_leaves_nothing(
    at: Cli, store: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: "n")
    assert at("forget", "heat").status != 0
    assert at("show", "heat").status == 0
    assert at("forget", "heat", "--yes").status == 0
    assert at("show", "heat").status == 1
    assert b"1,100 degrees" not in store.read_bytes()


def test_material_holds_what_is_attached_and_keeps_to_the_budget(at: Cli) -> None:
    whole = at("material", "kiln")
    assert (whole.status, whole.err) == (0, "")
    for part in ("It burns bricks.", "1,100 degrees", "Fire the kiln with gas", "Sparks flew.", "The tunnel kiln ran."):
        assert part in whole.out
    small = at("material", "kiln", "--budget", "40")
    assert len(small.out) < len(whole.out)
    assert "found no room in 40 tokens" in small.err
    assert at("material", "kiln", "--json").json["node"] == "kiln"


def test_ask_adds_material_on_request(at: Cli) -> None:
    assert "It burns bricks." in at("ask", "tunnel kiln", "--material").out
    assert at("ask", "tunnel kiln", "--material", "--json").json["material"]["node"] == "kiln"


@pytest.mark.parametrize("command", ["history", "material"])
def test_a_title_that_attacks_terminals_does_not_reach_one(at: Cli, command: str) -> None:
    ran = at(command, "evil")
    assert ran.status == 0
    assert "\x1b[31m" not in ran.out
    assert "\u202e" not in ran.out
