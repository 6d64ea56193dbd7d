"""Files to values and back. Yields values with file and line; knows no store."""
