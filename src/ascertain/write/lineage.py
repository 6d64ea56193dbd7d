"""What a chain of SUPERSEDES makes of the validity of its members."""

from __future__ import annotations

from datetime import datetime

from ascertain.store.base import NodeRow
from ascertain.store.writing import StoreWriter


def starts_at(row: NodeRow) -> datetime | None:
    """When a node that takes another's place begins to hold: as stated, else when it was
    observed, decided or began, else when the store learnt it."""
    return row.node.valid_from or row.node.moment or row.node.recorded_at or row.since


def settle(store: StoreWriter, ids: set[str]) -> None:
    """Works out anew, for these nodes and their direct neighbours in the chain, when each holds.

    An older node ends where it says, else where its first successor begins; where that isn't
    stated either it no longer holds, since a time unknown. A successor that was withdrawn takes
    nobody's place. A successor begins where it says, else at its own moment.
    """
    touching = store.edges("SUPERSEDES", start=sorted(ids)) + store.edges("SUPERSEDES", end=sorted(ids))
    touched = ids | {id for edge in touching for id in edge}
    for id in sorted(touched):
        row = store.node(id)
        if row is None:
            continue
        older = store.edges("SUPERSEDES", start=[id])
        newer = [store.node(start) for start, _ in store.edges("SUPERSEDES", end=[id])]
        takers = sorted(
            (one for one in newer if one is not None and one.node.retired_at is None),
            key=lambda one: (starts_at(one) is None, starts_at(one) or 0, one.node.id),
        )
        ends = [start for start in map(starts_at, takers) if start is not None]
        store.set_holds(
            row.key,
            holds_from=row.node.valid_from or (row.node.moment if older else None),
            holds_to=row.node.valid_to or (min(ends) if ends else None),
            superseded_by=takers[0].node.id if takers else None,
            chained=bool(older or newer),
        )
