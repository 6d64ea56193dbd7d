"""Who wrote the rule and who wrote the exam: no rule is judged by an exam of its own author."""

from __future__ import annotations

import re
import unicodedata

_APART = re.compile(r"[;,&\n]|\band\b")
_ASIDE = re.compile(r"\([^)]*\)|\bet al\.?|`[^`]*`")


def names(author: str) -> frozenset[str]:
    """The names in a line that tells who wrote something, case-folded.

    Names stand between commas, semicolons, `&` and `and`; what stands in brackets and a role
    before a colon are left out.

    >>> sorted(names("questions: Ann Lee and Bo (2021); text: the Cee project"))
    ['ann lee', 'bo', 'cee project']
    """
    plain = _ASIDE.sub(" ", unicodedata.normalize("NFKC", author).casefold())
    found = (part.rpartition(":")[2].strip().removeprefix("the ").strip(" .") for part in _APART.split(plain))
    return frozenset(" ".join(one.split()) for one in found if one)


def shared(rule_author: str, exam_author: str) -> frozenset[str]:
    """The names that wrote both; empty where the exam may judge the rule."""
    return names(rule_author) & names(exam_author)


def warning(rule: str, rule_author: str, exam: str, exam_author: str) -> str:
    """One sentence where rule and exam share an author, else empty."""
    both = shared(rule_author, exam_author)
    if not both:
        return ""
    return f"{', '.join(sorted(both))} wrote both the rule «{rule}» and the exam «{exam}»: it can't judge the rule."
