"""The first schema.

Instants are whole microseconds since 1970 in UTC. Keys are 63-bit hashes of ids, so that no
order of writing shows anywhere. A node's earlier recorded versions stay as rows of their own:
`since` and `until` are when this version stood in the store, both empty for one that was
never corrected; `valid_…`, `recorded_at` and `retired_at` are as stated by whoever wrote it.
When a node ends because another took its place is not kept but worked out from the edges, since
it depends on what was known at the moment that is asked about.

An edge stood in the store from `since` (null: as long as its ends) to `until` (9223372036854775807
while it stands; a number and no null, so that it can be part of the key). One that was dropped and
came back has a row for each time. The columns of a key stand first in tables WITHOUT ROWID: the
integrity check of SQLite 3.40 looks for nulls in the wrong column otherwise.
"""

STATEMENTS = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
    """
    CREATE TABLE node (
      key           INTEGER PRIMARY KEY,
      id            TEXT NOT NULL,
      version       INTEGER NOT NULL,
      since         INTEGER,
      until         INTEGER,
      kind          TEXT NOT NULL CHECK (kind IN ('concept', 'record', 'decision', 'episode')),
      title         TEXT NOT NULL,
      aliases       TEXT NOT NULL,
      lang          TEXT NOT NULL,
      source        TEXT NOT NULL,
      body          TEXT NOT NULL,
      summary       TEXT NOT NULL,
      moment        INTEGER,
      ended_at      INTEGER,
      valid_from    INTEGER,
      valid_to      INTEGER,
      recorded_at   INTEGER,
      retired_at    INTEGER,
      reason        TEXT NOT NULL DEFAULT '',
      about         TEXT NOT NULL,
      supersedes    TEXT NOT NULL,
      UNIQUE (id, version)
    ) STRICT
    """,
    "CREATE UNIQUE INDEX node_current ON node (id) WHERE until IS NULL",
    """
    CREATE TABLE name (
      name TEXT NOT NULL,
      node INTEGER NOT NULL REFERENCES node (key) ON DELETE CASCADE,
      slot INTEGER NOT NULL,
      PRIMARY KEY (name, node, slot)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX name_node ON name (node)",
    """
    CREATE TABLE document (
      id      TEXT PRIMARY KEY,
      title   TEXT NOT NULL,
      source  TEXT NOT NULL,
      scanned INTEGER NOT NULL,
      digest  TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE piece (
      key      INTEGER PRIMARY KEY,
      id       TEXT NOT NULL UNIQUE,
      document TEXT NOT NULL REFERENCES document (id),
      position INTEGER NOT NULL,
      text     TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX piece_document ON piece (document, position)",
    """
    CREATE TABLE edge (
      type        TEXT NOT NULL CHECK (type IN ('MENTIONS', 'ABOUT', 'FROM', 'SUPERSEDES')),
      start_id    TEXT NOT NULL,
      end_id      TEXT NOT NULL,
      until       INTEGER NOT NULL,
      stated      INTEGER NOT NULL,
      since       INTEGER,
      PRIMARY KEY (type, start_id, end_id, until)
    ) STRICT, WITHOUT ROWID
    """,
    # Edges that were stated and whose other end is not in the store, until it comes.
    """
    CREATE TABLE unjoined (
      type     TEXT NOT NULL,
      start_id TEXT NOT NULL,
      end_id   TEXT NOT NULL,
      PRIMARY KEY (end_id, type, start_id)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX edge_end ON edge (type, end_id, start_id)",
    """
    CREATE TABLE entry (
      key        INTEGER PRIMARY KEY,
      family     INTEGER NOT NULL,
      owner      INTEGER NOT NULL,
      slot       INTEGER NOT NULL,
      generation INTEGER NOT NULL,
      terms      TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX entry_generation ON entry (family, generation)",
    "CREATE INDEX entry_owner ON entry (owner)",
    """
    CREATE TABLE vector (
      key   INTEGER PRIMARY KEY REFERENCES entry (key) ON DELETE CASCADE,
      value BLOB NOT NULL
    ) STRICT
    """,
    "CREATE TABLE gone (generation INTEGER NOT NULL, family INTEGER NOT NULL, key INTEGER NOT NULL) STRICT",
    "CREATE INDEX gone_generation ON gone (family, generation)",
    """
    CREATE TABLE choice (
      number     INTEGER PRIMARY KEY,
      asked_at   INTEGER NOT NULL,
      question   TEXT NOT NULL,
      lang       TEXT NOT NULL,
      offered    TEXT NOT NULL,
      picked     TEXT,
      picked_by  TEXT NOT NULL,
      undone_at  INTEGER
    ) STRICT
    """,
    # What was forgotten: a keyed hash of its id, and when. Nothing of its content.
    "CREATE TABLE forgotten (hash TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT",
)
