"""Runs an exam: its store into a memory, every question asked, all evidence kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ascertain.arms.catalogue import ARMS
from ascertain.decide.base import Policy
from ascertain.decide.catalogue import DEFAULT, policy_named
from ascertain.encoders.base import Encoder
from ascertain.encoders.bundled import BundledEncoder
from ascertain.errors import NotFound
from ascertain.exam.facts import facts_of
from ascertain.exam.format import Exam, ExamQuestion, check_gold, check_store, load_exam, refuse, told
from ascertain.exam.outcome import Outcome, outcome_of
from ascertain.exam.recorded import Header, RecordedQuestion, read_header, read_recording, write_recording
from ascertain.exam.result import RunResult
from ascertain.exam.split import Half, half_of
from ascertain.memory import Memory
from ascertain.model.nodes import Node
from ascertain.model.times import TimeView
from ascertain.pool import DEPTH, SIZE

TIMES = (2, 4)
"""How many times deeper pools are gathered too, to see what depth alone would bring."""

Progressing = Callable[[str, int, int], None]
"""Called with the stage (`import`, `ask`), how much is done and how much there is (0: not known)."""


@dataclass
class Clock:
    """Milliseconds by stage: the one part of a result that differs from run to run."""

    timings_ms: dict[str, float] = field(default_factory=dict)

    def add(self, stage: str, since: float) -> None:
        """Adds the time since a reading of time.perf_counter()."""
        self.timings_ms[stage] = round(self.timings_ms.get(stage, 0.0) + (time.perf_counter() - since) * 1e3, 1)


def run_exam(
    folder: str | Path,
    policy: Policy | None = None,
    *,
    store: str | Path | None = None,
    encoder: Encoder | None = None,
    record: str | Path | None = None,
    half: Half | None = None,
    progress: Progressing | None = None,
) -> RunResult:
    """Asks every question of the exam in a folder and counts how the policy did.

    policy: what `ask` goes by unless given. store: an open store to ask instead of the one that the
    exam brings. encoder: the bundled one unless given. record: a file to write all evidence to.
    half: only the questions to tune or to test with.

    The result is the same whatever the order of lines in either file, and equal but for
    `timings_ms` from run to run.

    Raises ExamInvalid that names every problem before anything is asked, or an error of the
    store or encoder.
    """
    clock, start = Clock(), time.perf_counter()
    policy = policy or policy_named(DEFAULT)
    exam = load_exam(folder)
    if half is not None:
        exam = replace(exam, questions=tuple(one for one in exam.questions if half_of(one.question) == half))
    remembering = Remembering(encoder or BundledEncoder())
    with closing(memory_of(exam, store, remembering, progress)) as memory:
        clock.add("import", start)
        asked: Iterable[RecordedQuestion] = ask_all(memory, exam, progress=progress, clock=clock)
        if record is not None:
            header = Header(exam.name, exam.author, remembering.name, DEPTH, SIZE, len(exam.questions))
            asked = write_recording(Path(record), header, asked)
        outcomes = _decide(asked, policy, clock)
    clock.add("total", start)
    return RunResult(exam.name, exam.author, policy.name, policy.author, _arms(), outcomes, half, clock.timings_ms)


def run_recording(path: str | Path, policy: Policy, *, half: Half | None = None) -> RunResult:
    """Decides over a recording, without a store. Equal to the run it was made in but for timings.

    Raises ExamInvalid where the file can't be read.
    """
    clock, start = Clock(), time.perf_counter()
    header = read_header(Path(path))
    asked = (one for one in read_recording(Path(path)) if half is None or half_of(one.question) == half)
    outcomes = _decide(asked, policy, clock)
    clock.add("total", start)
    return RunResult(header.exam, header.author, policy.name, policy.author, _arms(), outcomes, half, clock.timings_ms)


def memory_of(exam: Exam, store: str | Path | None, encoder: Encoder, progress: Progressing | None = None) -> Memory:
    """The memory to ask: the given store, or a temporary one that the exam's store is imported to.

    Raises ExamInvalid for each line that can't be taken and each gold id that isn't there.
    """
    if store is None:
        check_gold(exam, check_store(exam.store_path))
        memory = Memory.temporary(encoder=encoder)
    else:
        memory = Memory.open(store, encoder=encoder, create=False)
    try:
        if store is None:
            report = memory.import_path(
                exam.store_path,
                format="jsonl",
                progress=(lambda taken: progress("import", taken, 0)) if progress else None,
            )
            refuse([told(problem) for problem in report.skipped])
        else:
            check_gold(exam, _known(memory, {id for one in exam.questions for id in one.gold}))
    except BaseException:
        memory.close()
        raise
    return memory


def ask_all(
    memory: Memory,
    exam: Exam,
    *,
    now: datetime | None = None,
    times: Sequence[int] = TIMES,
    progress: Progressing | None = None,
    clock: Clock | None = None,
) -> Iterator[RecordedQuestion]:
    """The evidence for each question, in id order, one at a time.

    now: the moment at which questions without `as_of` are asked.
    times: how many times deeper to gather as well.
    """
    moment = now or datetime.now(UTC)
    nodes = {id: memory.node(id).node for id in sorted({id for one in exam.questions for id in one.gold})}
    for number, one in enumerate(exam.questions, 1):
        start = time.perf_counter()
        recorded = _ask(memory, one, moment, times, [nodes[id] for id in one.gold])
        if clock is not None:
            clock.add("ask", start)
        yield recorded
        if progress:
            progress("ask", number, len(exam.questions))


def _ask(
    memory: Memory, one: ExamQuestion, now: datetime, times: Sequence[int], gold: Sequence[Node]
) -> RecordedQuestion:
    view = TimeView.at(now, as_of=one.as_of)
    pool = memory.pool(one.question, view=view)
    wanted = set(one.gold)
    held = any(found.node in wanted for found in pool.candidates)
    deeper = {}
    for many in times:
        # What a pool holds, a deeper one holds too: only misses are worth digging for.
        if wanted and not held:
            found = memory.pool(one.question, view=view, depth=DEPTH * many, size=SIZE * many)
            held = any(each.node in wanted for each in found.candidates)
        deeper[many] = held
    return RecordedQuestion(
        id=one.id,
        question=one.question,
        lang=one.lang,
        gold=one.gold,
        as_of=one.as_of,
        tags=one.tags,
        facts=facts_of(one.question, gold),
        pool=pool,
        deeper=deeper,
    )


def _decide(asked: Iterable[RecordedQuestion], policy: Policy, clock: Clock) -> tuple[Outcome, ...]:
    outcomes = []
    for one in asked:
        start = time.perf_counter()
        outcomes.append(outcome_of(one, policy))
        clock.add("decide", start)
    return tuple(sorted(outcomes, key=lambda one: one.id))


def _arms() -> tuple[str, ...]:
    return tuple(arm.name for arm in ARMS)


def _known(memory: Memory, ids: set[str]) -> set[str]:
    known = set()
    for id in ids:
        try:
            known.add(memory.node(id).node.id)
        except NotFound:
            continue
    return known


class Remembering:
    """An encoder that keeps the row of the last single text: a question is gathered for at
    several depths and encoded once. Rows are those of the encoder, alone in a batch, as
    `Memory.ask` encodes a question."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._last: tuple[str, npt.NDArray[np.float32]] | None = None

    @property
    def name(self) -> str:
        """The encoder's own: a store that it wrote opens with either."""
        return self._encoder.name

    @property
    def dimension(self) -> int:
        """The encoder's own."""
        return self._encoder.dimension

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """See encoders/base.py."""
        if len(texts) != 1:
            return self._encoder.encode(texts)
        if self._last is None or self._last[0] != texts[0]:
            self._last = (texts[0], self._encoder.encode(texts))
        return self._last[1].copy()
