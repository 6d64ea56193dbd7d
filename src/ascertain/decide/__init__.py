"""Which one is meant: pure functions of recorded evidence. No store, no clock, no I/O."""
