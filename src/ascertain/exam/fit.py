"""Weights for the calibrated policy, from recorded questions.

Both models are convex and fitted by Newton's method from zero, with a ridge, so that the same
recordings give the same weights on every machine. The ridge pulls towards zero, or towards weights
that are there already: a small exam then moves them a little (the mode of a normal prior around
them). Each exam weighs alike, however long it is, unless the questions are to weigh alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ascertain.decide.calibrated import Weights
from ascertain.decide.features import CANDIDATE_FEATURES, COMMIT_FEATURES, Features, commit_features, features_of
from ascertain.decide.rules import deciding
from ascertain.errors import ExamInvalid
from ascertain.exam.recorded import RecordedQuestion

Array = npt.NDArray[np.float64]

RIDGE = 0.5
NEAR = 10.0
"""The ridge towards weights that are there already: a standard deviation of about 0.3 around them."""
_EXAM_WEIGHT = 400.0
_STEPS = 60


@dataclass(frozen=True)
class Example:
    """A question's numbers. gold: (C,) bool, which candidates are right. answerable: some node is
    right, in the pool or not. weight: of the question."""

    found: Features
    gold: npt.NDArray[np.bool_]
    answerable: bool
    weight: float


def examples_of(exams: Mapping[str, Sequence[RecordedQuestion]], *, alike: bool = False) -> list[Example]:
    """The numbers of all questions whose pool holds anything, by exam in name order. alike: each question
    weighs 1; else each exam weighs the same."""
    examples = []
    for name in sorted(exams):
        weight = 1.0 if alike else _EXAM_WEIGHT / max(len(exams[name]), 1)
        for one in exams[name]:
            if not (heard := deciding(one.pool)):
                continue
            found = features_of(one.pool, heard)
            gold = np.array([id in one.gold for id in found.ids], dtype=bool)
            examples.append(Example(found, gold, bool(one.gold), weight))
    return examples


def fit(
    examples: Sequence[Example],
    *,
    resolve: float,
    nothing: float,
    listed: float,
    promise: str,
    near: Weights | None = None,
    rank: Array | None = None,
) -> Weights:
    """Both models' weights. resolve, nothing, listed, promise are handed on. near: weights to stay near
    to. rank: (len(CANDIDATE_FEATURES),), the ranking model where it is fitted already.

    Raises ExamInvalid where there is nothing to learn from.
    """
    if not any(example.gold.any() for example in examples):
        raise ExamInvalid("no question has its right node in the pool: there is nothing to fit")
    if rank is None:
        rank = fit_rank(examples, near.rank if near else None)
    rank = np.round(rank, 4)  # as the file has them: the second model is fitted to what the first will say
    rows, classes, weights = [], [], []
    for example in examples:
        values = np.round(example.found.candidates @ rank, 6)
        order = _order(values, example.found.ids)
        rows.append(commit_features(example.found, values, order))
        classes.append(0 if example.gold[order[0]] else 1 if example.answerable else 2)
        weights.append(example.weight)
    centre = [one[name] for one in (near.right, near.other) for name in COMMIT_FEATURES] if near else None
    right, other = _fit_three(np.array(rows), np.array(classes), np.array(weights), centre)
    return Weights(
        rank=_named(CANDIDATE_FEATURES, rank),
        right=_named(COMMIT_FEATURES, right),
        other=_named(COMMIT_FEATURES, other),
        resolve=resolve,
        nothing=nothing,
        listed=listed,
        promise=promise,
    )


def _named(names: Sequence[str], values: Array) -> dict[str, float]:
    return {name: round(float(value), 4) for name, value in zip(names, values, strict=True)}


def _order(values: Array, ids: Sequence[str]) -> list[int]:
    return sorted(range(len(ids)), key=lambda at: (-values[at], ids[at]))


def fit_rank(examples: Sequence[Example], near: Mapping[str, float] | None = None) -> Array:
    """The conditional logit: probability of a right candidate among all of its pool. near: weights to stay
    near to."""
    usable = [example for example in examples if example.gold.any()]
    size = len(CANDIDATE_FEATURES)
    centre = np.array([near[name] if near else 0.0 for name in CANDIDATE_FEATURES])
    ridge = NEAR if near else RIDGE

    def value(at: Array) -> float:
        total = -ridge / 2 * float((at - centre) @ (at - centre))
        for one in usable:
            strengths = one.found.candidates @ at
            top = strengths.max()
            held = np.exp(strengths[one.gold] - top).sum()
            total += one.weight * float(np.log(held + 1e-300) - np.log(np.exp(strengths - top).sum()))
        return total

    def slopes(at: Array) -> tuple[Array, Array]:
        gradient, hessian = -ridge * (at - centre), np.eye(size) * ridge
        for one in usable:
            rows = one.found.candidates
            strengths = rows @ at
            parts = np.exp(strengths - strengths.max())
            parts /= parts.sum()
            wanted = np.exp(strengths - strengths[one.gold].max()) * one.gold
            wanted /= wanted.sum()
            gradient = gradient + one.weight * (rows.T @ (wanted - parts))
            mean = rows.T @ parts
            hessian += one.weight * ((rows.T * parts) @ rows - np.outer(mean, mean))
        return gradient, hessian

    return _climb(centre, value, slopes)


def _climb(start: Array, value, slopes) -> Array:  # type: ignore[no-untyped-def]  # two local functions
    """Newton's method with step halving."""
    at, reached = start, value(start)
    for _ in range(_STEPS):
        gradient, hessian = slopes(at)
        step, size = np.linalg.solve(hessian, gradient), 1.0
        while (now := value(at + size * step)) < reached and size > 1e-4:
            size /= 2
        at = at + size * step
        if now - reached < 1e-4:
            break
        reached = now
    return np.asarray(at)


def _fit_three(
    rows: Array, classes: npt.NDArray[np.int64], weights: Array, near: Sequence[float] | None
) -> tuple[Array, Array]:
    """The multinomial logit over right, other and nothing, with nothing as the base."""
    size = rows.shape[1]
    centre = np.array(near) if near is not None else np.zeros(2 * size)
    ridge = NEAR if near is not None else RIDGE
    wanted = np.eye(3)[classes]

    def parts_at(at: Array) -> Array:
        logits = np.concatenate([rows @ at.reshape(2, size).T, np.zeros((len(rows), 1))], axis=1)
        logits -= logits.max(axis=1, keepdims=True)
        parts = np.exp(logits)
        return np.asarray(parts / parts.sum(axis=1, keepdims=True))

    def value(at: Array) -> float:
        held = (parts_at(at) * wanted).sum(axis=1)
        return float((weights * np.log(held + 1e-300)).sum() - ridge / 2 * ((at - centre) @ (at - centre)))

    def slopes(at: Array) -> tuple[Array, Array]:
        parts = parts_at(at)
        gradient = np.concatenate([rows.T @ ((wanted - parts)[:, k] * weights) for k in (0, 1)])
        gradient -= ridge * (at - centre)
        hessian = np.eye(2 * size) * ridge
        for a in (0, 1):
            for b in (0, 1):
                spread = weights * parts[:, a] * ((a == b) - parts[:, b])
                hessian[a * size : (a + 1) * size, b * size : (b + 1) * size] += (rows.T * spread) @ rows
        return gradient, hessian

    found = _climb(centre, value, slopes)
    return found[:size], found[size:]
