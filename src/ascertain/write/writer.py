"""Takes nodes and documents into a store."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import blake2b
from itertools import islice

from ascertain.encoders.base import Encoder
from ascertain.errors import InvalidInput
from ascertain.formats.base import Item, Problem
from ascertain.model.documents import Document
from ascertain.model.edges import EdgeType
from ascertain.model.ids import check_id
from ascertain.model.nodes import Node
from ascertain.model.times import check_interval
from ascertain.store.base import NodeRow
from ascertain.store.writing import StoreWriter
from ascertain.text.names import name_key
from ascertain.write.entries import Draft, entries_of, node_drafts, piece_draft
from ascertain.write.lineage import settle
from ascertain.write.mentions import mentioned_in, usable_name
from ascertain.write.report import ImportReport

CHUNK = 512

_ENDS: dict[EdgeType, str] = {"ABOUT": "concept", "MENTIONS": "concept"}


@dataclass
class Writer:
    """Writes a stream of items in one transaction.

    scan: look for the names of Concepts in the pieces (for text whose author states no mentions).
    now:  when the store learns it: closes versions that are corrected.
    progress: told how many items were taken so far.
    """

    store: StoreWriter
    encoder: Encoder
    now: datetime
    scan: bool = False
    progress: Callable[[int], None] | None = None
    report: ImportReport = field(default_factory=ImportReport)
    _seen: dict[str, str] = field(default_factory=dict)
    _edges: list[tuple[EdgeType, str, str, str, int | None]] = field(default_factory=list)
    _new_ids: set[str] = field(default_factory=set)
    _new_names: dict[str, str] = field(default_factory=dict)
    _scan_pieces: list[tuple[str, str]] = field(default_factory=list)

    def write(self, items: Iterable[Item | Problem]) -> ImportReport:
        """All of it or, where an error is raised, nothing. What an item alone makes impossible
        (a bad interval, an id used twice) is a Problem in the report, and the rest goes on."""
        stream, taken = iter(items), 0
        with self.store.transaction():
            while chunk := list(islice(stream, CHUNK)):
                self._take(chunk)
                taken += len(chunk)
                if self.progress:
                    self.progress(taken)
            self._find_mentions()
            self._join_edges()
        return self.report

    def _take(self, chunk: list[Item | Problem]) -> None:
        drafts: list[Draft] = []
        nodes = [item for item in chunk if isinstance(item, Item) and isinstance(item.value, Node)]
        known = {
            row.node.id: row
            for row in self.store.nodes(list(self.store.keys_of([item.value.id for item in nodes]).values())).values()
        }
        for item in chunk:
            if isinstance(item, Problem):
                self.report.problems.append(item)
                continue
            try:
                self._check(item)
                if isinstance(item.value, Node):
                    drafts += self._take_node(item.value, item, known.get(item.value.id))
                else:
                    drafts += self._take_document(item.value, item)
            except InvalidInput as error:
                self._skip(item, error.problem)
        self.store.put_entries(entries_of(drafts, self.encoder))

    def _skip(self, item: Item, reason: str) -> None:
        self.report.problems.append(Problem(item.file, item.line, reason))

    def _check(self, item: Item) -> None:
        value = item.value
        check_id(value.id)
        if value.id in self._seen:
            raise InvalidInput(f"the id {value.id!r} is used twice (first in {self._seen[value.id]})")
        if isinstance(value, Node):
            if not value.title.strip():
                raise InvalidInput(f"the node {value.id!r} has no title")
            check_interval(value.valid_from, value.valid_to)
            check_interval(value.recorded_at, value.retired_at)
        self._seen[value.id] = item.file + (f", line {item.line}" if item.line else "")

    # nodes

    def _take_node(self, node: Node, item: Item, old: NodeRow | None) -> Iterator[Draft]:
        version, since = 0, None
        if old is not None:
            # What was withdrawn here stays so, unless the source now says when itself.
            wanted = node if node.retired_at else replace(node, retired_at=old.node.retired_at)
            if wanted == old.node:
                self.report.unchanged += 1
                return
            if wanted.kind != old.node.kind:
                raise InvalidInput(f"{node.id!r} is a {old.node.kind} in the store, not a {node.kind}")
            self.report.changed += 1
            self.store.close_version(old, until=self.now)
            node, version, since = wanted, old.version + 1, self.now
            for type in ("ABOUT", "FROM", "SUPERSEDES"):
                self.store.drop_edges(type, [node.id])
            if old.node.supersedes:
                self._new_ids |= set(old.node.supersedes)
        else:
            self.report.added += 1
        key = self.store.add_node(node, version=version, since=since)
        self._new_ids.add(node.id)
        names = {name_key(text): slot for slot, text in reversed(list(enumerate((node.title, *node.aliases))))}
        self.store.add_names((name, key, slot) for name, slot in names.items() if name)
        if node.kind == "concept":
            self._new_names |= dict.fromkeys((name for name in names if usable_name(name)), node.id)
        self._edges += [("ABOUT", node.id, id, item.file, item.line) for id in node.about]
        self._edges += [("SUPERSEDES", node.id, id, item.file, item.line) for id in node.supersedes]
        if node.source:
            self._edges.append(("FROM", node.id, node.source, item.file, item.line))
        yield from node_drafts(node, key)

    # documents

    def _take_document(self, document: Document, item: Item) -> Iterator[Draft]:
        owners = self.store.piece_owners([piece.id for piece in document.pieces])
        ids = [check_id(piece.id) for piece in document.pieces]
        for id in ids:
            if owners.get(id, document.id) != document.id or ids.count(id) > 1:
                raise InvalidInput(f"the piece id {id!r} is used twice")
        self.report.documents += 1
        self.report.pieces += len(document.pieces)
        digest = _digest(document, self.scan)
        if self.store.document_digest(document.id) == digest:
            return
        old = self.store.document(document.id)
        before = {piece.id: piece for piece in old.pieces} if old else {}
        gone = [id for id in before if id not in set(ids)]
        if gone:
            self.store.drop_pieces(gone)
        self.store.put_document(document, digest=digest, scanned=self.scan)
        self.store.put_pieces(document, range(len(document.pieces)))
        self.store.drop_edges("MENTIONS", [piece.id for piece in document.pieces if piece.id in before])
        for piece in document.pieces:
            self._new_ids.add(piece.id)
            self._edges += [("MENTIONS", piece.id, id, item.file, item.line) for id in piece.mentions]
            if self.scan:
                self._scan_pieces.append((piece.id, piece.text))
            if piece.id not in before or before[piece.id].text != piece.text:
                yield piece_draft(piece)

    # edges

    def _find_mentions(self) -> None:
        """Every known name in the new pieces, and every new name in the pieces that were there."""
        names: dict[str, str] = {}
        if self._scan_pieces:
            twice = set()
            for name, id in self.store.concept_names():
                if names.setdefault(name, id) != id:
                    twice.add(name)  # two Concepts bear it: a mention would be a guess
            names = {name: id for name, id in names.items() if name not in twice and usable_name(name)}
        found = mentioned_in(self._scan_pieces, names)
        if self._new_names:
            fresh = {piece for piece, _ in self._scan_pieces}
            earlier = (pair for pair in self.store.scanned_pieces() if pair[0] not in fresh)
            found += mentioned_in(earlier, self._new_names)
        self.store.add_edges((("MENTIONS", piece, id) for piece, id in found), stated=False)

    def _join_edges(self) -> None:
        """Joins what can be joined, keeps and reports what has no other end yet."""
        ids = sorted(self._new_ids)
        for start in range(0, len(ids), 10_000):
            self._edges += [(*edge, "", None) for edge in self.store.waiting_for(ids[start : start + 10_000])]
        for start in range(0, len(self._edges), 10_000):
            self._join(self._edges[start : start + 10_000])
        chained = {id for type, start, end, *_ in self._edges if type == "SUPERSEDES" for id in (start, end)}
        # A node that changed may begin at another time, which moves the end of what it supersedes.
        changed = self._new_ids if self.report.changed else set()
        settle(self.store, chained | {id for id in changed if self.store.edges("SUPERSEDES", start=[id])})

    def _join(self, edges: list[tuple[EdgeType, str, str, str, int | None]]) -> None:
        ends = [end for _, _, end, _, _ in edges]
        kinds = self.store.kinds_of(ends)
        pieces = self.store.piece_owners([end for type, _, end, _, _ in edges if type == "FROM"])
        starts = self.store.kinds_of([start for type, start, *_ in edges if type == "SUPERSEDES"])
        joined: list[tuple[EdgeType, str, str]] = []
        waiting: list[tuple[EdgeType, str, str]] = []
        for type, start, end, file, line in edges:
            if type == "FROM":
                # A source that is no piece is a URL or free text, not an edge; a piece may come later.
                (joined if end in pieces else waiting).append((type, start, end))
                continue
            problem = ""
            if end not in kinds:
                problem = f"{start!r} names {end!r}, which is not in the store: no {type} edge"
                waiting.append((type, start, end))
            elif type in _ENDS and kinds[end] != _ENDS[type]:
                problem = f"{start!r} names {end!r}, a {kinds[end]}: {type} joins concepts only"
            elif type == "SUPERSEDES" and (end == start or kinds[end] != starts.get(start)):
                problem = f"{start!r} can't supersede {end!r}: both must be of one kind, and two nodes"
            else:
                joined.append((type, start, end))
            if problem and file:
                self.report.problems.append(Problem(file, line, problem, skipped=False))
        self.store.add_edges(joined)
        self.store.put_aside(waiting)


def _digest(document: Document, scan: bool) -> str:
    told = [
        document.title,
        document.source,
        scan,
        [[p.id, p.text, list(p.mentions)] for p in document.pieces],
    ]
    return blake2b(json.dumps(told, ensure_ascii=False).encode(errors="surrogatepass"), digest_size=16).hexdigest()
