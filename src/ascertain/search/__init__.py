"""Where it may be: pieces."""
