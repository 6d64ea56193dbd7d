"""The flow: question → search → arms → pool → decide → visibility."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ascertain.arms.base import Arm, Ground, Ranked
from ascertain.arms.catalogue import ARMS
from ascertain.decide.base import Policy
from ascertain.decide.calibrated import strongest
from ascertain.decide.rules import CHOICES, deciding
from ascertain.decide.visibility import resolution_of
from ascertain.index.indexes import Indexes
from ascertain.model.evidence import VERSION_MARK, Candidate, Evidence, PieceHit, Pool, Term
from ascertain.model.question import Question
from ascertain.model.resolution import Resolution
from ascertain.model.times import format_instant
from ascertain.pool import DEPTH, SIZE, fair, first_versions, unite
from ascertain.search.pieces import FoundPiece, search
from ascertain.store.base import NodeRow, Reader

PIECES = 64
"""How many returned pieces the graph arm starts from."""


def resolve(
    reader: Reader, indexes: Indexes, question: Question, policy: Policy, *, picked: Mapping[str, int] | None = None
) -> Resolution:
    """The answer to a question, with the time that each stage took.

    picked: by id how often a node was picked for this very question.
    """
    start = time.perf_counter()
    pool, timings = gather(reader, indexes, question)
    if picked:
        told = (replace(one, picked=picked.get(one.node, 0)) for one in pool.candidates)
        pool = replace(pool, candidates=tuple(told))
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

    depth: how many nodes each arm puts forward, of all and of the visible. size: how many of all stay.
    """
    timings: dict[str, float] = {}
    clock = time.perf_counter()
    pieces = search(reader, indexes, question, limit=PIECES)
    timings["search"] = (time.perf_counter() - clock) * 1e3
    ground = Ground(reader, indexes, question, pieces)
    of_all: dict[str, tuple[Ranked, Ranked]] = {}
    visible: dict[str, tuple[Ranked, Ranked]] = {}
    for arm in arms:
        clock = time.perf_counter()
        of_all[arm.name], visible[arm.name] = _both(arm, ground, depth)
        timings[arm.name] = (time.perf_counter() - clock) * 1e3
    clock = time.perf_counter()
    best, beyond = _made_fair(ground, of_all), _made_fair(ground, visible)
    pool = _pool(
        ground, unite(best, size=len(arms) * depth), unite(beyond, size=CHOICES), tuple(arm.name for arm in arms)
    )
    pool = trimmed(pool, size)
    timings["pool"] = (time.perf_counter() - clock) * 1e3
    return pool, timings


def trimmed(pool: Pool, size: int, rank: Mapping[str, float] | None = None) -> Pool:
    """The pool with at most `size` candidates that decide: those that the ranking model (that of the
    weights shipped, unless `rank` gives others) puts first.
    What only may be offered stays; where a crowd of hidden ones has left too few to offer, so do
    the best of the others that may be seen, to be offered and never to decide."""
    order = strongest(pool, deciding(pool), rank)
    gone = order[size:]
    by_id = {one.id: one for one in pool.candidates}
    seen = sum(one.visible for one in pool.candidates if one.id not in gone)
    spared = [id for id in gone if by_id[id].visible][: max(CHOICES - seen, 0)]
    left = set(gone) - set(spared)
    return replace(
        pool,
        candidates=tuple(
            replace(one, beyond=True) if one.id in spared else one for one in pool.candidates if one.id not in left
        ),
    )


def _both(arm: Arm, ground: Ground, depth: int) -> tuple[tuple[Ranked, Ranked], tuple[Ranked, Ranked]]:
    """The arm's best nodes of all, and what its best of the visible add, each with the ranking in
    which it found them. The first are the same whoever reads: the decision is made over them."""
    view, wanted = ground.question.view, depth
    best: Ranked | None = None
    whole: Ranked = []
    while True:
        ranked = arm.rank(ground, wanted)
        exhausted = len(ranked) < wanted
        rows = ground.rows([key for key, _ in ranked])
        ranked = [pair for pair in ranked if pair[0] in rows]
        if best is None and (exhausted or len({rows[key].node.id for key, _ in ranked}) >= depth):
            best = first_versions(
                ranked,
                depth=depth,
                node={key: rows[key].node.id for key, _ in ranked},
                stands=lambda key, rows=rows: rows[key].until is None,  # type: ignore[misc]  # a bound default
            )
            whole = ranked
        seen = [pair for pair in ranked if not rows[pair[0]].hidden_since(view)]
        if best is not None and (len(seen) >= depth or exhausted):
            break
        wanted *= 8
    known = {key for key, _ in best}
    return (best, whole), ([pair for pair in seen[:depth] if pair[0] not in known], ranked)


def _made_fair(ground: Ground, found: dict[str, tuple[Ranked, Ranked]]) -> dict[str, Ranked]:
    """The arms' best with ranks and gaps in which versions of one thing don't stand in each other's way."""
    rows = ground.rows(list({key for _, whole in found.values() for key, _ in whole}))
    node = {key: row.node.id for key, row in rows.items()}
    chosen = {node[key] for best, _ in found.values() for key, _ in best}
    kin = {id: {id, *older, *newer} for id, (older, newer) in ground.reader.lineage(chosen).items()}
    if len(set(node.values())) == len(node) and all(len(one) == 1 for one in kin.values()):
        return {arm: best for arm, (best, _) in found.items()}  # no node has another version here

    def same(one: int, other: int) -> bool:
        return node[other] == node[one] or node[other] in kin.get(node[one], ())

    # A version that one arm put forward is spoken for by every arm that met it beside another version
    # of its node: else it would stand with half of its evidence.
    pooled = {key for best, _ in found.values() for key, _ in best}
    made = {}
    for arm, (best, whole) in found.items():
        there, ids = {key for key, _ in best}, {node[key] for key, _ in best}
        more = [pair for pair in whole if pair[0] in pooled - there and node[pair[0]] in ids]
        made[arm] = fair(whole, [*best, *more], node=node, same=same)
    return made


def _pool(
    ground: Ground,
    best: dict[int, dict[str, Evidence]],
    beyond: dict[int, dict[str, Evidence]],
    arms: tuple[str, ...],
) -> Pool:
    question, view = ground.question, ground.question.view
    rows = ground.rows([*best, *beyond])
    found = {key: (evidence, False) for key, evidence in best.items() if key in rows}
    found |= {key: (evidence, True) for key, evidence in beyond.items() if key in rows and key not in best}
    _share_edges(found, rows)
    # What may be seen of a hidden candidate's other versions stands in the pool without evidence,
    # so that the answer can name what took its place.
    lineage = ground.reader.lineage({row.node.id for row in rows.values()})
    hidden = [row for row in rows.values() if row.hidden_since(view)]
    kin = {id for row in hidden for side in lineage.get(row.node.id, ()) for id in (row.node.id, *side)}
    kin |= {row.node.id for row in hidden if row.version or row.until is not None}
    more = ground.reader.nodes_at(sorted(kin), view.known_at) if kin else {}
    visible = [row for row in more.values() if row.key not in rows and not row.hidden_since(view)]
    for row in sorted(visible, key=lambda row: (row.since is None, row.node.id))[:SIZE]:
        rows[row.key], found[row.key] = row, ({}, True)
    lineage |= ground.reader.lineage({row.node.id for row in visible})
    standing = {row.node.id for row in rows.values()}
    older = {id: tuple(one for one in sides[0] if one in standing) for id, sides in lineage.items()}
    candidates = [
        _candidate(rows[key], evidence, question, beyond=only, older=older.get(rows[key].node.id, ()))
        for key, (evidence, only) in found.items()
    ]
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
        pieces=tuple(_hit(piece) for piece in ground.pieces),
        nodes=ground.indexes.size("title"),
        pieces_total=ground.indexes.size("piece"),
        arms=arms,
    )


def _share_edges(found: dict[int, tuple[dict[str, Evidence], bool]], rows: dict[int, NodeRow]) -> None:
    """Edges join nodes, whatever their version: what the graph arm says of a node, it says of each of
    its versions in the pool. What decides is not told by what doesn't."""
    for beyond in (False, True):
        said = {
            rows[key].node.id: evidence["graph"]
            for key, (evidence, only) in found.items()
            if "graph" in evidence and only <= beyond
        }
        for key, (evidence, only) in found.items():
            if only == beyond and evidence and rows[key].node.id in said:
                evidence.setdefault("graph", said[rows[key].node.id])


def _hit(piece: FoundPiece) -> PieceHit:
    return PieceHit(
        piece.id,
        piece.rank,
        piece.word_rank,
        piece.vector_rank,
        piece.matched,
        piece.word_score,
        piece.similarity,
    )


def _candidate(
    row: NodeRow, evidence: dict[str, Evidence], question: Question, *, beyond: bool, older: tuple[str, ...]
) -> Candidate:
    node, view = row.node, question.view
    hidden = row.hidden_since(view)
    retired = node.retired_at if node.retired_at is not None and node.retired_at <= view.known_at else None
    return Candidate(
        id=node.id if row.until is None else f"{node.id}{VERSION_MARK}{row.version}",
        kind=node.kind,
        title=node.title,
        arms=evidence,
        visible=not hidden,
        beyond=beyond,
        older=older,
        hidden_why=hidden or row.retired_since(view),
        about=node.about,
        moment=format_instant(node.moment),
        valid_from=format_instant(node.valid_from),
        valid_to=format_instant(row.ends_at(view.known_at)),
        recorded_at=format_instant(node.recorded_at),
        retired_at=format_instant(retired),
        version=None if row.until is None else row.version,
    )
