"""The store of a server: opened at the first call that needs it, so that a store that can't be opened
is an error result and no dropped connection."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ascertain.errors import AscertainError
from ascertain.memory import Memory


class Opened:
    """One store, opened once for all calls. Safe to share between threads.

    open: opens it, and makes it where it is told to create. Raises what `Memory.open` raises, each time
    anew until it works."""

    def __init__(self, open: Callable[[bool], Memory]) -> None:
        self._open = open
        self._lock = threading.Lock()
        self._memory: Memory | None = None

    def memory(self, *, create: bool = False) -> Memory:
        """The memory. create: make a store that isn't there; else that is NotFound."""
        with self._lock:
            if self._memory is None:
                self._memory = self._open(create)
            return self._memory

    def warm(self) -> None:
        """Opens and loads what the first question needs. What goes wrong here is told at the first call."""
        try:
            self.memory().search("warm up", limit=1)
        except AscertainError:
            return

    def close(self) -> None:
        """Closes the store, where it was opened."""
        with self._lock:
            if self._memory is not None:
                self._memory.close()
                self._memory = None
