"""A read filter changes what is visible, never what the answer is: for generated stores and reads.

The store grows, is corrected, withdrawn, restored and superseded in any order; in between, the
same question is read from any moment of both axes, by policies that are honest and by others.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, multiple, rule

from ascertain.decide.base import Policy
from ascertain.decide.grounds import GroundsPolicy
from ascertain.decide.seed import SeedPolicy
from ascertain.decide.visibility import unfiltered
from ascertain.errors import InvalidInput
from ascertain.memory import Memory
from ascertain.model.nodes import Concept, Decision, Node, Record
from ascertain.model.resolution import Resolution
from ascertain.model.times import TimeView
from laws.tiny import AnyOne, LastOneSeen, TinyEncoder

POLICIES: tuple[Policy, ...] = (
    SeedPolicy(), SeedPolicy(bar=1, gap=0.001), GroundsPolicy(), GroundsPolicy(bar=1, share=0.1, gap=0.001),
    LastOneSeen(), AnyOne(),
)  # fmt: skip
WORDS = ("night", "shift", "cache", "gate", "form")
MOMENTS = tuple(datetime(year, 3, 1, tzinfo=UTC) for year in (1969, 2024, 2025, 2026, 2031))

titles = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
moments = st.sampled_from((None, *MOMENTS))
kinds = st.sampled_from((Concept, Record, Decision))


def _ordered(start: datetime | None, end: datetime | None) -> tuple[datetime | None, datetime | None]:
    return (end, start) if start is not None and end is not None and end < start else (start, end)


class Store(RuleBasedStateMachine):
    """One store and all moments at which something happened to it."""

    nodes: Bundle[str] = Bundle("nodes")

    @initialize()
    def opened(self) -> None:
        self.memory = Memory.temporary(encoder=TinyEncoder())
        self.happened: list[datetime] = []
        self.count = 0

    def teardown(self) -> None:
        if hasattr(self, "memory"):
            self.memory.close()

    def _done(self) -> None:
        self.happened.append(datetime.now(UTC))

    @rule(
        target=nodes, kind=kinds, title=titles, body=st.sampled_from(("", "night gate", "cache")),
        times=st.tuples(*[moments] * 4), older=st.lists(nodes, max_size=2, unique=True),
        about=st.none() | nodes, stamp=st.booleans(),
    )  # fmt: skip
    def add(
        self, kind: type[Node], title: str, body: str, times: tuple[datetime | None, ...], older: list[str],
        about: str | None, stamp: bool,
    ) -> str:  # fmt: skip
        valid_from, valid_to = _ordered(times[0], times[1])
        recorded_at, retired_at = _ordered(times[2], times[3])
        self.count += 1
        id = f"n{self.count}"
        node = replace(
            kind(id=id, title=title, supersedes=tuple(older), valid_from=valid_from, valid_to=valid_to,
                 recorded_at=recorded_at, retired_at=retired_at),
            about=(about,) if about and kind is not Concept else (),
        )  # fmt: skip
        self.memory.add(replace(node, body=body), stamp=stamp and retired_at is None)  # type: ignore[call-arg]
        self._done()
        return id

    @rule(id=nodes, at=moments)
    def retire(self, id: str, at: datetime | None) -> None:
        self._try(lambda: self.memory.retire(id, reason="wrong", at=at))

    @rule(id=nodes)
    def restore(self, id: str) -> None:
        self._try(lambda: self.memory.restore(id))

    @rule(id=nodes, title=titles)
    def correct(self, id: str, title: str) -> None:
        self._try(lambda: self.memory.correct(replace(self.memory.node(id).node, title=title)))

    @rule(old=nodes, new=nodes, at=moments)
    def supersede(self, old: str, new: str, at: datetime | None) -> None:
        self._try(lambda: self.memory.supersede(old, new, at=at))

    @rule(target=nodes, id=consumes(nodes))
    def forget(self, id: str) -> object:
        if self.count % 3:
            return id  # not too often: what is forgotten has nothing more to say
        self.memory.forget(id)
        self._done()
        return multiple()

    def _try(self, change: object) -> None:
        # Another kind, a circle, a time that can't be: refused, and nothing has changed.
        with suppress(InvalidInput):
            change()  # type: ignore[operator]
        self._done()

    def _moment(self, pick: float | datetime | None) -> datetime | None:
        if isinstance(pick, float):
            return self.happened[int(pick * len(self.happened))] if self.happened else None
        return pick

    @rule(
        question=titles, policy=st.sampled_from(POLICIES), retired=st.booleans(),
        valid=moments | st.floats(0, 0.99), known=moments | st.floats(0, 0.99), both=moments | st.floats(0, 0.99),
    )  # fmt: skip
    def read(
        self, question: str, policy: Policy, retired: bool, valid: float | datetime | None,
        known: float | datetime | None, both: float | datetime | None,
    ) -> None:  # fmt: skip
        times = {"valid_at": self._moment(valid), "known_at": self._moment(known), "as_of": self._moment(both)}
        view = TimeView.at(datetime.now(UTC), **times, include_retired=retired)
        everything = TimeView.at(datetime.now(UTC), include_retired=True)
        assert unfiltered(self.memory.pool(question, view=view)) == unfiltered(
            self.memory.pool(question, view=everything)
        ), "the decision is made over the same evidence whoever reads"
        for asked in (question, question.upper() + "?"):
            seen = self.memory.ask(asked, policy=policy, include_retired=retired, **times)
            whole = self.memory.ask(asked, policy=policy, include_retired=True)
            self._lawful(seen, whole, view)

    def _lawful(self, seen: Resolution, whole: Resolution, view: TimeView) -> None:
        if seen.state == "resolved":
            assert whole.state == "resolved"
            assert seen.node is not None
            assert whole.node is not None
            row = self.memory.node(seen.node)
            assert whole.node in (seen.node, *row.older, *row.newer)
            assert seen.candidates[0].candidate.id == seen.node
        if seen.state == "choose":
            assert len(seen.candidates) > 1 or seen.hidden
        assert len(seen.candidates) <= 5
        ids = [offer.candidate.id for offer in seen.candidates]
        assert len(set(ids)) == len(ids)
        for offer in seen.candidates:
            versions = self.memory.history(offer.candidate.id)
            assert any(not row.hidden_since(view) for row in versions), "what is offered can be shown"


Store.TestCase.settings = settings(max_examples=40, stateful_step_count=20)
TestNoFilterDecides = Store.TestCase
