"""Taking a path: what it holds, where it came from, and what it holds no longer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from ascertain.encoders.base import Encoder
from ascertain.formats.base import Format, Problem
from ascertain.store.origins import Origins
from ascertain.store.writing import StoreWriter
from ascertain.write.origins import Arrival
from ascertain.write.report import ImportReport
from ascertain.write.twins import same_names
from ascertain.write.writer import Writer

VANISHED = "its file is gone, or tells it no more"


def take_path(
    store: StoreWriter,
    encoder: Encoder,
    format: Format,
    path: Path,
    now: datetime,
    *,
    progress: Callable[[int], None] | None = None,
    retire_vanished: bool = False,
) -> ImportReport:
    """Takes a file or folder, in the caller's transaction.

    A file that was moved keeps the ids of what it told. What a file told once and tells no more is
    reported, and so is a file that is gone; their nodes are withdrawn with `retire_vanished` only.
    """
    origins = Origins(store.database)
    arrival = Arrival(path, origins.all())
    writer = Writer(store, encoder, now, progress=progress)
    report = writer.write(arrival.watch(format.read(path, arrival.known_as)))
    arrived = arrival.arrived()
    report.problems += arrival.remarks
    report.problems += _twins(store, arrival, writer.added)
    for origin, ids in arrival.missing():
        gone = arrival.is_gone(origin)
        rows = [row for row in store.nodes_at(ids).values() if row.node.retired_at is None]
        if retire_vanished:
            for row in rows:
                store.set_retired(row, at=now, reason=VANISHED)
            report.retired += len(rows)
            if gone:
                origins.drop([origin.path])
        if rows or (gone and not retire_vanished):
            told = ", ".join(repr(row.node.id) for row in rows[:3]) + (", …" if len(rows) > 3 else "")
            report.problems.append(Problem(origin.path, None, _said(gone, told, retire_vanished), skipped=False))
    origins.drop(arrival.left())
    origins.put(arrived)
    return report


def _twins(store: StoreWriter, arrival: Arrival, added: Sequence[str]) -> Iterator[Problem]:
    """What was added under a name that another node bears. Nothing is merged unasked."""
    for id, other, name in same_names(store, added):
        told = f"{id!r} may be the same as {other!r}: both are called {name!r} (see: ascertain twins)"
        yield Problem(arrival.file_of(id), None, told, skipped=False)


def _said(gone: bool, told: str, retired: bool) -> str:
    what = "the file is gone" if gone else "the file tells less than before"
    if not told:
        return f"{what}; no node was drawn from it alone"
    return f"{what}: withdrawn {told}" if retired else f"{what}; {told} stays (--retire-vanished withdraws)"
