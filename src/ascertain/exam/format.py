"""exam.jsonl and exam.json: read, and refused as a whole where anything in them is wrong."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ascertain.errors import AscertainError, ExamInvalid, InvalidInput
from ascertain.formats.base import Item, Problem
from ascertain.formats.catalogue import by_name
from ascertain.model.documents import Document
from ascertain.model.ids import check_id
from ascertain.model.times import format_instant, parse_instant

MOST_TOLD = 20
"""How many problems one error names."""


@dataclass(frozen=True)
class ExamQuestion:
    """A question as its author wrote it. gold: ids any one of which is right; empty where nothing
    in the store answers it. as_of: ISO 8601 in UTC, or None for the moment of asking.
    tags: label → value as text. line: where it stands in the file."""

    id: str
    question: str
    lang: str
    gold: tuple[str, ...]
    as_of: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    line: int = 0


@dataclass(frozen=True)
class Exam:
    """An exam in a folder. author: who wrote the questions. questions: in id order."""

    name: str
    author: str
    source: str
    licence: str
    folder: Path
    questions: tuple[ExamQuestion, ...]

    @property
    def store_path(self) -> Path:
        """The store that it brings with it."""
        return self.folder / "store.jsonl"


def load_exam(folder: str | Path) -> Exam:
    """Reads exam.json and exam.jsonl in a folder. The order of the lines is forgotten.

    Raises ExamInvalid that names every problem with file and line: no such folder or file, a
    line that is not an exam question, an id twice, no author, no question at all.
    """
    where = Path(folder).expanduser()
    if not where.is_dir():
        raise ExamInvalid("there is no such folder", where=str(where), hint="Name the folder that holds exam.jsonl.")
    problems: list[str] = []
    about = _about(where / "exam.json", problems)
    questions = _questions(where / "exam.jsonl", problems)
    refuse(problems)
    return Exam(
        name=str(about.get("name") or where.resolve().name),
        author=str(about["author"]).strip(),
        source=str(about.get("source") or ""),
        licence=str(about.get("licence") or about.get("license") or ""),
        folder=where,
        questions=tuple(sorted(questions, key=lambda one: one.id)),
    )


def refuse(problems: list[str]) -> None:
    """Raises ExamInvalid that names them all (the first MOST_TOLD), where there are any."""
    if problems:
        more = f"; and {len(problems) - MOST_TOLD} more" if len(problems) > MOST_TOLD else ""
        raise ExamInvalid("; ".join(problems[:MOST_TOLD]) + more, hint="Nothing was run.")


def check_store(path: Path) -> frozenset[str]:
    """The ids of the nodes in a store file. Raises ExamInvalid that names each line that can't
    be taken, before anything is encoded."""
    if not path.is_file():
        raise ExamInvalid("there is no store", where=str(path), hint="Put one there, or name one with --store.")
    ids: set[str] = set()
    problems: list[str] = []
    for item in by_name("jsonl").read(path):
        if isinstance(item, Problem):
            if item.skipped:
                problems.append(told(item))
        elif isinstance(item, Item) and not isinstance(item.value, Document):
            ids.add(item.value.id)
    refuse(problems)
    return frozenset(ids)


def check_gold(exam: Exam, ids: Collection[str]) -> None:
    """Raises ExamInvalid that names each gold id which is not a node of the store."""
    refuse(
        [
            f"{exam.folder / 'exam.jsonl'}:{one.line}: gold {id!r} of question {one.id!r} is not in the store"
            for one in sorted(exam.questions, key=lambda one: one.line)
            for id in one.gold
            if id not in ids
        ]
    )


def told(problem: Problem) -> str:
    """A problem of a format as file:line: reason."""
    return f"{problem.file}{f':{problem.line}' if problem.line else ''}: {problem.reason}"


def _about(path: Path, problems: list[str]) -> Mapping[str, Any]:
    try:
        about = json.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        problems.append(f"{path}: is missing; it names the exam and its author")
        return {}
    except (OSError, ValueError) as error:
        line = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        problems.append(f"{path}{line}: can't be read as JSON: {_short(error)}")
        return {}
    if not isinstance(about, dict):
        problems.append(f"{path}:1: must hold one object")
        return {}
    if not isinstance(about.get("author"), str) or not about["author"].strip():
        problems.append(f"{path}: names no author; who wrote the questions decides which rules they may judge")
    return about


def _questions(path: Path, problems: list[str]) -> list[ExamQuestion]:
    questions: list[ExamQuestion] = []
    first: dict[str, int] = {}
    found = len(problems)
    for number, line in _lines(path, problems):
        where = f"{path}:{number}"
        try:
            one = _question(json.loads(line, parse_constant=_no_constant), number)
        except AscertainError as error:
            problems.append(f"{where}: {error.problem}")
            continue
        except (ValueError, RecursionError) as error:
            problems.append(f"{where}: is not a JSON object: {_short(error)}")
            continue
        if one.id in first:
            problems.append(f"{where}: question {one.id!r} is also on line {first[one.id]}")
        first.setdefault(one.id, number)
        questions.append(one)
    if not questions and len(problems) == found:
        problems.append(f"{path}: holds no question")
    return questions


def _lines(path: Path, problems: list[str]) -> Iterator[tuple[int, str]]:
    try:
        content = path.read_bytes()
    except OSError as error:
        problems.append(f"{path}: {'is missing' if isinstance(error, FileNotFoundError) else _short(error)}")
        return
    # Split by line feed alone: other line separators of Unicode may stand inside JSON strings.
    for number, raw in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        try:
            line = raw.decode().strip()
        except UnicodeDecodeError:
            problems.append(f"{path}:{number}: is not UTF-8")
            continue
        if line:
            yield number, line


def _question(data: object, line: int) -> ExamQuestion:
    if not isinstance(data, dict):
        raise InvalidInput("is not a JSON object")
    question = data.get("question")
    if not isinstance(question, str) or not question.strip():
        raise InvalidInput("has no question")
    lang = data.get("lang") or ""
    if not isinstance(lang, str):
        raise InvalidInput("lang must be a string")
    gold = data.get("gold")
    if not isinstance(gold, list):
        raise InvalidInput("gold must be a list of ids (empty where nothing answers the question)")
    return ExamQuestion(
        id=check_id(data.get("id")),
        question=question,
        lang=lang.strip(),
        gold=tuple(sorted({check_id(one) for one in gold})),
        as_of=format_instant(parse_instant(data.get("as_of"))),
        tags=_tags(data.get("tags")),
        line=line,
    )


def _tags(data: object) -> dict[str, str]:
    if data is None:
        return {}
    if isinstance(data, list) and all(isinstance(one, str) for one in data):
        return dict.fromkeys(sorted(data), "yes")
    if not isinstance(data, dict):
        raise InvalidInput("tags must be an object or a list of labels")
    return {label: _label(value) for label, value in sorted(data.items()) if value is not None}


def _label(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__
