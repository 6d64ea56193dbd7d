"""What only SQLite says: opening, pragmas, locking, and what its errors mean to a person."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ascertain.errors import StoreBusy, StoreDamaged, StoreError, StoreReadOnly

BUSY_SECONDS = 30.0
_CACHE_KIB = 65_536


class SqliteDatabase:
    """Connections to one SQLite file, one for each thread, made when first used.

    Raises StoreError or one of its kinds from every method. `read_only` is True where the file
    or its folder can't be written: reading works all the same.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._all: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._closed = False
        if path.is_dir():
            raise StoreError("is a folder, not a store", where=str(path), hint="Name a file, such as notes.db.")
        self.exists = path.exists() and path.stat().st_size > 0
        if not self.exists and not path.parent.is_dir():
            raise StoreError("there is no such folder", where=str(path.parent), hint="Make it first.")
        # A file that may be written in a folder that may not: SQLite can't make its log beside it.
        needed = (path.parent, path) if path.exists() else (path.parent,)
        self.read_only = not all(os.access(one, os.W_OK) for one in needed)
        if self.read_only and not self.exists:
            raise StoreReadOnly("can't be written", where=str(path.parent), hint="Name a store elsewhere with --store.")
        with self.translated():
            self._connection()

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is not None:
            return connection
        if self._closed:
            raise StoreError("the store is closed", where=str(self.path))
        uri = "file:" + quote(str(self.path.absolute()))
        if self.read_only:
            # Without a writable folder SQLite can't make the shared-memory file that WAL needs.
            quiet = not os.access(self.path.parent, os.W_OK) and not Path(f"{self.path}-wal").exists()
            uri += "?immutable=1" if quiet else "?mode=ro"
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
            connection.execute("PRAGMA temp_store = MEMORY")
            if not self.read_only:
                connection.execute("PRAGMA journal_mode = WAL")
                # FULL: an acknowledged write survives a power cut, not only a crash.
                connection.execute("PRAGMA synchronous = FULL")
            else:
                connection.execute("PRAGMA schema_version")
        except sqlite3.Error:
            connection.close()
            raise
        self._local.connection = connection
        with self._lock:
            self._all.append(connection)
        return connection

    def rows(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        with self.translated():
            return self._connection().execute(sql, parameters).fetchall()

    def each(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, one at a time, on a cursor of its own."""
        with self.translated():
            yield from self._connection().execute(sql, parameters)

    def run(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> int:
        """Runs a statement; how many rows it touched."""
        with self.translated():
            return self._connection().execute(sql, parameters).rowcount

    def many(self, sql: str, parameters: Iterable[Sequence[Any]]) -> None:
        """Runs a statement for each tuple of parameters."""
        with self.translated():
            self._connection().executemany(sql, parameters)

    def among(self, column: str, values: Sequence[Any]) -> tuple[str, tuple[str]]:
        """A condition that the column is one of the values, however many, and its parameters."""
        return f"{column} IN (SELECT value FROM json_each(?))", (json.dumps(list(values)),)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """One write transaction, whole or nothing. Waits up to BUSY_SECONDS for other writers.
        Inside another one it is a part of that."""
        if self.read_only:
            raise StoreReadOnly(
                "can't be written",
                where=str(self.path),
                hint="Check the permissions, or copy the store elsewhere.",
            )
        with self.translated():
            connection = self._connection()
            if connection.in_transaction:
                yield
                return
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Reads inside see one state of the store, whatever others write meanwhile."""
        with self.translated():
            connection = self._connection()
            if connection.in_transaction:
                yield
                return
            connection.execute("BEGIN")
            try:
                yield
            finally:
                if connection.in_transaction:
                    connection.execute("COMMIT")

    def problems(self) -> list[str]:
        """What SQLite's own checks find; empty when all is well."""
        with self.translated():
            found = [row[0] for row in self.rows("PRAGMA integrity_check(20)") if row[0] != "ok"]
            broken = self.rows("PRAGMA foreign_key_check")
            return found + [f"table {row[0]}, row {row[1]}: its {row[2]} is missing" for row in broken[:20]]

    def scrub(self) -> None:
        """What was deleted leaves no byte in the files: every page is written anew and the log beside
        the file is emptied. Takes as long as copying the store.

        Raises StoreBusy where another reader or writer holds on to an old state for too long.
        """
        with self.translated():
            connection = self._connection()
            connection.execute("VACUUM")
            if connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                raise StoreBusy(
                    "another process still reads what was deleted", where=str(self.path), hint="Do it again."
                )

    def close(self) -> None:
        """Closes all connections. Twice is fine."""
        self._closed = True
        with self._lock:
            for connection in self._all:
                connection.close()
            self._all.clear()
        self._local = threading.local()

    @contextmanager
    def translated(self) -> Iterator[None]:
        """SQLite's errors as ours, with what to do next."""
        where = str(self.path)
        try:
            yield
        except sqlite3.Error as error:
            text = str(error)
            if "closed database" in text:
                raise StoreError("the store is closed", where=where) from error
            if "locked" in text or "busy" in text:
                raise StoreBusy("another process is writing", where=where, hint="Try again in a moment.") from error
            if "full" in text:
                raise StoreError(
                    "the disk is full; nothing was written", where=where, hint="Free some space."
                ) from error
            if "readonly" in text or "unable to open" in text:
                raise StoreReadOnly("can't be written", where=where, hint="Check the permissions.") from error
            if "not a database" in text or "malformed" in text or "no such table" in text:
                raise StoreDamaged(
                    "is not an ascertain store, or is damaged", where=where, hint="Run: ascertain doctor"
                ) from error
            raise StoreError(text, where=where) from error
