"""What a large export of conversations takes: memory and time, against a tenth of it.

Run: python benchmarks/import_chats.py [MEGABYTES]. The encoder is a hash, so that what is measured is
the reading and the writing. Prints the peak of resident memory and ratios within this run.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORDS = [a + b + c for a in "bdfgklmnprstvz" for b in "aeiou" for c in ("n", "r", "st", "l", "m", "x")]

RUN = """
import sys, time
sys.path.insert(0, {here!r})
from time_and_material import RandomEncoder
from ascertain.memory import Memory
from pathlib import Path
with Memory.open(Path(sys.argv[2]), encoder=RandomEncoder()) as memory:
    start = time.perf_counter()
    report = memory.import_path(sys.argv[1])
    first = time.perf_counter() - start
    start = time.perf_counter()
    again = memory.import_path(sys.argv[1])
    print(report.documents, report.pieces, len(report.skipped), again.added + again.changed, first,
          time.perf_counter() - start)
"""


def export(path: Path, megabytes: int) -> None:
    chance = random.Random(7)
    size, number = 0, 0
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        while size < megabytes * 1_000_000:
            turns = {
                f"n{at}": {
                    "id": f"n{at}", "parent": f"n{at - 1}" if at else None, "children": [f"n{at + 1}"],
                    "message": {
                        "id": f"m{number}-{at}", "author": {"role": "user" if at % 2 == 0 else "assistant"},
                        "create_time": 1_700_000_000 + number * 1000 + at,
                        "content": {"content_type": "text", "parts": [" ".join(chance.choices(WORDS, k=350))]},
                    },
                }
                for at in range(20)
            }  # fmt: skip
            told = {"id": f"c{number}", "title": " ".join(chance.choices(WORDS, k=4)), "mapping": turns}
            line = (",\n" if number else "") + json.dumps(told)
            file.write(line)
            size += len(line)
            number += 1
        file.write("]")


def run(megabytes: int) -> tuple[float, float, float]:
    """Peak megabytes, seconds, and seconds of a second import."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "conversations.json"
        export(path, megabytes)
        start = time.perf_counter()
        code = RUN.format(here=str(Path(__file__).parent))
        told = subprocess.run(
            [sys.executable, "-c", code, str(path), str(Path(folder) / "chats.db")],
            check=True, capture_output=True, text=True, env={"PYTHONHASHSEED": "0", "PATH": ""},
        )  # fmt: skip
        documents, pieces, skipped, again, first, second = told.stdout.split()
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{megabytes} MB: {documents} conversations, {pieces} turns, {skipped} skipped, {again} at the second"
              f" import; {float(first):.0f} s, again {float(second):.0f} s, peak {peak:.0f} MB,"
              f" all in {time.perf_counter() - start:.0f} s")  # fmt: skip
        return peak, float(first), float(second)


if __name__ == "__main__":
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    small = run(most // 10)
    large = run(most)
    print(f"ten times the file: {large[1] / small[1]:.1f} × the time, {large[0] / small[0]:.1f} × the memory")
