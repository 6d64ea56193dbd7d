"""Plain text inside Markdown."""

from __future__ import annotations

import re

_MARKS = re.compile(r"([\\`*_{}\[\]<>()#+!|~$&-])")


def as_markdown(text: str) -> str:
    """The text on one line, with nothing in it that Markdown or HTML would read as theirs.

    >>> print(as_markdown("a *b* <i>"))
    a \\*b\\* \\<i\\>
    """
    return _MARKS.sub(r"\\\1", " ".join(text.split()))
