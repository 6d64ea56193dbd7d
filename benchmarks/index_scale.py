"""How long a search takes over many entries, and what building and holding them costs.

    python benchmarks/index_scale.py --entries 100000

Makes a source in memory with so many titles (about 10 terms) and so many pieces (about 40), words by Zipf's
law, vectors in bunches; prints the median of each search in milliseconds and as a ratio to one reference
operation of the same run, so that runs on different machines can be compared; then the build and the memory.
The vectors of 1,000,000 + 1,000,000 entries lie in a temporary file, not in this process.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ascertain.index.indexes import Indexes
from ascertain.store.base import Entry, Family

DIMENSION = 512
BUNCHES = 2_000
TERMS: dict[Family, int] = {"title": 10, "piece": 40}
AT_ONCE = 10_000


class SyntheticSource:
    """Entries made anew, the same each time they are read. Keys say where an entry's vector lies."""

    def __init__(self, entries: int, folder: Path) -> None:
        self.uuid, self.dimension, self.count = "synthetic", DIMENSION, entries
        self.random = np.random.default_rng(1)
        self.middles = self.random.normal(size=(BUNCHES, DIMENSION)).astype(np.float32)
        self._folder = folder
        self._open = threading.local()
        for family in TERMS:
            self._write(folder / family)
        # Odd multiples scatter the keys over 62 bits and can be undone.
        self._factor = 0x9E3779B97F4A7C15 | 1
        self._inverse = pow(self._factor, -1, 1 << 62)

    def _write(self, path: Path) -> None:
        with path.open("wb") as file:
            for low in range(0, self.count, AT_ONCE):
                size = min(AT_ONCE, self.count - low)
                values = self.middles[self.random.integers(0, BUNCHES, size)]
                values = values + 1.3 * self.random.standard_normal((size, DIMENSION), dtype=np.float32)
                values /= np.linalg.norm(values, axis=1, keepdims=True)
                file.write(values.astype("<f2").tobytes())

    def _read(self, family: Family, number: int, count: int = 1) -> bytes:
        """Vectors, read and not mapped: a database does not count as this process's memory either."""
        files = self._open.__dict__
        if family not in files:
            files[family] = (self._folder / family).open("rb", buffering=0)
        return os.pread(files[family].fileno(), 2 * DIMENSION * count, 2 * DIMENSION * number)

    def key(self, family: Family, number: int) -> int:
        return (2 * number + (family == "piece")) * self._factor % (1 << 62)

    def generation(self) -> int:
        return 1

    def entries(self, family: Family, *, since: int = -1) -> Iterator[Entry]:
        if family not in TERMS or since > 0:
            return
        random = np.random.default_rng(2)
        for low in range(0, self.count, AT_ONCE):
            size = min(AT_ONCE, self.count - low)
            lengths = random.poisson(TERMS[family] - 1, size) + 1
            words = np.char.add("w", zipf(random, int(lengths.sum())).astype(str)).tolist()
            ends = np.cumsum(lengths).tolist()
            vectors = np.frombuffer(self._read(family, low, size), dtype="<f2").reshape(size, DIMENSION)
            for at, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
                key = self.key(family, low + at)
                yield Entry(family, key, key, 0, " ".join(words[start:end]), vectors[at].tobytes())

    def entry_count(self, family: Family, *, since: int = -1) -> int:
        return self.count if family in TERMS and since <= 0 else 0

    def gone(self, family: Family, *, since: int) -> list[int]:
        return []

    def terms(self, keys: Sequence[int]) -> dict[int, tuple[str, ...]]:
        raise NotImplementedError

    def vectors(self, keys: Sequence[int]) -> npt.NDArray[np.float32]:
        numbers = [key * self._inverse % (1 << 62) for key in keys]
        read = [self._read("piece" if number % 2 else "title", number // 2) for number in numbers]
        return np.frombuffer(b"".join(read), dtype="<f2").reshape(-1, DIMENSION).astype(np.float32)

    def questions(self, count: int) -> list[npt.NDArray[np.float32]]:
        near = self.middles[self.random.integers(0, BUNCHES, count)]
        return list(near + 1.3 * self.random.standard_normal((count, DIMENSION), dtype=np.float32))

    def worded(self, count: int) -> list[list[str]]:
        """Questions of six words as frequent as words are, and so with frequent ones among them."""
        return [[f"w{n}" for n in zipf(self.random, 6)] for _ in range(count)]


def zipf(random: np.random.Generator, count: int) -> npt.NDArray[np.int64]:
    """Word numbers: the n-th word about as often as 1 / (n + 20), of 1,000,000 words. The shift stands for
    the function words, which are not indexed: the most frequent word has some 1 in 200 places."""
    # The inverse of the summed frequencies, by the logarithm that they follow.
    low, high = np.log(20.0), np.log(1_000_020.0)
    return np.asarray(np.exp(low + (high - low) * random.random(count)) - 20.0, dtype=np.int64)


def median_ms(call: Callable[[Any], object], arguments: Sequence[object]) -> tuple[float, float]:
    """The median and the 95th percentile over the arguments, each asked once after a warm-up."""
    for argument in arguments[:5]:
        call(argument)
    times = []
    for argument in arguments:
        start = time.perf_counter()
        call(argument)
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times), statistics.quantiles(times, n=20)[18]


def memory_mb(field: str = "VmRSS") -> float:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(field))
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=100_000, help="titles, and as many pieces")
    parser.add_argument("--questions", type=int, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        run(options.entries, options.questions, Path(place))


def run(entries: int, questions: int, place: Path) -> None:
    source = SyntheticSource(entries, place)
    start = time.perf_counter()
    made = sum(1 for family in ("title", "piece") for _ in source.entries(family))
    making = time.perf_counter() - start
    print(f"{made:,} entries")

    start = time.perf_counter()
    Indexes(source, place / "index").catch_up()
    print(f"build          {time.perf_counter() - start - making:8.1f} s  (and {making:.1f} s to make the entries)")
    print(f"memory peak    {memory_mb('VmHWM'):8.0f} MB while building")
    start = time.perf_counter()
    indexes = Indexes(source, place / "index")
    indexes.catch_up()
    print(f"open           {(time.perf_counter() - start) * 1e3:8.1f} ms")

    block = np.random.default_rng(3).random((1_000, DIMENSION), dtype=np.float32)
    reference, _ = median_ms(lambda row: np.einsum("ij,j->i", block, np.asarray(row, np.float32)), [*block[:50]])
    print(f"reference      {reference:8.3f} ms: a product of 1,000 x {DIMENSION} float32 and a vector")

    vectors, worded = source.questions(questions), source.worded(questions)
    with ThreadPoolExecutor(1) as other:

        def both(vector: npt.NDArray[np.float32]) -> object:
            piece = other.submit(indexes.near, "piece", vector, 40)
            return indexes.near("title", vector, 40), piece.result()

        for name, call, arguments in (
            ("near title", lambda v: indexes.near("title", v, 40), vectors),
            ("near piece", lambda v: indexes.near("piece", v, 40), vectors),
            ("near both, in two threads", both, vectors),
            ("words title", lambda w: indexes.words("title", w, 50), worded),
            ("words piece", lambda w: indexes.words("piece", w, 50), worded),
            ("words title, one frequent", lambda w: indexes.words("title", w, 50), [["w0"]] * questions),
            ("words piece, one frequent", lambda w: indexes.words("piece", w, 50), [["w0"]] * questions),
        ):
            median, late = median_ms(call, arguments)
            print(f"{name:26} {median:8.2f} ms  p95 {late:8.2f}  {median / reference:8.0f} references")
    print(f"memory         {memory_mb():8.0f} MB with what is touched of mapped files")
    print(f"               {memory_mb('RssAnon'):8.0f} MB without")


if __name__ == "__main__":
    main()
