"""Nodes whose title is spelt like words of the question: names across scripts, and misspelt ones."""

from __future__ import annotations

from ascertain.arms.base import Ground, Ranked
from ascertain.model.evidence import SpellingEvidence
from ascertain.text.sounding import grams, likeness, spelling

LIKE = 0.45
"""Dice's coefficient from which two spellings are taken to be alike."""

_NEAREST = 6  # words of titles that one word of the question may stand for
_LOOKED_AT = 24
_HITS = 3  # titles read for each one wanted: they are ordered anew by likeness
_MOST_WORDS = 24  # words of the question that are looked for


class SpellingArm:
    """A word of the question that stands in no title is looked for among the words that do, by
    rough Latin spelling (text/sounding.py); titles then rank by BM25's weights over those words,
    each weighed by its likeness. Words that do stand in titles count as themselves. Silent where
    every word of the question stands in some title: the title arm says it all then.
    """

    name = "spelling"

    def rank(self, ground: Ground, depth: int) -> Ranked:
        """See Arm."""
        alike = self._alike(ground)
        if not alike:
            return []
        standing = sorted({other for found in alike.values() for other in found})
        hits = ground.indexes.words("title", standing, depth * _HITS)
        terms = ground.reader.terms([hit.key for hit in hits])
        weights = ground.weights(standing)
        unknown = max(ground.weights(list(alike)).values(), default=0.0)
        told = sum(unknown if word not in found else weights[word] for word, found in alike.items())
        best: dict[int, tuple[float, tuple[tuple[str, str], ...], float, float, float]] = {}
        for hit in hits:
            here = terms.get(hit.key, ())
            held = frozenset(here)
            matched, score, like = [], 0.0, 0.0
            for word, found in alike.items():
                nearest = max(((value, other) for other, value in found.items() if other in held), default=None)
                if nearest is not None:
                    matched.append((word, nearest[1]))
                    score += nearest[0] * weights[nearest[1]]
                    like += nearest[0]
            if not matched:
                continue
            share = min(like / len(held), 1.0)
            found_here = (
                # A title that says much else is less likely meant than one that says this.
                round(score * (0.5 + 0.5 * share), 6),
                tuple(matched),
                round(like / len(matched), 6),
                round(min(score / told, 1.0), 6) if told else 0.0,
                round(share, 6),
            )
            best[hit.owner] = max(best.get(hit.owner, found_here), found_here)
        ordered = sorted(best.items(), key=lambda pair: (-pair[1][0], pair[0]))[:depth]
        return [
            (owner, SpellingEvidence(rank, score, matched, like, question, title))
            for rank, (owner, (score, matched, like, question, title)) in enumerate(ordered, 1)
        ]

    def _alike(self, ground: Ground) -> dict[str, dict[str, float]]:
        """For each word of the question the words of titles that it may stand for, with their
        likeness; empty where no word had to be looked for."""
        tokens = [token for token in ground.question.tokens if not token.stop and token.kind == "word"]
        words = list(dict.fromkeys(token.text for token in tokens))[:_MOST_WORDS]
        counts = ground.indexes.document_frequency("title", words)
        alike: dict[str, dict[str, float]] = {}
        looked_for = False
        for word in words:
            if counts.get(word):
                alike[word] = {word: 1.0}
                continue
            wanted = frozenset(grams(spelling(word)))
            if not wanted:
                continue
            hits = ground.indexes.words("word", sorted(wanted), _LOOKED_AT)
            near = []
            for terms in ground.reader.terms([hit.key for hit in hits]).values():
                value = likeness(wanted, frozenset(terms[1:]))
                if value >= LIKE:
                    near.append((-round(value, 6), terms[0][1:]))
            if near:
                alike[word] = {other: -value for value, other in sorted(near)[:_NEAREST]}
                looked_for = True
        return alike if looked_for else {}
