"""Memory: what people hold. One short method a verb; the stages do the work."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from ascertain.decide.base import Policy
from ascertain.decide.catalogue import DEFAULT, policy_named
from ascertain.encoders.base import Encoder
from ascertain.encoders.bundled import BundledEncoder
from ascertain.errors import ImportRefused, InvalidInput, InvalidQuestion, NotFound
from ascertain.formats.base import Item, Problem
from ascertain.formats.catalogue import by_name, detect
from ascertain.formats.json import jsonl, mcp_memory_out
from ascertain.formats.markdown import out as markdown_out
from ascertain.index.indexes import Indexes
from ascertain.material.budget import Count, Material, Tokeniser, fill
from ascertain.material.gather import gather as gather_around
from ascertain.material.offers import Glimpse, glimpses
from ascertain.material.render import Form
from ascertain.model.documents import Document
from ascertain.model.edges import EDGE_TYPES, Edge
from ascertain.model.evidence import Pool
from ascertain.model.nodes import Node
from ascertain.model.question import Question
from ascertain.model.resolution import Resolution
from ascertain.model.times import TimeView, parse_instant
from ascertain.model.tokens import Token
from ascertain.pool import DEPTH, SIZE
from ascertain.resolve import gather, resolve
from ascertain.search.pieces import Passage, read, search
from ascertain.store.base import Counts, NodeRow, PieceRow
from ascertain.store.choices import Choice, ChoiceLog
from ascertain.store.open import open_store
from ascertain.store.origins import Origins
from ascertain.store.writing import StoreWriter
from ascertain.text.tokens import tokenise
from ascertain.write.changes import Changes
from ascertain.write.forget import forget
from ascertain.write.importing import take_path
from ascertain.write.propose import ChatModel, propose
from ascertain.write.reembed import reembed
from ascertain.write.remember import Remembered, link, remember
from ascertain.write.report import ImportReport
from ascertain.write.twins import Twins, merge, part, suggest
from ascertain.write.writer import Writer

MAX_QUESTION = 20_000
"""How many characters of a question are read."""

Picks = dict[tuple[str, ...], list[tuple[datetime, str]]]
"""The words of a question → when a node was picked for it, and which."""


@dataclass(frozen=True)
class Status:
    """What a store is and holds."""

    path: str
    uuid: str
    encoder: str
    dimension: int
    generation: int
    counts: Counts


class Memory:
    """One store of memories, opened with `Memory.open`. Safe to share between threads.

    Times: `valid_at` (the moment in the world), `known_at` (the moment in the life of the store)
    and `as_of` (both) are ISO 8601 text, dates or datetimes; None is now.
    """

    def __init__(self, store: StoreWriter, encoder: Encoder, path: Path) -> None:
        self._store, self._encoder, self._path = store, encoder, path
        self._cache = path.with_name(path.name + ".index")
        self._indexes = Indexes(store, self._cache)
        self._tokens = Tokeniser()
        self._cleanup = ExitStack()
        self._picks: tuple[tuple[int, int], Picks] | None = None

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        encoder: Encoder | None = None,
        create: bool = True,
        check_encoder: bool = True,
    ) -> Self:
        """Opens a store in one file, made where it isn't there.

        encoder: the bundled one unless given; must be the one that the store was written with.
        create: False to refuse a path that isn't there.

        Raises NotFound, EncoderMismatch, StoreTooNew, StoreDamaged or another StoreError.
        """
        used = encoder or BundledEncoder()
        where = Path(path).expanduser()
        store = open_store(
            where, encoder=used.name, dimension=used.dimension, create=create, check_encoder=check_encoder
        )
        return cls(store, used, where)

    @classmethod
    def temporary(cls, *, encoder: Encoder | None = None) -> Self:
        """A store in a temporary folder, gone when it is closed."""
        folder = tempfile.TemporaryDirectory(prefix="ascertain-")
        memory = cls.open(Path(folder.name) / "memory.db", encoder=encoder)
        memory._cleanup.callback(folder.cleanup)
        return memory

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the store. Twice is fine."""
        self._store.close()
        self._cleanup.close()

    # asking

    def ask(
        self,
        question: str,
        *,
        valid_at: object = None,
        known_at: object = None,
        as_of: object = None,
        include_retired: bool = False,
        policy: str | Policy = DEFAULT,
    ) -> Resolution:
        """Which one memory is meant: resolved, choose or none.

        Raises InvalidQuestion (nothing asked), InvalidTime, NotFound (no such policy).
        """
        start = time.perf_counter()
        view = TimeView.at(
            datetime.now(UTC),
            valid_at=valid_at,
            known_at=known_at,
            as_of=as_of,
            include_retired=include_retired,
        )
        chosen = policy_named(policy) if isinstance(policy, str) else policy
        asked = self._question(question, view)
        encoded = (time.perf_counter() - start) * 1e3
        with self._store.snapshot():
            self._indexes.catch_up()
            answer = resolve(self._store, self._indexes, asked, chosen, picked=self._picked_for(asked))
        return replace(answer, timings_ms={"encode": round(encoded, 3), **answer.timings_ms})

    def pool(self, question: str, *, view: TimeView, depth: int = DEPTH, size: int = SIZE) -> Pool:
        """The recorded evidence for a question, for exams: a policy decides over it without the store.

        depth: how many nodes each arm puts forward. size: how many candidates stay at most.
        """
        asked = self._question(question, view)
        with self._store.snapshot():
            self._indexes.catch_up()
            return gather(self._store, self._indexes, asked, depth=depth, size=size)[0]

    def search(self, question: str, *, limit: int = 10) -> list[Passage]:
        """The best pieces, by full text and by vector. Raises InvalidQuestion."""
        asked = self._question(question, TimeView.at(datetime.now(UTC)))
        with self._store.snapshot():
            self._indexes.catch_up()
            return read(self._store, search(self._store, self._indexes, asked, limit=limit))

    def _question(self, text: str, view: TimeView) -> Question:
        told = text.encode(errors="ignore").decode()[:MAX_QUESTION]  # lone surrogates can't be stored or sent
        if not told.strip():
            raise InvalidQuestion("the question is empty", hint="Ask something, such as: what is a gate?")
        return Question(told, tokenise(told), self._encoder.encode([told])[0], view)

    # writing

    def add(self, *things: Node | Document, stamp: bool = False) -> ImportReport:
        """Takes nodes and documents, all or (where an error is raised) nothing. A node whose id is
        there already is corrected: the earlier version is kept.

        stamp: write down now as `recorded_at` of new nodes that state none, so that reads of the past
        don't know them. Without it they count as known all along, as an imported history does."""
        start = time.perf_counter()
        writer = Writer(self._store, self._encoder, datetime.now(UTC), stamp=stamp)
        report = writer.write(Item(thing, "given", None, scan=False) for thing in things)
        report.seconds = round(time.perf_counter() - start, 3)
        return report

    def remember(self, node: Node) -> Remembered:
        """Takes one new node, unless a twin of it stands in the store: then that is returned and nothing
        changes. With an empty id one is made of kind and title. See write/remember.py for what a twin is.

        Raises InvalidInput (no title, an id that is taken, edges that can't be)."""
        return remember(self._store, self._encoder, node, datetime.now(UTC))

    def link(self, id: str, *, about: Sequence[str] = (), aliases: Sequence[str] = (), source: str = "") -> NodeRow:
        """Adds what a node is about (ids of Concepts), other names of it, and where it came from, as a
        new version. Raises NotFound, InvalidInput (no such Concept, a name that another bears)."""
        return link(self._store, self._encoder, id, datetime.now(UTC), about=about, aliases=aliases, source=source)

    def import_path(
        self,
        path: str | Path,
        *,
        format: str | None = None,
        dry_run: bool = False,
        retire_vanished: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> ImportReport:
        """Takes a file or a folder in one transaction, and says exactly what it took.

        format: its name, where it should not be found out. dry_run: report and write nothing.
        retire_vanished: withdraw nodes whose file is gone, or tells them no more; without it they are
        reported and stay. progress: called with the number of nodes and documents taken so far.

        Raises NotFound (no such path), ImportRefused (no known format), StoreError, EncoderError.
        """
        where = Path(path).expanduser()
        chosen = by_name(format) if format else detect(where)
        if not where.exists():
            raise NotFound("there is no such file or folder", where=str(where), hint="Check the path.")
        start = time.perf_counter()
        try:
            with self._store.transaction():
                report = take_path(
                    self._store,
                    self._encoder,
                    chosen,
                    where,
                    datetime.now(UTC),
                    progress=progress,
                    retire_vanished=retire_vanished,
                    own=self._path,
                )
                if dry_run:
                    raise _DryRun
        except _DryRun:
            pass
        report.seconds = round(time.perf_counter() - start, 3)
        return report

    def propose(self, path: str | Path, model: ChatModel) -> list[Node | Problem]:
        """Nodes that a language model proposes for what was imported from a path, each with the piece that
        it is drawn from as `source`; and what it said that can't be used. Nothing is written: review them,
        and `add` those that are right. See write/propose.py.

        Raises ModelError where the server gives no answer."""
        top = str(Path(path).expanduser().resolve())
        origins = Origins(self._store.database).all()
        ids = [id for one in origins if one.path == top or one.path.startswith(top + os.sep) for id in one.ids]
        documents = [found for id in dict.fromkeys(ids) if (found := self._store.document(id)) is not None]
        return list(propose(model, ((piece.id, piece.text) for one in documents for piece in one.pieces)))

    # changing what is there; nothing is overwritten

    def retire(self, id: str, *, reason: str = "", at: object = None) -> NodeRow:
        """Withdraws a node. at: since when, now unless given. Returns what stands then.
        Raises NotFound, InvalidTime (also for a time before the node was known)."""
        return self._changes().retire(id, reason=reason, at=parse_instant(at, where="at"))

    def restore(self, id: str) -> NodeRow:
        """Takes a withdrawal back; that it was withdrawn in between stays known. Raises NotFound."""
        return self._changes().restore(id)

    def supersede(self, old: str, new: str | Node, *, at: object = None) -> NodeRow:
        """`new` (an id, or a node to be added) takes the place of `old`, whose validity ends where that
        of `new` begins: at its own `valid_from` or moment, else `at`, else now. Returns `new`.

        Raises NotFound, InvalidTime, InvalidInput (another kind, or a circle)."""
        return self._changes().supersede(old, new, at=parse_instant(at, where="at"))

    def correct(self, node: Node, *, reason: str = "") -> NodeRow:
        """Writes a new version of the node with this id; the earlier one is kept for reads of the past.
        Raises NotFound, InvalidTime, InvalidInput (another kind)."""
        return self._changes().correct(node, reason=reason)

    def twins(self) -> list[Twins]:
        """Pairs of nodes that may be one thing under two names, with the evidence. See write/twins.py."""
        with self._store.snapshot():
            return suggest(self._store)

    def merge(self, kept: str, other: str, *, by: str = "") -> NodeRow:
        """Says that two nodes are one: `kept` takes over the names of `other` and what is about it, and
        takes its place. Returns what stands. `part` takes it back.

        Raises NotFound, InvalidInput (two kinds, two moments, one that was withdrawn, a circle)."""
        return merge(self._store, self._encoder, kept, other, datetime.now(UTC), by=by)

    def part(self, one: str, other: str) -> None:
        """Says that two nodes are two: a merge of them is taken back, and they are suggested no more.
        Raises NotFound, InvalidInput (a node and itself)."""
        part(self._store, self._encoder, one, other, datetime.now(UTC))

    def forget(self, id: str) -> None:
        """Erases a node or a document for good, from the store's file and from the caches beside it: no
        row, term, vector or byte is left, only a hash and a time. See write/forget.py.

        Raises NotFound; StoreBusy where another process holds on to the old state: do it again."""
        try:
            forget(self._store, id, datetime.now(UTC))
        finally:
            shutil.rmtree(self._cache, ignore_errors=True)
            self._indexes.rebuild()

    def history(self, id: str) -> list[NodeRow]:
        """All recorded versions of a node, oldest first. Raises NotFound."""
        return self._store.versions(self.node(id).node.id)

    def _changes(self) -> Changes:
        return Changes(self._store, self._encoder, datetime.now(UTC))

    # reading on

    def material(
        self,
        id: str,
        *,
        budget: int = 2000,
        form: Form = "prompt",
        valid_at: object = None,
        known_at: object = None,
        as_of: object = None,
        include_retired: bool = False,
        count: Count | None = None,
    ) -> Material:
        """What a reader or a model needs to use a node, within a budget of tokens.

        form: `prompt` (plain text with fences, for a model), `markdown` (with citations) or `json`.
        count: counts the tokens of a text; the bundled encoder's tokeniser unless given.

        Raises NotFound (also for what the store had not learnt at `known_at`), InvalidTime."""
        view = TimeView.at(
            datetime.now(UTC),
            valid_at=valid_at,
            known_at=known_at,
            as_of=as_of,
            include_retired=include_retired,
        )
        with self._store.snapshot():
            row = self._store.nodes_at([id], view.known_at).get(id)
            if row is None or not row.known(view.known_at):
                raise NotFound(f"no node {id!r}", hint="Ask for it by name: ascertain ask QUESTION")
            found = gather_around(self._store, row, view, limit=budget // 12 + 1)
        return fill(id, found, budget=budget, form=form, count=count or self._tokens)

    def glimpses(self, answer: Resolution) -> list[Glimpse]:
        """Enough of each candidate of a list to choose by; nothing unless the state is choose."""
        if answer.state != "choose":
            return []
        told: dict[str, Node] = {}
        for one in (offer.candidate for offer in answer.candidates):
            versions = self._store.versions(one.node)
            told |= {
                row.node.id: row.node
                for row in versions
                if (row.until is None if one.version is None else row.version == one.version)
            }
        return glimpses(answer.candidates, told)

    # looking

    def node(self, id: str, *, version: int | None = None) -> NodeRow:
        """A node with what its store knows of it; `version` is the number of an earlier one. Raises NotFound."""
        if version is None:
            row = self._store.node(id)
        else:
            row = next((one for one in self._store.versions(id) if one.version == version), None)
        if row is None:
            raise NotFound(f"no node {id!r}", hint="Ask for it by name: ascertain ask QUESTION")
        return row

    def document(self, id: str) -> Document:
        """A document with its pieces. Raises NotFound."""
        found = self._store.document(id)
        if found is None:
            raise NotFound(f"no document {id!r}")
        return found

    def find(self, id: str) -> NodeRow | Document | PieceRow | None:
        """Whatever bears the id: a node, else a document, else a piece; None where nothing does."""
        return self._store.node(id) or self._store.document(id) or self._store.piece(id)

    def neighbours(self, id: str) -> list[Edge]:
        """The edges that stand and start or end at a node or a piece, by type, then in id order."""
        with self._store.snapshot():
            return [
                Edge(type, start, end)
                for type in EDGE_TYPES
                for start, end in sorted({*self._store.edges(type, start=[id]), *self._store.edges(type, end=[id])})
            ]

    def status(self) -> Status:
        """What the store is and holds."""
        store = self._store
        return Status(str(self._path), store.uuid, store.encoder, store.dimension, store.generation(), store.counts())

    def export(self, format: str = "jsonl") -> Generator[str, None, None]:
        """The whole store, a JSON object a line, nodes first, by id.

        format: `jsonl`, the interchange format, which loses nothing; or `mcp-memory`, what the memory
        file of an MCP memory server can say of it. Raises NotFound for another."""
        if format not in ("jsonl", "mcp-memory"):
            raise NotFound(f"no format named {format!r} to write", hint="Known: jsonl, mcp-memory.")
        with self._store.snapshot():
            if format == "jsonl":
                yield from jsonl.write(self._store.all_nodes(), self._store.all_documents())
            else:
                yield from mcp_memory_out.write(self._store.all_nodes())

    def export_markdown(self, folder: str | Path) -> int:
        """Writes the whole store as Markdown notes into a folder, made where it isn't there; how many.

        Raises InvalidInput where the folder holds something: nothing is overwritten."""
        where = Path(folder).expanduser()
        if where.exists() and (not where.is_dir() or any(where.iterdir())):
            raise InvalidInput("is there already, and not an empty folder", where=str(where), hint="Name a new one.")
        count = 0
        with self._store.snapshot():
            for name, text in markdown_out.write(self._store.all_nodes(), self._store.all_documents()):
                file = where / name
                file.parent.mkdir(parents=True, exist_ok=True)
                with file.open("x", encoding="utf-8", errors="backslashreplace", newline="\n") as out:
                    out.write(text)
                count += 1
        return count

    # keeping well

    def reindex(self) -> None:
        """Builds the indexes beside the store anew."""
        self._indexes.rebuild()

    def doctor(self) -> list[str]:
        """What is wrong with the store or its indexes; empty when all is well."""
        with self._store.snapshot():
            return self._store.database.problems() + self._indexes.check()

    def reembed(self, progress: Callable[[int], None] | None = None) -> int:
        """Writes all vectors anew with this memory's encoder, in one transaction; how many."""
        count = reembed(self._store, self._encoder, progress)
        self._indexes = Indexes(self._store, self._cache)
        return count

    # choosing

    def choose(
        self, question: str, picked: str | None, *, by: str, offered: Sequence[str] = (), lang: str = ""
    ) -> Choice:
        """Writes down which node somebody picked for a question; None is "none of these".

        by: who picked. offered: the ids that were handed back. Asked the same again, what was picked
        comes first in the list (see decide/picks.py); exams can be made of it.

        Raises InvalidQuestion, InvalidInput (nobody named), NotFound.
        """
        told = question.encode(errors="ignore").decode()[:MAX_QUESTION].strip()
        if not told:
            raise InvalidQuestion("the question is empty", hint="Say which question it was picked for.")
        who = by.encode(errors="ignore").decode().strip()
        if not who:
            raise InvalidInput("whoever picks must be named: an exam has an author", hint="Name them with --by.")
        if picked is not None:
            self.node(picked)
        return self._choices.log(told, picked, at=datetime.now(UTC), by=who, offered=offered, lang=lang)

    def choices(self) -> list[Choice]:
        """What was picked so far, in order, what was taken back too."""
        return self._choices.all()

    def undo_choice(self, number: int) -> None:
        """Takes a choice back. Raises NotFound."""
        self._choices.undo(number, at=datetime.now(UTC))

    def _picked_for(self, asked: Question) -> Counter[str]:
        """How often each node was picked for the same words in the same order, and not taken back. Case,
        width, accents and endings don't count, as in search."""
        state = self._choices.state()
        if self._picks is None or self._picks[0] != state:
            picks: Picks = {}
            for one in self._choices.all():
                if one.picked is not None and one.undone_at is None:
                    picks.setdefault(_words(tokenise(one.question)), []).append((one.asked_at, one.picked))
            self._picks = state, picks
        # A read of the past does not know what was picked later.
        found = self._picks[1].get(_words(asked.tokens), [])
        return Counter(id for at, id in found if at <= asked.view.known_at)

    @property
    def _choices(self) -> ChoiceLog:
        return ChoiceLog(self._store.database)


def _words(tokens: Iterable[Token]) -> tuple[str, ...]:
    return tuple(token.text for token in tokens)


class _DryRun(Exception):
    """Rolls a transaction back on purpose."""


def refuse_if_nothing(report: ImportReport, path: str) -> None:
    """Raises ImportRefused where an import took nothing at all, with the first reason."""
    if not report.took_anything:
        first = report.skipped[0] if report.skipped else None
        raise ImportRefused(
            f"nothing was taken{f': {first.reason}' if first else ''}",
            where=f"{first.file}:{first.line}" if first and first.line else path,
        )
