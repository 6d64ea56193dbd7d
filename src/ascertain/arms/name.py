"""Nodes whose whole title or alias stands in the question, in any script."""

from __future__ import annotations

from ascertain.arms.base import Ground, Ranked
from ascertain.model.evidence import NameEvidence
from ascertain.model.tokens import Token
from ascertain.text.names import name_spans


class NameArm:
    """Looks every span of the question up among all names. The longest come first; an equal
    (normalised) title is always a candidate, whatever words are rare and whatever vectors say."""

    name = "name"

    def rank(self, ground: Ground, depth: int) -> Ranked:
        """See Arm."""
        text = ground.question.text
        spans: dict[str, tuple[int, int]] = {}
        for name, start, end in name_spans(text):
            spans.setdefault(name, (start, end))
        named = ground.reader.named(list(spans), earlier=True)
        told = [token for token in ground.question.tokens if not token.stop]
        places = [spans[name] for name in named]
        best: dict[int, tuple[int, int, str, int]] = {}
        for name, nodes in named.items():
            start, end = spans[name]
            # A name of function words alone («it», «the who») counts only as the whole question.
            if not any(start <= token.start and token.end <= end for token in told) and told:
                continue
            for key, slot in nodes:
                found = (start - end, start, name, slot)
                best[key] = min(best.get(key, found), found)
        ordered = sorted(best.items(), key=lambda pair: (pair[1][0], pair[0]))[:depth]
        rows = ground.rows([key for key, _ in ordered])
        ranked: Ranked = []
        rank, length = 0, 0
        for at, (key, (size, start, _, slot)) in enumerate(ordered, 1):
            if (row := rows.get(key)) is None:
                continue
            if size != length:
                rank, length = at, size
            end = start - size
            rest = _outside(told, start, end)
            evidence = NameEvidence(
                rank=rank,
                name=(row.node.title, *row.node.aliases)[slot],
                start=start,
                end=end,
                rest=rest,
                exact=not rest,
                contained=any(a <= start and end <= b and b - a > end - start for a, b in places),
            )
            ranked.append((key, evidence))
        return ranked


def _outside(told: list[Token], start: int, end: int) -> tuple[str, ...]:
    """Whole words and grams that don't touch the span."""
    return tuple(
        dict.fromkeys(
            token.text for token in told if (token.end <= start or end <= token.start) and token.kind != "part"
        )
    )
