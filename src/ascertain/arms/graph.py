"""Nodes that the pieces which search returned lead to."""

from __future__ import annotations

import math

from ascertain.arms.base import Ground, Ranked
from ascertain.model.evidence import GraphEvidence, Path
from ascertain.search.fusion import DAMPING

_PATHS = 3
_HOP = 0.5  # what a second edge leaves of a path's weight
_BESIDE = 0.4  # what is left of it for a node drawn from the piece before or after
_GOES_ON = 0.4  # what is left of it for a node drawn from further above, where none was drawn since
_READ_BACK = 16  # pieces, best first, for which that is looked up
_FEW = 24  # a Concept that more nodes are about leads to none of them: it says too little


class GraphArm:
    """From the returned pieces over MENTIONS to Concepts; over FROM to what was drawn from them, from the
    piece before or after, or from where a text that goes on began; and over ABOUT from a mentioned
    Concept to its Records, Decisions and Episodes.

    A path weighs 1 / (60 + rank of the piece), halved by a second edge, and less the more
    pieces mention the Concept: a name that stands everywhere tells little.
    """

    name = "graph"

    def rank(self, ground: Ground, depth: int) -> Ranked:
        """See Arm."""
        reader = ground.reader
        place = {piece.id: piece.rank for piece in ground.pieces}
        mentions = reader.edges("MENTIONS", start=list(place)) if place else []
        concepts = sorted({concept for _, concept in mentions})
        spread = reader.in_degree("MENTIONS", concepts) if concepts else {}
        paths: dict[str, list[tuple[float, Path]]] = {}
        for piece, concept in mentions:
            weight = 1 / (DAMPING + place[piece]) / (1 + math.log(max(spread.get(concept, 1), 1)))
            paths.setdefault(concept, []).append((weight, Path(piece, place[piece], ("MENTIONS",))))
        beside: dict[str, list[str]] = {}
        for piece, neighbour in reader.beside([piece.key for piece in ground.pieces]):
            beside.setdefault(neighbour, []).append(piece)
        above: dict[str, list[str]] = {}
        for piece, source in reader.goes_on([piece.key for piece in ground.pieces[:_READ_BACK]]):
            if piece not in beside.get(source, ()):
                above.setdefault(source, []).append(piece)
        drawn = reader.edges("FROM", end=sorted({*place, *beside, *above})) if place else []
        for node, source in drawn:
            if source in place:
                weight = 1 / (DAMPING + place[source])
                paths.setdefault(node, []).append((weight, Path(source, place[source], ("FROM",))))
            for piece in beside.get(source, ()):
                # A question and its answer, a name and what is said of it: often in two pieces.
                weight = _BESIDE / (DAMPING + place[piece])
                paths.setdefault(node, []).append((weight, Path(piece, place[piece], ("BESIDE", "FROM"))))
            for piece in above.get(source, ()):
                # A note's later sections, a conversation's later turns: nobody else speaks there.
                weight = _GOES_ON / (DAMPING + place[piece])
                paths.setdefault(node, []).append((weight, Path(piece, place[piece], ("GOES_ON", "FROM"))))
        about = reader.in_degree("ABOUT", concepts) if concepts else {}
        narrow = [concept for concept in concepts if 0 < about.get(concept, 0) <= _FEW]
        for node, concept in reader.edges("ABOUT", end=narrow) if narrow else ():
            weight, path = max(paths[concept], key=lambda pair: (pair[0], pair[1].piece))
            onward = Path(path.piece, path.piece_rank, (*path.edges, "ABOUT"))
            paths.setdefault(node, []).append((weight * _HOP / about[concept], onward))
        keys = reader.keys_of(sorted(paths))
        scored = sorted(
            ((round(sum(sorted(weight for weight, _ in paths[id])), 9), key, id) for id, key in keys.items()),
            key=lambda one: (-one[0], one[1]),
        )
        ranked: Ranked = []
        for score, key, id in scored[:depth]:
            best = sorted(paths[id], key=lambda pair: (-pair[0], pair[1].piece, pair[1].edges))
            pieces = len({path.piece for _, path in best})
            ranked.append(
                (key, GraphEvidence(len(ranked) + 1, score, pieces, tuple(path for _, path in best[:_PATHS])))
            )
        return ranked
