"""What a gate is, and a policy behind gates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ascertain.decide.base import Policy, Verdict
from ascertain.model.evidence import Pool


class Gate(Protocol):
    """A pure function of pool and verdict that can only take confidence away."""

    @property
    def name(self) -> str: ...

    @property
    def author(self) -> str:
        """Who wrote the rule: it is never judged by an exam of the same author."""

    def objection(self, pool: Pool, verdict: Verdict) -> str:
        """Why not to be confident, one clause; empty where the gate has nothing to say.
        Asked only about verdicts that are resolved."""


@dataclass(frozen=True)
class GatedPolicy:
    """A policy, and gates that its confident verdicts must pass.

    A verdict that a gate objects to becomes choose, with the same order: nothing is reordered.
    """

    policy: Policy
    gates: tuple[Gate, ...]

    @property
    def name(self) -> str:
        """`policy+gate`, as `--policy` takes it."""
        return "+".join((self.policy.name, *(gate.name for gate in self.gates)))

    @property
    def author(self) -> str:
        """All who wrote a part of it."""
        return "; ".join(dict.fromkeys((self.policy.author, *(gate.author for gate in self.gates))))

    def decide(self, pool: Pool) -> Verdict:
        """See Policy."""
        return passed(self.gates, pool, self.policy.decide(pool))


def passed(gates: Sequence[Gate], pool: Pool, verdict: Verdict) -> Verdict:
    """The verdict, or choose in its place where a gate objects."""
    if verdict.state != "resolved":
        return verdict
    objections = tuple(told for gate in gates if (told := gate.objection(pool, verdict)))
    if not objections:
        return verdict
    obstacles = (*verdict.obstacles, *objections)
    return replace(verdict, state="choose", node=None, rule="a gate holds it back", obstacles=obstacles)
