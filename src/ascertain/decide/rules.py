"""What policies are made of: agreement, bar, gap, tie."""

from __future__ import annotations

from collections.abc import Sequence

from ascertain.model.evidence import (
    Candidate,
    GraphEvidence,
    NameEvidence,
    Pool,
    SemanticEvidence,
    SpellingEvidence,
    TextEvidence,
    TitleEvidence,
)

CHOICES = 5
"""The longest list that is handed back."""


def title_of(candidate: Candidate) -> TitleEvidence | None:
    found = candidate.arms.get("title")
    return found if isinstance(found, TitleEvidence) else None


def name_of(candidate: Candidate) -> NameEvidence | None:
    found = candidate.arms.get("name")
    return found if isinstance(found, NameEvidence) else None


def semantic_of(candidate: Candidate) -> SemanticEvidence | None:
    found = candidate.arms.get("semantic")
    return found if isinstance(found, SemanticEvidence) else None


def graph_of(candidate: Candidate) -> GraphEvidence | None:
    found = candidate.arms.get("graph")
    return found if isinstance(found, GraphEvidence) else None


def text_of(candidate: Candidate) -> TextEvidence | None:
    found = candidate.arms.get("text")
    return found if isinstance(found, TextEvidence) else None


def spelling_of(candidate: Candidate) -> SpellingEvidence | None:
    found = candidate.arms.get("spelling")
    return found if isinstance(found, SpellingEvidence) else None


def deciding(pool: Pool) -> list[Candidate]:
    """The candidates that the decision is made over: those that the arms put forward among the
    best of all. What is only among the best of the visible may be offered, never decide."""
    return [candidate for candidate in pool.candidates if candidate.arms and not candidate.beyond]


def agreement(candidate: Candidate, arms: Sequence[str]) -> int:
    """How many of these arms put the candidate forward."""
    return sum(arm in candidate.arms for arm in arms)


def reciprocal_ranks(candidate: Candidate, arms: Sequence[str]) -> float:
    """The sum of 1 / rank over these arms."""
    return sum(1 / candidate.arms[arm].rank for arm in arms if arm in candidate.arms)


def rivals_of(candidate: Candidate, others: Sequence[Candidate]) -> list[Candidate]:
    """All but the candidate and other versions of the same thing: an older version never ties
    with what took its place."""
    return [one for one in others if one.id != candidate.id and not one.versions_of_one_thing(candidate)]


def in_words(candidate: Candidate) -> tuple[str, ...]:
    """What each arm says for a candidate, a sentence each."""
    said = []
    if (name := name_of(candidate)) is not None:
        whole = "the question is its name" if name.exact else f"the question names «{name.name}»"
        said.append(whole + (", inside a longer name" if name.contained else ""))
    if (title := title_of(candidate)) is not None:
        said.append(
            f"title shares {len(title.matched)} word{'s' * (len(title.matched) != 1)}"
            f" ({', '.join(title.matched[:6])}): {title.question_share:.0%} of the question"
        )
    if (semantic := semantic_of(candidate)) is not None:
        said.append(f"title vector ranks {semantic.rank} with a gap of {semantic.gap:.3f} to the next")
    if (graph := graph_of(candidate)) is not None:
        first = graph.paths[0]
        said.append(
            f"{graph.pieces} returned piece{'s' * (graph.pieces != 1)} lead to it,"
            f" best at rank {first.piece_rank} over {' → '.join(first.edges)}"
        )
    if (spelling := spelling_of(candidate)) is not None:
        pairs = ", ".join(one if one == other else f"{one} ~ {other}" for one, other in spelling.matched[:4])
        said.append(f"title is spelt like the question ({pairs})")
    if (text := text_of(candidate)) is not None:
        said.append(f"its text ranks {text.rank} for the question")
    return tuple(said)
