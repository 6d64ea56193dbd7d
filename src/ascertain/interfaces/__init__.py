"""How people and programs reach it: thin; no rule lives here."""
