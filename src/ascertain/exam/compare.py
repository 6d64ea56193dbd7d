"""Two runs over the same questions, paired question by question."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import comb
from pathlib import Path
from typing import Any

from ascertain.decide.base import Policy
from ascertain.errors import ExamInvalid
from ascertain.exam.recorded import is_recording
from ascertain.exam.run import run_recording

MEASURES = ("in_pool", "first", "resolved_right", "choose_has_gold", "resolved_wrong", "unanswerable_resolved")


@dataclass(frozen=True, slots=True)
class Paired:
    """A measure over two runs. only_a, only_b: questions where it holds in that run alone.
    both: where it holds in both. p: of McNemar's exact test, two-sided."""

    only_a: int
    only_b: int
    both: int
    p: float


@dataclass(frozen=True, slots=True)
class Change:
    """A question whose state or node changed. Sides are `state` or `state id`."""

    id: str
    question: str
    gold: tuple[str, ...]
    a: str
    b: str
    better: bool | None
    """True where only b is right (resolved to gold; none or choose where nothing answers), False
    where only a is, None where both or neither are."""


@dataclass(frozen=True)
class Comparison:
    """a, b: what was run, as `exam, policy`. questions: in both. only_in_a, only_in_b: ids that the
    other lacks; they are left out of everything else."""

    a: str
    b: str
    questions: int
    only_in_a: tuple[str, ...]
    only_in_b: tuple[str, ...]
    measures: Mapping[str, Paired]
    changes: tuple[Change, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain lists, dicts, strings and numbers."""
        return asdict(self)


def mcnemar(only_a: int, only_b: int) -> float:
    """The two-sided exact p of McNemar's test: how likely so uneven a split of the questions on
    which two runs differ would be if either were as likely. 1 where they never differ.

    Source: McNemar, Psychometrika 1947; the exact form is a binomial test with one half.

    >>> mcnemar(0, 5)
    0.0625
    """
    differ = only_a + only_b
    tail = sum(comb(differ, at) for at in range(min(only_a, only_b) + 1))
    return float(min(1.0, round(2 * tail / (1 << differ), 10)))


def load_saved(path: str | Path, policy: Policy) -> dict[str, Any]:
    """A result as `exam run --save FILE` wrote it; a recording is decided over with the policy.

    Raises ExamInvalid for any other file.
    """
    where = Path(path)
    if is_recording(where):
        return run_recording(where, policy).saved()
    try:
        data = json.loads(where.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ExamInvalid(f"can't be read: {error}", where=str(where)) from error
    if not isinstance(data, dict) or not isinstance(data.get("questions"), list):
        raise ExamInvalid(
            "holds no questions to compare", where=str(where), hint="Make one: ascertain exam run DIR --save FILE"
        )
    return data


def compare(a: Mapping[str, Any], b: Mapping[str, Any]) -> Comparison:
    """Pairs two saved results question by question. Raises ExamInvalid where they share none."""
    left = {one["id"]: one for one in a["questions"]}
    right = {one["id"]: one for one in b["questions"]}
    shared = sorted(left.keys() & right.keys())
    if not shared:
        raise ExamInvalid("the two runs have no question in common", hint="Compare runs of one exam.")
    return Comparison(
        a=f"{a['exam']}, {a['policy']}",
        b=f"{b['exam']}, {b['policy']}",
        questions=len(shared),
        only_in_a=tuple(sorted(left.keys() - right.keys())),
        only_in_b=tuple(sorted(right.keys() - left.keys())),
        measures={name: _paired([(_holds(name, left[id]), _holds(name, right[id])) for id in shared])
                  for name in MEASURES},
        changes=tuple(
            _change(left[id], right[id])
            for id in shared
            if (left[id]["state"], left[id]["node"]) != (right[id]["state"], right[id]["node"])
        ),
    )  # fmt: skip


def _holds(measure: str, one: Mapping[str, Any]) -> bool:
    gold, state = one["gold"], one["state"]
    match measure:
        case "in_pool":
            return bool(gold) and bool(one["in_pool"])
        case "first":
            return bool(one["offered"]) and one["offered"][0] in gold
        case "resolved_right":
            return state == "resolved" and one["node"] in gold
        case "resolved_wrong":
            return bool(gold) and state == "resolved" and one["node"] not in gold
        case "choose_has_gold":
            return state == "choose" and any(id in gold for id in one["offered"])
        case _:
            return not gold and state == "resolved"


def _paired(pairs: list[tuple[bool, bool]]) -> Paired:
    only_a, only_b = sum(a and not b for a, b in pairs), sum(b and not a for a, b in pairs)
    return Paired(only_a, only_b, sum(a and b for a, b in pairs), mcnemar(only_a, only_b))


def _change(a: Mapping[str, Any], b: Mapping[str, Any]) -> Change:
    right = [one["node"] in one["gold"] if one["gold"] else one["state"] != "resolved" for one in (a, b)]
    return Change(
        id=a["id"],
        question=a["question"],
        gold=tuple(a["gold"]),
        a=" ".join(filter(None, (a["state"], a["node"]))),
        b=" ".join(filter(None, (b["state"], b["node"]))),
        better=None if right[0] == right[1] else right[1],
    )
