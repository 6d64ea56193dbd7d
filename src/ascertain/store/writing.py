"""Writing a store: SQL that both databases run. Every method runs inside a transaction of the caller's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from ascertain.model.documents import Document
from ascertain.model.edges import EdgeType
from ascertain.model.ids import key_of
from ascertain.model.nodes import Node
from ascertain.model.times import to_micros
from ascertain.store.base import FAMILIES, Entry, NodeRow
from ascertain.store.reading import FOREVER, StoreReader
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

    def add_node(self, node: Node, *, version: int = 0, since: datetime | None = None, reason: str = "") -> int:
        """A new recorded version of a node; returns its key. The earlier one must be closed first.
        reason: why it is withdrawn, where it is."""
        key = key_of("node", node.id, version)
        values = {"key": key, "version": version, "since": to_micros(since), "reason": reason, **node_values(node)}
        columns = ", ".join(values)
        marks = ", ".join("?" * len(values))
        self.database.run(f"INSERT INTO node ({columns}) VALUES ({marks})", tuple(values.values()))
        return key

    def close_version(self, row: NodeRow, *, until: datetime, reason: str = "") -> None:
        """The version stood in the store until now. It stays, indexed, for reads of the past; so does
        the reason why it was withdrawn, where it was."""
        self.database.run(
            "UPDATE node SET until = ?, reason = ? WHERE key = ?", (to_micros(until), row.reason or reason, row.key)
        )

    def set_retired(self, row: NodeRow, *, at: datetime, reason: str) -> None:
        """Withdraws a node that was not withdrawn."""
        self.database.run("UPDATE node SET retired_at = ?, reason = ? WHERE key = ?", (to_micros(at), reason, row.key))

    def set_valid_to(self, row: NodeRow, end: datetime) -> None:
        """Makes an end that followed from another node the node's own."""
        self.database.run("UPDATE node SET valid_to = ? WHERE key = ?", (to_micros(end), row.key))

    def set_reason(self, row: NodeRow, reason: str) -> None:
        """Why a node is withdrawn, said otherwise."""
        self.database.run("UPDATE node SET reason = ? WHERE key = ?", (reason, row.key))

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
            ((one.key, one.vector) for one in entries if one.vector),
        )

    def known_entries(self, keys: Sequence[int]) -> set[int]:
        """Which of these entries are there."""
        condition, parameters = self.database.among("key", keys)
        return {row[0] for row in self.database.rows(f"SELECT key FROM entry WHERE {condition}", parameters)}

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
            f" WHERE type = 'FROM' AND until = ? AND {condition} ON CONFLICT DO NOTHING",
            (FOREVER, *parameters),
        )
        self.database.run(f"DELETE FROM edge WHERE type = 'FROM' AND {condition}", parameters)
        condition, parameters = self.database.among("id", ids)
        self.database.run(f"DELETE FROM piece WHERE {condition}", parameters)

    def piece_owners(self, ids: Sequence[str]) -> dict[str, str]:
        """piece id → id of the document that has it."""
        condition, parameters = self.database.among("id", ids)
        return dict(self.database.rows(f"SELECT id, document FROM piece WHERE {condition}", parameters))

    def piece_texts(self, ids: Sequence[str], *, at_once: int = 500) -> Iterator[tuple[str, str]]:
        """(id, text) of these pieces, a few held at a time."""
        for start in range(0, len(ids), at_once):
            condition, parameters = self.database.among("id", ids[start : start + at_once])
            yield from self.database.rows(f"SELECT id, text FROM piece WHERE {condition} ORDER BY id", parameters)

    def scanned_pieces(self) -> Iterator[tuple[str, str]]:
        """(id, text) of pieces in which names of Concepts are looked for."""
        yield from self.database.rows(
            "SELECT p.id, p.text FROM piece p JOIN document d ON d.id = p.document WHERE d.scanned = 1 ORDER BY p.id"
        )

    def concept_names(self) -> Iterator[tuple[str, str]]:
        """(name key, id) of every name that a Concept bears."""
        yield from self.database.rows(
            "SELECT n.name, node.id FROM name n JOIN node ON node.key = n.node WHERE node.kind = 'concept'"
            " AND node.until IS NULL ORDER BY n.name, node.id"
        )

    def name_bearers(self) -> Iterator[tuple[str, str, int]]:
        """(name key, id, slot) of every name that a node bears which stands and is not withdrawn."""
        yield from self.database.rows(
            "SELECT n.name, node.id, n.slot FROM name n JOIN node ON node.key = n.node"
            " WHERE node.until IS NULL AND node.retired_at IS NULL ORDER BY n.name, node.id"
        )

    def found_mentions(self, id: str) -> list[str]:
        """Ids of pieces in which a name of the Concept was found, and that do not state it."""
        return [
            row[0]
            for row in self.database.rows(
                "SELECT start_id FROM edge WHERE type = 'MENTIONS' AND end_id = ? AND until = ? AND stated = 0"
                " ORDER BY start_id",
                (id, FOREVER),
            )
        ]

    def close_mentions(self, pieces: Sequence[str], id: str, *, at: datetime) -> None:
        """These pieces mentioned the Concept until now."""
        self.database.many(
            "UPDATE edge SET until = ? WHERE type = 'MENTIONS' AND start_id = ? AND end_id = ? AND until = ?",
            ((to_micros(at), piece, id, FOREVER) for piece in pieces),
        )

    # edges

    def add_edges(
        self, edges: Iterable[tuple[EdgeType, str, str]], *, stated: bool = True, since: datetime | None = None
    ) -> None:
        """stated: written by an author, and not found by scanning text. since: when the store learnt
        them, None for as early as their ends. What was closed at that same moment stands on."""
        made = list(edges)
        start = to_micros(since)
        if since is not None:
            self.database.many(
                "UPDATE edge SET until = ? WHERE type = ? AND start_id = ? AND end_id = ? AND until = ?",
                ((FOREVER, *edge, start) for edge in dict.fromkeys(made)),
            )
        self.database.many(
            "INSERT INTO edge (type, start_id, end_id, stated, since, until) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (type, start_id, end_id, until) DO UPDATE SET stated = max(edge.stated, excluded.stated)",
            ((*edge, int(stated), start, FOREVER) for edge in made),
        )

    def close_edges(self, types: Sequence[EdgeType], starts: Sequence[str], *, at: datetime) -> None:
        """All edges of these types that start at these ids stood until now. Those that were not joined yet,
        or never stood before this moment, are gone."""
        condition, parameters = self.database.among("start_id", starts)
        condition = f"type IN ({', '.join('?' * len(types))}) AND {condition}"
        parameters = (*types, *parameters)
        self.database.run(f"DELETE FROM unjoined WHERE {condition}", parameters)
        moment = to_micros(at)
        self.database.run(
            f"DELETE FROM edge WHERE {condition} AND until = ? AND since >= ?", (*parameters, FOREVER, moment)
        )
        self.database.run(f"UPDATE edge SET until = ? WHERE {condition} AND until = ?", (moment, *parameters, FOREVER))

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

    # forgetting: see write/forget.py

    def erase_node(self, id: str, keys: Sequence[int]) -> None:
        """Removes all versions of a node, what was made of them, and its id from other nodes."""
        naming = self.database.rows(
            "SELECT start_id FROM edge WHERE end_id = ? AND type IN ('ABOUT', 'SUPERSEDES')"
            " UNION SELECT start_id FROM unjoined WHERE end_id = ?",
            (id, id),
        )
        owners, owned = self.database.among("owner", keys)
        title = FAMILIES.index("title")
        terms = self.database.rows(f"SELECT terms FROM entry WHERE family = ? AND {owners}", (title, *owned))
        self.drop_entries(keys)
        self._drop_words({word for row in terms for word in row[0].split()})
        for table in ("edge", "unjoined"):
            self.database.run(f"DELETE FROM {table} WHERE (start_id = ? AND type <> 'MENTIONS')", (id,))
            self.database.run(f"DELETE FROM {table} WHERE (end_id = ? AND type <> 'FROM')", (id,))
        condition, parameters = self.database.among("key", keys)
        self.database.run(f"DELETE FROM name WHERE {condition.replace('key', 'node', 1)}", parameters)
        self.database.run(f"DELETE FROM node WHERE {condition}", parameters)
        self._unname([row[0] for row in naming], id)

    def erase_document(self, id: str, pieces: Sequence[str]) -> None:
        """Removes a document and its pieces, and their ids from the nodes drawn from them."""
        condition, parameters = self.database.among("source", pieces)
        self.drop_pieces(pieces)
        ends, gone = self.database.among("end_id", pieces)
        for table in ("edge", "unjoined"):
            self.database.run(f"DELETE FROM {table} WHERE type = 'FROM' AND {ends}", gone)
        starts, gone = self.database.among("start_id", pieces)
        self.database.run(f"DELETE FROM unjoined WHERE type = 'MENTIONS' AND {starts}", gone)
        self.database.run(f"UPDATE node SET source = '' WHERE {condition}", parameters)
        self.database.run("DELETE FROM document WHERE id = ?", (id,))

    def _drop_words(self, words: set[str]) -> None:
        """Removes the entries of words that no title holds any more."""
        title, gone = FAMILIES.index("title"), []
        for word in sorted(words):
            pattern = "".join(f"\\{char}" if char in "%_\\" else char for char in word)
            if not self.database.rows(
                "SELECT 1 FROM entry WHERE family = ? AND ' ' || terms || ' ' LIKE ? ESCAPE '\\' LIMIT 1",
                (title, f"% {pattern} %"),
            ):
                gone.append(key_of("word", word))
        self.drop_entries(gone)

    def _unname(self, ids: Sequence[str], forgotten: str) -> None:
        """Takes an id out of what nodes, in all their versions, say they are about or supersede."""
        condition, parameters = self.database.among("id", ids)
        for key, *lists in self.database.rows(f"SELECT key, about, supersedes FROM node WHERE {condition}", parameters):
            kept = [
                json.dumps([one for one in json.loads(text) if one != forgotten], ensure_ascii=False) for text in lists
            ]
            self.database.run("UPDATE node SET about = ?, supersedes = ? WHERE key = ?", (*kept, key))

    def redact_choices(self, ids: set[str], names: Callable[[str], bool]) -> None:
        """Choices that named one of these ids name its tombstone instead; logged questions for which
        `names` is true are emptied. The rest of the log stays readable."""
        marks = {id: f"forgotten:{self.tombstone(id)}" for id in ids}
        for number, question, offered, picked in self.database.rows(
            "SELECT number, question, offered, picked FROM choice"
        ):
            listed = json.loads(offered)
            after = (
                "" if names(question) else question,
                json.dumps([marks.get(one, one) for one in listed], ensure_ascii=False),
                marks.get(picked, picked),
            )
            if after != (question, offered, picked):
                self.database.run(
                    "UPDATE choice SET question = ?, offered = ?, picked = ? WHERE number = ?", (*after, number)
                )

    def bury(self, id: str, *, at: datetime) -> None:
        """Leaves a tombstone: a hash of the id, and when."""
        self.database.run(
            "INSERT INTO forgotten (hash, at) VALUES (?, ?) ON CONFLICT DO NOTHING",
            (self.tombstone(id), to_micros(at)),
        )

    def scrub(self) -> None:
        """Leaves no byte in the files of what was deleted. Not inside a transaction."""
        self.database.scrub()

    def close(self) -> None:
        """Closes the database; twice is fine."""
        self.database.close()
