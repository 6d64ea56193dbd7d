"""The one true deletion: what is forgotten leaves nothing but a hash and a time."""

from __future__ import annotations

from datetime import datetime

from ascertain.errors import NotFound
from ascertain.store.merges import Merges
from ascertain.store.origins import Origins
from ascertain.store.writing import StoreWriter
from ascertain.text.normalise import match_form


def forget(store: StoreWriter, id: str, now: datetime) -> None:
    """Removes a node or a document with all that was made of it, in one transaction, then writes the
    file anew so that no byte of it is left.

    Of a node: all recorded versions, names, terms, vectors, edges, and its id wherever another node
    or a choice names it. Of a document: its pieces with theirs; nodes drawn from it stay, without
    saying from where. A logged question that holds a name of what is forgotten is emptied.

    To forget twice is allowed: it finishes what a crash may have left. An import never brings back
    what was forgotten.

    What it had taken the place of does not hold again: its end is written down as its own.

    Raises NotFound for an id that is neither there nor was forgotten, StoreBusy where another
    process holds on to the old state: everything is gone but for bytes in its files; do it again.
    """
    with store.transaction():
        versions = store.versions(id)
        document = store.document(id)
        if not versions and document is None and id not in store.forgotten_at([id]):
            raise NotFound(f"no node or document {id!r}")
        names = {id, *(name for row in versions for name in (row.node.title, *row.node.aliases))}
        if versions:
            _keep_ends(store, id, now)
            store.erase_node(id, [row.key for row in versions])
        if document is not None:
            names |= {document.title, *(piece.id for piece in document.pieces)}
            store.erase_document(id, [piece.id for piece in document.pieces])
        if versions or document is not None:
            erased = {id, *(piece.id for piece in document.pieces)} if document is not None else {id}
            told = {match_form(name) for name in names} - {""}
            store.redact_choices(erased, lambda question: any(name in match_form(question) for name in told))
            Origins(store.database).forget(id)
            Merges(store.database).forget(id)
            store.bury(id, at=now)
    store.scrub()


def _keep_ends(store: StoreWriter, id: str, now: datetime) -> None:
    """What a node superseded keeps its end when the node is gone, else an old claim would come back."""
    for _, older in store.edges("SUPERSEDES", start=[id]):
        row = store.node(older)
        if row is None or row.superseded_by is None:
            continue
        if row.holds_to is not None:
            store.set_valid_to(row, row.holds_to)
        elif row.node.retired_at is None:
            store.set_retired(row, at=now, reason="what took its place was forgotten")
