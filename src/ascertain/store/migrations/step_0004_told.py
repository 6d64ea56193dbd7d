"""What files said of each node, so that a file that says the same again undoes nothing that was said
here since; and what an import found, so that one of the same bytes need not be read again."""

STATEMENTS = (
    # statement: what a file said last of a node, by field, as a JSON object; see write/statements.py.
    # file: the key of its path.
    """
    CREATE TABLE told (
      id        TEXT NOT NULL,
      file      INTEGER NOT NULL,
      statement TEXT NOT NULL,
      PRIMARY KEY (id, file)
    ) STRICT, WITHOUT ROWID
    """,
    # older: did `kept` supersede `other` before they were merged?
    "ALTER TABLE merge ADD COLUMN older INTEGER NOT NULL DEFAULT 0",
    # root: what was imported. digest: of all that an import of it depends on. report: what it would
    # say again, as a JSON object; see write/again.py.
    """
    CREATE TABLE seen (
      root   TEXT NOT NULL PRIMARY KEY,
      digest TEXT NOT NULL,
      report TEXT NOT NULL
    ) STRICT
    """,
)
