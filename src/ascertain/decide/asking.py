"""One short question to ask back, in the language of the question: from templates, not made up."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from ascertain.model.evidence import Candidate

Language = Literal["en", "ko", "ja"]

_HANGUL, _KANA = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]"), re.compile(r"[\u3040-\u30ff]")

_KINDS: dict[Language, dict[str, str]] = {
    "en": {"concept": "the concept", "record": "the record", "decision": "the decision", "episode": "the episode"},
    "ko": {"concept": "개념", "record": "기록", "decision": "결정", "episode": "사건"},
    "ja": {"concept": "概念", "record": "記録", "decision": "決定", "episode": "出来事"},
}
_OR: dict[Language, tuple[str, str]] = {"en": (", ", " or "), "ko": (", ", ", "), "ja": ("、", "、")}
_WHICH: dict[Language, str] = {
    "en": "Which one do you mean: {}?",
    "ko": "어느 것을 말씀하시나요: {}?",
    "ja": "どれのことですか: {}?",
}
_WHEN: dict[Language, str] = {
    "en": "From when: {}?",
    "ko": "언제 것을 말씀하시나요: {}?",
    "ja": "いつのものですか: {}?",
}
_ONE: dict[Language, str] = {"en": "Do you mean {}?", "ko": "{}, 이것을 말씀하시나요?", "ja": "{} のことですか?"}
_LONGEST = 48


def language_of(question: str) -> Language:
    """The language to ask back in: Korean, Japanese, else English.

    >>> language_of("후보 풀이 뭐야?"), language_of("ゲートとは?"), language_of("Was ist das?")
    ('ko', 'ja', 'en')
    """
    if _HANGUL.search(question):
        return "ko"
    return "ja" if _KANA.search(question) else "en"


def ask_back(question: str, candidates: Sequence[Candidate]) -> str:
    """Asks for what parts every candidate from every other: the kind, else the title, else the moment,
    else the id. Empty for no candidates. candidates: of distinct nodes."""
    if not candidates:
        return ""
    language = language_of(question)
    if len(candidates) == 1:
        return _ONE[language].format(f"«{_cut(candidates[0].title)}»")
    ways: tuple[tuple[str, Callable[[Candidate], str]], ...] = (
        (_WHICH[language], lambda one: _KINDS[language][one.kind]),
        (_WHICH[language], lambda one: f"«{_cut(one.title)}»"),
        (_WHEN[language], moment_of),
        (_WHICH[language], lambda one: one.node),
    )
    asked = ((template, [told(one) for one in candidates]) for template, told in ways)
    template, said = next((template, said) for template, said in asked if _parts(said))
    comma, last = _OR[language]
    return template.format(last.join((comma.join(said[:-1]), said[-1])))


def moment_of(candidate: Candidate) -> str:
    """The day it is from: its own moment, else since when it holds; empty where neither is stated."""
    return (candidate.moment or candidate.valid_from or "")[:10]


def _parts(said: Sequence[str]) -> bool:
    return all(said) and len(set(said)) == len(said)


def _cut(title: str) -> str:
    told = " ".join(title.split())
    return told if len(told) <= _LONGEST else told[: _LONGEST - 1].rstrip() + "…"
