"""Choices that wait for a pick."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from ascertain.errors import InvalidInput, NotFound

MOST = 1000
"""How many choices wait at most; the oldest give way."""

SECONDS = 3600.0
"""How long a choice waits."""


@dataclass(frozen=True)
class Open:
    """A question with the ids that were handed back for it, and until when it can be picked."""

    question: str
    offered: tuple[str, ...]
    until: float


class Waiting:
    """The choices of one server, by their `choice_id`. Safe to share between threads.

    Each can be picked once, within SECONDS. Gone with the server: what an agent picks days later, it
    should ask again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._open: OrderedDict[str, Open] = OrderedDict()

    def add(self, question: str, offered: tuple[str, ...]) -> str:
        """Keeps a choice; gives its id, which nobody can guess."""
        id = secrets.token_urlsafe(12)
        with self._lock:
            self._open[id] = Open(question, offered, self._clock() + SECONDS)
            while len(self._open) > MOST:
                self._open.popitem(last=False)
        return id

    def take(self, id: str, picked: str | None) -> Open:
        """The choice, which waits no longer. Raises NotFound (unknown, picked before, or too late) and
        InvalidInput (not on the list: it goes on waiting)."""
        with self._lock:
            found = self._open.get(id)
            if found is not None and self._clock() > found.until:
                found = None
                del self._open[id]
            if found is None:
                raise NotFound("no such choice waits", where="choice_id", hint="Ask the question again.")
            if picked is not None and picked not in found.offered:
                raise InvalidInput(
                    f"{picked!r} is not on the list", where="node", hint=f"One of: {', '.join(found.offered)}."
                )
            del self._open[id]
            return found
