"""Pools and recorded questions made by hand, and generated ones."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from ascertain.exam.recorded import Facts, RecordedQuestion
from ascertain.model.evidence import (
    Candidate,
    Evidence,
    GraphEvidence,
    NameEvidence,
    Path,
    PieceHit,
    Pool,
    SemanticEvidence,
    Term,
    TextEvidence,
    TitleEvidence,
)


def title(rank: int, *matched: str, share: float = 0.5) -> TitleEvidence:
    return TitleEvidence(rank, 10.0 / rank, " ".join(matched), matched, 0.5, share)


def semantic(rank: int, gap: float = 0.0) -> SemanticEvidence:
    return SemanticEvidence(rank, round(0.9 - rank / 100, 6), gap)


def graph(rank: int) -> GraphEvidence:
    return GraphEvidence(rank, 1 / (60 + rank), 1, (Path("p1", 1, ("MENTIONS",)),))


def candidate(id: str, *evidence: Evidence, kind: str = "record", **more: object) -> Candidate:
    return Candidate(id=id, kind=kind, title=f"Title of {id}", arms={one.arm: one for one in evidence}, **more)


def pool(*candidates: Candidate, terms: Iterable[str] = ("tide", "table"), pieces: Iterable[PieceHit] = ()) -> Pool:
    return Pool(
        question="which tide table?",
        lang="en",
        terms=tuple(Term(term, 1, 1) for term in terms),
        candidates=tuple(sorted(candidates, key=lambda one: one.id)),
        pieces=tuple(pieces),
        nodes=10,
        pieces_total=5,
        arms=("title", "name", "semantic", "graph", "text"),
    )


def asked(
    id: str,
    made: Pool,
    *gold: str,
    question: str = "",
    lang: str = "en",
    tags: dict[str, str] | None = None,
    facts: Facts | None = None,
    deeper: dict[int, bool] | None = None,
) -> RecordedQuestion:
    return RecordedQuestion(
        id=id,
        question=question or f"question {id}",
        lang=lang,
        gold=gold,
        as_of=None,
        tags=tags or {},
        facts=facts or (Facts(("record",), ("en",), 4, 0.5) if gold else Facts()),
        pool=made,
        deeper=deeper or {},
    )


SURE = pool(
    candidate("a", title(1, "tide", "table", share=0.9), semantic(1, 0.2), graph(1)),
    candidate("b", title(2, "tide", share=0.3), semantic(2)),
)
"""Every policy resolves it to a."""

UNSURE = pool(candidate("a", title(1, "tide", share=0.3)), candidate("b", title(2, "table", share=0.3)))
"""No policy resolves it; a and b are handed back."""

EMPTY = pool()
"""Nothing was put forward."""

_IDS = ("a", "b", "c", "d", "e", "f", "g")
_WORDS = ("tide", "table", "north", "quay")


@st.composite
def pools(draw: st.DrawFn) -> Pool:
    """Pools with all arms, ties, hidden and superseded candidates, ranks as arms give them."""
    ids = draw(st.lists(st.sampled_from(_IDS), unique=True, max_size=7))
    ranks = {arm: draw(st.permutations(ids)) for arm in ("title", "semantic", "graph", "text", "name")}
    first_gap = draw(st.sampled_from((0.0, 0.01, 0.05, 0.08, 0.3)))
    made = []
    for id in ids:
        evidence: list[Evidence] = []
        heard = draw(st.sets(st.sampled_from(sorted(ranks))))
        place = {arm: ranks[arm].index(id) + 1 for arm in ranks}
        if "title" in heard:
            words = draw(st.lists(st.sampled_from(_WORDS), unique=True, min_size=1))
            evidence.append(title(place["title"], *words, share=draw(st.sampled_from((0.2, 0.6, 1.0)))))
        if "semantic" in heard:
            evidence.append(semantic(place["semantic"], first_gap if place["semantic"] == 1 else 0.01))
        if "graph" in heard:
            evidence.append(graph(place["graph"]))
        if "text" in heard:
            evidence.append(TextEvidence(place["text"], place["text"], None, None, 0.3))
        if "name" in heard:
            exact = draw(st.booleans())
            evidence.append(NameEvidence(place["name"], "tide", 6, 10, () if exact else ("table",), exact))
        visible = draw(st.booleans()) or draw(st.booleans())
        older = tuple(sorted(draw(st.sets(st.sampled_from(_IDS), max_size=1)) - {id}))
        made.append(
            candidate(
                id,
                *evidence,
                visible=visible,
                beyond=draw(st.integers(0, 5)) == 0,
                older=tuple(one for one in older if one < id),
                hidden_why="" if visible else "no longer holds",
            )
        )
    hits = [PieceHit("p1", 1, 1, None, tuple(draw(st.sets(st.sampled_from(_WORDS)))))] if draw(st.booleans()) else []
    return pool(*made, terms=_WORDS, pieces=hits)


@st.composite
def questions(draw: st.DrawFn, max_size: int = 6) -> list[RecordedQuestion]:
    """Recorded questions with distinct ids, answerable and not."""
    made = draw(st.lists(st.tuples(pools(), st.sets(st.sampled_from(_IDS), max_size=2)), max_size=max_size))
    return [asked(f"q{at}", each, *sorted(gold)) for at, (each, gold) in enumerate(made)]
