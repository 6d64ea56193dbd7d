"""Writing a store: SQL that both databases run. Every method runs inside a transaction of the caller's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from ascertain.model.documents import Document
from ascertain.model.edges import EdgeType
from ascertain.model.ids import key_of
from ascertain.model.nodes import Node
from ascertain.model.times import to_micros
from ascertain.store.base import FAMILIES, Entry, NodeRow
from ascertain.store.reading import StoreReader
from ascertain.store.rows import node_values


class StoreWriter(StoreReader):
    """The Store of store/base.py over a Database."""

    _generation = 0

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """One transaction and one generation, whole or nothing."""
        with self.database.transaction():
            self._generation = self.generation() + 1
            yield
            self.database.run("UPDATE meta SET value = ? WHERE name = 'generation'", (str(self._generation),))

    def add_node(self, node: Node, *, version: int = 0, since: datetime | None = None) -> int:
        """A new recorded version of a node; returns its key. The earlier one must be closed first."""
        key = key_of("node", node.id, version)
        values = {"key": key, "version": version, "since": to_micros(since), **node_values(node)}
        values |= {"holds_from": values["valid_from"], "holds_to": values["valid_to"]}
        columns = ", ".join(values)
        marks = ", ".join("?" * len(values))
        self.database.run(f"INSERT INTO node ({columns}) VALUES ({marks})", tuple(values.values()))
        return key

    def close_version(self, row: NodeRow, *, until: datetime, reason: str = "") -> None:
        """The version stood in the store until now. It stays, indexed, for reads of the past."""
        self.database.run("UPDATE node SET until = ?, reason = ? WHERE key = ?", (to_micros(until), reason, row.key))
        self.database.run("DELETE FROM name WHERE node = ?", (row.key,))

    def set_retired(self, row: NodeRow, *, at: datetime | None, reason: str) -> None:
        """Withdraws a node, or (at None) takes the withdrawal back."""
        self.database.run("UPDATE node SET retired_at = ?, reason = ? WHERE key = ?", (to_micros(at), reason, row.key))

    def set_holds(
        self, key: int, *, holds_from: datetime | None, holds_to: datetime | None, superseded_by: str | None,
        chained: bool,
    ) -> None:  # fmt: skip
        """What the chain of SUPERSEDES around a node makes of its validity."""
        self.database.run(
            "UPDATE node SET holds_from = ?, holds_to = ?, superseded_by = ?, chained = ? WHERE key = ?",
            (to_micros(holds_from), to_micros(holds_to), superseded_by, int(chained), key),
        )

    def add_names(self, rows: Iterable[tuple[str, int, int]]) -> None:
        """(name key, node key, slot); what stands already stays."""
        self.database.many("INSERT INTO name (name, node, slot) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", rows)

    def put_entries(self, entries: Sequence[Entry]) -> None:
        """Writes entries and their vectors; an entry with that key is replaced."""
        self.database.many(
            "INSERT INTO entry (key, family, owner, slot, generation, terms) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (key) DO UPDATE SET generation = excluded.generation, terms = excluded.terms",
            (
                (one.key, FAMILIES.index(one.family), one.owner, one.slot, self._generation, one.terms)
                for one in entries
            ),
        )
        self.database.many(
            "INSERT INTO vector (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            ((one.key, one.vector) for one in entries),
        )

    def drop_entries(self, owners: Sequence[int]) -> None:
        """Removes all entries of nodes or pieces and leaves word of it for the indexes."""
        condition, parameters = self.database.among("owner", owners)
        self.database.run(
            f"INSERT INTO gone (generation, family, key) SELECT ?, family, key FROM entry WHERE {condition}",
            (self._generation, *parameters),
        )
        self.database.run(f"DELETE FROM vector WHERE key IN (SELECT key FROM entry WHERE {condition})", parameters)
        self.database.run(f"DELETE FROM entry WHERE {condition}", parameters)

    # documents

    def document_digest(self, id: str) -> str | None:
        rows = self.database.rows("SELECT digest FROM document WHERE id = ?", (id,))
        return str(rows[0][0]) if rows else None

    def put_document(self, document: Document, *, digest: str, scanned: bool) -> None:
        """Writes a document's own row. scanned: names of Concepts are looked for in its pieces."""
        self.database.run(
            "INSERT INTO document (id, title, source, scanned, digest) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO"
            " UPDATE SET title = excluded.title, source = excluded.source, scanned = excluded.scanned,"
            " digest = excluded.digest",
            (document.id, document.title, document.source, int(scanned), digest),
        )

    def put_pieces(self, document: Document, positions: Sequence[int]) -> None:
        """Writes the pieces at these places of a document."""
        self.database.many(
            "INSERT INTO piece (key, id, document, position, text) VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO"
            " UPDATE SET document = excluded.document, position = excluded.position, text = excluded.text",
            (
                (key_of("piece", piece.id), piece.id, document.id, position, piece.text)
                for position, piece in ((at, document.pieces[at]) for at in positions)
            ),
        )

    def drop_pieces(self, ids: Sequence[str]) -> None:
        """Removes pieces with their entries and the edges that touch them."""
        self.drop_entries([key_of("piece", id) for id in ids])
        condition, parameters = self.database.among("start_id", ids)
        self.database.run(f"DELETE FROM edge WHERE type = 'MENTIONS' AND {condition}", parameters)
        condition, parameters = self.database.among("end_id", ids)
        self.database.run(
            "INSERT INTO unjoined (type, start_id, end_id) SELECT type, start_id, end_id FROM edge"
            f" WHERE type = 'FROM' AND {condition} ON CONFLICT DO NOTHING",
            parameters,
        )
        self.database.run(f"DELETE FROM edge WHERE type = 'FROM' AND {condition}", parameters)
        condition, parameters = self.database.among("id", ids)
        self.database.run(f"DELETE FROM piece WHERE {condition}", parameters)

    def piece_owners(self, ids: Sequence[str]) -> dict[str, str]:
        """piece id → id of the document that has it."""
        condition, parameters = self.database.among("id", ids)
        return dict(self.database.rows(f"SELECT id, document FROM piece WHERE {condition}", parameters))

    def scanned_pieces(self) -> Iterator[tuple[str, str]]:
        """(id, text) of pieces in which names of Concepts are looked for."""
        yield from self.database.rows(
            "SELECT p.id, p.text FROM piece p JOIN document d ON d.id = p.document WHERE d.scanned = 1 ORDER BY p.id"
        )

    def concept_names(self) -> Iterator[tuple[str, str]]:
        """(name key, id) of every name that a Concept bears."""
        yield from self.database.rows(
            "SELECT n.name, node.id FROM name n JOIN node ON node.key = n.node WHERE node.kind = 'concept'"
            " ORDER BY n.name, node.id"
        )

    # edges

    def add_edges(self, edges: Iterable[tuple[EdgeType, str, str]], *, stated: bool = True) -> None:
        """stated: written by an author, and not found by scanning text."""
        self.database.many(
            "INSERT INTO edge (type, start_id, end_id, stated) VALUES (?, ?, ?, ?) ON CONFLICT (type, start_id, end_id)"
            " DO UPDATE SET stated = max(edge.stated, excluded.stated), until = NULL",
            ((type, start, end, int(stated)) for type, start, end in edges),
        )

    def drop_edges(self, type: EdgeType, starts: Sequence[str]) -> None:
        """Removes all edges of a type that start at these ids, joined or not."""
        condition, parameters = self.database.among("start_id", starts)
        for table in ("edge", "unjoined"):
            self.database.run(f"DELETE FROM {table} WHERE type = ? AND {condition}", (type, *parameters))

    def put_aside(self, edges: Iterable[tuple[EdgeType, str, str]]) -> None:
        """Keeps edges whose other end is not there, until it comes."""
        self.database.many(
            "INSERT INTO unjoined (type, start_id, end_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", edges
        )

    def waiting_for(self, ids: Sequence[str]) -> list[tuple[EdgeType, str, str]]:
        """Edges put aside that end at one of these ids; they are taken off the list."""
        condition, parameters = self.database.among("end_id", ids)
        rows = self.database.rows(f"SELECT type, start_id, end_id FROM unjoined WHERE {condition}", parameters)
        if rows:
            self.database.run(f"DELETE FROM unjoined WHERE {condition}", parameters)
        return [(row[0], row[1], row[2]) for row in rows]

    def kinds_of(self, ids: Sequence[str]) -> dict[str, str]:
        """id → kind of each current node."""
        condition, parameters = self.database.among("id", ids)
        return dict(self.database.rows(f"SELECT id, kind FROM node WHERE until IS NULL AND {condition}", parameters))

    def set_encoder(self, name: str, dimension: int) -> None:
        """The encoder from now on; all vectors are to be written anew in the same transaction."""
        self.database.run("UPDATE meta SET value = ? WHERE name = 'encoder'", (name,))
        self.database.run("UPDATE meta SET value = ? WHERE name = 'dimension'", (str(dimension),))
        self.encoder, self.dimension = name, dimension

    def close(self) -> None:
        """Closes the database; twice is fine."""
        self.database.close()
