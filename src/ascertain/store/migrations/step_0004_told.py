"""What files said of each node, so that a file that says the same again undoes nothing that was said
here since; and what an import found, so that one of the same bytes need not be read again."""

STATEMENTS = (
    # statement: what the last file that told of the node said, by field, as a JSON object; see
    # write/statements.py.
    """
    CREATE TABLE told (
      id        TEXT NOT NULL PRIMARY KEY,
      statement TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
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
