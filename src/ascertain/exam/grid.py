"""Arms × bars × gaps × gates × policies over recorded evidence."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from ascertain.arms.catalogue import ARMS
from ascertain.decide.base import Policy, Verdict
from ascertain.decide.catalogue import POLICIES, policy_named
from ascertain.decide.gates.base import GatedPolicy, passed
from ascertain.decide.gates.catalogue import gate_named
from ascertain.decide.rules import CHOICES, semantic_of, title_of
from ascertain.decide.visibility import resolution_of, unfiltered
from ascertain.exam.recorded import RecordedQuestion
from ascertain.exam.split import Half, half_of
from ascertain.model.evidence import Pool

ALL_ARMS = tuple(sorted(arm.name for arm in ARMS))

RIGHT, WRONG, CHOOSE_HAS_GOLD, CHOOSE, NONE, FALSE, FALSE_CHOOSE, SILENT = range(8)
"""How a question can go: an answerable one resolved right or wrong, choose with or without gold,
none; an unanswerable one resolved, choose, none."""

WAYS = (
    "resolved_right", "resolved_wrong", "choose_has_gold", "choose_without_gold", "none",
    "unanswerable_resolved", "unanswerable_choose", "unanswerable_none",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of the knobs. bar and gap are None where the policy has no such knob."""

    policy: str
    arms: tuple[str, ...]
    bar: int | None
    gap: float | None
    gates: tuple[str, ...]

    def made(self) -> Policy:
        """The policy to decide with, over pools that hold only these arms' evidence."""
        policy = _tuned(policy_named(self.policy), bar=self.bar, gap=self.gap)
        return GatedPolicy(policy, tuple(map(gate_named, self.gates))) if self.gates else policy


@dataclass(frozen=True)
class Axes:
    """What a grid is the product of. The first of each is where the search for changes starts."""

    policies: tuple[str, ...] = tuple(policy.name for policy in POLICIES)
    arms: tuple[tuple[str, ...], ...] = field(
        default_factory=lambda: (
            ALL_ARMS,
            *(tuple(arm for arm in ALL_ARMS if arm != off) for off in ALL_ARMS),
            ("graph", "semantic", "title"),
            ("graph", "title"),
        )
    )
    bars: tuple[int, ...] = (1, 2, 3, 4)
    gaps: tuple[float, ...] = (0.02, 0.04, 0.05, 0.06, 0.08, 0.12, 0.16, 1.0)
    gates: tuple[tuple[str, ...], ...] = ((), ("residual",))

    def settings(self) -> tuple[Setting, ...]:
        """All of them, each once, in the order of the axes.

        Raises NotFound for a policy or gate that isn't there.
        """
        for gate in {gate for gates in self.gates for gate in gates}:
            gate_named(gate)
        made = (
            Setting(name, arms, bar if _has(name, "bar") else None, gap if _has(name, "gap") else None, gates)
            for name, arms, bar, gap, gates in product(self.policies, self.arms, self.bars, self.gaps, self.gates)
        )
        return tuple(dict.fromkeys(made))


@dataclass(frozen=True)
class Grid:
    """How every question went under every setting.

    ways: shape (settings, questions), what `WAYS` names. questions: as its columns.
    """

    settings: tuple[Setting, ...]
    questions: tuple[str, ...]
    ways: npt.NDArray[np.uint8]

    def only(self, half: Half) -> Grid:
        """The same settings over one half of the questions."""
        kept = [at for at, question in enumerate(self.questions) if half_of(question) == half]
        return Grid(self.settings, tuple(self.questions[at] for at in kept), self.ways[:, kept])

    def counts(self) -> npt.NDArray[np.int64]:
        """(settings, len(WAYS)): how many questions went each way."""
        return np.stack([(self.ways == way).sum(axis=1) for way in range(len(WAYS))], axis=1)


def evaluate(
    questions: Iterable[RecordedQuestion],
    settings: Sequence[Setting],
    *,
    progress: Callable[[int], None] | None = None,
) -> Grid:
    """Decides every question under every setting.

    An arm that is off has its evidence taken out of the recorded pool: what that evidence alone
    had brought into the pool is gone, and what it had crowded out does not come back.

    A policy uses its bar and its gap only to compare them with the matched words and the first
    gap of candidates, so settings between whose bars and gaps no candidate's lies decide alike,
    and one of them is asked for all. That makes a thousand settings cost a few dozen decisions.

    progress: called with the number of questions that are done.
    """
    columns: list[npt.NDArray[np.uint8]] = []
    texts: list[str] = []
    groups = _grouped(settings)
    for one in questions:
        column = np.empty(len(settings), dtype=np.uint8)
        present = {arm for each in one.pool.candidates for arm in each.arms}
        cases: dict[frozenset[str], _Case] = {}
        for arms, members in groups.items():
            # Arms that said nothing may be on or off: it is the same pool.
            heard = frozenset(present.intersection(arms))
            if heard not in cases:
                cases[heard] = _Case(without(one.pool, arms), frozenset(one.gold))
            for at, setting in members:
                column[at] = cases[heard].way(setting)
        columns.append(column)
        texts.append(one.question)
        if progress:
            progress(len(texts))
    ways = np.stack(columns, axis=1) if columns else np.zeros((len(settings), 0), dtype=np.uint8)
    return Grid(tuple(settings), tuple(texts), ways)


def without(pool: Pool, arms: Sequence[str]) -> Pool:
    """The pool with the evidence of these arms only. A candidate that none of them put forward
    stays only where it is there as another version of a candidate."""
    kept = []
    for one in pool.candidates:
        heard = {arm: evidence for arm, evidence in one.arms.items() if arm in arms}
        if heard or not one.arms:
            kept.append(one if len(heard) == len(one.arms) else replace(one, arms=heard))
    return replace(pool, candidates=tuple(kept))


_Members = list[tuple[int, Setting]]


def _grouped(settings: Sequence[Setting]) -> dict[tuple[str, ...], _Members]:
    groups: dict[tuple[str, ...], _Members] = {}
    for at, setting in enumerate(settings):
        groups.setdefault(setting.arms, []).append((at, setting))
    return groups


class _Case:
    """One question with some arms on: decides once for all settings that no candidate tells apart."""

    def __init__(self, pool: Pool, gold: frozenset[str]) -> None:
        self._pool, self._gold = pool, gold
        self._shared = unfiltered(pool)
        self._words = sorted({len(title.matched) for each in pool.candidates if (title := title_of(each))})
        first = [found for each in pool.candidates if (found := semantic_of(each)) and found.rank == 1]
        self._gaps = sorted({found.gap for found in first})
        self._plain = all(each.visible for each in pool.candidates)
        self._nodes = {each.id: each.node for each in pool.candidates}
        self._verdicts: dict[Any, Verdict] = {}
        self._ways: dict[Any, int] = {}

    def way(self, setting: Setting) -> int:
        """How the question goes under a setting."""
        cell = (
            setting.policy,
            None if setting.bar is None else bisect_left(self._words, setting.bar),
            None if setting.gap is None else bisect_left(self._gaps, setting.gap),
        )
        if (cell, setting.gates) not in self._ways:
            self._ways[cell, setting.gates] = self._decided(cell, setting)
        return self._ways[cell, setting.gates]

    def _decided(self, cell: Any, setting: Setting) -> int:
        if not self._plain:
            answer = resolution_of(self._pool, setting.made())
            return _way(answer.state, answer.node, [one.candidate.id for one in answer.candidates], self._gold)
        if cell not in self._verdicts:
            self._verdicts[cell] = replace(setting, gates=()).made().decide(self._shared)
        verdict = passed(tuple(map(gate_named, setting.gates)), self._shared, self._verdicts[cell])
        # What visibility makes of a verdict where everything may be seen, without the explanations.
        best = verdict.listed if verdict.state == "choose" and verdict.listed else verdict.order
        offered = list(dict.fromkeys(self._nodes[id] for id in best))[:CHOICES]
        state = "none" if verdict.state == "choose" and len(offered) < 2 else verdict.state
        return _way(state, verdict.node and self._nodes[verdict.node], offered, self._gold)


def _way(state: str, node: str | None, offered: Sequence[str], gold: frozenset[str]) -> int:
    if not gold:
        return {"resolved": FALSE, "choose": FALSE_CHOOSE}.get(state, SILENT)
    if state == "resolved":
        return RIGHT if node in gold else WRONG
    if state == "choose":
        return CHOOSE_HAS_GOLD if gold.intersection(offered) else CHOOSE
    return NONE


def _has(policy: str, knob: str) -> bool:
    found = policy_named(policy)
    return is_dataclass(found) and knob in {one.name for one in fields(found)}


def _tuned(policy: Policy, **knobs: object) -> Policy:
    told = {name: value for name, value in knobs.items() if value is not None}
    # A policy with knobs is a frozen dataclass; the Protocol can't say so.
    return replace(policy, **told) if told else policy  # type: ignore[type-var]
