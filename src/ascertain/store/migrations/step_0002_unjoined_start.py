"""Edges put aside are looked up by where they start, whenever a node is corrected: without an index
each correction read them all."""

STATEMENTS = ("CREATE INDEX unjoined_start ON unjoined (start_id, type)",)
