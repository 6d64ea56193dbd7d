import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain.decide.catalogue import POLICIES
from ascertain.decide.gates.base import GatedPolicy
from ascertain.decide.gates.catalogue import GATES, gate_named, gated_policy_named
from ascertain.decide.gates.residual import ResidualGate, residual
from ascertain.decide.seed import SeedPolicy
from ascertain.errors import NotFound
from ascertain.model.evidence import NameEvidence, PieceHit
from exam.made import candidate, pool, pools, semantic, title

MEANT = candidate("a", title(1, "tide", "table"), semantic(1, 0.2))


def decide(*terms, pieces=()):
    return GatedPolicy(SeedPolicy(), (ResidualGate(),)).decide(pool(MEANT, terms=terms, pieces=pieces))


def test_a_title_that_consumes_the_whole_question_passes():
    assert decide("tide", "table").state == "resolved"


def test_a_rest_that_touches_nothing_that_search_returned_takes_confidence_away():
    found = decide("tide", "table", "jupiter", pieces=[PieceHit("p", 1, 1, None, ("tide",))])
    assert (found.state, found.node) == ("choose", None)
    assert any("jupiter" in told for told in found.obstacles)


def test_a_rest_that_stands_in_a_returned_piece_passes():
    assert decide("tide", "table", "harbour", pieces=[PieceHit("p", 1, 1, None, ("harbour",))]).state == "resolved"


def test_where_search_returned_nothing_any_rest_touches_nothing():
    assert decide("tide", "table", "harbour").state == "choose"


def test_the_words_inside_a_name_and_parts_of_a_word_are_consumed():
    named = candidate("a", NameEvidence(1, "Tide table", 0, 10, ("when",), False))
    assert residual(pool(named, terms=("tide", "table", "when")), named) == ("when",)
    whole = candidate("a", title(1, "tide_table"))
    assert residual(pool(whole, terms=("tide_table", "tide")), whole) == ()


@given(pools(), st.sampled_from(POLICIES), st.sampled_from(GATES))
def test_a_gate_only_takes_confidence_away(made, policy, gate):
    before, after = policy.decide(made), GatedPolicy(policy, (gate,)).decide(made)
    assert after.order == before.order
    if before.state != "resolved":
        assert after == before
    else:
        assert after == before or (after.state, after.node) == ("choose", None)


def test_gates_are_named_behind_a_plus_sign():
    assert gated_policy_named("seed+residual").name == "seed+residual"
    assert gated_policy_named("seed") == SeedPolicy()
    with pytest.raises(NotFound):
        gate_named("nobody")
