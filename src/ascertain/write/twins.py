"""Twins: nodes that may be one thing under two names. Suggested with evidence, merged on confirmation
only, and parted again without loss.

A merge changes no id and removes nothing. The node that is kept takes over the names of the other and
what it was about, and takes its place; the other stays, superseded, with its text and its source. The
store remembers the merge apart from what files say, so that a later import of both changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from typing import Literal

import numpy as np
import numpy.typing as npt

from ascertain.encoders.base import Encoder
from ascertain.errors import InvalidInput, NotFound
from ascertain.formats.base import Item
from ascertain.model.nodes import Node
from ascertain.store.base import NodeRow
from ascertain.store.merges import Merge, Merges, merged_into
from ascertain.store.origins import Origins
from ascertain.store.writing import StoreWriter
from ascertain.text.names import name_key
from ascertain.text.normalise import match_form
from ascertain.text.tokens import tokenise
from ascertain.write.entries import title_key
from ascertain.write.mentions import mentioned_in, usable_name
from ascertain.write.statements import stated
from ascertain.write.writer import Writer

Sort = Literal["name", "words", "text", "meaning"]
NEAR = 0.85
"""Cosine of two titles from which on they are suggested, where each is the other's nearest."""
MOST_COMPARED = 50_000
"""How many titles are compared by meaning at most; the rest is left to names, words and texts."""
SHORT_TEXT = 40
"""Characters of a text below which equal texts say nothing."""
_BLOCK = 1024


@dataclass(frozen=True, slots=True)
class Reason:
    """Why two nodes may be one.

    sort: `name` (both bear one name, up to case, width, blanks and punctuation), `words` (their titles
    are of the same words, up to endings and order), `text` (they say the same) or `meaning` (their
    titles lie nearest to each other). detail: the name, the words, the beginning of the text; empty for
    meaning. similarity: cosine, for meaning.
    """

    sort: Sort
    detail: str = ""
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Twins:
    """Two nodes of one kind that may be one. kept: the one that more leads to, else the first by id."""

    kept: Node
    other: Node
    reasons: tuple[Reason, ...]


def suggest(store: StoreWriter) -> list[Twins]:
    """Pairs that may be twins: those that share a name first, then words, texts, meanings.

    Nodes that were withdrawn, superseded or merged are none, nor are nodes that state different moments
    (what is measured again is no twin) or whose titles hold different numbers or identifiers, nor pairs
    of which somebody said that they are two. Of many that are alike, each is paired with one.
    """
    nodes = _standing(store)
    apart = Merges(store.database).apart()
    found: dict[tuple[str, str], list[Reason]] = {}
    for reason, ids in _alike(store, nodes):
        for one, other in _pairs([id for id in ids if id in nodes], nodes):
            if (one, other) not in apart and reason.sort not in {told.sort for told in found.get((one, other), ())}:
                found.setdefault((one, other), []).append(reason)
    leading = _leading(store, {id for pair in found for id in pair})
    twins = []
    for (one, other), reasons in found.items():
        kept = max((one, other), key=lambda id: (leading.get(id, 0), id == one))
        twins.append(Twins(nodes[kept], nodes[other if kept == one else one], tuple(reasons)))
    order = ("name", "words", "text", "meaning")
    return sorted(twins, key=lambda one: (order.index(one.reasons[0].sort), one.kept.id, one.other.id))


def same_names(store: StoreWriter, ids: Sequence[str]) -> list[tuple[str, str, str]]:
    """(id, id of another node that stands, the name) for each of these nodes that shares one: what an
    import tells of what it added. Names are read for these nodes only."""
    found = []
    for start in range(0, len(ids), _BLOCK):
        rows = {row.node.id: row for row in store.nodes_at(ids[start : start + _BLOCK]).values()}
        names = {id: _names(row.node) for id, row in rows.items() if _stands(row)}
        borne = store.named(sorted({name for told in names.values() for name in told}))
        others = store.nodes(sorted({key for places in borne.values() if len(places) > 1 for key, _ in places}))
        for id, told in names.items():
            own = rows[id].node
            for name, text in told.items():
                rivals = [others[key] for key, slot in borne.get(name, ()) if slot == 0 or own.kind == "concept"
                          if key in others]  # fmt: skip
                fit = [row.node.id for row in rivals if _stands(row) and _may_be(own, row.node)]
                # Of those that came together, each is told of but the first.
                if earlier := [one for one in fit if one != id and (one not in rows or one < id)]:
                    found.append((id, min(earlier), text))
                    break
    return found


def merge(store: StoreWriter, encoder: Encoder, kept: str, other: str, now: datetime, *, by: str = "") -> NodeRow:
    """`kept` stands for both from now on. Returns what stands; said again, nothing changes.

    Raises NotFound, InvalidInput: two kinds, two moments, one that was withdrawn, a circle.
    """
    with store.transaction():
        merges = Merges(store.database)
        one, two = _row(store, kept), _row(store, other)
        stands_for = merged_into(merges.all())
        if stands_for.get(other) == kept:
            return one
        for id in (kept, other):
            if id in stands_for:
                raise InvalidInput(f"was merged with {stands_for[id]!r} already", where=id, hint="Name that one.")
        if kept == other:
            raise InvalidInput("is one node already", where=kept)
        if one.node.kind != two.node.kind:
            raise InvalidInput(f"a {one.node.kind} and a {two.node.kind} can't be one", where=other)
        if None not in (one.node.moment, two.node.moment) and one.node.moment != two.node.moment:
            raise InvalidInput(
                "the two state different moments", where=other, hint="Supersede the older one instead of merging."
            )
        for row in (one, two):
            if row.node.retired_at is not None:
                raise InvalidInput("was withdrawn", where=row.node.id, hint="Restore it first.")
        if kept in two.older:
            raise InvalidInput(f"supersedes {kept!r}", where=other, hint="Keep that one instead.")
        held = _names(one.node)
        names = tuple(text for name, text in _names(two.node).items() if name not in held)
        about = tuple(id for id in two.node.about if id not in one.node.about)
        merges.put(Merge(other, kept, now, by, names, about, older=other in one.node.supersedes))
        _rewrite(store, encoder, one.node, now, f"merged with {other}")
        return _row(store, kept)


def part(store: StoreWriter, encoder: Encoder, one: str, other: str, now: datetime) -> None:
    """The two are two: a merge of them is taken back, and they are suggested no more.

    Raises NotFound, InvalidInput for a node and itself.
    """
    with store.transaction():
        if one == other:
            raise InvalidInput("is one node", where=one)
        merges = Merges(store.database)
        for told in merges.all():
            if {told.other, told.kept} == {one, other}:
                merges.drop(told.other)
                node = _row(store, told.kept).node
                # What a file says of it since stays, although the merge said it first.
                own = stated(Origins(store.database).told([node.id]).values())
                taken = {name_key(name) for name in told.names} - {name_key(name) for name in own["aliases"]}
                left = replace(
                    node,
                    aliases=tuple(name for name in node.aliases if name_key(name) not in taken),
                    about=tuple(id for id in node.about if id not in told.about or id in own["about"]),
                    supersedes=tuple(
                        id for id in node.supersedes if id != told.other or told.older or id in own["supersedes"]
                    ),
                )
                _rewrite(store, encoder, left, now, f"parted from {told.other}")
                _give_back(store, left, _row(store, told.other).node, now)
        for id in (one, other):
            _row(store, id)
        merges.keep_apart(one, other)


def _give_back(store: StoreWriter, kept: Node, other: Node, now: datetime) -> None:
    """Pieces in which the other's names were found since lead to it again."""
    if kept.kind != "concept":
        return
    pieces = store.found_mentions(kept.id)
    if not pieces:
        return
    names = {
        name: node.id for node in (kept, other) for name in (name_key(text) for text in (node.title, *node.aliases))
    }
    found = mentioned_in(store.piece_texts(pieces), {name: id for name, id in names.items() if usable_name(name)})
    store.add_edges((("MENTIONS", piece, id) for piece, id in found if id == other.id), stated=False, since=now)
    own = {piece for piece, id in found if id == kept.id}
    store.close_mentions([piece for piece in pieces if piece not in own], kept.id, at=now)


def _rewrite(store: StoreWriter, encoder: Encoder, node: Node, now: datetime, reason: str) -> None:
    for problem in Writer(store, encoder, now, reason=reason).write([Item(node, "", None)]).problems:
        raise InvalidInput(problem.reason, where=node.id)


def _row(store: StoreWriter, id: str) -> NodeRow:
    row = store.node(id)
    if row is None:
        raise NotFound(f"no node {id!r}", hint="Ask for it by name: ascertain ask QUESTION")
    return row


# what is alike


def _standing(store: StoreWriter) -> dict[str, Node]:
    replaced = {end for _, end in store.edges("SUPERSEDES")}
    return {node.id: node for node in store.all_nodes() if node.retired_at is None and node.id not in replaced}


def _stands(row: NodeRow) -> bool:
    return row.until is None and row.node.retired_at is None and row.superseded_by is None


def _names(node: Node) -> dict[str, str]:
    """name key → the name as written: of a Concept all, of the others the title."""
    found: dict[str, str] = {}
    for text in (node.title, *node.aliases) if node.kind == "concept" else (node.title,):
        found.setdefault(name_key(text), text)
    found.pop("", None)
    return found


def _alike(store: StoreWriter, nodes: dict[str, Node]) -> Iterator[tuple[Reason, list[str]]]:
    by_name: dict[str, list[str]] = {}
    for name, id, slot in store.name_bearers():
        if id in nodes and (slot == 0 or nodes[id].kind == "concept"):
            by_name.setdefault(name, []).append(id)
    for name, ids in by_name.items():
        if len(ids) > 1:
            yield Reason("name", _names(nodes[ids[0]]).get(name, name)), ids
    by_words: dict[tuple[str, ...], list[str]] = {}
    by_text: dict[bytes, list[str]] = {}
    for node in nodes.values():
        words = tuple(sorted(token.text for token in tokenise(node.title) if token.kind == "word" and not token.stop))
        if words:
            by_words.setdefault(words, []).append(node.id)
        if len(node.text) >= SHORT_TEXT:
            text = match_form(" ".join(node.text.split()))
            by_text.setdefault(blake2b(text.encode(), digest_size=16).digest(), []).append(node.id)
    for words, ids in by_words.items():
        if len(ids) > 1:
            yield Reason("words", " ".join(words)), ids
    for ids in by_text.values():
        if len(ids) > 1:
            yield Reason("text", " ".join(nodes[ids[0]].text.split())[:100]), ids
    yield from _near(store, [node for node in nodes.values() if node.kind == "concept"])


def _near(store: StoreWriter, concepts: Sequence[Node]) -> Iterator[tuple[Reason, list[str]]]:
    """Concepts whose titles are each other's nearest."""
    told = concepts[:MOST_COMPARED]
    if len(told) < 2:
        return
    vectors = store.vectors(_title_keys(store, told))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    nearest, similarity = _nearest((vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32))
    for at, (there, value) in enumerate(zip(nearest.tolist(), similarity.tolist(), strict=True)):
        if at < there and nearest[there] == at and value >= NEAR:
            yield Reason("meaning", similarity=round(value, 3)), [told[at].id, told[there].id]


def _nearest(vectors: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """For each row the other row nearest by cosine, and how near."""
    best = np.zeros(len(vectors), dtype=np.int64)
    value = np.zeros(len(vectors), dtype=np.float32)
    for start in range(0, len(vectors), _BLOCK):
        block = vectors[start : start + _BLOCK] @ vectors.T
        rows = np.arange(len(block))
        block[rows, start + rows] = -1
        best[start : start + _BLOCK] = block.argmax(axis=1)
        value[start : start + _BLOCK] = block.max(axis=1)
    return best, value


def _title_keys(store: StoreWriter, nodes: Sequence[Node]) -> list[int]:
    keys = store.keys_of([node.id for node in nodes])
    return [title_key(keys[node.id]) for node in nodes]


def _pairs(ids: Iterable[str], nodes: dict[str, Node]) -> Iterator[tuple[str, str]]:
    """Each node with the first before it that it may be one with."""
    met: list[str] = []
    for id in sorted(set(ids)):
        for first in met:
            if _may_be(nodes[first], nodes[id]):
                yield first, id
                break
        else:
            met.append(id)


def _may_be(one: Node, other: Node) -> bool:
    """Of one kind and one moment, and told apart by no number or identifier in their titles."""
    return one.kind == other.kind and one.moment == other.moment and _numbers(one.title) == _numbers(other.title)


def _numbers(title: str) -> set[str]:
    return {unit for unit in name_key(title).split() if any(char.isdigit() for char in unit)}


def _leading(store: StoreWriter, ids: set[str]) -> dict[str, int]:
    """How much leads to each node."""
    told = sorted(ids)
    about, mentions = store.in_degree("ABOUT", told), store.in_degree("MENTIONS", told)
    return {id: about.get(id, 0) + mentions.get(id, 0) for id in told}
