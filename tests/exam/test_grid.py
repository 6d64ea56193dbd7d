from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from ascertain.decide.catalogue import POLICIES
from ascertain.decide.seed import SeedPolicy
from ascertain.errors import NotFound
from ascertain.exam.grid import RIGHT, WAYS, Axes, evaluate, without
from ascertain.exam.metrics import counts
from ascertain.exam.outcome import outcome_of
from ascertain.exam.split import half_of
from ascertain.exam.together import ablation, pay_only_together, worth
from exam.made import SURE, UNSURE, asked, candidate, graph, pool, questions, semantic, title

SMALL = Axes(
    policies=tuple(policy.name for policy in POLICIES),
    arms=(("graph", "name", "semantic", "text", "title"), ("graph", "title"), ("semantic",)),
    bars=(1, 2, 3),
    gaps=(0.01, 0.05, 0.2),
)


@given(questions(max_size=3))
@settings(max_examples=60)
def test_the_grid_says_what_deciding_one_by_one_says(made):
    grid = evaluate(made, SMALL.settings())
    for setting, found in zip(grid.settings, grid.counts(), strict=True):
        one_by_one = counts(
            [outcome_of(replace(one, pool=without(one.pool, setting.arms)), setting.made()) for one in made]
        )
        told = dict(zip(WAYS, found, strict=True))
        assert told["resolved_right"] == one_by_one.resolved_right
        assert told["resolved_wrong"] == one_by_one.resolved_wrong
        assert told["choose_has_gold"] == one_by_one.choose_has_gold
        assert told["choose_has_gold"] + told["choose_without_gold"] == one_by_one.choose
        assert told["none"] == one_by_one.none
        assert told["unanswerable_resolved"] == one_by_one.unanswerable_resolved
        assert told["unanswerable_choose"] == one_by_one.unanswerable_choose


@given(questions(max_size=3))
@settings(max_examples=60)
def test_an_arm_whose_evidence_is_taken_out_is_an_arm_that_is_not_heard(made):
    for one in made:
        deaf = SeedPolicy(arms=("title",)).decide(one.pool)
        assert SeedPolicy().decide(without(one.pool, ("title",))).node == deaf.node


def test_without_an_arm_a_candidate_that_it_alone_brought_is_gone():
    made = pool(candidate("a", title(1, "tide")), candidate("b", semantic(1)))
    assert [one.id for one in without(made, ("title",)).candidates] == ["a"]


def test_a_policy_that_is_not_there_is_refused_before_anything_is_decided():
    with pytest.raises(NotFound):
        Axes(policies=("nobody",)).settings()


def test_changes_that_pay_only_together_are_found():
    """The vector arm alone moves nothing and a higher bar alone loses; together they win."""
    wrong_at_one_word = pool(candidate("x", title(1, "tide"), graph(1)), candidate("a", semantic(1, 0.3), graph(2)))
    right_at_one_word = pool(candidate("a", title(1, "tide"), semantic(1, 0.3), graph(1)), candidate("x", semantic(2)))
    made = [asked(f"w{at}", wrong_at_one_word) for at in range(1)]
    made += [asked(f"r{at}", right_at_one_word, "a") for at in range(4)]
    axes = Axes(
        policies=("seed",), arms=(("graph", "title"), ("graph", "semantic", "title")), bars=(1, 2), gaps=(0.05,),
        gates=((),),
    )  # fmt: skip
    grid = evaluate(made, axes.settings())
    value = dict(zip(((one.arms, one.bar) for one in grid.settings), worth(grid), strict=True))
    graph_title, all_three = axes.arms
    assert value[graph_title, 2] < value[graph_title, 1]
    found = pay_only_together(grid)
    for each in found:
        assert each.first_gain <= 0
        assert each.second_gain <= 0
        assert each.gain > 0
    assert value[all_three, 2] >= value[graph_title, 1]


def test_settings_are_ranked_on_one_half_and_shown_on_the_other():
    made = [asked(f"q{at}", SURE, "a", question=f"question number {at}") for at in range(40)]
    grid = evaluate(made, SMALL.settings())
    found = ablation(grid)
    tune = sum(half_of(one.question) == "tune" for one in made)
    assert (found.tuned, found.tested) == (tune, 40 - tune)
    assert found.ranked[0].worth == tune
    assert found.ranked[0].tested == 40 - tune
    assert ablation(grid, everything=True).ranked[0].worth == 40


def test_worth_counts_every_confident_wrong_answer():
    grid = evaluate(
        [asked("1", SURE, "a"), asked("2", SURE, "z"), asked("3", SURE), asked("4", UNSURE)], SMALL.settings()
    )
    at = next(at for at, one in enumerate(grid.settings) if one.policy == "seed" and len(one.arms) == 5)
    assert worth(grid, cost=2)[at] == 1 - 2 * 2
    assert np.count_nonzero(grid.ways[at] == RIGHT) == 1
