"""Particles and endings off Korean stems, by rule: no dictionary.

A particle follows a consonant or a vowel (`closed`, `open`), which keeps most nouns that end like
a particle whole; nouns that don't are listed in `_NOUN_ENDS`. Where a rule may be
wrong, the form as written is kept beside the stem.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Need = Literal["any", "closed", "open", "ro", "euro"]
"""What the last syllable of the stem must be: ro, a vowel or ㄹ; euro, a consonant but ㄹ."""


@dataclass(frozen=True, slots=True)
class Stemmed:
    """stem: the noun, or the word as written where nothing comes off.
    also: other forms worth finding it by: the word as written where the rule is unsure, or a
    one-syllable noun that is too short to be the stem."""

    stem: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Ending:
    need: Need
    least: int  # syllables that must remain
    sure: bool


def stem_hangul(word: str) -> Stemmed:
    """word: a run of Hangul syllables, in NFC.

    >>> stem_hangul("결제는").stem, stem_hangul("회의").stem, stem_hangul("배포했다").stem
    ('결제', '회의', '배포')
    >>> stem_hangul("고양이")
    Stemmed(stem='고양이', also=())
    """
    if (verb := _VERB.fullmatch(word)) is not None and (verb["sure"] or not _is_noun(word)):
        return Stemmed(verb[1], () if verb["sure"] else (word,))
    for size in range(min(_LONGEST, len(word) - 1), 0, -1):
        ending = _ENDINGS.get(word[-size:])
        if ending is None or not _fits(word[-size - 1], ending.need):
            continue
        if size == 1 and _is_noun(word):
            continue
        if len(word) - size >= ending.least:
            return Stemmed(word[:-size], () if ending.sure else (word,))
        if word[-size:] == "에":
            return Stemmed(word, (word[:-size],))
    return Stemmed(word)


def bare_forms(word: str) -> tuple[str, ...]:
    """Every noun that the word may be with an ending on, shortest ending first; without the word.

    One syllable is enough: these are looked up among stored names, and a name that isn't one finds nothing.
    """
    found = [
        word[:-size]
        for size in range(1, min(_LONGEST, len(word) - 1) + 1)
        if (ending := _ENDINGS.get(word[-size:])) is not None
        and _fits(word[-size - 1], ending.need)
        and (len(word) - size > 1 or not _is_noun(word))
    ]
    if (verb := _VERB.fullmatch(word)) is not None:
        found.append(verb[1])
    return tuple(dict.fromkeys(found))


def is_particle(run: str) -> bool:
    """Is the whole run a particle, as it follows a Latin word or a number?"""
    return run in _ENDINGS


def _is_noun(word: str) -> bool:
    return word[-2:] in _NOUN_ENDS or word[-3:] in _NOUN_ENDS


def _fits(syllable: str, need: Need) -> bool:
    """May an ending with this need follow the syllable? Unknown after anything but a syllable."""
    if need == "any":
        return True
    if not "가" <= syllable <= "힣":
        return need in ("open", "ro")
    final = (ord(syllable) - 0xAC00) % 28
    if need == "closed":
        return final != 0
    if need == "open":
        return final == 0
    rieul = final in (0, 8)
    return rieul if need == "ro" else not rieul


_NOUNS = """
회의 강의 논의 협의 심의 정의 동의 문의 합의 결의 주의 편의 건의 유의 거의 나이 차이 사이 아이 놀이 종이 길이 높이
깊이 넓이 고양이 오이 도로 경로 진로 회로 통로 미로 결과 효과 성과 학과 통과 초과 사과 부과 경과 평가 국가 작가
추가 증가 휴가 원가 단가 허가 인가 주가 물가 가나 온도 속도 강도 정도 제도 지도 각도 태도 한도 농도 빈도 밀도 용도
의도 시도 포도 하나 분야 불만 제한 권한 기한 무한 북한 대한 위한 상한 하한 포함 결함 이해 방해 오해 피해 손해 침해
역할 분할 관할 문가 설가 술가 론가 곡가 내과 외과 교과 제과 치과 기와 족도 성도 호도 난이도 유사도 중요도 확도
뢰도 잡도
"""
_NOUN_ENDS = frozenset(_NOUNS.split())
"""Nouns that would otherwise lose their last syllable, also as the tail of a compound."""

_CASES: dict[str, Need] = {
    "에": "any", "에서": "any", "에게": "any", "에게서": "any", "한테": "any", "한테서": "any", "께": "any",
    "께서": "any", "으로": "euro", "로": "ro", "으로서": "euro", "로서": "ro", "으로써": "euro", "로써": "ro",
    "으로부터": "euro", "로부터": "ro", "와": "open", "과": "closed", "랑": "open", "이랑": "closed",
    "까지": "any", "부터": "any", "에서부터": "any", "보다": "any", "처럼": "any", "마다": "any", "조차": "any",
    "마저": "any", "밖에": "any", "만큼": "any", "대로": "any", "만": "any", "하고": "any", "들": "any",
}  # fmt: skip
_TOPICS: dict[str, Need] = {
    "은": "closed", "는": "open", "을": "closed", "를": "open", "이": "closed", "가": "open", "도": "any",
    "만": "any", "의": "any", "나": "open", "이나": "closed", "요": "any", "란": "open",
}  # fmt: skip
_COPULAS: dict[str, Need] = {
    "이에요": "closed", "예요": "open", "입니다": "any", "입니까": "any", "인가요": "any", "인가": "any",
    "인지": "any", "이야": "closed", "야": "open", "이고": "any", "이며": "any", "이란": "closed",
    "이라는": "closed", "라는": "open", "이라고": "closed", "라고": "open", "이라면": "closed", "라면": "open",
    "이라도": "closed", "라도": "open", "이라서": "closed", "라서": "open", "이든": "closed", "이었다": "closed",
    "였다": "open", "이었던": "closed", "였던": "open", "이었나요": "closed", "였나요": "open",
    "이었지": "closed", "였지": "open", "인데": "any", "인데요": "any", "이다": "any", "일까": "any",
    "일까요": "any", "이냐": "closed", "이지": "closed", "이죠": "closed", "이나": "closed",
}  # fmt: skip
_LIMITS: dict[str, Need] = {"부터": "any", "까지": "any"}
_SURE_ONES = """
은 는 을 를 에서 에게 에게서 한테 한테서 께서 으로 으로서 로서 으로써 로써 으로부터 로부터 이랑 까지 부터 처럼
마다 조차 밖에 이에요 예요 입니다 입니까 인가요 이라는 이라고 이었다 였다 이었던 였던 이었나요 였나요 인데요
일까요 가 에 로 와 과 도 랑 하고 이고 이며 이다 인데 입니다 요
"""
_SURE = frozenset(_SURE_ONES.split())
"""Endings that hardly any noun has, once those in _NOUNS are left alone."""


_PLAIN_ONES = frozenset(("은", "는", "을", "를"))
_TWO = frozenset(("대로", "하고", "라면", "보다"))


def _least(ending: str) -> int:
    """One syllable is too little to go by before what common two-syllable nouns end in."""
    return 1 if ending in _PLAIN_ONES or (len(ending) > 1 and ending not in _TWO) else 2


def _endings() -> dict[str, _Ending]:
    table = {
        ending: _Ending(need, _least(ending), ending in _SURE) for ending, need in (_CASES | _TOPICS | _COPULAS).items()
    }
    for case, need in _CASES.items():
        followers = _TOPICS | (_CASES | _COPULAS if case == "들" else _LIMITS)
        for topic, after in followers.items():
            if _fits(case[-1], after) and case + topic not in table:
                table[case + topic] = _Ending(need, 2 if case == "들" else 1, len(case) > 1 or case == "에")
    return table


_ENDINGS = _endings()
_LONGEST = max(map(len, _ENDINGS))

_PRESENT = (
    "다|는|기|기는|기를|기가|기로|기에|기도|기만|고|고서|며|면|면서|면은|니|니까|지|지만|지는|지도|여|여서|여야|던|려|려고|려면"
    "|게|게끔|도록|자|자고|라|라고|라는|는데|는지|나요|나|냐|느냐|는가|는가요|더라|거나|세요|십시오|신|시는|는것"
)
_PAST = (
    "다|고|던|는데|는지|으며|으면|으니|으니까|지|지만|지요|죠|나|나요|냐|어|어요|어야|습니다|습니까|었다|었던|을까|을까요|을|기|기에"
    "|던가|던가요|음|다고|다는|다면|더라|거나|는가"
)
_VERB = re.compile(
    r"(\w{2,}?)"
    rf"(?:(?P<sure>(?:하|되|시키|당하)(?:{_PRESENT})|(?:했|됐|하였|되었|시켰|당했)(?:{_PAST})"
    r"|(?:한|된|시킨)(?:다|다고|다는|다면|지|가|가요|데)|(?:할|될|시킬)(?:까|까요|지|지를|수록|때)|(?:함|됨)(?:은|이|을|에|으로)"
    r"|(?:해|돼|되어|시켜)(?:서|야|도|요|라|줘|주세요|야지)|(?:합|됩|시킵)(?:니다|니까))"
    r"|한|할|함|해|된|될|됨|돼|시킨|시켜)"
)
"""A noun with 하다, 되다, 시키다 or 당하다. Bare participles may be the end of a noun: not sure."""
