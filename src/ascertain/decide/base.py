"""What a policy is and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ascertain.model.evidence import Pool
from ascertain.model.resolution import State


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a policy makes of a pool, before anything is hidden.

    state, node: as in Resolution; node is None unless resolved.
    order:       candidate ids, best first; only those that may be offered.
    scores:      for each id in `order`; ordered like it, no meaning across questions.
    tied:        ids that nothing parts from the first, itself included.
    listed:      on choose the ids to hand back and no others, where the policy says which; else the
                 first few of `order` are.
    rule:        the rule that fired, one sentence. grounds, obstacles: what spoke for the first,
                 and what stood in the way of (more) confidence.
    """

    state: State
    node: str | None
    order: tuple[str, ...]
    scores: Mapping[str, float]
    tied: tuple[str, ...]
    rule: str
    grounds: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()


class Policy(Protocol):
    """From recorded evidence to a verdict. A pure function: the same pool, the same verdict."""

    @property
    def name(self) -> str: ...

    @property
    def author(self) -> str:
        """Who wrote the rule: it is never judged by an exam of the same author."""

    def decide(self, pool: Pool) -> Verdict: ...
