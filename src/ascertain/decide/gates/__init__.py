"""Checks that can only take confidence away. One file a gate, with its author and where its figures are."""
