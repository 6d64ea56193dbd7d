"""After the verdict: what may be seen. A filter changes what is visible, never what the answer is.

Source: chapter 18, section 8, and the design's reading of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from ascertain.decide.asking import ask_back
from ascertain.decide.base import Policy, Verdict
from ascertain.decide.differences import differences
from ascertain.decide.picks import heeding
from ascertain.decide.rules import CHOICES, deciding
from ascertain.model.evidence import Candidate, Pool
from ascertain.model.resolution import Offer, Resolution, State, Why


def resolution_of(pool: Pool, policy: Policy) -> Resolution:
    """The policy's verdict over the whole pool, then what its reader may see of it.

    - resolved, and visible: resolved.
    - resolved to a hidden version of a thing: resolved to a visible version only if the policy
      resolves to that one in a pool without the thing's other versions; else a visible version
      is offered alone (choose), with what was meant and what took its place.
    - resolved to a node that is hidden and has no visible version: none, and since when.
    - choose: what may be seen of the list; hidden rivals are counted. Nothing of it: none.

    The policy is shown nothing that depends on who reads: no policy, however written, can let a
    filter decide. Ids that are handed out are ids of nodes, never of recorded versions.
    """
    whole = unfiltered(pool)
    verdict = heeding(whole, policy.decide(whole))
    by_id = {candidate.id: candidate for candidate in pool.candidates}
    if verdict.state == "resolved" and verdict.node is not None:
        meant = by_id[verdict.node]
        if meant.visible:
            return _resolved(pool, policy, verdict, meant)
        return _meant_is_hidden(pool, policy, verdict, meant)
    if verdict.state == "choose":
        return _choose(pool, policy, verdict, by_id)
    near = [by_id[id] for id in verdict.order if by_id[id].visible]
    return _answer(pool, policy, verdict, "none", None, near, 0, _sentence(verdict.rule))


def unfiltered(pool: Pool) -> Pool:
    """The pool as every reader shares it: the candidates that decide, without what a view makes of
    them (whether they may be seen, and when they ended as far as was known)."""
    decides = deciding(pool)
    ids = {one.node for one in decides}
    return replace(pool, candidates=tuple(_blind(one, ids) for one in decides))


def _blind(one: Candidate, ids: Collection[str]) -> Candidate:
    if one.visible and not (one.older or one.hidden_why or one.valid_to or one.retired_at):
        return one  # as most are, and a copy of each would take a while
    older = tuple(id for id in one.older if id in ids)
    return replace(one, older=older, visible=True, hidden_why="", valid_to=None, retired_at=None)


def _resolved(pool: Pool, policy: Policy, verdict: Verdict, node: Candidate, note: str = "") -> Resolution:
    by_id = {candidate.id: candidate for candidate in pool.candidates}
    rest = [
        by_id[id]
        for id in verdict.order
        if id != node.id and by_id[id].visible and not by_id[id].versions_of_one_thing(node)
    ]
    told = verdict.rule + (f"; it {node.hidden_why}" if node.hidden_why else "") + note
    return _answer(pool, policy, verdict, "resolved", node.node, [node, *rest], 0, _sentence(told))


def _meant_is_hidden(pool: Pool, policy: Policy, verdict: Verdict, meant: Candidate) -> Resolution:
    versions = [one for one in pool.candidates if one.visible and one.versions_of_one_thing(meant)]
    told = f"«{meant.title}» is meant, which {meant.hidden_why or 'may not be seen'}"
    for version in sorted((one for one in versions if one.arms), key=_by_ranks):
        # On its own grounds: as if it were the only version of the thing.
        others = tuple(one for one in pool.candidates if not one.versions_of_one_thing(version))
        alone = replace(pool, candidates=(*others, replace(version, beyond=False)))
        alone = replace(alone, candidates=tuple(sorted(alone.candidates, key=lambda one: one.id)))
        second = policy.decide(unfiltered(alone))
        if second.state == "resolved" and second.node == version.id:
            return _resolved(alone, policy, second, version, f"; {_place(version, meant)}")
    if versions:
        newest = max(versions, key=lambda one: (one.takes_the_place_of(meant), len(one.older), one.id))
        place = _place(newest, meant, f"«{newest.title}»")
        return _answer(pool, policy, verdict, "choose", None, [newest], 1, f"{told}; {place}.")
    by_id = {candidate.id: candidate for candidate in pool.candidates}
    near = [by_id[id] for id in verdict.order if by_id[id].visible]
    return _answer(pool, policy, verdict, "none", None, near, 1, told + ".")


def _place(version: Candidate, meant: Candidate, name: str = "it") -> str:
    if version.takes_the_place_of(meant):
        return f"{name} took the place of «{meant.title}»" if name == "it" else f"{name} took its place"
    return f"{name} is the version of «{meant.title}» that may be seen"


def _choose(pool: Pool, policy: Policy, verdict: Verdict, by_id: dict[str, Candidate]) -> Resolution:
    rivals = [by_id[id] for id in (verdict.tied or verdict.order[:CHOICES])]
    hidden = sum(not one.visible for one in rivals)
    # The smallest list holds what it promises only while all of it may be seen.
    best = verdict.listed if verdict.listed and not hidden else verdict.order
    offered = [by_id[id] for id in best if by_id[id].visible][:CHOICES]
    if hidden == len(rivals):
        # All that tie are hidden. What may be seen was not among them: offer versions of theirs
        # and what the visible pool holds, never resolve.
        kin = [one for one in pool.candidates if one.visible and any(one.versions_of_one_thing(r) for r in rivals)]
        beyond = [one for one in pool.candidates if one.beyond and one.visible and one.arms]
        offered = [*sorted(kin, key=_by_ranks), *offered, *sorted(beyond, key=_by_ranks)]
    if not offered:
        why = rivals[0].hidden_why if rivals else ""
        return _answer(
            pool, policy, verdict, "none", None, [], hidden,
            f"«{rivals[0].title}» and what ties with it may not be seen: it {why}." if why else "Nothing may be seen.",
        )  # fmt: skip
    if len({one.node for one in offered}) == 1 and not hidden:
        # One candidate, no rival, not enough grounds: a list of one would be a resolution by
        # the back door, so it is told as what came near.
        return _answer(pool, policy, verdict, "none", None, offered, 0, _sentence(verdict.rule))
    note = f"; {hidden} of the candidates may not be seen" if hidden else ""
    return _answer(pool, policy, verdict, "choose", None, offered, hidden, _sentence(verdict.rule + note))


def _by_ranks(candidate: Candidate) -> tuple[float, str]:
    return -sum(1 / evidence.rank for evidence in candidate.arms.values()), candidate.id


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _once(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The first few, each node once, under its own id."""
    first: dict[str, Candidate] = {}
    for one in candidates:
        first.setdefault(one.node, one)
    return list(first.values())[:CHOICES]


def _answer(
    pool: Pool,
    policy: Policy,
    verdict: Verdict,
    state: State,
    node: str | None,
    offered: list[Candidate],
    hidden: int,
    reason: str,
) -> Resolution:
    shown = _once(offered)
    named = [replace(one, id=one.node) for one in shown]
    parts = differences(named) if state == "choose" else {}
    return Resolution(
        state=state,
        question=pool.question,
        node=node,
        candidates=tuple(
            Offer(told, verdict.scores.get(one.id, 0.0), parts.get(told.id, {}))
            for one, told in zip(shown, named, strict=True)
        ),
        hidden=hidden,
        reason=reason,
        policy=policy.name,
        why=Why(verdict.rule, verdict.grounds, verdict.obstacles),
        ask_back=ask_back(pool.question, named) if state == "choose" else "",
    )
