"""The answer: resolved, choose or none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ascertain.model.evidence import Candidate
from ascertain.model.markdown import as_markdown

State = Literal["resolved", "choose", "none"]


@dataclass(frozen=True)
class Offer:
    """A candidate as handed back. score orders candidates of one question and has no meaning
    beyond it. differs_by: what parts it from the others offered, by name (`kind`, `words`, …)."""

    candidate: Candidate
    score: float
    differs_by: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Why:
    """The rule that fired, what spoke for the first candidate, and what stood in the way of
    (more) confidence, each in one plain sentence."""

    rule: str
    grounds: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()


@dataclass(frozen=True)
class Resolution:
    """One of three states.

    node:       the id that is meant; None unless resolved.
    candidates: best first: on resolved the node and what came next; on choose two to five
                (one, where its rival is hidden); on none what came near, five at most.
    hidden:     how many rivals the reader may not see.
    reason:     one sentence.
    ask_back:   on choose one short question to whoever asked, in the language of the question; else "".
    timings_ms: by stage; not part of what makes two answers equal.
    """

    state: State
    question: str
    node: str | None
    candidates: tuple[Offer, ...]
    hidden: int
    reason: str
    policy: str
    why: Why
    ask_back: str = ""
    timings_ms: Mapping[str, float] = field(default_factory=dict, compare=False)

    def _repr_markdown_(self) -> str:
        """How a notebook shows it."""
        lines = [f"**{self.state}** {as_markdown(self.reason)}", ""]
        for at, offer in enumerate(self.candidates, 1):
            one = offer.candidate
            title = as_markdown(one.title)
            told = f"**{title}**" if one.node == self.node else title
            parts = "; ".join(f"{name}: {value}" for name, value in offer.differs_by.items())
            lines.append(f"{at}. {told} ({one.kind}, {as_markdown(one.node)}) {as_markdown(parts)}".rstrip())
        if self.ask_back:
            lines += ["", as_markdown(self.ask_back)]
        return "\n".join(lines)
