"""Taking a path: what it holds, where it came from, and what it holds no longer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from ascertain.encoders.base import Encoder
from ascertain.formats.base import Format, Item, Problem
from ascertain.store.origins import Origins
from ascertain.store.writing import StoreWriter
from ascertain.write.again import digest_of, report_from, report_of
from ascertain.write.origins import Arrival
from ascertain.write.report import ImportReport
from ascertain.write.twins import same_names
from ascertain.write.writer import VANISHED, Writer


def take_path(
    store: StoreWriter,
    encoder: Encoder,
    format: Format,
    path: Path,
    now: datetime,
    *,
    progress: Callable[[int], None] | None = None,
    retire_vanished: bool = False,
    own: Path | None = None,
) -> ImportReport:
    """Takes a file or folder, in the caller's transaction. own: the store's file, if it is one.

    What was imported before and is the same to the byte is not read again. A file that was moved keeps
    the ids of what it told. What a file told once and tells no more is reported, and so is a file that
    is gone; their nodes are withdrawn with `retire_vanished` only.
    """
    origins = Origins(store.database)
    known = origins.all()
    arrival = Arrival(path, known)
    root = str(path.absolute())
    digest = digest_of(arrival, format.name, own)
    seen = origins.seen(root)
    if digest and seen and seen[0] == digest:
        return report_from(seen[1])
    writer = Writer(store, encoder, now, told=origins, file_key=arrival.file_key, progress=progress)
    repeated: list[Problem] = []
    report = writer.write(_noting(arrival.watch(format.read(path, arrival.known_as)), repeated))
    arrived = arrival.arrived()
    missing = arrival.missing()
    report.problems += arrival.remarks
    report.problems += _twins(store, arrival, writer.added)
    for origin, ids in missing:
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
    origins.put([*arrived, *(arrival.followed() if not retire_vanished else ())])
    if report.added or report.changed or missing or arrival.left() or not set(arrived) <= set(known):
        origins.drop_seen()  # what is known of files decides how others are read
    if digest and not missing:
        origins.put_seen(root, digest, report_of(report, repeated + writer.skips))
    return report


def _noting(items: Iterable[Item | Problem], problems: list[Problem]) -> Iterator[Item | Problem]:
    """Lets items through, and notes the problems among them."""
    for one in items:
        if isinstance(one, Problem):
            problems.append(one)
        yield one


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
