"""What each arm can say for a candidate, and the pool that the decision reads.

Everything here is plain data: a pool written to disk and read back decides the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from ascertain.model.nodes import Kind


@dataclass(frozen=True, slots=True)
class TitleEvidence:
    """Words of the question stand in the title or an alias.

    rank:     by score, from 1, equal scores in key order.
    score:    BM25 over titles; comparable within one question only.
    surface:  the title or alias that matched best, as written.
    matched:  the terms in common, in the question's order.
    title_share: how many of the surface's distinct terms stand in the question, 0 to 1.
    question_share: how much of the question's weight (inverse document frequency) the common
              terms carry, 0 to 1.
    """

    arm: ClassVar[str] = "title"
    rank: int
    score: float
    surface: str
    matched: tuple[str, ...]
    title_share: float
    question_share: float


@dataclass(frozen=True, slots=True)
class NameEvidence:
    """The whole title or a whole alias stands in the question.

    name:  as written in the store. start, end: its span in the question.
    rank:  longest first, from 1; names equally long share a rank.
    rest:  the question's terms that the name leaves over, in order.
    exact: the question is the name and function words, nothing else.
    contained: a longer name that also stands in the question covers this one.
    """

    arm: ClassVar[str] = "name"
    rank: int
    name: str
    start: int
    end: int
    rest: tuple[str, ...]
    exact: bool
    contained: bool = False


@dataclass(frozen=True, slots=True)
class SemanticEvidence:
    """The vector of the title (or of an alias) lies near the question's.

    rank: from 1. similarity: cosine, shown and never decisive by itself.
    gap:  similarity less that of the next node in this arm; 0 where there is none.
    """

    arm: ClassVar[str] = "semantic"
    rank: int
    similarity: float
    gap: float


@dataclass(frozen=True, slots=True)
class Path:
    """How the graph arm came from a returned piece to the node: over which edges, in order."""

    piece: str
    piece_rank: int
    edges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GraphEvidence:
    """Pieces that search returned lead to the node.

    rank: by score, from 1. score: sum over pieces of 1/(60 + rank), less for longer ways and
    for Concepts that many pieces mention. pieces: how many returned pieces lead here.
    paths: the best few, best first.
    """

    arm: ClassVar[str] = "graph"
    rank: int
    score: float
    pieces: int
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class TextEvidence:
    """The node's own text (a body, never a summary) is about what the question says.

    rank: by reciprocal rank fusion of the two rankings below, from 1. word_rank: by BM25;
    vector_rank: by vector; None where that ranking missed it. similarity: cosine, or None.
    question_share: how much of the question's weight stands in the text, 0 to 1.
    """

    arm: ClassVar[str] = "text"
    rank: int
    word_rank: int | None
    vector_rank: int | None
    similarity: float | None
    question_share: float


@dataclass(frozen=True, slots=True)
class SpellingEvidence:
    """Words of the question are spelt like words of the title, in this script or another.

    rank: by score, from 1. score: as in TitleEvidence, each word weighed by its likeness.
    matched: (the question's word, the title's), in the question's order; likeness: the mean over
    them, 0 to 1. question_share: as in TitleEvidence, weighed by likeness; title_share likewise.
    """

    arm: ClassVar[str] = "spelling"
    rank: int
    score: float
    matched: tuple[tuple[str, str], ...]
    likeness: float
    question_share: float
    title_share: float


Evidence = TitleEvidence | NameEvidence | SemanticEvidence | GraphEvidence | TextEvidence | SpellingEvidence
EVIDENCE_TYPES: Mapping[str, type[Evidence]] = {
    kind.arm: kind
    for kind in (TitleEvidence, NameEvidence, SemanticEvidence, GraphEvidence, TextEvidence, SpellingEvidence)
}


VERSION_MARK = "\x1f@"
"""Between the id of a node and the number of an earlier version. An id can't hold control characters."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node in the pool with all that speaks for it.

    arms:     evidence by the arm's name; empty for a node that is only here as another
              version of a candidate.
    visible:  may the reader see it?
    beyond:   only among the best of the visible, not among the best of all: it may be
              offered and never resolved, or a filter would change the answer.
    older:    ids of the nodes in the pool that it supersedes, directly or not.
    hidden_why: for a node that no longer holds, since when and why, in words; also where the
              reader asked to see such nodes.
    version:  of an earlier recorded version of a node its number, else None. In a pool such a
              candidate has an `id` that no node can have; `node` is the id of the node, always.
    picked:   how often it was picked for this very question and not taken back.
    times are ISO 8601 in UTC or None.
    """

    id: str
    kind: Kind
    title: str
    arms: Mapping[str, Evidence]
    visible: bool = True
    beyond: bool = False
    older: tuple[str, ...] = ()
    hidden_why: str = ""
    about: tuple[str, ...] = ()
    moment: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    recorded_at: str | None = None
    retired_at: str | None = None
    version: int | None = None
    picked: int = 0

    @property
    def node(self) -> str:
        """The id of the node."""
        return self.id.partition(VERSION_MARK)[0]

    def versions_of_one_thing(self, other: Candidate) -> bool:
        """Are the two recorded versions of one node, or does one take the other's place?"""
        return self.node == other.node or self.node in other.older or other.node in self.older

    def takes_the_place_of(self, other: Candidate) -> bool:
        """Is the other an older version of the same thing?"""
        if self.node != other.node:
            return other.node in self.older
        return other.version is not None and (self.version is None or other.version < self.version)


@dataclass(frozen=True, slots=True)
class PieceHit:
    """A piece that search returned. Ranks are from 1; None where that ranking missed it, as are
    word_score (BM25) and similarity (cosine). matched: the question's terms that stand in it."""

    id: str
    rank: int
    word_rank: int | None
    vector_rank: int | None
    matched: tuple[str, ...] = ()
    word_score: float | None = None
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the question: in how many titles (and aliases) and in how many pieces it stands;
    weight: its inverse document frequency over titles, as in BM25."""

    text: str
    in_titles: int
    in_pieces: int
    weight: float = 1.0


@dataclass(frozen=True)
class Pool:
    """The union of what the arms put forward, as recorded. The decision reads nothing else.

    candidates: in id order. nodes, pieces_total: the store's size when asked.
    """

    question: str
    lang: str
    terms: tuple[Term, ...]
    candidates: tuple[Candidate, ...]
    pieces: tuple[PieceHit, ...] = ()
    nodes: int = 0
    pieces_total: int = 0
    arms: tuple[str, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """Plain lists, dicts, strings and numbers."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Pool:
        """The inverse of `to_json`."""
        return cls(
            question=data["question"],
            lang=data["lang"],
            terms=tuple(Term(**term) for term in data["terms"]),
            candidates=tuple(_candidate(one) for one in data["candidates"]),
            pieces=tuple(PieceHit(**{**hit, "matched": tuple(hit["matched"])}) for hit in data["pieces"]),
            nodes=data["nodes"],
            pieces_total=data["pieces_total"],
            arms=tuple(data["arms"]),
        )


def _candidate(data: Mapping[str, Any]) -> Candidate:
    fields = dict(data)
    fields["arms"] = {name: _evidence(name, value) for name, value in data["arms"].items()}
    fields["older"] = tuple(data["older"])
    fields["about"] = tuple(data["about"])
    return Candidate(**fields)


def _evidence(arm: str, data: Mapping[str, Any]) -> Evidence:
    fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}
    if arm == "spelling":
        fields["matched"] = tuple((one, other) for one, other in data["matched"])
    if "paths" in fields:
        fields["paths"] = tuple(Path(**{**path, "edges": tuple(path["edges"])}) for path in data["paths"])
    make: Callable[..., Evidence] = EVIDENCE_TYPES[arm]
    return make(**fields)
