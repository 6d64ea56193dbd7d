"""How long an exam takes, against encoding its questions and titles; and a grid over its evidence.

    python benchmarks/exam_speed.py ../shared/exams/situated-geo

Ratios within one run, so that machines compare: the exam, with and without a recording, over the
time in which the same encoder encodes its questions one by one, as they are asked, and its titles
in batches; and the seconds that a grid of settings takes over the recorded evidence.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ascertain.decide.seed import SeedPolicy
from ascertain.encoders.bundled import BundledEncoder
from ascertain.exam.format import load_exam
from ascertain.exam.grid import Axes, evaluate
from ascertain.exam.recorded import read_recording
from ascertain.exam.run import run_exam


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("exam", type=Path)
    folder = parser.parse_args().exam
    encoder = BundledEncoder()
    encoder.encode(["warm"])
    exam = load_exam(folder)
    lines = (json.loads(line) for line in exam.store_path.read_text("utf-8").splitlines())
    titles = [line["title"] for line in lines if line["type"] != "document"]

    def encode() -> None:
        encoder.encode(titles)
        for one in exam.questions:
            encoder.encode([one.question])

    with tempfile.TemporaryDirectory() as scratch:
        evidence = Path(scratch) / "evidence"
        base = seconds(encode)
        plain = seconds(lambda: run_exam(folder, SeedPolicy(), encoder=encoder))
        recorded = seconds(lambda: run_exam(folder, SeedPolicy(), encoder=encoder, record=evidence))
        questions = list(read_recording(evidence))
        settings = Axes().settings()
        grid = seconds(lambda: evaluate(questions, settings))
    print(f"{len(exam.questions)} questions, {len(titles)} nodes: encoding {base:.1f} s")
    print(f"exam {plain:.1f} s, {plain / base:.2f} times that; recorded {recorded:.1f} s, {recorded / base:.2f} times")
    print(f"{len(settings)} settings in {grid:.1f} s, {grid / len(settings) / len(questions) * 1e6:.1f} µs a decision")


if __name__ == "__main__":
    main()
