"""What askers picked from a list: a plain log. Nothing is ever taken out of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ascertain.errors import NotFound
from ascertain.model.times import from_micros, to_micros
from ascertain.store.reading import Database


@dataclass(frozen=True, slots=True)
class Choice:
    """A question and what was picked for it.

    number: from 1, in the order of picking. offered: the ids that were handed back, best first;
    empty where the node was named without a list. picked: an id, or None for "none of these".
    picked_by: who picked. undone_at: when it was taken back, or None.
    """

    number: int
    asked_at: datetime
    question: str
    lang: str
    offered: tuple[str, ...]
    picked: str | None
    picked_by: str
    undone_at: datetime | None = None


class ChoiceLog:
    """The log of choices in a store's database. Every method is one transaction of its own, and
    none touches what is indexed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def log(
        self,
        question: str,
        picked: str | None,
        *,
        at: datetime,
        by: str,
        offered: Sequence[str] = (),
        lang: str = "",
    ) -> Choice:
        """Writes a choice down and returns it with its number."""
        database = self._database
        with database.transaction():
            number = int(database.rows("SELECT coalesce(max(number), 0) + 1 FROM choice")[0][0])
            database.run(
                "INSERT INTO choice (number, asked_at, question, lang, offered, picked, picked_by)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (number, to_micros(at), question, lang, json.dumps(list(offered), ensure_ascii=False), picked, by),
            )
        return Choice(number, at, question, lang, tuple(offered), picked, by)

    def all(self) -> list[Choice]:
        """All choices in the order of picking, those that were taken back too."""
        return [
            Choice(number, _instant(asked), question, lang, tuple(json.loads(offered)), picked, by, from_micros(undone))
            for number, asked, question, lang, offered, picked, by, undone in self._database.rows(
                "SELECT number, asked_at, question, lang, offered, picked, picked_by, undone_at FROM choice"
                " ORDER BY number"
            )
        ]

    def state(self) -> tuple[int, int]:
        """Changes whenever what stands does: the last number, and how many were taken back."""
        last, undone = self._database.rows("SELECT coalesce(max(number), 0), count(undone_at) FROM choice")[0]
        return int(last), int(undone)

    def undo(self, number: int, *, at: datetime) -> None:
        """Takes a choice back; one that was taken back already stays as it is.

        Raises NotFound where there is no choice of that number.
        """
        with self._database.transaction():
            if not self._database.rows("SELECT 1 FROM choice WHERE number = ?", (number,)):
                raise NotFound(f"no choice number {number}")
            self._database.run(
                "UPDATE choice SET undone_at = ? WHERE number = ? AND undone_at IS NULL", (to_micros(at), number)
            )


def _instant(micros: int) -> datetime:
    found = from_micros(micros)
    assert found is not None  # the column is NOT NULL
    return found
