"""What changes over time: withdrawing, restoring, superseding, correcting. Nothing is overwritten."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from ascertain.encoders.base import Encoder
from ascertain.errors import InvalidInput, NotFound
from ascertain.formats.base import Item
from ascertain.model.nodes import Node
from ascertain.model.times import check_interval
from ascertain.store.base import NodeRow
from ascertain.store.writing import StoreWriter
from ascertain.write.writer import Writer


@dataclass(frozen=True)
class Changes:
    """Changes to nodes that are there, each in one transaction, each at `now`.

    Every method returns the version that stands afterwards, and raises NotFound for an id that is
    not in the store, InvalidTime for a time before the node was known, InvalidInput for what can't
    be: another kind, a chain that would run in a circle.
    """

    store: StoreWriter
    encoder: Encoder
    now: datetime

    def retire(self, id: str, *, reason: str = "", at: datetime | None = None) -> NodeRow:
        """Withdraws a node: the store no longer stands by it. at: since when, now unless given.

        One that is withdrawn already stays as it is, unless another time or reason is given: then
        what was written down before is kept as an earlier version.
        """
        with self.store.transaction():
            row = self._row(id)
            check_interval(row.node.recorded_at or row.since, at or self.now, where=id)
            if row.node.retired_at is None:
                self.store.set_retired(row, at=at or self.now, reason=reason)
            elif (at and at != row.node.retired_at) or (reason and reason != row.reason):
                changed = replace(row.node, retired_at=at or row.node.retired_at)
                if changed == row.node:
                    self.store.set_reason(row, "; ".join(filter(None, (row.reason, reason))))
                else:
                    self._write(changed, reason=reason)
            return self._row(id)

    def restore(self, id: str) -> NodeRow:
        """Takes a withdrawal back: a new version stands from now on, and that it was withdrawn in
        between stays written down. A node that was not withdrawn stays as it is."""
        with self.store.transaction():
            self._write(replace(self._row(id).node, retired_at=None), restore=True)
            return self._row(id)

    def supersede(self, old: str, new: str | Node, *, at: datetime | None = None) -> NodeRow:
        """`new` takes the place of `old`, whose validity ends where that of `new` begins.

        new: the id of a node of the same kind, or a node to be added. at: when it begins to hold,
        where it doesn't say so itself; else its own moment, else now.
        """
        with self.store.transaction():
            older = self._row(old).node
            newer = new if isinstance(new, Node) else self._row(new).node
            if newer.kind != older.kind:
                raise InvalidInput(f"a {newer.kind} can't supersede a {older.kind}", where=newer.id)
            if newer.id == older.id or newer.id in self.store.lineage([old]).get(old, ((), ()))[0]:
                raise InvalidInput(f"{old!r} already supersedes it: the chain would be a circle", where=newer.id)
            start = at or newer.valid_from or newer.moment or newer.recorded_at or self.now
            check_interval(start, newer.valid_to, where=newer.id)
            links = tuple(dict.fromkeys((*newer.supersedes, old)))
            self._write(replace(newer, supersedes=links, valid_from=start))
            return self._row(newer.id)

    def correct(self, node: Node, *, reason: str = "") -> NodeRow:
        """Writes a new version of a node that was wrong or incomplete; the earlier one is kept.
        The same content once more changes nothing."""
        with self.store.transaction():
            self._row(node.id)
            self._write(node, reason=reason)
            return self._row(node.id)

    def _row(self, id: str) -> NodeRow:
        row = self.store.node(id)
        if row is None:
            raise NotFound(f"no node {id!r}", hint="Ask for it by name: ascertain ask QUESTION")
        return row

    def _write(self, node: Node, *, reason: str = "", restore: bool = False) -> None:
        writer = Writer(self.store, self.encoder, self.now, restore=restore, reason=reason)
        for problem in writer.write([Item(node, "", None)]).problems:
            raise InvalidInput(problem.reason, where=node.id)
