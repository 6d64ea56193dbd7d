"""What a policy made of one question of an exam."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ascertain.decide.base import Policy, Verdict
from ascertain.decide.gates.base import GatedPolicy
from ascertain.decide.rules import agreement, in_words, semantic_of
from ascertain.decide.seed import SeedPolicy
from ascertain.decide.visibility import resolution_of
from ascertain.exam.recorded import Facts, RecordedQuestion
from ascertain.model.evidence import Pool
from ascertain.model.resolution import State


@dataclass(frozen=True, slots=True)
class Shown:
    """A candidate that was handed back, as a report shows it. said: what each arm says for it."""

    id: str
    kind: str
    title: str
    visible: bool
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to one question beside what is right.

    state, node, reason:  as answered. offered: what was handed back, best first.
    in_pool:   a gold node was in the pool. arms: those that put one forward.
    first:     a gold node was the first that was handed back.
    confidence: orders questions from sure to unsure: compared as a tuple, larger is surer;
               None where no candidate was handed back.
    """

    id: str
    question: str
    lang: str
    gold: tuple[str, ...]
    as_of: str | None
    tags: Mapping[str, str]
    facts: Facts
    state: State
    node: str | None
    offered: tuple[Shown, ...]
    reason: str
    obstacles: tuple[str, ...]
    in_pool: bool
    pool_size: int
    arms: tuple[str, ...]
    deeper: Mapping[int, bool]
    confidence: tuple[float, ...] | None

    @property
    def answerable(self) -> bool:
        """Does a node of the store answer it?"""
        return bool(self.gold)

    @property
    def first(self) -> bool:
        """Is a gold node the first that was handed back, whatever the state?"""
        return bool(self.offered) and self.offered[0].id in self.gold

    @property
    def resolved_right(self) -> bool:
        """Resolved, and to a gold node."""
        return self.state == "resolved" and self.node in self.gold

    @property
    def resolved_wrong(self) -> bool:
        """Resolved to a node that is not gold, be there a gold node or not."""
        return self.state == "resolved" and self.node not in self.gold

    @property
    def choose_has_gold(self) -> bool:
        """Choose, and a gold node is in the list."""
        return self.state == "choose" and any(one.id in self.gold for one in self.offered)

    def to_json(self) -> dict[str, Any]:
        """What two runs are compared by."""
        return {
            "id": self.id,
            "question": self.question,
            "gold": list(self.gold),
            "state": self.state,
            "node": self.node,
            "offered": [one.id for one in self.offered],
            "in_pool": self.in_pool,
            "arms": list(self.arms),
        }


def outcome_of(asked: RecordedQuestion, policy: Policy) -> Outcome:
    """Decides over recorded evidence exactly as `Memory.ask` does."""
    watched = _Watched(policy)
    answer = resolution_of(asked.pool, watched)
    gold = set(asked.gold)
    found = [one for one in asked.pool.candidates if one.node in gold]
    return Outcome(
        id=asked.id,
        question=asked.question,
        lang=asked.lang,
        gold=asked.gold,
        as_of=asked.as_of,
        tags=asked.tags,
        facts=asked.facts,
        state=answer.state,
        node=answer.node,
        offered=tuple(
            Shown(one.candidate.id, one.candidate.kind, one.candidate.title, one.candidate.visible,
                  in_words(one.candidate))
            for one in answer.candidates
        ),
        reason=answer.reason,
        obstacles=answer.why.obstacles,
        in_pool=bool(found),
        pool_size=len(asked.pool.candidates),
        arms=tuple(sorted({arm for one in found for arm in one.arms})),
        deeper=asked.deeper,
        confidence=_confidence(asked.pool, policy, watched.first, answer.state) if answer.candidates else None,
    )  # fmt: skip


class _Watched:
    """Keeps the first verdict of a policy: visibility may ask for a second one."""

    def __init__(self, policy: Policy) -> None:
        self._policy, self.name, self.author = policy, policy.name, policy.author
        self.first: Verdict | None = None

    def decide(self, pool: Pool) -> Verdict:
        verdict = self._policy.decide(pool)
        self.first = self.first or verdict
        return verdict


def _confidence(pool: Pool, policy: Policy, verdict: Verdict | None, state: State) -> tuple[float, ...]:
    """A policy's own `confidence` where its verdict has one. Else what is resolved is surer than what
    is not, and then the score of the first tells; of the seed policy, whose scores mean nothing
    across questions, how many arms agree and how wide the gap is."""
    told = {"resolved": 2.0, "choose": 1.0, "none": 0.0}[state]
    own = getattr(verdict, "confidence", None)
    if isinstance(own, (int, float)):
        return (float(own),)
    if verdict is None or not verdict.order:
        return (told, 0.0, 0.0)
    id = verdict.order[0]
    plain = policy.policy if isinstance(policy, GatedPolicy) else policy
    if not isinstance(plain, SeedPolicy):
        return (told, verdict.scores.get(id, 0.0))
    first = next(one for one in pool.candidates if one.id == id)
    semantic = semantic_of(first)
    gap = semantic.gap if semantic and semantic.rank == 1 else 0.0
    return (told, float(agreement(first, plain.arms)), gap)
