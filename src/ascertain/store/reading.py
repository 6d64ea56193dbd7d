"""Reading a store: SQL that both databases run, and rows into values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ascertain.model.documents import Document, Piece
from ascertain.model.edges import EdgeType
from ascertain.model.nodes import Node
from ascertain.model.times import from_micros
from ascertain.store.base import FAMILIES, Counts, Entry, Family, NodeRow, PieceRow
from ascertain.store.rows import NODE_COLUMNS, node_of

_NODE = f"SELECT {', '.join(NODE_COLUMNS)} FROM node"
_PIECE = "SELECT key, id, document, position, text FROM piece"
_DEPTH = 64  # how long a chain of SUPERSEDES is followed


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
    def close(self) -> None: ...


class StoreReader:
    """The Reader of store/base.py over a Database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        meta = dict(database.rows("SELECT name, value FROM meta"))
        self.uuid = str(meta["uuid"])
        self.encoder = str(meta["encoder"])
        self.dimension = int(meta["dimension"])

    def generation(self) -> int:
        return int(self.database.rows("SELECT value FROM meta WHERE name = 'generation'")[0][0])

    def snapshot(self) -> AbstractContextManager[None]:
        """Reads inside see one state of the store, whatever others write meanwhile."""
        return self.database.snapshot()

    # entries, for the indexes

    def entries(self, family: Family, *, since: int = -1) -> Iterator[Entry]:
        rows = self.database.each(
            "SELECT e.key, e.owner, e.slot, e.terms, v.value FROM entry e JOIN vector v ON v.key = e.key"
            " WHERE e.family = ? AND e.generation > ?",
            (FAMILIES.index(family), since),
        )
        for key, owner, slot, terms, vector in rows:
            yield Entry(family, key, owner, slot, terms, vector)

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
                    "SELECT type, count(*) FROM edge WHERE until IS NULL GROUP BY type ORDER BY type"
                )
            },
        )

    def nodes(self, keys: Sequence[int]) -> dict[int, NodeRow]:
        condition, parameters = self.database.among("key", keys)
        return {row.key: row for row in self._node_rows(f"{_NODE} WHERE {condition}", parameters)}

    def node(self, id: str) -> NodeRow | None:
        return next(iter(self._node_rows(f"{_NODE} WHERE id = ? AND until IS NULL", (id,))), None)

    def versions(self, id: str) -> list[NodeRow]:
        """All recorded versions of a node, oldest first."""
        return self._node_rows(f"{_NODE} WHERE id = ? ORDER BY version", (id,))

    def keys_of(self, ids: Iterable[str]) -> dict[str, int]:
        condition, parameters = self.database.among("id", list(ids))
        return dict(self.database.rows(f"SELECT id, key FROM node WHERE until IS NULL AND {condition}", parameters))

    def all_nodes(self) -> Iterator[Node]:
        for row in self.database.each(f"{_NODE} WHERE until IS NULL ORDER BY id"):
            yield node_of(row)

    def named(self, names: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
        """name key → (node key, slot) of the current nodes that bear it, in key order."""
        condition, parameters = self.database.among("name", names)
        found: dict[str, list[tuple[int, int]]] = {}
        for name, node, slot in self.database.rows(
            f"SELECT name, node, slot FROM name WHERE {condition} ORDER BY name, node, slot", parameters
        ):
            found.setdefault(name, []).append((node, slot))
        return found

    def _node_rows(self, sql: str, parameters: Sequence[Any]) -> list[NodeRow]:
        rows = []
        for row in self.database.rows(sql, parameters):
            values = dict(zip(NODE_COLUMNS, row, strict=True))
            older, newer = self._lineage(values["id"]) if values["chained"] else ((), ())
            rows.append(
                NodeRow(
                    key=values["key"],
                    node=node_of(row),
                    holds_from=from_micros(values["holds_from"]),
                    holds_to=from_micros(values["holds_to"]),
                    older=older,
                    newer=newer,
                    superseded_by=values["superseded_by"],
                    version=values["version"],
                    since=from_micros(values["since"]),
                    until=from_micros(values["until"]),
                    reason=values["reason"],
                )
            )
        return rows

    def _lineage(self, id: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        found = []
        for here, there in (("start_id", "end_id"), ("end_id", "start_id")):
            rows = self.database.rows(
                f"WITH RECURSIVE chain (id, depth) AS (SELECT ?, 0 UNION SELECT e.{there}, c.depth + 1 FROM chain c"
                f" JOIN edge e ON e.type = 'SUPERSEDES' AND e.{here} = c.id AND e.until IS NULL"
                f" WHERE c.depth < {_DEPTH}) SELECT DISTINCT id FROM chain WHERE depth > 0 ORDER BY id",
                (id,),
            )
            found.append(tuple(row[0] for row in rows if row[0] != id))
        return found[0], found[1]

    # documents and pieces

    def pieces(self, keys: Sequence[int]) -> dict[int, PieceRow]:
        condition, parameters = self.database.among("key", keys)
        return {row.key: row for row in self._piece_rows(f"{_PIECE} WHERE {condition}", parameters)}

    def piece(self, id: str) -> PieceRow | None:
        return next(iter(self._piece_rows(f"{_PIECE} WHERE id = ?", (id,))), None)

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

    def edges(self, type: EdgeType, *, start: Sequence[str] = (), end: Sequence[str] = ()) -> list[tuple[str, str]]:
        conditions, parameters = ["type = ?", "until IS NULL"], [type]
        for column, values in (("start_id", start), ("end_id", end)):
            if values:
                condition, more = self.database.among(column, values)
                conditions.append(condition)
                parameters.extend(more)
        rows = self.database.rows(
            f"SELECT start_id, end_id FROM edge WHERE {' AND '.join(conditions)} ORDER BY start_id, end_id",
            parameters,
        )
        return [(row[0], row[1]) for row in rows]

    def in_degree(self, type: EdgeType, ids: Sequence[str]) -> dict[str, int]:
        condition, parameters = self.database.among("end_id", ids)
        rows = self.database.rows(
            f"SELECT end_id, count(*) FROM edge WHERE type = ? AND until IS NULL AND {condition} GROUP BY end_id",
            (type, *parameters),
        )
        return {row[0]: row[1] for row in rows}
