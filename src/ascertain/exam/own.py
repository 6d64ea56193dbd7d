"""An exam made of a store's own choices: which node was picked for which question."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ascertain.errors import ExamInvalid
from ascertain.exam.split import half_of
from ascertain.memory import Memory
from ascertain.model.times import format_instant
from ascertain.store.choices import Choice


@dataclass(frozen=True)
class NewExam:
    """What was written. answerable, unanswerable: questions. left_out: questions with the reason."""

    folder: Path
    author: str
    answerable: int
    unanswerable: int
    left_out: tuple[tuple[str, str], ...]


def new_exam(memory: Memory, folder: str | Path, *, by: str | None = None, name: str = "") -> NewExam:
    """Writes exam.json, exam.jsonl and store.jsonl into a folder, made if it isn't there.

    by: only what this person picked; else everybody's, and all of them are the author.

    Of what one person picked for a question the last counts. Where several picked different
    nodes each of them is right; where one found none of them right and another one did, the
    question is left out, and so it is where what was picked is no longer in the store. A
    question that was answered with "none of these" becomes one that nothing answers. Each
    question is asked as of when it was picked for, and is tagged with the half it is in.

    Raises ExamInvalid where nothing was picked, or the folder holds an exam already.
    """
    where = Path(folder).expanduser()
    for file in ("exam.json", "exam.jsonl", "store.jsonl"):
        if (where / file).exists():
            raise ExamInvalid("is there already", where=str(where / file), hint="Name another folder.")
    picks = [one for one in memory.choices() if one.undone_at is None and (by is None or one.picked_by == by)]
    if not picks:
        raise ExamInvalid("nothing was picked yet", hint="Pick with: ascertain pick QUESTION ID")
    store = list(memory.export())
    known = {data["id"] for line in store if (data := json.loads(line))["type"] != "document"}
    lines, left_out = _questions(picks, known)
    if not lines:
        raise ExamInvalid("no question is left", where=left_out[0][0], hint=left_out[0][1])
    author = ", ".join(sorted({one.picked_by for one in picks}))
    where.mkdir(parents=True, exist_ok=True)
    about = {
        "name": name or where.resolve().name,
        "author": author,
        "source": "choices of this store's own askers",
        "split": "tag `half`: by a hash of the question's words",
    }
    _write(where / "store.jsonl", (line.rstrip("\n") for line in store))
    _write(where / "exam.jsonl", (json.dumps(line, ensure_ascii=False) for line in lines))
    _write(where / "exam.json", [json.dumps(about, ensure_ascii=False, indent=1)])
    answerable = sum(bool(line["gold"]) for line in lines)
    return NewExam(where, author, answerable, len(lines) - answerable, tuple(left_out))


def _questions(picks: Sequence[Choice], known: set[str]) -> tuple[list[dict[str, object]], list[tuple[str, str]]]:
    last: dict[str, dict[str, Choice]] = {}
    for one in picks:
        last.setdefault(" ".join(one.question.split()), {})[one.picked_by] = one
    lines: list[dict[str, object]] = []
    left_out: list[tuple[str, str]] = []
    for question, by_person in last.items():
        ids = {one.picked for one in by_person.values()}
        newest = max(by_person.values(), key=lambda one: one.number)
        if None in ids and len(ids) > 1:
            left_out.append((question, "one person picked a node, another found none of them right"))
        elif gone := sorted(id for id in ids if id is not None and id not in known):
            left_out.append((question, f"{', '.join(gone)}: no longer in the store"))
        else:
            lines.append(
                {
                    "id": f"choice-{newest.number}",
                    "question": question,
                    "lang": newest.lang,
                    "gold": sorted(id for id in ids if id is not None),
                    "as_of": format_instant(newest.asked_at),
                    "tags": {"half": half_of(question)},
                }
            )
    return lines, left_out


def _write(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(line + "\n" for line in lines)
