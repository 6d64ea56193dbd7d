"""What was picked before for the very same question: heard, shown, and never enough to resolve."""

from __future__ import annotations

from dataclasses import replace

from ascertain.decide.base import Verdict
from ascertain.decide.rules import CHOICES
from ascertain.model.evidence import Pool


def heeding(pool: Pool, verdict: Verdict) -> Verdict:
    """The verdict with what was picked for this question in front, whatever the policy.

    It only takes confidence away, or offers. Resolved to what was picked most: stays, and says so. Resolved
    to another: choose, for the pick and the evidence are in conflict. Choose: the picked one comes
    first. None: choose, with the picked one first. A candidate that no arm put forward is not there
    to be moved. pool: as the policy decided over it.
    """
    times = {one.id: one.picked for one in pool.candidates if one.picked and one.id in verdict.order}
    if not times:
        return verdict
    front = sorted(times, key=lambda id: (-times[id], verdict.order.index(id)))
    grounds = tuple(f"it was picked for this question {times[id]} time{'s' * (times[id] != 1)}" for id in front[:1])
    if verdict.state == "resolved" and verdict.node == front[0]:
        return replace(verdict, grounds=(*verdict.grounds, *grounds))
    order = (*front, *(id for id in verdict.order if id not in times))
    offered = verdict.listed or verdict.tied or verdict.order[:1]
    listed = tuple(dict.fromkeys((*front, *offered, *order[:2])))[:CHOICES]
    obstacles = verdict.obstacles
    if verdict.state == "resolved":
        obstacles = (*obstacles, "another candidate was picked for this question before")
    # Scores must be ordered like the candidates: a picked one is as strong as the strongest.
    top = max(verdict.scores.values(), default=0.0)
    return replace(
        verdict,
        state="choose",
        node=None,
        order=order,
        scores={**verdict.scores, **dict.fromkeys(front, top)},
        tied=listed,
        rule="what was picked for this question before comes first; picking alone resolves nothing",
        grounds=grounds,
        obstacles=obstacles,
        listed=listed,
    )
