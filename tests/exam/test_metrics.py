from hypothesis import given
from hypothesis import strategies as st

from ascertain.decide.catalogue import POLICIES
from ascertain.decide.seed import SeedPolicy
from ascertain.exam.metrics import Counts, counts, only_by_arm, recall_by_arm, recall_by_depth
from ascertain.exam.outcome import Outcome, outcome_of
from ascertain.exam.recorded import RecordedQuestion
from exam.made import EMPTY, SURE, UNSURE, asked, candidate, pool, questions, semantic, title


def outcomes(*asked_: RecordedQuestion) -> list[Outcome]:
    return [outcome_of(one, SeedPolicy()) for one in asked_]


def test_each_way_a_question_can_go_is_counted_where_it_belongs():
    found = counts(
        outcomes(
            asked("right", SURE, "a"),
            asked("wrong", SURE, "b"),
            asked("wrong and not in the pool", SURE, "z"),
            asked("in the list", UNSURE, "b"),
            asked("not in the list", UNSURE, "z"),
            asked("none", EMPTY, "a"),
            asked("no answer, resolved", SURE),
            asked("no answer, choose", UNSURE),
            asked("no answer, none", EMPTY),
        )
    )
    assert found == Counts(
        answerable=6, unanswerable=3, in_pool=3, pool_size_mean=round(14 / 9, 3), first=1,
        resolved_right=1, resolved_wrong=2, choose=2, choose_has_gold=1, none=1,
        unanswerable_resolved=1, unanswerable_choose=1,
    )  # fmt: skip


def test_first_is_the_first_that_was_handed_back_whatever_the_state():
    assert counts(outcomes(asked("q", UNSURE, "a"))).first == 1


def test_nothing_counted_is_all_zeros():
    assert counts([]) == Counts()


@given(questions(), st.sampled_from(POLICIES))
def test_states_add_up_and_no_stage_exceeds_the_one_before(made, policy):
    found = counts([outcome_of(one, policy) for one in made])
    assert found.resolved_right + found.resolved_wrong + found.choose + found.none == found.answerable
    assert found.resolved_right <= found.first <= found.in_pool <= found.answerable
    assert found.choose_has_gold <= found.choose
    assert found.unanswerable_resolved + found.unanswerable_choose <= found.unanswerable


def test_recall_tells_what_an_arm_brings_alone():
    both = pool(candidate("a", title(1, "tide"), semantic(1)), candidate("b", semantic(2)))
    found = outcomes(asked("both arms", both, "a"), asked("one arm", both, "b"), asked("no answer", both))
    arms = ("title", "semantic", "graph")
    assert recall_by_arm(found, arms) == {"title": 1, "semantic": 2, "graph": 0}
    assert only_by_arm(found, arms) == {"title": 0, "semantic": 1, "graph": 0}


def test_recall_by_depth_counts_what_deeper_pools_would_hold():
    deeper = {2: False, 4: True}
    found = outcomes(asked("deep", UNSURE, "z", deeper=deeper), asked("there", UNSURE, "a", deeper={2: True, 4: True}))
    assert recall_by_depth(found) == {"1x": 1, "2x": 1, "4x": 2}
