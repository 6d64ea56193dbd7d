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
from ascertain.model.edges import EDGE_TYPES, EdgeType
from ascertain.model.ids import check_id
from ascertain.model.nodes import Episode, Node
from ascertain.model.times import check_interval, format_instant
from ascertain.store.base import Entry, NodeRow
from ascertain.store.merges import Merge, Merges, merged_into
from ascertain.store.origins import Origins
from ascertain.store.writing import StoreWriter
from ascertain.text.names import name_key
from ascertain.write.entries import Draft, entries_of, node_drafts, piece_draft, word_entries
from ascertain.write.mentions import mentioned_in, usable_name
from ascertain.write.report import ImportReport
from ascertain.write.statements import news, statement_of

CHUNK = 512
CHUNK_TEXT = 4_000_000

VANISHED = "its file is gone, or tells it no more"
"""Why a node is withdrawn that no file tells any more; where one does again, it is back."""

_ENDS: dict[EdgeType, str] = {"ABOUT": "concept", "MENTIONS": "concept"}
_TYPES: dict[str, EdgeType] = {type: type for type in EDGE_TYPES}


def _chunk(stream: Iterator[Item | Problem]) -> list[Item | Problem]:
    """The next few: at most CHUNK, and as many as stay under CHUNK_TEXT characters of documents."""
    taken: list[Item | Problem] = []
    size = 0
    for one in islice(stream, CHUNK):
        taken.append(one)
        if isinstance(one, Item) and isinstance(one.value, Document):
            size += sum(len(piece.text) for piece in one.value.pieces)
            if size >= CHUNK_TEXT:
                break
    return taken


@dataclass(frozen=True, slots=True)
class _Stated:
    """An edge that somebody stated, and where; since: when the store learnt it, None for as early
    as its ends."""

    type: EdgeType
    start: str
    end: str
    file: str = ""
    line: int | None = None
    since: datetime | None = None


@dataclass
class Writer:
    """Writes a stream of items in one transaction.

    now:  when the store learns it: closes versions that are corrected.
    stamp: write down `now` as the moment when the store learnt of a new node that states none;
          else it counts as known from the start, as a history that is imported does.
    restore: a node without `retired_at` takes a withdrawal back; else what was withdrawn here stays so.
    reason: why nodes are corrected.
    told: where it is kept what files said of nodes; what a file says as before changes nothing. file_key:
          of an item's file, its keys before and now (it may have moved).
    progress: told how many items were taken so far.
    added: ids of the nodes that were new. skips: what an item alone made impossible.
    """

    store: StoreWriter
    encoder: Encoder
    now: datetime
    stamp: bool = False
    restore: bool = False
    reason: str = ""
    told: Origins | None = None
    file_key: Callable[[str], tuple[int, int]] = lambda _: (0, 0)
    progress: Callable[[int], None] | None = None
    report: ImportReport = field(default_factory=ImportReport)
    _seen: dict[str, str] = field(default_factory=dict)
    _edges: list[_Stated] = field(default_factory=list)
    _before: set[str] = field(default_factory=set)
    _new_ids: set[str] = field(default_factory=set)
    _new_names: dict[str, str] = field(default_factory=dict)
    _words: set[int] = field(default_factory=set)
    _scan_pieces: list[str] = field(default_factory=list)
    _merges: dict[str, list[Merge]] = field(default_factory=dict)
    _stands_for: dict[str, str] = field(default_factory=dict)
    _told_before: dict[tuple[str, int], str] = field(default_factory=dict)
    _told_now: dict[tuple[str, int], str] = field(default_factory=dict)
    added: list[str] = field(default_factory=list)
    skips: list[Problem] = field(default_factory=list)

    def write(self, items: Iterable[Item | Problem]) -> ImportReport:
        """All of it or, where an error is raised, nothing. What an item alone makes impossible
        (a bad interval, an id used twice) is a Problem in the report, and the rest goes on."""
        stream, taken = iter(items), 0
        with self.store.transaction():
            merges = Merges(self.store.database).all()
            self._stands_for = merged_into(merges)
            for merge in merges:
                self._merges.setdefault(merge.kept, []).append(merge)
            while chunk := _chunk(stream):
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
        if self.told:
            self._told_before = self.told.told([item.value.id for item in nodes])
        forgotten = self.store.forgotten_at([item.value.id for item in chunk if isinstance(item, Item)])
        for item in chunk:
            if isinstance(item, Problem):
                self.report.problems.append(item)
                continue
            try:
                self._check(item)
                if at := forgotten.get(item.value.id):
                    raise InvalidInput(f"{item.value.id!r} was forgotten at {format_instant(at)} and stays so")
                if isinstance(item.value, Node):
                    drafts += self._take_node(item.value, item, known.get(item.value.id))
                else:
                    drafts += self._take_document(item.value, item)
            except InvalidInput as error:
                self._skip(item, error.problem)
        if self.told:
            self.told.put_told(self._told_now)
            self._told_now = {}
        entries = entries_of(drafts, self.encoder)
        self.store.put_entries(entries)
        self._put_words(word_entries(entries))

    def _put_words(self, words: list[Entry]) -> None:
        """Writes the words of titles that the store does not know yet."""
        fresh = [word for word in words if word.key not in self._words]
        known = self.store.known_entries([word.key for word in fresh])
        self._words.update(word.key for word in fresh)
        self.store.put_entries([word for word in fresh if word.key not in known])

    def _skip(self, item: Item, reason: str) -> None:
        problem = Problem(item.file, item.line, reason)
        self.report.problems.append(problem)
        self.skips.append(problem)

    def _check(self, item: Item) -> None:
        value = item.value
        check_id(value.id)
        _check_text(value)
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
        version, since, reason = 0, None, ""
        earlier, key_now = self.file_key(item.file) if self.told else (0, 0)
        before = self._told_before.get((node.id, earlier))
        said = statement_of(node) if self.told else ""
        if old is not None:
            back = old.reason == VANISHED and node.retired_at is None and old.node.retired_at is not None
            held = replace(old.node, retired_at=None) if back else old.node
            node = self._as_kept(news(node, before, held) if before else node, held, restore=self.restore or back)
            if back:
                remark = f"{node.id!r} was withdrawn when its file was gone; it holds again"
                self.report.problems.append(Problem(item.file, item.line, remark, skipped=False))
            if node.kind != old.node.kind:
                raise InvalidInput(f"{node.id!r} is a {old.node.kind} in the store, not a {node.kind}")
            if said != before or key_now != earlier:
                self._told_now[node.id, key_now] = said
            if node == old.node:
                self.report.unchanged += 1
                return
            self.report.changed += 1
            self.store.close_version(old, until=self.now, reason=self.reason)
            version, since = old.version + 1, self.now
            if node.retired_at is not None:
                reason = old.reason if node.retired_at == old.node.retired_at else self.reason
            self.store.close_edges(("ABOUT", "FROM", "SUPERSEDES"), [node.id], at=self.now)
        else:
            self.report.added += 1
            self.added.append(node.id)
            self._told_now[node.id, key_now] = said
            if self.stamp and node.recorded_at is None:
                node = replace(node, recorded_at=self.now)
        key = self.store.add_node(node, version=version, since=since, reason=reason)
        self._new_ids.add(node.id)
        names = {name_key(text): slot for slot, text in reversed(list(enumerate((node.title, *node.aliases))))}
        self.store.add_names((name, key, slot) for name, slot in names.items() if name)
        if node.kind == "concept":
            stands = self._stands_for.get(node.id, node.id)
            self._new_names |= dict.fromkeys((name for name in names if usable_name(name)), stands)
        told = [("ABOUT", id) for id in node.about] + [("SUPERSEDES", id) for id in node.supersedes]
        told += [("FROM", node.source)] if node.source else []
        self._edges += [_Stated(_TYPES[type], node.id, id, item.file, item.line, since) for type, id in told]
        yield from node_drafts(node, key)

    def _as_kept(self, node: Node, old: Node, *, restore: bool) -> Node:
        """What was withdrawn here stays so, unless the source now says when itself, and what the store
        wrote down about when it learnt of a node stays where the source states nothing. So does what
        it took over from nodes that were merged with it."""
        if node.retired_at is None and not restore:
            node = replace(node, retired_at=old.retired_at)
        for merge in self._merges.get(node.id, ()):
            held = {name_key(name) for name in (node.title, *node.aliases)}
            node = replace(
                node,
                aliases=(*node.aliases, *(name for name in merge.names if name_key(name) not in held)),
                about=tuple(dict.fromkeys((*node.about, *merge.about))),
                supersedes=tuple(dict.fromkeys((*node.supersedes, merge.other))),
            )
        return node if node.recorded_at else replace(node, recorded_at=old.recorded_at)

    # documents

    def _take_document(self, document: Document, item: Item) -> Iterator[Draft]:
        owners = self.store.piece_owners([piece.id for piece in document.pieces])
        ids = [check_id(piece.id) for piece in document.pieces]
        for id in ids:
            if owners.get(id, document.id) != document.id or ids.count(id) > 1:
                raise InvalidInput(f"the piece id {id!r} is used twice")
        self.report.documents += 1
        self.report.pieces += len(document.pieces)
        digest = _digest(document, item.scan)
        if self.store.document_digest(document.id) == digest:
            return
        old = self.store.document(document.id)
        before = {piece.id: piece for piece in old.pieces} if old else {}
        gone = [id for id in before if id not in set(ids)]
        if gone:
            self.store.drop_pieces(gone)
        self.store.put_document(document, digest=digest, scanned=item.scan)
        self.store.put_pieces(document, range(len(document.pieces)))
        kept = [piece.id for piece in document.pieces if piece.id in before]
        self.store.close_edges(("MENTIONS",), kept, at=self.now)
        self._before.update(kept)
        for piece in document.pieces:
            self._new_ids.add(piece.id)
            since = self.now if piece.id in before else None
            self._edges += [_Stated("MENTIONS", piece.id, id, item.file, item.line, since) for id in piece.mentions]
            if item.scan:
                self._scan_pieces.append(piece.id)
            if piece.id not in before or before[piece.id].text != piece.text:
                yield piece_draft(piece)

    # edges

    def _find_mentions(self) -> None:
        """Every known name in the new pieces, and every new name in the pieces that were there."""
        names: dict[str, str] = {}
        if self._scan_pieces:
            twice = set()
            for name, own in self.store.concept_names():
                id = self._stands_for.get(own, own)
                if names.setdefault(name, id) != id:
                    twice.add(name)  # two Concepts bear it: a mention would be a guess
            names = {name: id for name, id in names.items() if name not in twice and usable_name(name)}
        # Read back a few at a time: the texts of a large import would not fit into memory.
        found = mentioned_in(self.store.piece_texts(self._scan_pieces), names)
        if self._new_names:
            fresh = set(self._scan_pieces)
            earlier = (pair for pair in self.store.scanned_pieces() if pair[0] not in fresh)
            found += mentioned_in(earlier, self._new_names)
        for since in (None, self.now):
            edges: list[tuple[EdgeType, str, str]] = [
                ("MENTIONS", piece, id) for piece, id in found if (piece in self._before) == (since is not None)
            ]
            self.store.add_edges(edges, stated=False, since=since)

    def _join_edges(self) -> None:
        """Joins what can be joined, keeps and reports what has no other end yet."""
        ids = sorted(self._new_ids)
        for start in range(0, len(ids), 10_000):
            self._edges += [_Stated(*edge) for edge in self.store.waiting_for(ids[start : start + 10_000])]
        for start in range(0, len(self._edges), 10_000):
            self._join(self._edges[start : start + 10_000])

    def _join(self, edges: list[_Stated]) -> None:
        kinds = self.store.kinds_of([edge.end for edge in edges])
        pieces = self.store.piece_owners([edge.end for edge in edges if edge.type == "FROM"])
        starts = self.store.kinds_of([edge.start for edge in edges if edge.type == "SUPERSEDES"])
        joined: dict[datetime | None, list[tuple[EdgeType, str, str]]] = {}
        waiting: list[tuple[EdgeType, str, str]] = []
        for edge in edges:
            type, start, end = edge.type, edge.start, edge.end
            problem = ""
            if type == "FROM":
                # A source that is no piece is a URL or free text, not an edge; a piece may come later.
                fits = end in pieces
            elif end not in kinds:
                fits, problem = False, f"{start!r} names {end!r}, which is not in the store: no {type} edge"
            elif type in _ENDS and kinds[end] != _ENDS[type]:
                fits, problem = False, f"{start!r} names {end!r}, a {kinds[end]}: {type} joins concepts only"
            elif type == "SUPERSEDES" and (end == start or kinds[end] != starts.get(start)):
                fits, problem = False, f"{start!r} can't supersede {end!r}: both must be of one kind, and two nodes"
            else:
                fits = True
            if fits:
                joined.setdefault(edge.since, []).append((type, start, end))
            elif type == "FROM" or end not in kinds:
                waiting.append((type, start, end))
            if problem and edge.file:
                self.report.problems.append(Problem(edge.file, edge.line, problem, skipped=False))
        for since, ready in joined.items():
            self.store.add_edges(ready, since=since)
        self.store.put_aside(waiting)


def _check_text(value: Node | Document) -> None:
    """A half of a character can't be kept, and must not stop what can."""
    if isinstance(value, Document):
        texts = [value.title, value.source, *(text for piece in value.pieces for text in (piece.id, piece.text))]
    else:
        texts = [value.title, *value.aliases, value.source, value.lang, value.text, *value.about, *value.supersedes]
        texts += [value.summary] if isinstance(value, Episode) else []
    for text in texts:
        try:
            text.isascii() or text.encode()
        except UnicodeEncodeError as error:
            raise InvalidInput(f"{value.id!r} holds half a character (a lone surrogate)") from error


def _digest(document: Document, scan: bool) -> str:
    told = [
        document.title,
        document.source,
        scan,
        [[p.id, p.text, list(p.mentions)] for p in document.pieces],
    ]
    return blake2b(json.dumps(told, ensure_ascii=False).encode(errors="surrogatepass"), digest_size=16).hexdigest()
