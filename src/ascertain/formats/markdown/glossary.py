"""Glossaries: the terms that one note defines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Any

from ascertain.formats.markdown.entry import Entry
from ascertain.formats.markdown.front_matter import as_text
from ascertain.formats.markdown.page import Page, plain
from ascertain.formats.texts import clean
from ascertain.model.ids import slug

_WORDS = "glossary|glossar|glossaire|glosario|용어집|용어|用語集|用語|术语表|术语"
_NAMED = re.compile(rf"(?:.*[-_ ])?(?:{_WORDS})", re.I)
_HEADED = re.compile(rf"(?:{_WORDS})", re.I)
_BOLD = re.compile(
    r"^\s*(?:[-*+]\s+)?(?:\*\*|__)(?P<term>[^*_\n]{1,100}?)"
    r"(?:[:：](?:\*\*|__)\s*|(?:\*\*|__)\s*(?:[:：–—]|-(?=\s))\s*)(?P<text>\S.*)$"
)
_PLAIN = re.compile(r"^\s*(?:[-*+]\s+)?(?P<term>[^:：–—\n|]{1,80}?)\s*(?:[:：]\s|：|–|—| - )\s*(?P<text>\S.*)$")
_LISTED = re.compile(r"^\s{0,3}:\s+(?P<text>\S.*)$")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s")


def is_glossary(path: PurePosixPath, page: Page, values: Mapping[str, Any]) -> bool:
    """By its front matter's kind or type, its file's name or its first heading."""
    said = as_text(values.get("kind") or values.get("type"))
    first = page.headings[0].text.strip() if page.headings else ""
    return bool(_HEADED.fullmatch(said) or _NAMED.fullmatch(path.stem) or _HEADED.fullmatch(first))


def terms_of(path: PurePosixPath, page: Page) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """Terms, and remarks on what was left out.

    A term is a table's row of two cells, a bold word with text behind it, or a definition list's
    entry; a heading with text and none of those under it; and where there is nothing of the kind,
    a line «term: text».
    """
    found = [*_rows(page), *_lines(page, bold=True)]
    found += _headed(page, {line for _, _, line in found})
    found = found or list(_lines(page, bold=False))
    terms: dict[str, Entry] = {}
    remarks: list[str] = []
    for title, text, line in sorted(found, key=lambda one: one[2]):
        id = f"concept:{clean(str(path.with_suffix('')))}#{slug(title)}"
        if not slug(title) or (id in terms and _key(terms[id].title) != _key(title)):
            # «C++» and «C#» leave as little as «C» does, and are other terms.
            id += f"~{blake2b(_key(title).encode(), digest_size=4).hexdigest()}"
        if id in terms:
            remarks.append(f"the term {title!r} is defined twice; the first stands")
            if title not in (terms[id].title, *terms[id].aliases):
                terms[id] = replace(terms[id], aliases=(*terms[id].aliases, title))
            continue
        terms[id] = Entry("concept", id, title, text, line)
    return tuple(terms.values()), tuple(remarks)


def _key(title: str) -> str:
    """A term without case, width, and how its words are joined."""
    return " ".join(re.split(r"[\s_-]+", unicodedata.normalize("NFKC", title).casefold().strip()))


_Found = tuple[str, str, int]


def _rows(page: Page) -> Iterator[_Found]:
    for block in page.blocks:
        if len(block.cells) >= 2 and block.cells[0].strip() and block.cells[1].strip():
            yield block.cells[0].strip(), " ".join(cell for cell in block.cells[1:] if cell), block.line


def _lines(page: Page, *, bold: bool) -> Iterator[_Found]:
    """Entries of one line or more: a line that begins none goes on with the one above it."""
    term: tuple[str, list[str], int] | None = None
    before = ""
    for at, line in enumerate(page.prose.split("\n"), 1):
        heading = bool(_HEADING.match(line))
        match = None if heading or line.lstrip().startswith("|") else (_BOLD if bold else _PLAIN).match(line)
        listed = _LISTED.match(line) if bold and not _HEADING.match(before) else None
        if term and (listed or match or heading or not line.strip()) and not (listed and before.startswith(":")):
            yield term[0], plain(" ".join(term[1])), term[2]
            term = None
        if listed and term is None and before and not before.startswith(":"):
            term = (plain(before), [listed["text"]], at - 1)
        elif match:
            term = (plain(match["term"]), [match["text"]], at)
        elif term:
            term[1].append(line.strip().removeprefix(":").strip())
        # A blank line may stand between a definition list's term and what it means.
        before = line.strip() or before
    if term:
        yield term[0], plain(" ".join(term[1])), term[2]


def _headed(page: Page, taken: set[int]) -> Iterator[_Found]:
    ends = [heading.line for heading in page.headings[1:]] + [10**9]
    for heading, end in zip(page.headings, ends, strict=False):
        under = [block for block in page.blocks if block.under and block.under[-1] is heading]
        grouped = any(heading.line < line < end for line in taken)
        title = not page.headings[1:] or heading.level == 1
        if under and not grouped and not title:
            yield heading.text.strip(), "\n".join(block.text for block in under), under[0].line
