"""Which file told what, so that one that was moved is known again and one that is gone is noticed;
and which nodes somebody confirmed to be one and the same."""

STATEMENTS = (
    # path: where the file lay when it was last read. root: what was imported. name: the path that the
    # ids of its nodes and documents are made of. digest: of its bytes. ids: what it told, as a JSON list.
    """
    CREATE TABLE origin (
      path   TEXT NOT NULL PRIMARY KEY,
      root   TEXT NOT NULL,
      name   TEXT NOT NULL,
      digest TEXT NOT NULL,
      ids    TEXT NOT NULL
    ) STRICT
    """,
    # kept stands for other since `at`; names and about: what it took over with that, as JSON lists.
    """
    CREATE TABLE merge (
      other     TEXT NOT NULL PRIMARY KEY,
      kept      TEXT NOT NULL,
      at        INTEGER NOT NULL,
      merged_by TEXT NOT NULL,
      names     TEXT NOT NULL,
      about     TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX merge_kept ON merge (kept)",
    # Nodes of which somebody said that they are two; first sorts before second.
    """
    CREATE TABLE apart (
      first  TEXT NOT NULL,
      second TEXT NOT NULL,
      PRIMARY KEY (first, second)
    ) STRICT, WITHOUT ROWID
    """,
)
