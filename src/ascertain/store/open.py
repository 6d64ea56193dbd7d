"""A path → a store. The only place that asks which database this is."""

from __future__ import annotations

import uuid
from pathlib import Path

from ascertain.errors import EncoderMismatch, NotFound, StoreDamaged, StoreTooNew
from ascertain.store.migrations import NEWEST, STEPS
from ascertain.store.sqlite import SqliteDatabase
from ascertain.store.writing import StoreWriter


def open_store(
    path: Path, *, encoder: str, dimension: int, create: bool = True, check_encoder: bool = True
) -> StoreWriter:
    """Opens the store in a SQLite file, made if `create` and it isn't there, migrated if older.

    encoder, dimension: of the encoder in use; kept in a new store and compared with an old one's.
    check_encoder: False only to embed the store anew.

    Raises NotFound (no such file and not `create`), EncoderMismatch, StoreTooNew, StoreDamaged or
    another StoreError.
    """
    if not create and (not path.exists() or (path.is_file() and not path.stat().st_size)):
        raise NotFound("there is no such store", where=str(path), hint="Make one with: ascertain import PATH")
    database = SqliteDatabase(path)
    try:
        _migrate(database, path, encoder, dimension)
        store = StoreWriter(database)
    except BaseException:
        database.close()
        raise
    if check_encoder and (store.encoder, store.dimension) != (encoder, dimension):
        found = f"{store.encoder} ({store.dimension})"
        store.close()
        raise EncoderMismatch(
            f"holds vectors of {found}, not of {encoder} ({dimension}).",
            where=str(path),
            hint=f"Run: ascertain reembed --store {path}",
        )
    return store


def _migrate(database: SqliteDatabase, path: Path, encoder: str, dimension: int) -> None:
    version = _version(database, path)
    if version > NEWEST:
        raise StoreTooNew(
            f"was written by a later ascertain (schema {version}, this one knows {NEWEST})",
            where=str(path),
            hint="Upgrade ascertain.",
        )
    if version == NEWEST:
        return
    for number, statements in STEPS:
        with database.transaction():
            # Read again inside the transaction: another process may have migrated meanwhile.
            if _version(database, path) >= number:
                continue
            for statement in statements:
                database.run(statement)
            if number == 1:
                database.many(
                    "INSERT INTO meta (name, value) VALUES (?, ?)",
                    [
                        ("uuid", str(uuid.uuid4())),
                        ("generation", "0"),
                        ("encoder", encoder),
                        ("dimension", str(dimension)),
                        ("schema", "0"),
                    ],
                )
            database.run("UPDATE meta SET value = ? WHERE name = 'schema'", (str(number),))


def _version(database: SqliteDatabase, path: Path) -> int:
    tables = {row[0] for row in database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return 0
    if not {"meta", "node", "entry"} <= tables:
        raise StoreDamaged("is a SQLite file, but not an ascertain store", where=str(path), hint="Name another file.")
    rows = database.rows("SELECT value FROM meta WHERE name = 'schema'")
    if not rows or not str(rows[0][0]).isdigit():
        raise StoreDamaged("has lost what it says of itself", where=str(path), hint="Run: ascertain doctor")
    return int(rows[0][0])
