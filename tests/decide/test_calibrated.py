"""The calibrated policy: pure, its probabilities sum to one, and what keeps it from being confident."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain.decide.calibrated import FEW, CalibratedPolicy, Weights, odds_of, shipped_weights
from ascertain.decide.features import CANDIDATE_FEATURES, COMMIT_FEATURES
from ascertain.decide.rules import CHOICES, deciding
from ascertain.decide.visibility import resolution_of
from ascertain.model.evidence import Candidate, Evidence, NameEvidence, Pool, SpellingEvidence, Term
from exam.made import candidate, pool, pools, semantic, title

POLICY = CalibratedPolicy()


def crowd(*front: Candidate, terms: tuple[str, ...] = ("tide", "table")) -> Pool:
    """A pool large enough to be weighed: these in front of candidates that little speaks for."""
    rest = [candidate(f"z{at:02}", semantic(at + 5)) for at in range(FEW)]
    return pool(*front, *rest, terms=terms)


def named(exact: bool, *, start: int = 0, end: int = 4, contained: bool = False) -> NameEvidence:
    return NameEvidence(1, "tide", start, end, () if exact else ("table",), exact, contained)


@st.composite
def crowds(draw: st.DrawFn) -> Pool:
    """Generated pools with a crowd behind them."""
    made = draw(pools())
    return replace(made, candidates=tuple(sorted((*made.candidates, *crowd().candidates), key=lambda one: one.id)))


STRONG: tuple[Evidence, ...] = (title(1, "tide", "table", share=1.0), semantic(1, 0.2))


@given(crowds())
def test_the_probabilities_of_all_and_of_nothing_sum_to_one(made: Pool) -> None:
    odds = odds_of(made, deciding(made), shipped_weights())
    assert sum(odds.share.values()) + odds.nothing == pytest.approx(1, abs=1e-4)
    assert all(0 <= share <= 1 for share in (*odds.share.values(), odds.nothing))
    assert sorted(odds.order) == sorted(odds.share)


@given(crowds(), st.randoms(use_true_random=False))
def test_the_same_evidence_gives_the_same_verdict_in_any_order(made: Pool, random: object) -> None:
    shuffled = list(made.candidates)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert POLICY.decide(made) == POLICY.decide(made)
    again = POLICY.decide(Pool.from_json(json.loads(json.dumps(made.to_json()))))
    assert again == POLICY.decide(made)
    other = POLICY.decide(replace(made, candidates=tuple(shuffled)))
    assert (other.state, other.node, other.order) == (again.state, again.node, again.order)


@given(crowds())
def test_a_list_holds_two_to_five_and_nothing_that_was_not_listed(made: Pool) -> None:
    verdict = POLICY.decide(made)
    assert (verdict.node is not None) == (verdict.state == "resolved")
    if verdict.state != "choose":
        assert verdict.listed == ()
        return
    assert len(set(verdict.listed)) == len(verdict.listed) <= CHOICES
    assert verdict.listed == verdict.tied == verdict.order[: len(verdict.listed)]
    answer = resolution_of(made, POLICY)
    visible = {one.id for one in made.candidates if one.visible}
    if answer.state == "choose" and visible.issuperset(verdict.listed):
        assert [one.candidate.id for one in answer.candidates] == list(verdict.listed)
        assert answer.ask_back


@given(crowds(), st.floats(0, 1), st.floats(0, 1))
def test_a_higher_bar_never_resolves_what_a_lower_one_did_not(made: Pool, one: float, two: float) -> None:
    low, high = (CalibratedPolicy(replace(shipped_weights(), resolve=bar)).decide(made) for bar in sorted((one, two)))
    if high.state == "resolved":
        assert (low.state, low.node) == ("resolved", high.node)


def test_the_weights_file_has_exactly_the_features() -> None:
    told = json.loads(files("ascertain.decide").joinpath("weights.json").read_text("utf-8"))
    assert list(told["rank"]) == list(CANDIDATE_FEATURES)
    assert list(told["right"]) == list(told["other"]) == list(COMMIT_FEATURES)
    assert Weights.from_json(told).to_json() | told == Weights.from_json(told).to_json()
    assert 0 < told["resolve"] <= 1
    assert 0 < told["listed"] <= 1
    assert told["promise"]


def test_a_question_that_is_the_name_of_one_node_is_resolved_to_it() -> None:
    verdict = POLICY.decide(crowd(candidate("a", named(True), *STRONG), candidate("b", title(2, "tide", share=0.3))))
    assert (verdict.state, verdict.node) == ("resolved", "a")


def test_namesakes_are_handed_back_both() -> None:
    twins = (candidate("a", named(True), *STRONG), candidate("b", named(True), *STRONG, kind="decision"))
    verdict = POLICY.decide(crowd(*twins))
    assert verdict.state == "choose"
    assert set(verdict.listed[:2]) == {"a", "b"}


@pytest.mark.parametrize("resolve", [0.0, 0.5])
def test_a_candidate_about_another_concept_than_the_one_named_is_never_resolved(resolve: float) -> None:
    policy = CalibratedPolicy(replace(shipped_weights(), resolve=resolve))
    mina = candidate("mina", named(False), title(2, "tide", share=0.4), kind="concept")
    record = candidate("r", *STRONG, about=("joon",))
    assert policy.decide(crowd(mina, record)).node != "r"
    fitting = replace(record, about=("mina",))
    verdict = CalibratedPolicy(replace(shipped_weights(), resolve=0.0)).decide(crowd(mina, fitting))
    assert not any("it is about others" in told for told in verdict.obstacles)


def test_a_word_that_nothing_here_says_keeps_words_of_a_title_from_being_taken_as_the_answer() -> None:
    policy = CalibratedPolicy(replace(shipped_weights(), resolve=0.0))
    said = candidate("a", title(1, "tide", share=0.6), semantic(1, 0.2))
    whole = crowd(said, candidate("b", title(2, "tide", share=0.1)))
    assert policy.decide(whole).node == "a"
    unheard = replace(whole, terms=(Term("tide", 1, 1), Term("zeppelin", 0, 0)))
    verdict = policy.decide(unheard)
    assert verdict.state == "choose"
    assert "nothing here says «zeppelin»" in verdict.obstacles
    # Its name is said; a document says it; there are no documents that could; it is spelt alike.
    name = candidate("a", named(False), *said.arms.values())
    spelt = candidate("a", *said.arms.values(), SpellingEvidence(1, 1.0, (("zeppelin", "zepelin"),), 0.9, 0.4, 0.5))
    for heard in (
        replace(unheard, candidates=crowd(name, candidate("b", title(2, "tide", share=0.1))).candidates),
        replace(unheard, terms=(Term("tide", 1, 1), Term("zeppelin", 0, 1))),
        replace(unheard, pieces_total=0),
        replace(unheard, candidates=crowd(spelt, candidate("b", title(2, "tide", share=0.1))).candidates),
    ):
        assert not any("nothing here says" in told for told in policy.decide(heard).obstacles)


def test_without_any_evidence_there_is_nothing() -> None:
    assert POLICY.decide(pool()).state == "none"


def test_every_confident_answer_names_the_promise_it_was_made_under() -> None:
    policy = CalibratedPolicy(replace(shipped_weights(), resolve=0.0, promise="as promised"))
    verdict = policy.decide(crowd(candidate("a", *STRONG), candidate("b", title(2, "tide", share=0.1))))
    assert (verdict.state, verdict.node) == ("resolved", "a")
    assert "as promised" in verdict.rule
