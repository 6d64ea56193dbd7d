"""Numbered steps, forward only. Each runs in one transaction with the note that it ran.

A new step is one more file here and one more line in STEPS. Written by us and not with a
migration library: a step must run on the connection and inside the transaction that checks
the version, on both databases, and the list is all there is to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ascertain.store.migrations import step_0001_first, step_0002_unjoined_start, step_0003_origins, step_0004_told

STEPS: Sequence[tuple[int, Sequence[str]]] = (
    (1, step_0001_first.STATEMENTS),
    (2, step_0002_unjoined_start.STATEMENTS),
    (3, step_0003_origins.STATEMENTS),
    (4, step_0004_told.STATEMENTS),
)

NEWEST = STEPS[-1][0]
