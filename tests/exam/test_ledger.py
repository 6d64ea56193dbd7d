"""evidence/ledger.json: what each rule that is on by default was shown to buy, by exams of others."""

import json
from pathlib import Path

import pytest

from ascertain.arms.catalogue import ARMS
from ascertain.decide.catalogue import DEFAULT
from ascertain.decide.gates.catalogue import DEFAULT_GATES
from ascertain.exam.authorship import shared

LEDGER = Path(__file__).parents[2] / "evidence" / "ledger.json"
ENTRIES = {entry["rule"]: entry for entry in json.loads(LEDGER.read_text("utf-8"))["rules"]}

ON_BY_DEFAULT = [
    *(f"arm {arm.name}" for arm in ARMS),
    f"policy {DEFAULT}",
    "visibility",
    *(f"gate {gate}" for gate in DEFAULT_GATES),
]


def confident_wrong(figures):
    return figures["resolved_wrong"] + figures["unanswerable_resolved"]


def gains(run):
    """More gold nodes in the pool, first or resolved; or fewer confident wrong answers."""
    with_, without = run["with"], run["without"]
    return (
        any(with_[name] > without[name] for name in ("in_pool", "first", "resolved_right"))
        or confident_wrong(with_) < confident_wrong(without)
    )  # fmt: skip


@pytest.mark.parametrize("rule", ON_BY_DEFAULT)
def test_a_rule_that_is_on_by_default_is_justified_by_exams_of_others(rule):
    entry = ENTRIES[rule]
    assert entry["author"]
    judged = [run for run in entry["runs"] if not shared(entry["author"], run["exam_author"])]
    assert any(gains(run) for run in judged), f"no exam of another author shows what {rule} buys"


@pytest.mark.parametrize("rule", sorted(ENTRIES))
def test_every_run_in_the_ledger_says_who_how_and_what(rule):
    for run in ENTRIES[rule]["runs"]:
        assert run["exam_author"].strip()
        assert run["command"].startswith(("ascertain ", "python "))
        assert run["with"].keys() == run["without"].keys()
        assert not shared(ENTRIES[rule]["author"], run["exam_author"])


def test_a_gate_that_is_off_has_no_entry_that_could_pass_for_a_reason():
    assert {rule for rule in ENTRIES if rule.startswith("gate ")} == {f"gate {gate}" for gate in DEFAULT_GATES}
