"""Org mode as Markdown, line for line: what Logseq and Emacs keep beside it."""

from __future__ import annotations

import re

_HEADING = re.compile(r"(\*{1,6})[ \t]+(.*)")
_DEEPER = re.compile(r"\*{7,}[ \t]+(.*)")
_TITLE = re.compile(r"#\+title:[ \t]*(.*)", re.I)
_KEYWORD = re.compile(r"#\+[a-z_]+:.*", re.I)
_BEGIN = re.compile(r"#\+begin_(src|example|query|export)\b[ \t]*(\S*).*", re.I)
_END = re.compile(r"#\+end_(src|example|query|export)\b.*", re.I)
_OTHER_BLOCK = re.compile(r"#\+(?:begin|end)_\w+.*", re.I)
_DRAWER = re.compile(r":(?:properties|logbook):", re.I)
_DRAWER_END = re.compile(r":end:", re.I)
_COMMENT = re.compile(r"#[ \t].*|#")
_RULE = re.compile(r"\|[-+]+\|?")
_NAMED_LINK = re.compile(r"\[\[([^\[\]\n]+)\]\[([^\n]*?)\]\]")
_BARE_URL = re.compile(r"\[\[([a-z][a-z0-9+.-]*:[^\[\]\n]+)\]\]", re.I)
_FILE = re.compile(r"^file:", re.I)
_ITEM = re.compile(r"(?:[-+]|\d+[.)])[ \t]")


def as_markdown(text: str) -> str:
    """An Org text with as many lines: title, headings, code blocks, tables and links as Markdown
    writes them; drawers, keywords and comments as blank lines."""
    lines: list[str] = []
    code = drawer = False
    for line in text.split("\n"):
        bare = line.strip()
        if code:
            code = not _END.fullmatch(bare)
            lines.append(line if code else "```")
        elif drawer:
            drawer = not _DRAWER_END.fullmatch(bare)
            lines.append("")
        elif begin := _BEGIN.fullmatch(bare):
            code = True
            lines.append(f"```{begin[2]}")
        elif _DRAWER.fullmatch(bare):
            drawer = True
            lines.append("")
        else:
            lines.append(_line(line, bare))
    return "\n".join(lines)


def _line(line: str, bare: str) -> str:
    if title := _TITLE.fullmatch(bare):
        return f"# {title[1]}"
    if _KEYWORD.fullmatch(bare) or _OTHER_BLOCK.fullmatch(bare) or _COMMENT.fullmatch(bare):
        return ""
    if heading := _HEADING.fullmatch(line):
        return f"{'#' * len(heading[1])} {_links(heading[2])}"
    if deeper := _DEEPER.fullmatch(line):
        return f"- {_links(deeper[1])}"
    if _RULE.fullmatch(bare):
        return bare.replace("+", "|")
    # What stands indented below a heading is no code block, as it would be in Markdown.
    return _links(line if _ITEM.match(bare) else bare)


def _links(text: str) -> str:
    named = _NAMED_LINK.sub(lambda match: f"[{match[2]}](<{_FILE.sub('', match[1])}>)", text)
    return _BARE_URL.sub(r"<\1>", named)
