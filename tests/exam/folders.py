"""Exams in folders: our own tiny one, and changed copies of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TINY = Path(__file__).parent / "tiny"


def lines(name: str) -> list[dict[str, Any]]:
    """The lines of `store` or `exam` of the tiny exam."""
    return [json.loads(line) for line in (TINY / f"{name}.jsonl").read_text("utf-8").splitlines()]


def write(
    folder: Path,
    *,
    about: object = None,
    questions: Sequence[object] | None = None,
    store: Sequence[object] | None = None,
) -> Path:
    """The tiny exam with parts replaced. A line that is text is written as it is."""
    folder.mkdir(exist_ok=True)
    told = json.loads((TINY / "exam.json").read_text("utf-8")) if about is None else about
    (folder / "exam.json").write_text(told if isinstance(told, str) else json.dumps(told), "utf-8")
    for name, given in (("exam", questions), ("store", store)):
        made = lines(name) if given is None else given
        text = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in made)
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    return folder
