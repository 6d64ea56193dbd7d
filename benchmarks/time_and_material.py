"""Reads of the past against reads of now, and material against show, on a store of many versions.

Run: python benchmarks/time_and_material.py [NODES] [VERSIONS]. Prints ratios within this run.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ascertain.formats.base import Item
from ascertain.memory import Memory
from ascertain.model.documents import Document, Piece
from ascertain.model.nodes import Concept, Node, Record
from ascertain.write.writer import Writer

WORDS = [a + b + c for a in "bdfgklmnprstvz" for b in "aeiou" for c in ("n", "r", "st", "l", "m", "x")]


class RandomEncoder:
    """Vectors from a hash: the indexes' speed does not depend on what they mean."""

    name = "random"
    dimension = 64

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        seeds = [hash(text) & 0xFFFFFFFF for text in texts]
        rows = np.stack([np.random.default_rng(seed).standard_normal(self.dimension) for seed in seeds])
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def nodes(count: int, version: int) -> list[Node]:
    """Nodes with titles of four words, one of which changes with each version."""
    pick = np.random.default_rng(7).integers(0, len(WORDS), size=(count, 4))
    made: list[Node] = []
    for n in range(count):
        words = [WORDS[at] for at in pick[n]]
        words[3] = WORDS[(pick[n, 3] + version * 17) % len(WORDS)]
        title = " ".join(words)
        if n % 20:
            made.append(
                Record(id=f"n{n}", title=title, body=f"{title} holds.", about=(f"n{n - n % 20}",), source=f"d{n}#1")
            )
        else:
            made.append(Concept(id=f"n{n}", title=title, body=f"What {title} means."))
    return made


def milliseconds(run: Callable[[], object], rounds: int = 5) -> float:
    """The median time of some runs after one that doesn't count."""
    run()
    spent = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        spent.append((time.perf_counter() - start) * 1e3)
    return statistics.median(spent)


def main(count: int, versions: int) -> None:
    encoder, begun = RandomEncoder(), datetime(2026, 1, 1, tzinfo=UTC)
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder) / "m.db", encoder=encoder) as memory:
        documents = [
            Document(
                id=f"d{n}",
                title=f"d{n}",
                pieces=(Piece(id=f"d{n}#1", text=f"Piece {n}.", mentions=(f"n{n - n % 20}",)),),
            )
            for n in range(0, count, 10)
        ]
        for version in range(versions):
            start = time.perf_counter()
            items = [Item(node, "made", None) for node in nodes(count, version)]
            items += [Item(document, "made", None) for document in documents]
            Writer(memory._store, encoder, begun + timedelta(days=30 * version)).write(items)
            print(f"version {version}: {time.perf_counter() - start:.0f} s", flush=True)
        questions = [nodes(count, versions - 1)[n].title for n in range(1, count, count // 20)]

        def asked(**read: object) -> Callable[[], object]:
            return lambda: [memory.ask(question, **read) for question in questions]  # type: ignore[arg-type]

        memory.reindex()
        now = milliseconds(asked()) / len(questions)
        print(f"ask now: {now:.2f} ms")
        for days in (15, 75, 200):
            moment = begun + timedelta(days=days)
            for name in ("known_at", "as_of"):
                past = milliseconds(asked(**{name: moment})) / len(questions)
                print(f"ask {name} day {days}: {past:.2f} ms, {past / now:.2f} times")
        show = (
            milliseconds(lambda: [(memory.find(f"n{n}"), memory.neighbours(f"n{n}")) for n in range(0, 200, 20)]) / 10
        )
        read = milliseconds(lambda: [memory.material(f"n{n}") for n in range(0, 200, 20)]) / 10
        past = milliseconds(lambda: [memory.material(f"n{n}", known_at=begun) for n in range(0, 200, 20)]) / 10
        print(f"show: {show:.2f} ms; material: {read:.2f} ms, {read / show:.1f} times; of a past moment {past:.2f} ms")


if __name__ == "__main__":
    main(*(int(word) for word in [*sys.argv[1:], "20000", "5"][:2]))
