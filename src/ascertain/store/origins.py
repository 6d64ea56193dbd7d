"""Which file told which nodes and documents, what files said of each node, and what imports found."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ascertain.store.reading import Database


@dataclass(frozen=True, slots=True)
class Origin:
    """A file that was imported.

    path: absolute, where it lay when it was last read. root: the folder or file that was imported.
    name: the path that ids are made of. digest: of its bytes. ids: of the nodes and documents that it
    told, in reading order.
    """

    path: str
    root: str
    name: str
    digest: str
    ids: tuple[str, ...]


class Origins:
    """The table of origins in a store's database. Methods that write run in the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Origin]:
        """In the order of their paths."""
        return [
            Origin(path, root, name, digest, tuple(json.loads(ids)))
            for path, root, name, digest, ids in self._database.rows(
                "SELECT path, root, name, digest, ids FROM origin ORDER BY path"
            )
        ]

    def put(self, origins: Iterable[Origin]) -> None:
        """Writes what files told; what was known of a file at the same path is replaced."""
        self._database.many(
            "INSERT INTO origin (path, root, name, digest, ids) VALUES (?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE"
            " SET root = excluded.root, name = excluded.name, digest = excluded.digest, ids = excluded.ids",
            ((one.path, one.root, one.name, one.digest, json.dumps(one.ids, ensure_ascii=False)) for one in origins),
        )

    def drop(self, paths: Sequence[str]) -> None:
        """Forgets that there were files at these paths."""
        self._database.many("DELETE FROM origin WHERE path = ?", ((path,) for path in paths))

    def told(self, ids: Sequence[str]) -> dict[tuple[str, int], str]:
        """(id of a node, key of a file) → what the file said last of the node."""
        where, values = self._database.among("id", ids)
        rows = self._database.rows(f"SELECT id, file, statement FROM told WHERE {where}", values)
        return {(id, file): statement for id, file, statement in rows}

    def put_told(self, statements: Mapping[tuple[str, int], str]) -> None:
        """Writes what files said of nodes, in place of what each said before."""
        self._database.many(
            "INSERT INTO told (id, file, statement) VALUES (?, ?, ?)"
            " ON CONFLICT (id, file) DO UPDATE SET statement = excluded.statement",
            ((id, file, statement) for (id, file), statement in statements.items()),
        )

    def seen(self, root: str) -> tuple[str, str] | None:
        """Digest and report of the last import of this root that left nothing open, or None."""
        rows = self._database.rows("SELECT digest, report FROM seen WHERE root = ?", (root,))
        return (rows[0][0], rows[0][1]) if rows else None

    def put_seen(self, root: str, digest: str, report: str) -> None:
        """Writes what the next import of the same would find."""
        self._database.run(
            "INSERT INTO seen (root, digest, report) VALUES (?, ?, ?)"
            " ON CONFLICT (root) DO UPDATE SET digest = excluded.digest, report = excluded.report",
            (root, digest, report),
        )

    def drop_seen(self) -> None:
        """Whatever is imported next is read."""
        self._database.run("DELETE FROM seen")

    def forget(self, id: str) -> None:
        """Takes an id out of what files told. A file that told nothing else, or whose document this was,
        is forgotten with it: its path may say what it held."""
        self.drop_seen()
        self._database.run("DELETE FROM told WHERE id = ?", (id,))
        naming = [one for one in self.all() if id in one.ids]
        for one in naming:
            left = tuple(told for told in one.ids if told != id)
            if left and not id.startswith("doc:"):
                self.put([Origin(one.path, one.root, one.name, one.digest, left)])
            else:
                self.drop([one.path])
