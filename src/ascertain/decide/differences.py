"""What parts the candidates of a list from one another, so that whoever asked can pick."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ascertain.decide.asking import moment_of
from ascertain.model.evidence import Candidate

_WORD = re.compile(r"[^\s,;:!?()\[\]{}«»\"“”]+")
_MOST_WORDS = 6


def differences(candidates: Sequence[Candidate]) -> dict[str, dict[str, str]]:
    """For each id what it has and the others have not, by name: `kind`, `date`, `about`, `words`
    (of the title, as written; left out for titles that share no word with another: there the title
    itself is what parts them), `id` where nothing else parts them. Empty for fewer than two."""
    if len(candidates) < 2:
        return {}
    kinds = {one.kind for one in candidates}
    dates = {moment_of(one) for one in candidates}
    abouts = {one.about for one in candidates}
    words = {one.id: list(dict.fromkeys(_WORD.findall(one.title))) for one in candidates}
    spread = Counter(word.casefold() for told in words.values() for word in {w.casefold(): w for w in told}.values())
    found: dict[str, dict[str, str]] = {}
    for one in candidates:
        own = [word for word in words[one.id] if spread[word.casefold()] < len(candidates)]
        parts: dict[str, str] = {}
        if len(kinds) > 1:
            parts["kind"] = one.kind
        if len(dates) > 1 and moment_of(one):
            parts["date"] = moment_of(one)
        if len(abouts) > 1 and one.about:
            parts["about"] = ", ".join(one.about[:3])
        if own and (len(own) < len(words[one.id]) or any(spread[word.casefold()] > 1 for word in own)):
            rare = sorted(own, key=lambda word: spread[word.casefold()])[:_MOST_WORDS]
            parts["words"] = " ".join(word for word in own if word in rare)
        found[one.id] = parts
    plain = [(*sorted(parts.items()), *map(str.casefold, words[id])) for id, parts in found.items()]
    if len(set(plain)) < len(plain):
        for id, parts in found.items():
            parts["id"] = id
    return found
