"""The flow: question → search → arms → pool → decide → visibility."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from ascertain.arms.base import Arm, Ground, Ranked
from ascertain.arms.catalogue import ARMS
from ascertain.decide.base import Policy
from ascertain.decide.visibility import resolution_of
from ascertain.index.indexes import Indexes
from ascertain.model.evidence import Candidate, Evidence, PieceHit, Pool, Term
from ascertain.model.question import Question
from ascertain.model.resolution import Resolution
from ascertain.model.times import format_instant
from ascertain.pool import DEPTH, SIZE, unite
from ascertain.search.pieces import search
from ascertain.store.base import NodeRow, Reader

PIECES = 40
"""How many returned pieces the graph arm starts from."""


def resolve(reader: Reader, indexes: Indexes, question: Question, policy: Policy) -> Resolution:
    """The answer to a question, with the time that each stage took."""
    start = time.perf_counter()
    pool, timings = gather(reader, indexes, question)
    before = time.perf_counter()
    answer = resolution_of(pool, policy)
    end = time.perf_counter()
    timings |= {"decide": (end - before) * 1e3, "resolve": (end - start) * 1e3}
    return replace(answer, timings_ms={name: round(value, 3) for name, value in timings.items()})


def gather(
    reader: Reader,
    indexes: Indexes,
    question: Question,
    *,
    arms: Sequence[Arm] = ARMS,
    depth: int = DEPTH,
    size: int = SIZE,
) -> tuple[Pool, dict[str, float]]:
    """All recorded evidence for a question, and the milliseconds of each stage.

    depth: how many nodes each arm puts forward, of all and of the visible. size: how many stay.
    """
    timings: dict[str, float] = {}
    clock = time.perf_counter()
    pieces = search(reader, indexes, question, limit=PIECES)
    timings["search"] = (time.perf_counter() - clock) * 1e3
    ground = Ground(reader, indexes, question, pieces)
    best: dict[str, Ranked] = {}
    beyond: dict[str, Ranked] = {}
    for arm in arms:
        clock = time.perf_counter()
        best[arm.name], beyond[arm.name] = _both(arm, ground, depth)
        timings[arm.name] = (time.perf_counter() - clock) * 1e3
    clock = time.perf_counter()
    pool = _pool(ground, unite(best, size=size), unite(beyond, size=depth), tuple(arm.name for arm in arms))
    timings["pool"] = (time.perf_counter() - clock) * 1e3
    return pool, timings


def _both(arm: Arm, ground: Ground, depth: int) -> tuple[Ranked, Ranked]:
    """The arm's best of all, and what its best of the visible add to them."""
    view, wanted = ground.question.view, depth
    while True:
        ranked = arm.rank(ground, wanted)
        rows = ground.rows([key for key, _ in ranked])
        seen = [pair for pair in ranked if pair[0] in rows and not rows[pair[0]].hidden_since(view)]
        if len(seen) >= depth or len(ranked) < wanted:
            break
        wanted *= 4
    best = [pair for pair in ranked[:depth] if pair[0] in rows]
    known = {key for key, _ in best}
    return best, [pair for pair in seen[:depth] if pair[0] not in known]


def _pool(
    ground: Ground,
    best: dict[int, dict[str, Evidence]],
    beyond: dict[int, dict[str, Evidence]],
    arms: tuple[str, ...],
) -> Pool:
    question, view = ground.question, ground.question.view
    rows = ground.rows([*best, *beyond])
    candidates = [
        _candidate(rows[key], evidence, question, beyond=False) for key, evidence in best.items() if key in rows
    ]
    candidates += [
        _candidate(rows[key], evidence, question, beyond=True)
        for key, evidence in beyond.items()
        if key in rows and key not in best
    ]
    # Other versions of a hidden candidate stand in the pool without evidence, so that the
    # answer can name what took its place.
    standing = {one.id for one in candidates}
    kin = {id for row in rows.values() if row.hidden_since(view) for id in (*row.newer, *row.older)} - standing
    kin |= {row.node.id for row in rows.values() if row.until is not None} - standing
    if kin:
        more = ground.rows(list(ground.reader.keys_of(sorted(kin)).values()))
        candidates += [_candidate(row, {}, question, beyond=True) for row in more.values()]
    found_titles = ground.indexes.document_frequency("title", list(question.terms))
    found_pieces = ground.indexes.document_frequency("piece", list(question.terms))
    weights = ground.weights(list(question.terms))
    return Pool(
        question=question.text,
        lang="",
        terms=tuple(
            Term(term, found_titles.get(term, 0), found_pieces.get(term, 0), round(weights[term], 6))
            for term in question.terms
        ),
        candidates=tuple(sorted(candidates, key=lambda one: one.id)),
        pieces=tuple(
            PieceHit(piece.row.piece.id, piece.rank, piece.word_rank, piece.vector_rank, piece.matched)
            for piece in ground.pieces
        ),
        nodes=ground.indexes.size("title"),
        pieces_total=ground.indexes.size("piece"),
        arms=arms,
    )


def _candidate(row: NodeRow, evidence: dict[str, Evidence], question: Question, *, beyond: bool) -> Candidate:
    node, why = row.node, row.hidden_since(question.view)
    stamped = f"{node.id}@{row.version}" if row.until is not None else node.id
    return Candidate(
        id=stamped,
        kind=node.kind,
        title=node.title,
        arms=evidence,
        visible=not why,
        beyond=beyond,
        older=row.older,
        hidden_why=why,
        about=node.about,
        moment=format_instant(node.moment),
        valid_from=format_instant(node.valid_from),
        valid_to=format_instant(row.holds_to),
        recorded_at=format_instant(node.recorded_at),
        retired_at=format_instant(node.retired_at),
    )
