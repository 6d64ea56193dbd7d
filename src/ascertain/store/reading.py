"""Reading a store: SQL that both databases run, and rows into values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ascertain.errors import StoreDamaged
from ascertain.model.documents import Document, Piece
from ascertain.model.edges import EdgeType
from ascertain.model.nodes import Node
from ascertain.model.times import from_micros, to_micros
from ascertain.store.base import FAMILIES, Counts, Entry, Family, NodeRow, PieceRow, Taker
from ascertain.store.rows import NODE_COLUMNS, named_values, node_of

_NODE = f"SELECT {', '.join(NODE_COLUMNS)} FROM node"
_PIECE = "SELECT key, id, document, position, text FROM piece"
FOREVER = 2**63 - 1
"""Where an edge that stands ends. Instants end far below it."""


class Database(Protocol):
    """What reading and writing need of a database."""

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]: ...
    def each(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]: ...
    def run(self, sql: str, parameters: Sequence[Any] = ()) -> int: ...
    def many(self, sql: str, parameters: Iterable[Sequence[Any]]) -> None: ...
    def among(self, column: str, values: Sequence[Any]) -> tuple[str, tuple[Any, ...]]: ...
    def transaction(self) -> AbstractContextManager[None]: ...
    def snapshot(self) -> AbstractContextManager[None]: ...
    def problems(self) -> list[str]: ...
    def scrub(self) -> None: ...
    def close(self) -> None: ...


class StoreReader:
    """The Reader of store/base.py over a Database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        meta = dict(database.rows("SELECT name, value FROM meta"))
        try:
            self.uuid = str(meta["uuid"])
            self.encoder = str(meta["encoder"])
            self.dimension = int(meta["dimension"])
            int(meta["generation"])
        except (KeyError, ValueError) as error:
            raise StoreDamaged(f"the store has lost what it says of itself: {error}") from error

    def generation(self) -> int:
        return int(self.database.rows("SELECT value FROM meta WHERE name = 'generation'")[0][0])

    def snapshot(self) -> AbstractContextManager[None]:
        """Reads inside see one state of the store, whatever others write meanwhile."""
        return self.database.snapshot()

    # entries, for the indexes

    def entries(self, family: Family, *, since: int = -1) -> Iterator[Entry]:
        rows = self.database.each(
            "SELECT e.key, e.owner, e.slot, e.terms, v.value FROM entry e LEFT JOIN vector v ON v.key = e.key"
            " WHERE e.family = ? AND e.generation > ?",
            (FAMILIES.index(family), since),
        )
        blank = bytes(2 * self.dimension)
        for key, owner, slot, terms, vector in rows:
            yield Entry(family, key, owner, slot, terms, vector or blank)

    def entry_count(self, family: Family, *, since: int = -1) -> int:
        rows = self.database.rows(
            "SELECT count(*) FROM entry WHERE family = ? AND generation > ?", (FAMILIES.index(family), since)
        )
        return int(rows[0][0])

    def gone(self, family: Family, *, since: int) -> list[int]:
        rows = self.database.rows(
            "SELECT DISTINCT key FROM gone WHERE family = ? AND generation > ?",
            (FAMILIES.index(family), since),
        )
        return [row[0] for row in rows]

    def terms(self, keys: Sequence[int]) -> dict[int, tuple[str, ...]]:
        condition, parameters = self.database.among("key", keys)
        rows = self.database.rows(f"SELECT key, terms FROM entry WHERE {condition}", parameters)
        return {row[0]: tuple(row[1].split()) for row in rows}

    def vectors(self, keys: Sequence[int]) -> npt.NDArray[np.float32]:
        out = np.zeros((len(keys), self.dimension), dtype=np.float32)
        place = {key: index for index, key in enumerate(keys)}
        condition, parameters = self.database.among("key", keys)
        rows = self.database.rows(f"SELECT key, value FROM vector WHERE {condition}", parameters)
        if rows:
            values = np.frombuffer(b"".join(row[1] for row in rows), dtype="<f2").reshape(len(rows), -1)
            out[[place[row[0]] for row in rows]] = values
        return out

    # nodes

    def counts(self) -> Counts:
        rows = self.database.rows
        return Counts(
            nodes={
                str(kind): int(count)
                for kind, count in rows(
                    "SELECT kind, count(*) FROM node WHERE until IS NULL GROUP BY kind ORDER BY kind"
                )
            },
            documents=int(rows("SELECT count(*) FROM document")[0][0]),
            pieces=int(rows("SELECT count(*) FROM piece")[0][0]),
            edges={
                str(type): int(count)
                for type, count in rows(
                    "SELECT type, count(*) FROM edge WHERE until = ? GROUP BY type ORDER BY type", (FOREVER,)
                )
            },
        )

    def nodes(self, keys: Sequence[int]) -> dict[int, NodeRow]:
        condition, parameters = self.database.among("key", keys)
        return {row.key: row for row in self._node_rows(f"{_NODE} WHERE {condition}", parameters)}

    def node(self, id: str) -> NodeRow | None:
        row = next(iter(self._node_rows(f"{_NODE} WHERE id = ? AND until IS NULL", (id,))), None)
        if row is None:
            return None
        older, newer = self.lineage([id]).get(id, ((), ()))
        return replace(row, older=older, newer=newer)

    def nodes_at(self, ids: Iterable[str], known_at: datetime | None = None) -> dict[str, NodeRow]:
        condition, parameters = self.database.among("id", list(ids))
        if known_at is None:
            rows = self._node_rows(f"{_NODE} WHERE until IS NULL AND {condition}", parameters)
        else:
            moment = to_micros(known_at)
            rows = self._node_rows(
                f"{_NODE} WHERE {condition} AND (since IS NULL OR since <= ?) AND (until IS NULL OR until > ?)",
                (*parameters, moment, moment),
            )
        return {row.node.id: row for row in rows}

    def versions(self, id: str) -> list[NodeRow]:
        """All recorded versions of a node, oldest first."""
        return self._node_rows(f"{_NODE} WHERE id = ? ORDER BY version", (id,))

    def keys_of(self, ids: Iterable[str]) -> dict[str, int]:
        condition, parameters = self.database.among("id", list(ids))
        return dict(self.database.rows(f"SELECT id, key FROM node WHERE until IS NULL AND {condition}", parameters))

    def all_nodes(self) -> Iterator[Node]:
        for row in self.database.each(f"{_NODE} WHERE until IS NULL ORDER BY id"):
            yield node_of(named_values(row))

    def named(self, names: Sequence[str], *, earlier: bool = False) -> dict[str, list[tuple[int, int]]]:
        condition, parameters = self.database.among("name", names)
        only = "" if earlier else " AND node IN (SELECT key FROM node WHERE until IS NULL)"
        found: dict[str, list[tuple[int, int]]] = {}
        for name, node, slot in self.database.rows(
            f"SELECT name, node, slot FROM name WHERE {condition}{only} ORDER BY name, node, slot", parameters
        ):
            found.setdefault(name, []).append((node, slot))
        return found

    def lineage(self, ids: Iterable[str]) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
        wanted = sorted(set(ids))
        if not self._anything_superseded():
            return {}
        older, newer = self._steps(wanted, "start_id", "end_id"), self._steps(wanted, "end_id", "start_id")
        found = {id: (_reached(older, id), _reached(newer, id)) for id in wanted}
        return {id: both for id, both in found.items() if both != ((), ())}

    def merged(self, id: str, known_at: datetime) -> list[str]:
        moment = to_micros(known_at)
        rows = self.database.rows(
            "WITH RECURSIVE same (id) AS (SELECT other FROM merge WHERE kept = ? AND at <= ?"
            " UNION SELECT other FROM merge JOIN same ON kept = same.id WHERE at <= ?)"
            " SELECT id FROM same ORDER BY id",
            (id, moment, moment),
        )
        return [row[0] for row in rows]

    def _anything_superseded(self) -> bool:
        return bool(self.database.rows("SELECT 1 FROM edge WHERE type = 'SUPERSEDES' LIMIT 1"))

    def _steps(self, ids: list[str], here: str, there: str) -> dict[str, list[str]]:
        """id → where one SUPERSEDES leads from it, for all that is reached from these ids."""
        condition, parameters = self.database.among("id", ids)
        step = f"JOIN edge e ON e.type = 'SUPERSEDES' AND e.{here} = chain.id AND e.until = ?"
        steps: dict[str, list[str]] = {}
        # UNION drops what was reached before, so a circle ends by itself.
        for start, end in self.database.rows(
            f"WITH RECURSIVE chain (id) AS (SELECT id FROM node WHERE until IS NULL AND {condition}"
            f" UNION SELECT e.{there} FROM chain {step}) SELECT e.{here}, e.{there} FROM chain {step}",
            (*parameters, FOREVER, FOREVER),
        ):
            steps.setdefault(start, []).append(end)
        return steps

    def _node_rows(self, sql: str, parameters: Sequence[Any]) -> list[NodeRow]:
        rows = [named_values(row) for row in self.database.rows(sql, parameters)]
        takers = self._takers([values["id"] for values in rows]) if rows and self._anything_superseded() else {}
        return [
            NodeRow(
                key=values["key"],
                node=node_of(values),
                version=values["version"],
                since=from_micros(values["since"]),
                until=from_micros(values["until"]),
                reason=values["reason"],
                takers=tuple(takers.get(values["id"], ())),
            )
            for values in rows
        ]

    def _takers(self, ids: list[str]) -> dict[str, list[Taker]]:
        """id → what takes its place, each recorded version of it for the time that it stood."""
        condition, parameters = self.database.among("e.end_id", ids)
        found: dict[str, list[Taker]] = {}
        for old, id, starts, since, until, *ends in self.database.rows(
            "SELECT e.end_id, n.id, coalesce(n.valid_from, n.moment, n.recorded_at, n.since),"
            " e.since, e.until, n.recorded_at, n.since, n.until, n.retired_at"
            f" FROM edge e JOIN node n ON n.id = e.start_id WHERE e.type = 'SUPERSEDES' AND {condition}",
            parameters,
        ):
            recorded, stood, closed, retired = ends
            known_from = max((one for one in (since, recorded, stood) if one is not None), default=None)
            known_to = min(one for one in (until, closed, retired) if one is not None)
            if known_from is not None and known_to <= known_from:
                continue
            last = None if known_to == FOREVER else from_micros(known_to)
            found.setdefault(old, []).append(Taker(id, from_micros(starts), from_micros(known_from), last))
        return found

    # documents and pieces

    def pieces(self, keys: Sequence[int]) -> dict[int, PieceRow]:
        condition, parameters = self.database.among("key", keys)
        return {row.key: row for row in self._piece_rows(f"{_PIECE} WHERE {condition}", parameters)}

    def piece_ids(self, keys: Sequence[int]) -> dict[int, str]:
        condition, parameters = self.database.among("key", keys)
        return dict(self.database.rows(f"SELECT key, id FROM piece WHERE {condition}", parameters))

    def piece(self, id: str) -> PieceRow | None:
        return next(iter(self._piece_rows(f"{_PIECE} WHERE id = ?", (id,))), None)

    def documents_named(self, ids: Iterable[str]) -> dict[str, tuple[str, str]]:
        condition, parameters = self.database.among("id", list(ids))
        rows = self.database.rows(f"SELECT id, title, source FROM document WHERE {condition}", parameters)
        return {row[0]: (row[1], row[2]) for row in rows}

    def beside(self, keys: Sequence[int]) -> list[tuple[str, str]]:
        condition, parameters = self.database.among("p.key", keys)
        rows = self.database.rows(
            "SELECT p.id, n.id FROM piece p JOIN piece n ON n.document = p.document"
            f" AND n.position IN (p.position - 1, p.position + 1) WHERE {condition} ORDER BY p.id, n.id",
            parameters,
        )
        return [(row[0], row[1]) for row in rows]

    def goes_on(self, keys: Sequence[int], *, at_most: int = 256) -> list[tuple[str, str]]:
        condition, parameters = self.database.among("p.key", keys)
        drawn = "EXISTS (SELECT 1 FROM edge e WHERE e.type = 'FROM' AND e.until = ? AND e.end_id = {}.id)"
        rows = self.database.rows(
            "SELECT p.id, (SELECT q.id FROM piece q WHERE q.document = p.document AND q.position < p.position"
            f" AND q.position >= p.position - ? AND {drawn.format('q')} ORDER BY q.position DESC LIMIT 1) AS source"
            f" FROM piece p WHERE {condition} AND NOT {drawn.format('p')} ORDER BY p.id",
            (at_most, FOREVER, *parameters, FOREVER),
        )
        return [(row[0], row[1]) for row in rows if row[1] is not None]

    def follows(self, ids: Sequence[str], *, at_most: int = 256) -> list[str]:
        condition, parameters = self.database.among("p.id", ids)
        rows = self.database.rows(
            "SELECT p.id, n.id, EXISTS (SELECT 1 FROM edge e WHERE e.type = 'FROM' AND e.until = ? AND e.end_id = n.id)"
            " FROM piece p JOIN piece n ON n.document = p.document AND n.position > p.position"
            f" AND n.position <= p.position + ? WHERE {condition} ORDER BY p.id, n.position",
            (FOREVER, at_most, *parameters),
        )
        found: dict[str, list[str]] = {}
        ended: set[str] = set()
        for start, piece, drawn in rows:
            if drawn:
                ended.add(start)
            if start not in ended:
                found.setdefault(start, []).append(piece)
        return [piece for start in ids for piece in found.get(start, ())]

    def document(self, id: str) -> Document | None:
        rows = self.database.rows("SELECT id, title, source FROM document WHERE id = ?", (id,))
        return self._document(*rows[0]) if rows else None

    def all_documents(self) -> Iterator[Document]:
        for id, title, source in self.database.each("SELECT id, title, source FROM document ORDER BY id"):
            yield self._document(id, title, source)

    def _document(self, id: str, title: str, source: str) -> Document:
        rows = self._piece_rows(f"{_PIECE} WHERE document = ? ORDER BY position", (id,))
        return Document(id=id, title=title, source=source, pieces=tuple(row.piece for row in rows))

    def _piece_rows(self, sql: str, parameters: Sequence[Any]) -> list[PieceRow]:
        rows = self.database.rows(sql, parameters)
        mentions: dict[str, list[str]] = {}
        for start, end in self.edges("MENTIONS", start=[row[1] for row in rows]) if rows else ():
            mentions.setdefault(start, []).append(end)
        return [
            PieceRow(key, Piece(id=id, text=text, mentions=tuple(mentions.get(id, ()))), document, position)
            for key, id, document, position, text in rows
        ]

    # edges

    def edges(
        self,
        type: EdgeType,
        *,
        start: Sequence[str] = (),
        end: Sequence[str] = (),
        known_at: datetime | None = None,
    ) -> list[tuple[str, str]]:
        conditions: list[str] = ["type = ?"]
        parameters: list[Any] = [type]
        if known_at is None:
            conditions.append("until = ?")
            parameters.append(FOREVER)
        else:
            conditions.append("(since IS NULL OR since <= ?) AND until > ?")
            parameters += [to_micros(known_at)] * 2
        for column, values in (("start_id", start), ("end_id", end)):
            if values:
                condition, more = self.database.among(column, values)
                conditions.append(condition)
                parameters.extend(more)
        rows = self.database.rows(
            f"SELECT DISTINCT start_id, end_id FROM edge WHERE {' AND '.join(conditions)} ORDER BY start_id, end_id",
            parameters,
        )
        return [(row[0], row[1]) for row in rows]

    def in_degree(self, type: EdgeType, ids: Sequence[str], *, at_most: int = 256) -> dict[str, int]:
        condition, parameters = self.database.among("n.id", ids)
        rows = self.database.rows(
            "SELECT n.id, (SELECT count(*) FROM (SELECT 1 FROM edge e WHERE e.type = ? AND e.end_id = n.id"
            f" AND e.until = ? LIMIT {int(at_most)})) FROM node n WHERE n.until IS NULL AND {condition}",
            (type, FOREVER, *parameters),
        )
        return {row[0]: row[1] for row in rows if row[1]}

    # what was forgotten

    def forgotten_at(self, ids: Sequence[str]) -> dict[str, datetime]:
        """id → when it was forgotten, for those that were."""
        hashes = {self.tombstone(id): id for id in ids}
        condition, parameters = self.database.among("hash", list(hashes))
        rows = self.database.rows(f"SELECT hash, at FROM forgotten WHERE {condition}", parameters)
        return {hashes[row[0]]: at for row in rows if (at := from_micros(row[1])) is not None}

    def tombstone(self, id: str) -> str:
        """A hash of an id, keyed by the store: the id can't be read from it, nor can it be looked up
        in a list made for another store."""
        return blake2b(id.encode(errors="surrogatepass"), digest_size=16, key=self.uuid.encode()).hexdigest()


def _reached(steps: dict[str, list[str]], id: str) -> tuple[str, ...]:
    """All ids that the steps lead to, in id order, never the one itself."""
    seen, waiting = {id}, list(steps.get(id, ()))
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            waiting += steps.get(one, ())
    return tuple(sorted(seen - {id}))
