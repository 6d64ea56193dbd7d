"""Choices that wait for a pick."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ascertain.errors import InvalidInput, NotFound

MOST = 1000
"""How many choices wait at most; the oldest give way."""

SECONDS = 3600.0
"""How long a choice waits."""


@dataclass(frozen=True)
class Open:
    """A question, the ids that were handed back for it, and the times and options it was asked with."""

    question: str
    offered: tuple[str, ...]
    reads: Mapping[str, Any]


class Waiting:
    """The choices of one server, by their `choice_id`. Safe to share between threads.

    Each can be picked once, within SECONDS. Gone with the server: what an agent would pick days later,
    it should ask again. clock: seconds, of any origin."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._open: OrderedDict[str, tuple[float, Open]] = OrderedDict()

    def add(self, choice: Open) -> str:
        """Keeps a choice; gives its id, which nobody can guess."""
        id = secrets.token_urlsafe(12)
        with self._lock:
            self._open[id] = self._clock() + SECONDS, choice
            while len(self._open) > MOST:
                self._open.popitem(last=False)
        return id

    def on_list(self, id: str, picked: str | None) -> Open:
        """The choice, which goes on waiting. picked: an id, or None for none of these. Raises NotFound
        (unknown, picked before, or too late) and InvalidInput (not on the list)."""
        with self._lock:
            found = self._found(id)
        if picked is not None and picked not in found.offered:
            listed = ", ".join(found.offered)
            raise InvalidInput(f"{picked!r} is not on the list", where="node", hint=f"One of: {listed}.")
        return found

    def take(self, id: str) -> None:
        """The choice waits no longer. Raises NotFound where somebody else was faster."""
        with self._lock:
            self._found(id)
            del self._open[id]

    def _found(self, id: str) -> Open:
        until, found = self._open.get(id, (0.0, None))
        if found is not None and self._clock() <= until:
            return found
        self._open.pop(id, None)
        raise NotFound("no such choice waits", where="choice_id", hint="Ask the question again.")
