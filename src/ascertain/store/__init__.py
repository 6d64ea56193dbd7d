"""Keeps it: nodes, documents, edges, vectors and choices, behind three small Protocols."""
