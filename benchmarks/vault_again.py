"""What importing an unchanged vault again takes, against its first import.

Run: python benchmarks/vault_again.py [NOTES]. With the bundled encoder, as people have it. Prints
seconds and the ratio within this run.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from ascertain.memory import Memory

WORDS = [a + b + c for a in "bdfgklmnprstvz" for b in "aeiou" for c in ("n", "r", "st", "l", "m", "x")]


def vault(folder: Path, notes: int) -> None:
    chance = random.Random(7)
    for number in range(notes):
        text = " ".join(chance.choices(WORDS, k=120))
        links = " ".join(f"[[note {chance.randrange(notes)}]]" for _ in range(3))
        file = folder / f"{number % 100}" / f"note {number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"---\ntitle: Note {number} {chance.choice(WORDS)}\n---\n\n{text}\n\n{links}\n", "utf-8")


def main() -> None:
    notes = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "vault"
        vault(folder, notes)
        with Memory.open(Path(place) / "s.db") as memory:
            seconds = []
            for _ in range(3):
                start = time.perf_counter()
                report = memory.import_path(folder)
                seconds.append(time.perf_counter() - start)
                print(
                    f"added {report.added}, changed {report.changed}, unchanged {report.unchanged}: {seconds[-1]:.1f} s"
                )
            with next(folder.rglob("*.md")).open("a", encoding="utf-8") as note:
                note.write("\nOne line more.\n")
            start = time.perf_counter()
            report = memory.import_path(folder)
            edited = time.perf_counter() - start
            print(f"one note edited: added {report.added}, changed {report.changed}: {edited:.1f} s")
            folder.rename(folder.with_name("renamed"))
            start = time.perf_counter()
            report = memory.import_path(folder.with_name("renamed"))
            print(f"renamed: added {report.added}, changed {report.changed}: {time.perf_counter() - start:.1f} s")
    print(f"again / first: {min(seconds[1:]) / seconds[0]:.4f} (wanted 0.1)")
    print(f"one note edited / first: {edited / seconds[0]:.4f}")


if __name__ == "__main__":
    main()
