"""What policies are made of: agreement, bar, gap, tie."""

from __future__ import annotations

import re
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

_MOST_BESIDE = 3
_WORDS = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_ARTICLES = frozenset(("the", "a", "an"))
_ASKS = re.compile(r"[?？؟]")
_JOINS = re.compile(
    r"[\s,、，،]*(?:[/&+,、，،]|and|n?or|vs\.?|versus|und|oder|et|ou|y|e|o|en|of|och|eller|og|i|lub|ve|veya|и|или|та|або|و|أو"
    r"|와|과|하고|이?랑|이?나|및|또는|혹은|아니면|と|や|か|または|和|与|與|跟|或|或者|及|还是|還是)"
    r"[\s,、，،]*(?:(?:the|an?|der|die|das|la|le|les|el|los)\s+|l['’])?"
)
"""What joins two names of equal standing, with an article of the second."""


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


def of_a_longer_name(first: Candidate, pool: Pool) -> tuple[str, ...]:
    """Words that stand beside the name of the first, nowhere in the store, and in no sentence: «Draught
    beer», «Night Shift (film)» name something else than Draught and Night Shift do. A question with a
    function word or a question mark asks something of what it names."""
    name = name_of(first)
    if name is None or not name.rest or len(name.rest) > _MOST_BESIDE or not pool.pieces_total:
        return ()
    heard = {term.text for term in pool.terms if term.in_titles or term.in_pieces}
    outside = f"{pool.question[: name.start]} {pool.question[name.end :]}"
    words = [word for word in _WORDS.findall(outside.casefold()) if word not in _ARTICLES]
    if _ASKS.search(outside) or len(words) != len(name.rest) or heard & set(name.rest):
        return ()
    return name.rest


def named_beside(first: Candidate, other: Candidate, question: str) -> bool:
    """Does the question name both, side by side («A and B», «A 또는 B», «A, B»)? Then it is about the two
    of them, or about one: that is for whoever asked to say. Elsewhere in a sentence the second name
    most often says which first is meant («did Ada Lovelace know a mathematician»)."""
    mine, theirs = name_of(first), name_of(other)
    if mine is None or theirs is None or mine.contained or theirs.contained or first.kind != other.kind:
        return False
    end, start = (mine.end, theirs.start) if mine.end <= theirs.start else (theirs.end, mine.start)
    return end <= start and _JOINS.fullmatch(question[end:start].casefold()) is not None
