"""Text to vectors. The encoder's name and dimension are part of a store."""
