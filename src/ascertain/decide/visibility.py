"""After the verdict: what may be seen. A filter changes what is visible, never what the answer is.

Source: chapter 18, section 8, and the design's reading of it.
"""

from __future__ import annotations

from dataclasses import replace

from ascertain.decide.base import Policy, Verdict
from ascertain.decide.differences import differences
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
    """
    verdict = policy.decide(pool)
    by_id = {candidate.id: candidate for candidate in pool.candidates}
    if verdict.state == "resolved" and verdict.node is not None:
        meant = by_id[verdict.node]
        if meant.visible:
            return _resolved(pool, policy, verdict, meant)
        return _meant_is_hidden(pool, policy, verdict, meant)
    if verdict.state == "choose":
        return _choose(pool, policy, verdict, by_id)
    near = [by_id[id] for id in verdict.order if by_id[id].visible][:CHOICES]
    return _answer(pool, policy, verdict, "none", None, near, 0, _sentence(verdict.rule))


def _resolved(pool: Pool, policy: Policy, verdict: Verdict, node: Candidate) -> Resolution:
    rest = [
        one
        for id in verdict.order
        for one in pool.candidates
        if one.id == id and one.visible and id != node.id and not one.versions_of_one_thing(node)
    ]
    return _answer(pool, policy, verdict, "resolved", node.id, [node, *rest[: CHOICES - 1]], 0, _sentence(verdict.rule))


def _meant_is_hidden(pool: Pool, policy: Policy, verdict: Verdict, meant: Candidate) -> Resolution:
    versions = [one for one in pool.candidates if one.visible and one.versions_of_one_thing(meant)]
    told = f"«{meant.title}» is meant, which {meant.hidden_why or 'may not be seen'}"
    own = {candidate.id for candidate in deciding(pool)}
    for version in (one for one in versions if one.id in own):
        # On its own grounds: without any other version of the thing in the pool.
        alone = replace(
            pool,
            candidates=tuple(
                one for one in pool.candidates if one.id == version.id or not one.versions_of_one_thing(version)
            ),
        )
        second = policy.decide(alone)
        if second.state == "resolved" and second.node == version.id:
            answer = _resolved(alone, policy, second, version)
            return replace(answer, reason=f"{answer.reason[:-1]}; it took the place of «{meant.title}».")
    if versions:
        newest = max(versions, key=lambda one: (one.id not in meant.older, len(one.older), one.id))
        place = "took its place" if meant.id in newest.older else "is the version of it that holds"
        return _answer(pool, policy, verdict, "choose", None, [newest], 1, f"{told}; «{newest.title}» {place}.")
    near = [one for id in verdict.order for one in pool.candidates if one.id == id and one.visible]
    return _answer(pool, policy, verdict, "none", None, near[:CHOICES], 1, told + ".")


def _choose(pool: Pool, policy: Policy, verdict: Verdict, by_id: dict[str, Candidate]) -> Resolution:
    rivals = [by_id[id] for id in (verdict.tied or verdict.order[:CHOICES])]
    hidden = sum(not one.visible for one in rivals)
    offered = [by_id[id] for id in verdict.order if by_id[id].visible][:CHOICES]
    if hidden == len(rivals):
        # All that tie are hidden. What may be seen was not among them: offer versions of theirs
        # and what the visible pool holds, never resolve.
        beyond = [one for one in pool.candidates if one.beyond and one.visible and one.arms]
        beyond += [
            one
            for one in pool.candidates
            if one.visible and not one.arms and any(one.versions_of_one_thing(rival) for rival in rivals)
        ]
        offered = list({one.id: one for one in (*offered, *sorted(beyond, key=_by_ranks))}.values())[:CHOICES]
    if not offered:
        why = rivals[0].hidden_why if rivals else ""
        return _answer(
            pool, policy, verdict, "none", None, [], hidden,
            f"«{rivals[0].title}» and what ties with it may not be seen: it {why}." if why else "Nothing may be seen.",
        )  # fmt: skip
    if len(offered) == 1 and not hidden:
        # One candidate, no rival, not enough grounds: a list of one would be a resolution by
        # the back door, so it is told as what came near.
        return _answer(pool, policy, verdict, "none", None, offered, 0, _sentence(verdict.rule))
    note = f"; {hidden} of the candidates may not be seen" if hidden else ""
    return _answer(pool, policy, verdict, "choose", None, offered, hidden, _sentence(verdict.rule + note))


def _by_ranks(candidate: Candidate) -> tuple[float, str]:
    return -sum(1 / evidence.rank for evidence in candidate.arms.values()), candidate.id


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


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
    parts = differences(offered) if state == "choose" else {}
    return Resolution(
        state=state,
        question=pool.question,
        node=node,
        candidates=tuple(Offer(one, verdict.scores.get(one.id, 0.0), parts.get(one.id, {})) for one in offered),
        hidden=hidden,
        reason=reason,
        policy=policy.name,
        why=Why(verdict.rule, verdict.grounds, verdict.obstacles),
    )
