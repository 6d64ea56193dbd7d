"""Fits decide/weights.json on the exams of a folder: python benchmarks/fit_weights.py ../shared/exams

1. Each exam's store is asked at most 400 of its questions (the first by a hash of their ids, so that
   no language or kind is favoured), and whatever any arm put forward is recorded, untrimmed: what
   comes out must not depend on the weights that are there. `--pools DIR` keeps the recordings, and
   reads those that are there already.
2. The ranking model is fitted on the tuning halves; pools are trimmed with it, as a question's pool
   is; then the second model is fitted on them. `situated-time` is left out: its pairs differ by
   when they hold only, so that a right node and a wrong one look alike.
3. One bar is set on the other halves, pooled over the exams, by exam/guarantee.py.
4. With --write, decide/weights.json is written. The figures of the weights that were there and of
   the new ones on the held-out halves are printed as a table.

The table is fair to the new weights' two models and, within the promise, to their bar; the weights
that were there may have been fitted on these very questions.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

import numpy as np

from ascertain.decide.calibrated import CalibratedPolicy, Weights, shipped_weights
from ascertain.decide.features import CANDIDATE_FEATURES
from ascertain.encoders.bundled import BundledEncoder
from ascertain.exam.calibrate import HELD, promised, tried_of
from ascertain.exam.facts import facts_of
from ascertain.exam.fit import examples_of, fit, fit_rank
from ascertain.exam.format import Exam, load_exam
from ascertain.exam.guarantee import lowest_bar, start_of
from ascertain.exam.outcome import outcome_of
from ascertain.exam.recorded import Header, RecordedQuestion, is_recording, read_recording, write_recording
from ascertain.exam.run import memory_of
from ascertain.exam.split import Half, half_of
from ascertain.model.times import TimeView
from ascertain.pool import DEPTH, SIZE
from ascertain.resolve import trimmed

WEIGHTS = Path(__file__).parents[1] / "src/ascertain/decide/weights.json"
LEFT_OUT = ("situated-time",)
NOTHING = 0.3
"""The probability of "nothing here" from which the answer is none, where it is likelier than the first."""
MOST = 400
SPLITS = 200
WHOLE = 100_000
"""A size that no pool reaches: nothing is trimmed."""
NOW = datetime(2026, 1, 1, tzinfo=UTC)
"""When questions without a moment are asked: not today, so that every run is the same."""


def record(folder: Path, target: Path, encoder: BundledEncoder) -> None:
    """Writes the evidence for at most MOST questions of an exam."""
    exam = load_exam(folder)
    drawn = sorted(exam.questions, key=lambda one: blake2b(one.id.encode(), digest_size=8).digest())[:MOST]
    exam = replace(exam, questions=tuple(sorted(drawn, key=lambda one: one.id)))
    header = Header(exam.name, exam.author, encoder.name, DEPTH, WHOLE, len(exam.questions))
    for _ in write_recording(target, header, asked(exam, encoder)):
        pass


def asked(exam: Exam, encoder: BundledEncoder) -> Iterator[RecordedQuestion]:
    """Each question with its whole pool."""
    with closing(memory_of(exam, None, encoder)) as memory:
        for one in exam.questions:
            view = TimeView.at(NOW, as_of=one.as_of)
            pool = memory.pool(one.question, view=view, size=WHOLE)
            facts = facts_of(one.question, [memory.node(id).node for id in one.gold])
            yield RecordedQuestion(one.id, one.question, one.lang, one.gold, one.as_of, one.tags, facts, pool)


def recordings(exams: Path, pools: Path) -> list[Path]:
    """One file for each exam, by name; made where it isn't there."""
    encoder = BundledEncoder()
    found = []
    for folder in sorted(one for one in exams.iterdir() if (one / "exam.jsonl").is_file()):
        target = pools / f"{folder.name}.jsonl"
        if not is_recording(target):
            print(f"{folder.name} ...", file=sys.stderr, flush=True)
            record(folder, target, encoder)
        found.append(target)
    return found


def load(path: Path, half: Half, rank: dict[str, float] | None) -> list[RecordedQuestion]:
    """The questions of a half, trimmed as a pool is by these ranking weights; None: not at all."""
    found = [one for one in read_recording(path) if half_of(one.question) == half]
    return found if rank is None else [replace(one, pool=trimmed(one.pool, SIZE, rank)) for one in found]


def families(files: list[Path], rank: dict[str, float] | None) -> dict[str, list[RecordedQuestion]]:
    """The tuning halves, exams that differ by a number only as one: each of these is to weigh alike,
    and ten small ones together not ten times as much as a large one."""
    found: dict[str, list[RecordedQuestion]] = {}
    for path in files:
        if path.stem not in LEFT_OUT:
            found.setdefault(path.stem.rstrip("-0123456789"), []).extend(load(path, "tune", rank))
    return found


def fitted(files: list[Path]) -> Weights:
    """Both models, from the tuning halves; bars are still to be set."""
    rank = np.round(fit_rank(examples_of(families(files, None))), 4)
    named = dict(zip(CANDIDATE_FEATURES, rank.tolist(), strict=True))
    examples = examples_of(families(files, named))
    return fit(examples, resolve=1.01, nothing=NOTHING, listed=1.0, promise="", rank=rank)


def row(name: str, questions: list[RecordedQuestion], weights: Weights) -> tuple[str, ...]:
    """The figures of an exam on its held-out half: shares, and of the lists how long they are."""
    found = [outcome_of(one, CalibratedPolicy(weights)) for one in questions]
    known = [one for one in found if one.answerable]
    unknown = [one for one in found if not one.answerable]
    resolved = [one for one in found if one.state == "resolved"]
    lists = [one for one in known if one.state == "choose"]
    return (
        name,
        str(len(known)),
        share(sum(one.in_pool for one in known), len(known)),
        share(sum(one.first for one in known), len(known)),
        share(sum(one.resolved_right for one in known), len(known)),
        share(sum(one.resolved_wrong for one in resolved), len(resolved)),
        str(len(unknown)),
        share(sum(one.state == "resolved" for one in unknown), len(unknown)),
        share(sum(one.choose_has_gold for one in lists), len(lists)),
        f"{sum(len(one.offered) for one in lists) / len(lists):.1f}" if lists else "",
    )


HEAD = ("exam", "answerable", "in pool", "first", "resolved right", "wrong of resolved", "unanswerable",
        "resolved", "in the list", "its length")  # fmt: skip


def share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else ""


def table(files: list[Path], weights: Weights) -> str:
    """A row for each exam's held-out half, in Markdown."""
    lines = [HEAD, tuple("---" for _ in HEAD)]
    lines += [row(path.stem, load(path, "test", dict(weights.rank)), weights) for path in files]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def shown(files: list[Path], weights: Weights, max_wrong: float, confidence: float) -> str:
    """Does the promise hold? Bars set on some held-out questions and counted on others: on random
    halves of them all, and on one exam after another with a bar from the others."""
    named = dict(weights.rank)
    start = start_of(
        [one.confidence for path in files for one in tried_of(load(path, "tune", named), weights)],
        max_wrong=max_wrong,
        confidence=confidence,
    )
    tried = {path.stem: tried_of(load(path, "test", named), weights) for path in files}
    every = [one for each in tried.values() for one in each]
    rng, worse, none = np.random.default_rng(1), 0, 0
    for _ in range(SPLITS):
        places = rng.permutation(len(every))
        one, other = ([every[at] for at in half] for half in np.array_split(places, 2))
        bar = lowest_bar(one, max_wrong=max_wrong, confidence=confidence, start=start).bar
        counted = [each.wrong for each in other if bar is not None and each.confidence >= bar]
        none += bar is None
        worse += bool(counted) and sum(counted) > max_wrong * len(counted)
    lines = [
        f"Of {SPLITS} random halves {none} gave no bar, and on {worse} the other half had more than"
        f" {max_wrong:.0%} wrong among its resolved.",
        "",
        "| left out | bar from the others | resolved | wrong | share |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, own in tried.items():
        others = [one for each, found in tried.items() if each != name for one in found]
        bar = lowest_bar(others, max_wrong=max_wrong, confidence=confidence, start=start).bar
        counted = [each.wrong for each in own if bar is not None and each.confidence >= bar]
        lines.append(f"| {name} | {bar} | {len(counted)} | {sum(counted)} | {share(sum(counted), len(counted))} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("exams", type=Path)
    parser.add_argument("--pools", type=Path, help="keep the recordings in this folder")
    parser.add_argument("--max-wrong", type=float, default=0.08)
    parser.add_argument("--confidence", type=float, default=0.95)
    parser.add_argument("--write", action="store_true", help="write decide/weights.json")
    given = parser.parse_args()
    gc.disable()  # millions of objects, none in a circle
    with tempfile.TemporaryDirectory() as aside:
        pools = given.pools or Path(aside)
        pools.mkdir(exist_ok=True)
        files = recordings(given.exams, pools)
        before = shipped_weights()
        weights = fitted(files)
        named = dict(weights.rank)
        made = promised(
            weights,
            [one for path in files for one in load(path, "tune", named)],
            [one for path in files for one in load(path, "test", named)],
            max_wrong=given.max_wrong,
            confidence=given.confidence,
            held=HELD,
            of=f"questions like those of {len(files)} exams by others, taken together",
        )
        print(made.bar, made.list)
        print(f"\nBefore\n\n{table(files, before)}\n\nAfter\n\n{table(files, made.weights)}")
        print(f"\nShown\n\n{shown(files, made.weights, given.max_wrong, given.confidence)}")
        told = json.dumps(made.weights.to_json(), indent=1, ensure_ascii=False) + "\n"
        target = WEIGHTS if given.write else pools / "weights.json"
        target.write_text(told, "utf-8")
        if not given.write and given.pools is None:
            print(told)


if __name__ == "__main__":
    main()
