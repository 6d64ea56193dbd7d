"""The calibrated policy: evidence to a probability for each candidate and for "nothing here".

Two transparent models, each a line of weights in one readable file (weights.json):

1. A conditional logit over the pool (McFadden 1974) orders the candidates.
2. A multinomial logit over what is known of the first of them says how likely it is that it is
   meant, that another candidate is, and that nothing here is. The others share the second
   probability as the first model has them, so that all sum to one.

Deciding is selective prediction with a reject option (Chow 1970; Geifman and El-Yaniv 2017): the
first is resolved where its probability reaches a bar, and the bar comes from calibration with a
bound on the share of wrong answers among those resolved (exam/guarantee.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from ascertain.decide.base import Verdict
from ascertain.decide.features import CANDIDATE_FEATURES, COMMIT_FEATURES, commit_features, features_of, said_share
from ascertain.decide.grounds import GroundsPolicy
from ascertain.decide.rules import (
    CHOICES,
    deciding,
    in_words,
    name_of,
    named_beside,
    of_a_longer_name,
    rivals_of,
    semantic_of,
    spelling_of,
    text_of,
    title_of,
)
from ascertain.model.evidence import Candidate, Pool

_TIE = 0.05  # strengths nearer than this are not told apart

FEW = 12
"""With fewer candidates, what is relative to the others says little: exams have no such pools, so the
weights don't hold for them, and the rules of decide/grounds.py decide."""

SAID = 0.15
"""A share of the question's weight below this says nothing."""
GAP = 0.05
"""From this gap between cosines on, the nearest title vector speaks by itself, as in the seed policy."""
SPREAD = 1.75
"""So far (in units of 0.1 of cosine) the nearest must be ahead of the last that was put forward."""


@dataclass(frozen=True)
class Weights:
    """What a calibration found, as its file says it.

    rank: a weight for each of CANDIDATE_FEATURES. right, other: a weight for each of
    COMMIT_FEATURES, against "nothing here". resolve: the probability from which the first is
    resolved. nothing: the probability of "nothing here" from which the answer is none, where it
    is also likelier than the first. listed:
    how much of the candidates' probability a list of choices is to hold. promise, list_promise: in
    words, what holds of answers under this bar and of lists, and on what questions.
    """

    rank: Mapping[str, float]
    right: Mapping[str, float]
    other: Mapping[str, float]
    resolve: float
    nothing: float
    listed: float
    promise: str
    list_promise: str = ""

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Weights:
        """Raises KeyError for a file that lacks a weight."""
        return cls(
            rank={name: float(found["rank"][name]) for name in CANDIDATE_FEATURES},
            right={name: float(found["right"][name]) for name in COMMIT_FEATURES},
            other={name: float(found["other"][name]) for name in COMMIT_FEATURES},
            resolve=float(found["resolve"]),
            nothing=float(found["nothing"]),
            listed=float(found["listed"]),
            promise=str(found["promise"]),
            list_promise=str(found.get("list_promise", "")),
        )

    def to_json(self) -> dict[str, Any]:
        """What `from_json` reads."""
        return {
            "promise": self.promise,
            "list_promise": self.list_promise,
            "resolve": self.resolve,
            "nothing": self.nothing,
            "listed": self.listed,
            "rank": dict(self.rank),
            "right": dict(self.right),
            "other": dict(self.other),
        }


@lru_cache(maxsize=1)
def shipped_weights() -> Weights:
    """The weights that come with the package."""
    return Weights.from_json(json.loads(files("ascertain.decide").joinpath("weights.json").read_text("utf-8")))


@dataclass(frozen=True)
class Odds:
    """strengths: by id, the first model's exponents. order: ids, strongest first, equal ones by id.
    share: by id the probability of being meant. nothing: that nothing here is. said: the largest
    share of the question's weight that the words of the first say; said_by_any: of any
    candidate. spread: as in COMMIT_FEATURES."""

    strengths: Mapping[str, float]
    order: tuple[str, ...]
    share: Mapping[str, float]
    nothing: float
    said: float
    said_by_any: float
    spread: float


@dataclass(frozen=True)
class CalibratedPolicy:
    """See the module. Whatever the probabilities, these keep a candidate from being resolved: the
    question names a Concept and the candidate is about others; a namesake; a tie; a word that nothing
    here says.

    weights: None for those that come with the package, read when first needed.
    """

    weights: Weights | None = None
    name: str = "calibrated"
    author: str = "ascertain"

    def decide(self, pool: Pool) -> Verdict:
        """See Policy."""
        heard = deciding(pool)
        if not heard:
            return Verdict("none", None, (), {}, (), "no arm put a candidate forward")
        if len(heard) < FEW:
            return GroundsPolicy().decide(pool)
        weights = self.weights or shipped_weights()
        odds = odds_of(pool, heard, weights)
        by_id = {one.id: one for one in heard}
        first = by_id[odds.order[0]]
        rivals = rivals_of(first, [by_id[id] for id in odds.order])
        likely = odds.share[first.id]
        tied = (first.id, *(one.id for one in rivals if odds.strengths[first.id] - odds.strengths[one.id] < _TIE))
        said = in_words(first)
        obstacles = _obstacles(first, heard, rivals, tied, pool)
        if unheard := _unheard(first, pool) or of_a_longer_name(first, pool):
            obstacles = (*obstacles, f"nothing here says {', '.join(f'«{term}»' for term in unheard[:3])}")
        if _only_near(first, odds.said, odds.spread):
            obstacles = (*obstacles, "no word of the question speaks for it, and its title vector is not far ahead")
        if not obstacles and _is_its_name(first, rivals):
            return Verdict("resolved", first.id, odds.order, odds.share, (first.id,), "the question is its name", said)
        if not obstacles and likely >= weights.resolve:
            rule = f"it is meant with probability {likely:.2f}, of {weights.resolve:.2f} asked: {weights.promise}"
            return Verdict("resolved", first.id, odds.order, odds.share, (first.id,), rule, said)
        if likely < weights.resolve:
            obstacles = (*obstacles, f"it is meant with probability {likely:.2f}, of {weights.resolve:.2f} asked")
        if odds.said_by_any < SAID and not any(name_of(one) for one in heard) and _only_near(first, 0.0, odds.spread):
            rule = "nothing but nearness speaks for any candidate, and none is near"
            return Verdict("none", None, odds.order, odds.share, (), rule, said, obstacles)
        if odds.nothing >= max(weights.nothing, likely) and len(tied) == 1 and not _says_all(first):
            rule = f"nothing here answers it, with probability {odds.nothing:.2f}"
            return Verdict("none", None, odds.order, odds.share, (), rule, said, obstacles)
        listed = _listed(tied, rivals, odds, weights.listed)
        order = (*listed, *(id for id in odds.order if id not in listed))
        rule = "not enough grounds to pick one" + (f"; {weights.list_promise}" if weights.list_promise else "")
        return Verdict("choose", None, order, odds.share, listed, rule, said, obstacles, listed)


def odds_of(pool: Pool, heard: Sequence[Candidate], weights: Weights) -> Odds:
    """The probabilities of each candidate and of "nothing here". heard: at least one candidate."""
    found = features_of(pool, heard)
    # Rounded before anything is compared, so that no machine orders two of them otherwise.
    values = np.round(found.candidates @ _vector(weights.rank, CANDIDATE_FEATURES), 6)
    order = sorted(range(len(values)), key=lambda at: (-values[at], found.ids[at]))
    own = commit_features(found, values, order)
    logits = [float(own @ _vector(one, COMMIT_FEATURES)) for one in (weights.right, weights.other)]
    right, other, nothing = _softmax([*logits, 0.0])
    rest = _softmax([float(values[at]) for at in order[1:]])
    if not rest:
        right, other = right + other, 0.0
    shares = [right, *(other * part for part in rest)]
    return Odds(
        strengths={found.ids[at]: float(values[at]) for at in order},
        order=tuple(found.ids[at] for at in order),
        share={found.ids[at]: round(share, 6) for at, share in zip(order, shares, strict=True)},
        nothing=round(nothing, 6),
        said=said_share(found, order[0]),
        said_by_any=max(said_share(found, at) for at in order),
        spread=float(found.spreads.max()),
    )


def strongest(pool: Pool, heard: Sequence[Candidate], rank: Mapping[str, float] | None = None) -> list[str]:
    """Ids of the candidates in the order of the ranking model, by the weights shipped unless others are
    given. Nodes that the question names come before all others: what it names is evidence for and
    against the rest.
    """
    found = features_of(pool, heard)
    values = np.round(found.candidates @ _vector(rank or shipped_weights().rank, CANDIDATE_FEATURES), 6)
    named = {one.id for one in heard if name_of(one) is not None}
    order = sorted(range(len(values)), key=lambda at: (found.ids[at] not in named, -values[at], found.ids[at]))
    return [found.ids[at] for at in order]


def _vector(weights: Mapping[str, float], names: Sequence[str]) -> npt.NDArray[np.float64]:
    return np.array([weights[name] for name in names], dtype=np.float64)


def _softmax(values: Sequence[float]) -> list[float]:
    if not values:
        return []
    parts = np.exp(np.array(values) - max(values))
    return [float(part) for part in parts / parts.sum()]


def _only_near(first: Candidate, said: float, spread: float) -> bool:
    """Does nothing but nearness speak for the first, and is that not far ahead of the rest? The
    probabilities come from stores in which a question is mostly about something that is there;
    these bars hold where it isn't (chapter 18, section 4: the gap speaks, not the distance)."""
    semantic = semantic_of(first)
    ahead = semantic is not None and semantic.rank == 1 and semantic.gap >= GAP
    return said < SAID and name_of(first) is None and not ahead and spread < SPREAD


def _unheard(first: Candidate, pool: Pool) -> tuple[str, ...]:
    """Words of the question that stand nowhere in the store, where the first is meant by words of its
    title: what it was asked for besides is not here. Not where its name is said (a question in another
    language has words that the store can't know), nor in a store without documents, which says little.
    Source: the residual gate (chapter 18, section 5), held to what the whole store lacks.
    """
    title, text, spelling = title_of(first), text_of(first), spelling_of(first)
    if title is None or name_of(first) is not None or not pool.pieces_total:
        return ()
    spelt = {word for word, _ in spelling.matched} if spelling else set()
    unheard = [term for term in pool.terms if not term.in_titles and not term.in_pieces and term.text not in spelt]
    whole = sum(term.weight for term in pool.terms) or 1.0
    # Bodies are not counted; where the first's own says more than the rest of the question, it says these.
    if text is not None and text.question_share > 1 - sum(term.weight for term in unheard) / whole + 1e-6:
        return ()
    return tuple(term.text for term in unheard)


def _is_its_name(first: Candidate, rivals: Sequence[Candidate]) -> bool:
    name = name_of(first)
    return bool(name and name.exact) and not any((its := name_of(one)) and its.exact for one in rivals)


def _obstacles(
    first: Candidate, heard: Sequence[Candidate], rivals: Sequence[Candidate], tied: Sequence[str], pool: Pool
) -> tuple[str, ...]:
    found = []
    named = {one.id: one.title for one in heard if one.kind == "concept" and (n := name_of(one)) and not n.contained}
    if first.about and set(named) - {first.id} and not set(named) & set(first.about):
        found.append(f"the question names {', '.join(f'«{title}»' for title in named.values())}; it is about others")
    if len(tied) > 1:
        found.append(f"{len(tied) - 1} other candidate(s) that nothing parts from it")
    if others := [one.title for one in rivals if named_beside(first, one, pool.question)]:
        found.append(f"the question names {', '.join(f'«{title}»' for title in others[:3])} as well")
    if namesakes := [one for one in rivals if _namesakes(first, one)]:
        found.append(f"{len(namesakes)} other node(s) bear the name that the question says")
    return tuple(found)


def _says_all(first: Candidate) -> bool:
    """Does its title hold every word of the question? Then it is offered, however many rivals share
    its probability."""
    title = title_of(first)
    return title is not None and title.question_share >= 1.0


def _namesakes(first: Candidate, other: Candidate) -> bool:
    """Do both bear the name that stands in the question, with nothing else in it that parts them?"""
    mine, theirs = name_of(first), name_of(other)
    if mine is None or theirs is None or (mine.start, mine.end) != (theirs.start, theirs.end):
        return False
    title, its = title_of(first), title_of(other)
    return not (title is not None and set(its.matched if its else ()) < set(title.matched))


def _listed(tied: Sequence[str], rivals: Sequence[Candidate], odds: Odds, wanted: float) -> tuple[str, ...]:
    """The smallest list that holds the wanted part of the candidates' probability: two to five."""
    listed = list(tied[:CHOICES])
    present = 1 - odds.nothing
    for rival in rivals:
        held = sum(odds.share[id] for id in listed)
        if len(listed) >= CHOICES or (len(listed) >= 2 and held >= wanted * present):
            break
        if rival.id not in listed:
            listed.append(rival.id)
    return tuple(listed)
