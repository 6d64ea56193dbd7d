"""ask, search, show and status: what they print and how they end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ascertain import Memory
from interfaces.ran import Cli

ODD = ["a-b", "don't", '"', "AC/DC", "col:val", "NEAR(", "*", "^x", "AND", "NOT cats", "park.", "( )", "a\0b",
       '"' * 10_000, "x`) DETACH DELETE n //", "'; DROP TABLE node; --", "{{7*7}}", "[bold]x", "\udcff\udcfe x",
       "\x1b[31mred", "🦊", "   ?   ", "후보 풀이 뭐야?"]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "state", "status"),
    [("What is the residual gate?", "resolved", 0), ("outbox", "choose", 3), ("???", "none", 4)],
)
def test_the_state_of_an_answer_is_the_exit_status(
    cli: Cli, filled: Path, question: str, state: str, status: int
) -> None:
    ran = cli("ask", question, "--store", filled, "--json")
    assert (ran.status, ran.json["state"], ran.err) == (status, state, "")
    people = cli("ask", question, "--store", filled)
    assert people.status == status
    assert people.out.split()[1] == state.upper()


def test_the_words_of_a_question_are_joined(cli: Cli, filled: Path) -> None:
    assert cli("ask", "--store", filled, "--json", "residual", "gate").json["question"] == "residual gate"


def test_a_resolved_node_is_shown_with_its_text_and_grounds(cli: Cli, filled: Path) -> None:
    ran = cli("ask", "residual gate", "--store", filled)
    assert "Residual gate" in ran.out.splitlines()[0]
    assert "concept  gate" in ran.out
    assert "A check that can only take\n  confidence away." in ran.out


def test_candidates_are_numbered_with_what_parts_them(cli: Cli, filled: Path) -> None:
    out = cli("ask", "outbox", "--store", filled).out
    assert re.search(r"^  1 +(concept|decision) +Outbox", out, re.MULTILINE)
    assert re.search(r"^  2 +(concept|decision) +Outbox", out, re.MULTILINE)
    assert "kind decision" in out


def test_why_shows_the_evidence_the_rule_and_the_obstacles(cli: Cli, filled: Path) -> None:
    out = cli("ask", "residual gate", "--store", filled, "--why").out
    assert "policy calibrated" in out
    assert re.search(r"1 Residual gate +(title|name|graph)", out)
    assert "in «Residual gate»: 100% of the title" in " ".join(out.split())
    assert "timings in ms" in out


def test_why_leaves_no_arm_out(cli: Cli, filled: Path) -> None:
    arms = cli("ask", "residual gate", "--store", filled, "--json").json["candidates"][0]["arms"]
    out = cli("ask", "residual gate", "--store", filled, "--why").out
    assert len(arms) > 2
    assert all(re.search(rf" {arm} +\d", out) for arm in arms)


def test_what_was_withdrawn_is_shown_only_when_asked_for_and_marked(cli: Cli, filled: Path) -> None:
    question = "Harbour crane licence"
    assert cli("ask", question, "--store", filled).status == 4
    ran = cli("ask", question, "--store", filled, "--include-retired")
    assert ran.status == 0
    assert "withdrawn at 2026-03-01" in ran.out
    earlier = cli("ask", question, "--store", filled, "--known-at", "2026-02-28", "--json")
    assert earlier.json["node"] == "gone"


def test_the_text_shown_is_that_of_the_version_that_is_meant(cli: Cli, tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    from ascertain import Concept

    with Memory.open(store) as memory:
        memory.add(Concept(id="a", title="Boiler pressure", body="Two bar."))
        before = memory.node("a")
        memory.add(Concept(id="a", title="Boiler pressure", body="Three bar."))
        since = memory.node("a").since
    assert before.version == 0
    assert since is not None
    ran = cli("ask", "boiler pressure", "--store", store, "--as-of", "2020-01-01")
    assert ran.status == 0
    assert "Two bar." in ran.out
    assert "Three bar." in cli("ask", "boiler pressure", "--store", store).out


@pytest.mark.parametrize("question", ODD)
def test_no_question_is_an_error_or_an_escape_sequence(cli: Cli, filled: Path, question: str) -> None:
    ran = cli("ask", "--store", filled, "--json", "--", question)
    assert (ran.status in (0, 3, 4), ran.err) == (True, ""), ran.err
    assert ran.json["state"] in ("resolved", "choose", "none")
    people = cli("ask", "--store", filled, "--why", "--", question)
    assert people.status == ran.status
    assert "\x1b" not in people.out
    assert cli("search", "--store", filled, "--", question).status == 0


@pytest.mark.parametrize("question", ["", "   ", "\udcff"])
def test_an_empty_question_is_wrong_usage(cli: Cli, filled: Path, question: str) -> None:
    for command in ("ask", "search"):
        ran = cli(command, "--store", filled, question)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith("the question is empty. ")
        assert ran.err.count("\n") == 1


@pytest.mark.parametrize("option", ["--valid-at", "--known-at", "--as-of"])
def test_a_bad_time_is_wrong_usage(cli: Cli, filled: Path, option: str) -> None:
    ran = cli("ask", "gate", "--store", filled, "--json", option, "yesterdayish")
    assert ran.status == 2
    assert ran.json["error"]["type"] == "InvalidTime"
    assert "not a time: 'yesterdayish'" in ran.err


def test_a_policy_may_be_named_with_gates_and_an_unknown_one_is_wrong_usage(cli: Cli, filled: Path) -> None:
    assert cli("ask", "gate", "--store", filled, "--json", "--policy", "seed").json["policy"] == "seed"
    assert cli("ask", "gate", "--store", filled, "--json", "--policy", "seed+residual").status in (0, 3, 4)
    ran = cli("ask", "gate", "--store", filled, "--policy", "nosuch")
    assert ran.status == 2
    assert "Known: seed, grounds" in ran.err


def test_search_shows_pieces_with_both_ranks(cli: Cli, filled: Path) -> None:
    ran = cli("search", "residual gate", "--store", filled)
    assert ran.status == 0
    assert re.search(r"1 +1 +1 +doc  doc#1", ran.out)
    assert "The residual gate doubts what is left unsaid." in ran.out
    found = cli("search", "residual gate", "--store", filled, "--json", "--limit", "1").json
    assert [one["id"] for one in found["pieces"]] == ["doc#1"]


def test_search_that_finds_nothing_says_so(cli: Cli, tmp_path: Path) -> None:
    with Memory.open(tmp_path / "s.db"):
        pass
    ran = cli("search", "anything", "--store", tmp_path / "s.db")
    assert (ran.status, ran.out) == (0, "Nothing was found.\n")


def test_show_tells_all_of_a_node(cli: Cli, filled: Path) -> None:
    out = cli("show", "e", "--store", filled).out
    assert "The great outage" in out
    assert "A secret narrative." in out
    assert "started at  2026-03-01T00:00:00Z" in out
    assert "ABOUT → outbox" in out
    assert "ABOUT ← e" in cli("show", "outbox", "--store", filled).out
    assert re.search(r"older +old", cli("show", "new", "--store", filled).out)


def test_show_tells_documents_and_pieces_too(cli: Cli, filled: Path) -> None:
    document = cli("show", "doc", "--store", filled, "--json").json
    assert [piece["id"] for piece in document["pieces"]] == ["doc#1", "doc#2"]
    piece = cli("show", "doc#1", "--store", filled, "--json").json
    assert (piece["kind"], piece["document"], piece["mentions"]) == ("piece", "doc", ["gate"])
    assert "doubts what is left" in cli("show", "doc", "--store", filled).out
    assert "MENTIONS → gate" in cli("show", "doc#1", "--store", filled).out


@pytest.mark.parametrize("id", ["nosuch", "\udcff", "%", "'; --"])
def test_show_of_an_unknown_id_fails_with_a_hint(cli: Cli, filled: Path, id: str) -> None:
    ran = cli("show", "--store", filled, "--json", "--", id)
    assert ran.status == 1
    assert ran.json["error"]["type"] == "NotFound"
    assert "ascertain ask" in ran.json["error"]["hint"]


def test_status_counts_what_is_there(cli: Cli, filled: Path) -> None:
    found = cli("status", "--store", filled, "--json").json
    assert set(found) == {
        "path", "uuid", "encoder", "dimension", "generation", "nodes", "documents", "pieces", "edges",
    }  # fmt: skip
    assert found["nodes"] == {"concept": 4, "decision": 3, "episode": 1, "record": 2}
    assert (found["documents"], found["pieces"]) == (1, 2)
    assert re.search(r"nodes +10 \(4 concept", cli("status", "--store", filled).out)


def test_what_is_stored_reaches_no_terminal_raw(cli: Cli, filled: Path) -> None:
    for words in (("ask", "Evil red plain"), ("ask", "Evil red", "--why"), ("show", "evil"), ("show", "doc"),
                  ("search", "nothing to see")):  # fmt: skip
        out = cli(*words, "--store", filled).out
        assert not set("\x1b\x07\u202e\r") & set(out)
    assert "[bold]plain[/bold] :smile:" in cli("show", "evil", "--store", filled).out


def test_colour_is_for_terminals_and_not_with_no_color(cli: Cli, filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in cli("ask", "residual gate", "--store", filled).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[1;32m✓ RESOLVED" in cli("ask", "residual gate", "--store", filled).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[1;32m" not in cli("ask", "residual gate", "--store", filled).out


def test_no_line_is_wider_than_the_terminal_in_any_script(
    cli: Cli, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rich.cells import cell_len

    monkeypatch.setenv("COLUMNS", "48")
    for words in (("ask", "후보 풀", "--why"), ("ask", "outbox", "--why"), ("show", "pool"), ("search", "gate")):
        out = cli(*words, "--store", filled).out
        assert max(cell_len(line) for line in out.splitlines()) <= 48
