"""A pool's evidence as numbers, for policies that weigh it.

Every number is comparable across stores and questions: shares, reciprocal ranks, and scores
relative to the best of the same arm in the same pool. Raw similarities and raw scores are not
among them (chapter 18, section 4: their ranges overlap between an exact match and none), nor is
any rank: of two equal scores one has to be listed first, and that must not part them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ascertain.decide.rules import graph_of, name_of, semantic_of, spelling_of, text_of, title_of
from ascertain.model.evidence import Candidate, PieceHit, Pool

CANDIDATE_FEATURES: tuple[str, ...] = (
    "title_relative",  # title score over the best title score
    "title_first",  # 1 for the best title score
    "title_question_share",
    "title_title_share",
    "semantic_relative",  # 1 for the nearest, less by 1 for each 0.3 of cosine behind it
    "semantic_first",
    "semantic_gap",  # for the nearest: how far ahead, in units of 0.1, at most 3
    "graph_relative",
    "graph_first",
    "piece_vector_relative",  # of the piece it was drawn from, as for titles
    "piece_question_share",
    "said_share",  # what title and piece say of the question together
    "text_vector_relative",
    "text_first",
    "text_question_share",
    "spelling_relative",
    "spelling_first",
    "spelling_question_share",
    "spelling_title_share",
    "name",  # its whole name stands in the question, in no longer name
    "name_exact",  # and nothing else does
    "name_share",  # how much of the question's weight the name carries
    "about_named",  # the question names a Concept, and it is about that
    "about_other",  # the question names a Concept, and it is about others only
    "semantic_foreign",  # semantic_relative, where the question's words stand in no title
    "semantic_long",  # semantic_relative and text_vector_relative, where the question has many words
    "text_long",
    "agreement",  # how many arms put it forward, of those that put anything forward
    "concept",
    "episode",
    "decision",
)

COMMIT_FEATURES: tuple[str, ...] = (
    "bias",
    "margin",  # how far the first is ahead of the second, at most 6
    "margin_foreign",  # the same, where the question's words stand in no title
    "lead",  # how far it is ahead of the fifth, at most 8
    "odds",  # a third of the log odds of the first by the ranking model
    "unknown_share",  # share of the question's weight that stands in no title and no piece
    "said_most",  # the largest share of the question that its title, piece, text or spelling says
    "foreign",  # share of the question's weight that stands in no title
    "crowd",  # how many candidates come near the best by title words or vector
    "ranks_agree",  # the nearest title vector leads another ranking too
    "semantic_first",
    "semantic_gap",
    "gap_foreign",
    "spread",  # how far the nearest title vector is ahead of the last that was put forward, in units of 0.1
    "own_spread",  # the same for the first
    "title_first",
    "title_question_share",
    "title_title_share",
    "said_share",
    "graph_first",
    "text_first",
    "text_question_share",
    "spelling_first",
    "spelling_question_share",
    "spelling_title_share",
    "name",
    "name_share",
    "about_named",
    "semantic_long",
    "agreement",
    "concept",
)
"""What is known of the first candidate, for how far it may be trusted."""


@dataclass(frozen=True)
class Features:
    """ids: candidates that may be decided, in the pool's order. candidates: (len(ids), F) as in
    CANDIDATE_FEATURES. The rest is of the whole pool: unknown, foreign: shares of the question's
    weight that stand in no title and no piece, and in no title; crowd and ranks_agree as in
    COMMIT_FEATURES. spreads: (len(ids),), how far a candidate's title vector is ahead of the last
    that the semantic arm put forward, in units of 0.1: a gap over the arm's whole depth, which
    tells a question that is about something here from one that is equally far from everything."""

    ids: tuple[str, ...]
    candidates: npt.NDArray[np.float64]
    unknown: float
    foreign: float
    crowd: float
    ranks_agree: float
    spreads: npt.NDArray[np.float64]


def features_of(pool: Pool, heard: Sequence[Candidate]) -> Features:
    """The numbers of a pool. heard: the candidates that the decision is made over."""
    best = _best(heard)
    weights = {term.text: term.weight for term in pool.terms}
    total = sum(weights.values()) or 1.0
    named = {one.id for one in heard if one.kind == "concept" and (name := name_of(one)) and not name.contained}
    voices = {arm for one in heard for arm in one.arms} or {""}
    hits = {hit.id: hit for hit in pool.pieces}
    context = _Context(
        best=best,
        weights=weights,
        total=total,
        named=frozenset(named),
        voices=len(voices),
        pieces=hits,
        nearest=max((hit.similarity for hit in pool.pieces if hit.similarity is not None), default=0.0),
        foreign=sum(term.weight for term in pool.terms if not term.in_titles) / total,
        long=min(max(len(pool.terms) - 6, 0) / 10, 1.0),
    )
    rows = [_row(one, context) for one in heard]
    return Features(
        ids=tuple(one.id for one in heard),
        candidates=np.array(rows, dtype=np.float64).reshape(len(rows), len(CANDIDATE_FEATURES)),
        unknown=sum(term.weight for term in pool.terms if not term.in_titles and not term.in_pieces) / total,
        foreign=context.foreign,
        crowd=_crowd(rows),
        ranks_agree=_ranks_agree(rows),
        spreads=_spreads(heard),
    )


def _spreads(heard: Sequence[Candidate]) -> npt.NDArray[np.float64]:
    similar = [found.similarity if (found := semantic_of(one)) is not None else None for one in heard]
    last = min((value for value in similar if value is not None), default=0.0)
    return np.array([0.0 if value is None else (value - last) / 0.1 for value in similar], dtype=np.float64)


def _best(heard: Sequence[Candidate]) -> dict[str, float]:
    best: dict[str, float] = {}

    def keep(name: str, value: float) -> None:
        best[name] = max(best.get(name, value), value)

    for one in heard:
        if (title := title_of(one)) is not None:
            keep("title", title.score)
        if (semantic := semantic_of(one)) is not None:
            keep("semantic", semantic.similarity)
        if (graph := graph_of(one)) is not None:
            keep("graph", graph.score)
        if (text := text_of(one)) is not None and text.similarity is not None:
            keep("text", text.similarity)
        if (spelling := spelling_of(one)) is not None:
            keep("spelling", spelling.score)
    return best


@dataclass(frozen=True, slots=True)
class _Context:
    """What a candidate's numbers are relative to.

    best: the best score of each arm. weights: of the question's terms; total: their sum. named: ids
    of Concepts that the question names. voices: how many arms put anything forward. nearest:
    the best similarity of a piece. foreign: share of the question's weight that stands in no
    title. long: 0 for up to six terms, 1 from sixteen on.
    """

    best: Mapping[str, float]
    weights: Mapping[str, float]
    total: float
    named: frozenset[str]
    voices: int
    pieces: Mapping[str, PieceHit]
    nearest: float
    foreign: float
    long: float

    def share(self, terms: Collection[str]) -> float:
        """How much of the question's weight these terms carry."""
        return sum(self.weights.get(term, 0.0) for term in sorted(set(terms))) / self.total if terms else 0.0


def _row(one: Candidate, context: _Context) -> list[float]:
    title, semantic, graph = title_of(one), semantic_of(one), graph_of(one)
    text, spelling, name = text_of(one), spelling_of(one), name_of(one)
    best = context.best
    told = bool(name and not name.contained)
    held = 1 - context.share(name.rest if name else ()) if told else 0.0
    others = context.named - {one.id}
    near = _closeness(semantic.similarity, best["semantic"]) if semantic else 0.0
    text_near = _closeness(text.similarity, best["text"]) if text and text.similarity is not None else 0.0
    drawn = [
        context.pieces[path.piece]
        for path in (graph.paths if graph else ())
        if path.edges == ("FROM",) and path.piece in context.pieces
    ]
    drawn_terms = {term for hit in drawn for term in hit.matched}
    title_terms = set(title.matched if title else ())
    similar = [hit.similarity for hit in drawn if hit.similarity is not None]
    return [
        title.score / best["title"] if title and best["title"] else 0.0,
        float(bool(title and title.score == best["title"])),
        title.question_share if title else 0.0,
        title.title_share if title else 0.0,
        near,
        float(bool(semantic and semantic.similarity == best["semantic"])),
        min(semantic.gap / 0.1, 3.0) if semantic and semantic.rank == 1 else 0.0,
        graph.score / best["graph"] if graph and best["graph"] else 0.0,
        float(bool(graph and graph.score == best["graph"])),
        _closeness(max(similar), context.nearest) if similar else 0.0,
        context.share(drawn_terms),
        context.share(drawn_terms | title_terms),
        text_near,
        float(bool(text and text.similarity is not None and text.similarity == best["text"])),
        text.question_share if text else 0.0,
        spelling.score / best["spelling"] if spelling and best["spelling"] else 0.0,
        float(bool(spelling and spelling.score == best["spelling"])),
        spelling.question_share if spelling else 0.0,
        spelling.title_share if spelling else 0.0,
        float(told),
        float(bool(told and name and name.exact)),
        held,
        float(bool(one.about and context.named & set(one.about))),
        float(bool(others and one.about and not context.named & set(one.about))),
        near * context.foreign,
        near * context.long,
        text_near * context.long,
        len(one.arms) / context.voices,
        float(one.kind == "concept"),
        float(one.kind == "episode"),
        float(one.kind == "decision"),
    ]


def _closeness(similarity: float, best: float) -> float:
    """1 for the best of its ranking, less by 1 for each 0.3 of cosine behind it, never below 0."""
    return max(1 - (best - similarity) / 0.3, 0.0)


def commit_features(
    found: Features, strengths: npt.NDArray[np.float64], order: Sequence[int]
) -> npt.NDArray[np.float64]:
    """The numbers of COMMIT_FEATURES for the first candidate.

    strengths: (len(found.ids),), of the ranking model. order: places in it, strongest first.
    """
    own = dict(zip(CANDIDATE_FEATURES, found.candidates[order[0]].tolist(), strict=True))
    top = float(strengths[order[0]])
    margin = min(top - float(strengths[order[1]]), 6.0) if len(order) > 1 else 6.0
    lead = min(top - float(strengths[order[min(4, len(order) - 1)]]), 8.0) if len(order) > 1 else 8.0
    likely = 1 / float(np.exp(np.minimum(strengths - top, 0)).sum())
    values = {
        **own,
        "bias": 1.0,
        "margin": margin,
        "margin_foreign": margin * found.foreign,
        "lead": lead,
        "odds": math.log(likely / (1 - likely + 1e-6)) / 3,
        "unknown_share": found.unknown,
        "said_most": max(
            own[name]
            for name in ("title_question_share", "said_share", "text_question_share", "spelling_question_share")
        ),
        "foreign": found.foreign,
        "crowd": found.crowd,
        "ranks_agree": found.ranks_agree,
        "gap_foreign": own["semantic_gap"] * found.foreign,
        "spread": float(found.spreads.max()),
        "own_spread": float(found.spreads[order[0]]),
    }
    return np.array([values[name] for name in COMMIT_FEATURES], dtype=np.float64)


def said_share(found: Features, at: int) -> float:
    """The largest share of the question's weight that words of the candidate at this place say:
    those of its title, of the piece it was drawn from, of its text, or spelt alike. 0 to 1."""
    return max(float(found.candidates[at][CANDIDATE_FEATURES.index(name)]) for name in _SAID)


_SAID = ("title_question_share", "said_share", "text_question_share", "spelling_question_share")


def _crowd(rows: Sequence[Sequence[float]]) -> float:
    near, close = CANDIDATE_FEATURES.index("semantic_relative"), CANDIDATE_FEATURES.index("title_relative")
    return min(sum(max(row[near], row[close]) > 0.9 for row in rows), 10) / 10


def _ranks_agree(rows: Sequence[Sequence[float]]) -> float:
    first, *others = (
        CANDIDATE_FEATURES.index(f"{arm}_first") for arm in ("semantic", "title", "graph", "text", "spelling")
    )
    return float(any(row[first] and any(row[place] for place in others) for row in rows))
