"""Which nodes somebody confirmed to be one and the same, and which to be two."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from ascertain.model.times import from_micros, to_micros
from ascertain.store.reading import Database


@dataclass(frozen=True, slots=True)
class Merge:
    """kept stands for other. names, about: what it took over with that, and had not of its own.
    older: it superseded the other before."""

    other: str
    kept: str
    at: datetime
    by: str
    names: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    older: bool = False


class Merges:
    """The tables of merges in a store's database. Methods that write run in the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Merge]:
        """Those that stand, by the id of what was merged."""
        found = []
        for other, kept, at, by, names, about, older in self._database.rows(
            "SELECT other, kept, at, merged_by, names, about, older FROM merge ORDER BY other"
        ):
            moment = from_micros(at)
            assert moment is not None  # the column is NOT NULL
            found.append(
                Merge(other, kept, moment, by, tuple(json.loads(names)), tuple(json.loads(about)), bool(older))
            )
        return found

    def put(self, merge: Merge) -> None:
        """Writes a merge down; what was said against it before counts no more."""
        lists = (json.dumps(told, ensure_ascii=False) for told in (merge.names, merge.about))
        self._database.run(
            "INSERT INTO merge (other, kept, at, merged_by, names, about, older) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (merge.other, merge.kept, to_micros(merge.at), merge.by, *lists, int(merge.older)),
        )
        self._database.run("DELETE FROM apart WHERE first = ? AND second = ?", _pair(merge.other, merge.kept))

    def drop(self, other: str) -> None:
        """Takes a merge back."""
        self._database.run("DELETE FROM merge WHERE other = ?", (other,))

    def keep_apart(self, one: str, other: str) -> None:
        """Writes down that the two are two."""
        self._database.run("INSERT INTO apart (first, second) VALUES (?, ?) ON CONFLICT DO NOTHING", _pair(one, other))

    def apart(self) -> set[tuple[str, str]]:
        """Pairs of which somebody said that they are two, each in id order."""
        return {(first, second) for first, second in self._database.rows("SELECT first, second FROM apart")}

    def forget(self, id: str) -> None:
        """Removes an id and all that was said of it."""
        self._database.run("DELETE FROM merge WHERE other = ? OR kept = ?", (id, id))
        self._database.run("DELETE FROM apart WHERE first = ? OR second = ?", (id, id))


def merged_into(merges: Iterable[Merge]) -> dict[str, str]:
    """id of what was merged → id of what stands for it in the end."""
    direct = {one.other: one.kept for one in merges}
    found = {}
    for other in direct:
        kept = other
        while kept in direct:
            kept = direct[kept]
        found[other] = kept
    return found


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one <= other else (other, one)
