"""The same counts by kind of gold, languages, reuse and length of the title, and tags."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ascertain.exam.outcome import Outcome

NONE = "none"
"""The stratum of questions without gold."""

REUSE_BANDS = ("0", "0 to 0.25", "0.25 to 0.5", "0.5 to 0.75", "0.75 to 1")
WORD_BANDS = ("1 to 2", "3 to 5", "6 to 10", "11 to 20", "21 and more")

Strata = dict[str, list[Outcome]]


def by_kind(outcomes: Sequence[Outcome]) -> Strata:
    """By the kind of the gold nodes: `record`; `episode+record` where they are of several."""
    return _split(outcomes, lambda one: "+".join(one.facts.kinds) if one.answerable else NONE)


def by_languages(outcomes: Sequence[Outcome]) -> Strata:
    """By question language → title language: `ko→en`; `ko→none` for an unanswerable question."""
    return _split(outcomes, lambda one: f"{one.lang or 'und'}→{'+'.join(one.facts.langs) if one.answerable else NONE}")


def by_reuse(outcomes: Sequence[Outcome]) -> Strata:
    """By the share of the gold title's words that the question reuses: bands (a, b], and 0."""
    strata = _split(outcomes, lambda one: reuse_band(one.facts.title_reuse) if one.answerable else NONE)
    return {band: strata[band] for band in (*REUSE_BANDS, NONE) if band in strata}


def by_words(outcomes: Sequence[Outcome]) -> Strata:
    """By how many words the gold title has."""
    strata = _split(outcomes, lambda one: words_band(one.facts.title_words) if one.answerable else NONE)
    return {band: strata[band] for band in (*WORD_BANDS, NONE) if band in strata}


def by_tags(outcomes: Sequence[Outcome]) -> dict[str, Strata]:
    """By each tag's values; a question without the tag is in none of its strata."""
    tags = sorted({tag for one in outcomes for tag in one.tags})
    return {tag: _split([one for one in outcomes if tag in one.tags], lambda one, tag=tag: one.tags[tag])  # type: ignore[misc]
            for tag in tags}  # fmt: skip


def reuse_band(share: float) -> str:
    """The band of a share, 0 to 1.

    >>> reuse_band(0), reuse_band(0.25), reuse_band(0.26), reuse_band(1)
    ('0', '0 to 0.25', '0.25 to 0.5', '0.75 to 1')
    """
    return REUSE_BANDS[sum(share > edge for edge in (0, 0.25, 0.5, 0.75))]


def words_band(words: int) -> str:
    """The band of a number of words.

    >>> words_band(2), words_band(3), words_band(40)
    ('1 to 2', '3 to 5', '21 and more')
    """
    return WORD_BANDS[sum(words > edge for edge in (2, 5, 10, 20))]


def _split(outcomes: Iterable[Outcome], label: Callable[[Outcome], str]) -> Strata:
    strata: Strata = {}
    for one in outcomes:
        strata.setdefault(label(one), []).append(one)
    return {name: strata[name] for name in sorted(strata)}
