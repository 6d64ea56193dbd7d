"""Pools on disk with what is right: policies decide over them again, without a store.

A recording is JSON Lines: one header, then one line a question, in id order.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from ascertain.errors import ExamInvalid
from ascertain.model.evidence import Pool

VERSION = 1


@dataclass(frozen=True, slots=True)
class Facts:
    """What the store says of a question's gold nodes, for breaking results down.

    kinds, langs: of the gold nodes, sorted, each once; `und` where a language is not stated.
    title_words, title_reuse: of the gold title that the question reuses most: how many words it
    has, and the share of its distinct words that stand in the question, 0 to 1 (function words
    don't count unless there is nothing else). Empty, 0 and 0.0 for an unanswerable question.
    """

    kinds: tuple[str, ...] = ()
    langs: tuple[str, ...] = ()
    title_words: int = 0
    title_reuse: float = 0.0


@dataclass(frozen=True)
class RecordedQuestion:
    """A question with what is right and all recorded evidence. pool: as `Memory.ask` decides
    over it. deeper: by how many times the usual depth, would a gold node be in the pool?"""

    id: str
    question: str
    lang: str
    gold: tuple[str, ...]
    as_of: str | None
    tags: Mapping[str, str]
    facts: Facts
    pool: Pool
    deeper: Mapping[int, bool] = field(default_factory=dict)

    def line(self) -> str:
        """One line of JSON, without its end. The pool is written as `Pool.to_json` has it, without
        the deep copy that it makes first: that took a third of the time of a run."""
        told = {
            "id": self.id,
            "question": self.question,
            "lang": self.lang,
            "gold": list(self.gold),
            "as_of": self.as_of,
            "tags": dict(self.tags),
            "facts": self.facts,
            "deeper": {str(times): held for times, held in sorted(self.deeper.items())},
            "pool": self.pool,
        }
        return json.dumps(told, ensure_ascii=False, separators=(",", ":"), default=_plain)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RecordedQuestion:
        """What a line holds, as a question again."""
        facts = data["facts"]
        return cls(
            id=data["id"],
            question=data["question"],
            lang=data["lang"],
            gold=tuple(data["gold"]),
            as_of=data["as_of"],
            tags=data["tags"],
            facts=Facts(tuple(facts["kinds"]), tuple(facts["langs"]), facts["title_words"], facts["title_reuse"]),
            pool=Pool.from_json(data["pool"]),
            deeper={int(times): bool(held) for times, held in data["deeper"].items()},
        )


@dataclass(frozen=True)
class Header:
    """Whose exam was recorded, over which encoder, and how deep."""

    exam: str
    author: str
    encoder: str
    depth: int
    size: int
    questions: int


def write_recording(path: Path, header: Header, questions: Iterable[RecordedQuestion]) -> Iterator[RecordedQuestion]:
    """Passes the questions on, each written to the file on its way. The file is there only once
    the last one has been passed on: a run that breaks off leaves none behind."""
    partial = path.with_name(path.name + ".partial")
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            told = {"ascertain_recording": VERSION, **asdict(header)}
            file.write(json.dumps(told, ensure_ascii=False, separators=(",", ":")) + "\n")
            for one in questions:
                file.write(one.line() + "\n")
                yield one
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def is_recording(path: Path) -> bool:
    """Does the file begin like one?"""
    try:
        with path.open("rb") as file:
            return file.read(24).startswith(b'{"ascertain_recording"')
    except OSError:
        return False


def read_header(path: Path) -> Header:
    """Raises ExamInvalid where the file is not a recording or of another version."""
    try:
        with path.open(encoding="utf-8") as file:
            data = json.loads(file.readline() or "null")
    except (OSError, ValueError) as error:
        raise ExamInvalid(f"can't be read: {error}", where=str(path)) from error
    if not isinstance(data, dict) or data.pop("ascertain_recording", None) != VERSION:
        raise ExamInvalid(
            "is not a recording of this version", where=str(path), hint="Make one: ascertain exam run DIR --record FILE"
        )
    try:
        return Header(**data)
    except TypeError as error:
        raise ExamInvalid("its first line is damaged", where=f"{path}:1") from error


def read_recording(path: Path) -> Iterator[RecordedQuestion]:
    """The recorded questions, one at a time. Raises ExamInvalid with the line that can't be read,
    and where fewer are there than were recorded."""
    header = read_header(path)
    count = 0
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if number == 1 or not line.strip():
                continue
            try:
                yield RecordedQuestion.from_json(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise ExamInvalid("is damaged", where=f"{path}:{number}") from error
            count += 1
    if count != header.questions:
        raise ExamInvalid(f"holds {count} of {header.questions} questions", where=str(path))


def _plain(value: Any) -> dict[str, Any]:  # Any: a dataclass, which no type can say
    """A dataclass as its fields; the encoder asks again for those that are dataclasses."""
    return {name: getattr(value, name) for name in _fields(value.__class__)}


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))
