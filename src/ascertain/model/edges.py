"""The four edges, and what each may join."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

EdgeType = Literal["MENTIONS", "ABOUT", "FROM", "SUPERSEDES"]

# MENTIONS    piece → concept
# ABOUT       record, decision, episode → concept
# FROM        node → piece it was drawn from
# SUPERSEDES  newer node → older node of the same kind
EDGE_TYPES: tuple[EdgeType, ...] = ("MENTIONS", "ABOUT", "FROM", "SUPERSEDES")


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge between ids; MENTIONS starts at a piece, the others at a node."""

    type: EdgeType
    start: str
    end: str
