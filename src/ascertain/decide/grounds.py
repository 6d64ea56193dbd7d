"""The seed policy with whole names heard, and with evidence that contains other evidence."""

from __future__ import annotations

from dataclasses import dataclass

from ascertain.decide.base import Verdict
from ascertain.decide.rules import (
    CHOICES,
    agreement,
    deciding,
    graph_of,
    in_words,
    name_of,
    named_beside,
    of_a_longer_name,
    reciprocal_ranks,
    rivals_of,
    semantic_of,
    spelling_of,
    text_of,
    title_of,
)
from ascertain.model.evidence import Candidate, Pool

NEAR = 0.5
"""A title vector with at least this share of the best similarity is near enough to be offered."""

ARMS = ("title", "name", "semantic", "graph", "text")

_KIND_WORDS = {
    "concept": {"concept", "개념", "meaning", "概念"},
    "record": {"record", "기록", "fact", "記録", "记录"},
    "decision": {"decision", "결정", "decided", "決定", "决定"},
    "episode": {"episode", "사건", "에피소드", "event"},
}


@dataclass(frozen=True)
class GroundsPolicy:
    """Four ways to be confident, each stronger than the seed's two.

    - The question is a name and function words, nothing else, and one node bears the name.
    - A title holds all the words of the question that any title holds, at least `bar` of them
      and at least `share` of the question's weight, and no rival's title holds as many.
    - A title holds the question's only word, no other thing's title does, and its vector is nearest.
    - The seed's gap, where a second arm agrees.
    """

    bar: int = 2
    share: float = 0.6
    gap: float = 0.08
    name: str = "grounds"
    author: str = "ascertain"

    def decide(self, pool: Pool) -> Verdict:
        """See Policy."""
        heard = deciding(pool)
        if not heard:
            return Verdict("none", None, (), {}, (), "no arm put a candidate forward")
        scores = {one.id: self._score(one, pool) for one in heard}
        order = sorted(heard, key=lambda one: (-scores[one.id], one.id))
        offered = tuple(one.id for one in order)
        named = [one for one in order if (name := name_of(one)) and _tells_only_kind(one, name.rest)]
        whole = [one for one in order if (name := name_of(one)) and name.exact] or named
        if whole:
            return self._names(whole, order, offered, scores)
        first = order[0]
        if not _grounded(first):
            near = tuple(f"nearest is «{one.title}», by vector alone" for one in order[:1])
            return Verdict("none", None, offered, scores, (), "nothing but nearness speaks for any candidate", (), near)
        tied = [first.id] + [one.id for one in rivals_of(first, order) if not self._parts(first, one)]
        rule, obstacles = self._speaks(first, order)
        if unheard := of_a_longer_name(first, pool):
            rule, obstacles = "", (*obstacles, f"nothing here says {', '.join(f'«{term}»' for term in unheard)}")
        if others := [one.title for one in rivals_of(first, order) if named_beside(first, one, pool.question)]:
            rule, obstacles = "", (*obstacles, f"the question names «{others[0]}» as well")
        if rule and len(tied) == 1:
            return Verdict("resolved", first.id, offered, scores, (first.id,), rule, in_words(first), ())
        if len(tied) > 1:
            obstacles = (
                *obstacles,
                f"{len(tied) - 1} other candidate(s) that the evidence can't part from it",
            )
        return Verdict(
            "choose",
            None,
            offered,
            scores,
            tuple(tied),
            "not enough grounds to pick one",
            in_words(first),
            obstacles,
            _worth_offering(order, tied, pool),
        )

    def _names(
        self,
        whole: list[Candidate],
        order: list[Candidate],
        offered: tuple[str, ...],
        scores: dict[str, float],
    ) -> Verdict:
        first = whole[0]
        tied = [first.id] + [one.id for one in rivals_of(first, whole)]
        said = in_words(first)
        if len(tied) == 1:
            ids = (first.id, *(id for id in offered if id != first.id))
            rule = "the question is the name of one node"
            return Verdict("resolved", first.id, ids, scores | {first.id: 1.0}, (first.id,), rule, said)
        ids = (*tied, *(id for id in offered if id not in tied))
        top = dict.fromkeys(tied, 1.0)
        return Verdict(
            "choose", None, ids, scores | top, tuple(tied), "namesakes are not parted by a rule", said,
            (f"{len(tied)} nodes bear this name",),
        )  # fmt: skip

    def _speaks(self, first: Candidate, heard: list[Candidate]) -> tuple[str, tuple[str, ...]]:
        title, semantic = title_of(first), semantic_of(first)
        obstacles = []
        if title is not None and len(title.matched) >= self.bar:
            if title.question_share >= self.share:
                return f"its title holds {title.question_share:.0%} of what the question says", ()
            obstacles.append(f"its title leaves {1 - title.question_share:.0%} of the question unsaid")
        elif title is not None and title.question_share >= 1 and semantic is not None and semantic.rank == 1:
            if not any(title_of(one) for one in rivals_of(first, heard)):
                return "its title alone holds the one word that the question says, and its vector is nearest", ()
            obstacles.append("other titles hold the one word that the question says")
        else:
            obstacles.append(f"its title shares fewer than {self.bar} words with the question")
        if semantic is not None and semantic.rank == 1 and semantic.gap >= self.gap and agreement(first, ARMS) >= 2:
            return f"its title vector is ahead of the next by {semantic.gap:.3f} and another arm agrees", ()
        obstacles.append("its title vector is not clearly ahead")
        return "", tuple(obstacles)

    def _parts(self, first: Candidate, other: Candidate) -> bool:
        """Does the evidence part the two? It does where the first's title holds all that the
        other's holds of the question, and more; or where the other has nothing to set against."""
        mine, theirs = title_of(first), title_of(other)
        if mine is not None:
            return set(theirs.matched if theirs else ()) < set(mine.matched)
        one, two = semantic_of(first), semantic_of(other)
        return (
            one is not None
            and one.rank == 1
            and one.gap >= self.gap
            and (two is None or two.rank > 1)
            and theirs is None
        )

    def _score(self, candidate: Candidate, pool: Pool) -> float:
        title, semantic = title_of(candidate), semantic_of(candidate)
        share = title.question_share if title else 0.0
        gap = semantic.gap if semantic and semantic.rank == 1 else 0.0
        return round(
            0.4 * share + 0.06 * agreement(candidate, ARMS) + 0.04 * reciprocal_ranks(candidate, ARMS) + min(gap, 0.2),
            6,
        )


def _grounded(candidate: Candidate) -> bool:
    """Does anything but nearness speak for it?"""
    semantic, graph = semantic_of(candidate), graph_of(candidate)
    return (
        _said(candidate)
        or (semantic is not None and semantic.rank == 1 and semantic.gap >= 0.08)
        or (graph is not None and semantic is not None)
    )


def _worth_offering(order: list[Candidate], tied: list[str], pool: Pool) -> tuple[str, ...]:
    """The ids to hand back, never fewer than two: in a small store the arms put forward whatever there is,
    so what neither words nor a near vector speak for is left out. A vector is near if it is not far from
    the nearest, and nearer than that of a candidate that words speak for."""
    words = {piece.id for piece in pool.pieces if piece.matched}
    told = {one.id for one in order if _said(one) or _led_to(one, words)}
    similar = {one.id: found.similarity for one in order if (found := semantic_of(one))}
    near = max(NEAR * max(similar.values(), default=0.0), min((similar[id] for id in told & set(similar)), default=0.0))
    kept = []
    for one in order:
        if one.id in tied or one.id in told or similar.get(one.id, -1.0) >= near or spelling_of(one) is not None:
            kept.append(one.id)
    kept += [one.id for one in order if one.id not in kept][: max(2 - len(kept), 0)]
    return tuple(kept[:CHOICES])


def _said(candidate: Candidate) -> bool:
    """Do words of the question speak for it: its title's, its name's or its text's?"""
    text = text_of(candidate)
    return title_of(candidate) is not None or name_of(candidate) is not None or bool(text and text.word_rank)


def _led_to(candidate: Candidate, words: set[str]) -> bool:
    """Does a piece lead to it that says a word of the question? words: ids of such pieces."""
    graph = graph_of(candidate)
    return graph is not None and any(path.piece in words for path in graph.paths)


def _tells_only_kind(candidate: Candidate, rest: tuple[str, ...]) -> bool:
    return bool(rest) and set(rest) <= _KIND_WORDS[candidate.kind]
