"""What to read now: what lies around a resolved node, and the best of it within a budget."""
