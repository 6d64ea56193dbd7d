"""All vectors anew, for another encoder."""

from __future__ import annotations

from collections.abc import Callable

from ascertain.encoders.base import Encoder
from ascertain.store.base import FAMILIES
from ascertain.store.writing import StoreWriter
from ascertain.write.entries import Draft, entries_of, node_drafts, piece_draft

_CHUNK = 512


def reembed(store: StoreWriter, encoder: Encoder, progress: Callable[[int], None] | None = None) -> int:
    """Encodes every entry with `encoder` and makes it the store's, in one transaction. Returns how
    many vectors were written. Raises EncoderError, and then nothing has changed."""
    done = 0
    with store.transaction():
        store.set_encoder(encoder.name, encoder.dimension)
        for family in (one for one in FAMILIES if one != "word"):  # words have no vector
            owners = sorted({entry.owner for entry in store.entries(family)})
            for start in range(0, len(owners), _CHUNK):
                drafts = _drafts(store, family, owners[start : start + _CHUNK])
                store.put_entries(entries_of(drafts, encoder))
                done += len(drafts)
                if progress:
                    progress(done)
    return done


def _drafts(store: StoreWriter, family: str, owners: list[int]) -> list[Draft]:
    if family == "piece":
        return [piece_draft(row.piece) for row in store.pieces(owners).values()]
    return [
        draft for row in store.nodes(owners).values() for draft in node_drafts(row.node, row.key) if draft[0] == family
    ]
