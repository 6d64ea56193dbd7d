"""Which settings pay, and which changes pay only together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from ascertain.exam.compare import mcnemar
from ascertain.exam.grid import FALSE, RIGHT, WAYS, WRONG, Grid, Setting

COST = 2.0
"""What a confident wrong answer costs, in right ones."""

KNOBS = ("policy", "arms", "bar", "gap", "gates")


@dataclass(frozen=True, slots=True)
class Together:
    """Two changes that each gain nothing or lose alone, and gain together.

    start: the setting they change. first, second: what changes, `knob: from → to`.
    first_gain, second_gain, gain: in worth, alone and together. reached: the worth with both.
    p: of McNemar's exact test on questions that went better and that went worse with both.
    """

    start: Setting
    first: str
    second: str
    first_gain: float
    second_gain: float
    gain: float
    reached: float
    p: float

    def to_json(self) -> dict[str, Any]:
        """Plain lists, dicts, strings and numbers."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A setting, its worth where it was ranked and where it is tested, and how questions went.
    alike: how many other settings had every question go the same way."""

    setting: Setting
    worth: float
    tested: float | None
    ways: Mapping[str, int]
    alike: int


@dataclass(frozen=True)
class Ablation:
    """A grid, searched. tuned, tested: how many questions settings were ranked on, and how many
    others they are shown on. settings: how many were tried. ranked: the worthiest first; of
    settings under which every question went the same way only the first."""

    cost: float
    tuned: int
    tested: int
    settings: int
    ranked: tuple[Ranked, ...]
    together: tuple[Together, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain lists, dicts, strings and numbers."""
        return asdict(self)


def ablation(grid: Grid, *, cost: float = COST, everything: bool = False) -> Ablation:
    """Ranks settings on the half of the questions that is for tuning, and shows what they are
    worth on the other half. everything: ranks them on all, and tests them on none."""
    tune, test = (grid, None) if everything else (grid.only("tune"), grid.only("test"))
    value, counts = worth(tune, cost=cost), tune.counts()
    tested = None if test is None else worth(test, cost=cost)
    same = _first_alike(grid)
    return Ablation(
        cost=cost,
        tuned=len(tune.questions),
        tested=len(test.questions) if test else 0,
        settings=len(grid.settings),
        ranked=tuple(
            Ranked(
                grid.settings[at],
                float(value[at]),
                None if tested is None else float(tested[at]),
                dict(zip(WAYS, map(int, counts[at]), strict=True)),
                same.count(at) - 1,
            )
            for at in best(tune, cost=cost)
            if same[at] == at
        ),
        together=tuple(pay_only_together(tune, cost=cost)),
    )


def worth(grid: Grid, *, cost: float = COST) -> npt.NDArray[np.float64]:
    """(settings,): right answers less `cost` for each confident wrong one, to whatever question."""
    counts = grid.counts()
    return np.asarray(counts[:, RIGHT] - cost * (counts[:, WRONG] + counts[:, FALSE]), dtype=np.float64)


def best(grid: Grid, *, cost: float = COST) -> list[int]:
    """Places of the settings, the worthiest first; equal ones in the grid's order."""
    return [int(at) for at in np.argsort(-worth(grid, cost=cost), kind="stable")]


def pay_only_together(grid: Grid, *, cost: float = COST, most: int = 10) -> list[Together]:
    """Pairs of changes to different knobs that pay only together, those that reach the most worth first.

    From every setting of the grid, every pair of changes that it has both alone and together is
    looked at. Of each pair of changes the start from which they reach the most is told, and of pairs under
    which every question goes the same ways only the first.
    """
    value = worth(grid, cost=cost)
    place = {setting: at for at, setting in enumerate(grid.settings)}
    values = {knob: list(dict.fromkeys(getattr(one, knob) for one in grid.settings)) for knob in KNOBS}
    same = _first_alike(grid)
    found: dict[tuple[str, str], tuple[float, float, int, int, int, int]] = {}
    for start, at in place.items():
        for knobs in combinations(KNOBS, 2):
            for one, two, both in _changes(start, knobs, values, place):
                gains = value[one] - value[at], value[two] - value[at], value[both] - value[at]
                if gains[0] > 0 or gains[1] > 0 or gains[2] <= 0:
                    continue
                changes = (_told(knobs[0], start, grid.settings[one]), _told(knobs[1], start, grid.settings[two]))
                reached = (float(value[both]), float(gains[2]))
                if changes not in found or reached > found[changes][:2]:
                    found[changes] = (*reached, at, one, two, both)
    told: dict[tuple[int, ...], tuple[tuple[str, str], tuple[float, float, int, int, int, int]]] = {}
    for changes, pair in sorted(found.items(), key=lambda one: (-one[1][0], -one[1][1], one[0])):
        told.setdefault(tuple(same[at] for at in pair[2:]), (changes, pair))
    return [
        Together(
            start=grid.settings[at],
            first=changes[0],
            second=changes[1],
            first_gain=float(value[one] - value[at]),
            second_gain=float(value[two] - value[at]),
            gain=gain,
            reached=reached,
            p=_p(grid, at, both),
        )
        for changes, (reached, gain, at, one, two, both) in list(told.values())[:most]
    ]


def _changes(
    start: Setting, knobs: tuple[str, str], values: Mapping[str, Sequence[Any]], place: Mapping[Setting, int]
) -> list[tuple[int, int, int]]:
    """Places of the two single changes and of both, where the grid has all three."""
    found = []
    for left in values[knobs[0]]:
        if left == getattr(start, knobs[0]) or (one := place.get(_changed(start, {knobs[0]: left}))) is None:
            continue
        for right in values[knobs[1]]:
            if right == getattr(start, knobs[1]):
                continue
            two = place.get(_changed(start, {knobs[1]: right}))
            both = place.get(_changed(start, {knobs[0]: left, knobs[1]: right}))
            if two is not None and both is not None:
                found.append((one, two, both))
    return found


def _changed(start: Setting, change: Mapping[str, Any]) -> Setting:
    return Setting(**{knob: change.get(knob, getattr(start, knob)) for knob in KNOBS})


def _told(knob: str, before: Setting, after: Setting) -> str:
    return f"{knob}: {_value(getattr(before, knob))} → {_value(getattr(after, knob))}"


def _value(value: object) -> str:
    return ("+".join(value) or "none") if isinstance(value, tuple) else str(value)


def _first_alike(grid: Grid) -> list[int]:
    """For each setting the place of the first under which every question went the same way."""
    first: dict[bytes, int] = {}
    return [first.setdefault(row.tobytes(), at) for at, row in enumerate(grid.ways)]


def _p(grid: Grid, before: int, after: int) -> float:
    """A question went well where it was resolved right, or where none had it resolved wrongly
    that had it before: what counts is right or wrong, so both kinds of change are paired."""
    score = np.array([1, -1, 0, 0, 0, -1, 0, 0])
    change = score[grid.ways[after]] - score[grid.ways[before]]
    return mcnemar(int((change < 0).sum()), int((change > 0).sum()))
