"""Markdown into headings, links and pieces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

SHORT = 300
"""Blocks under one heading are joined up to so many characters."""
LONG = 1_200
"""A longer block is cut, at the end of a sentence where there is one."""
MOST_OF_HEADING = 200
"""A heading leads its pieces with at most so many characters, so that none grows past 1,500."""

WIKI = re.compile(r"(!?)\[\[([^\[\]\n]+?)\]\]")
_SENTENCE = re.compile(r"(?<=[.!?。！？])[\s\u3000]*|\n+")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)


@dataclass(frozen=True, slots=True)
class Heading:
    """level: 1 to 6; line: from 1, in the text given."""

    level: int
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Link:
    """target: as written; text: what it shows; wiki: written as [[target]]."""

    target: str
    text: str
    wiki: bool


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the text in reading order, as plain text.

    under: the headings it stands under, the nearest last. links: in order. code: it is a code block.
    cells: a table's row, cell by cell (the head of a table has none).
    """

    text: str
    line: int
    under: tuple[Heading, ...] = ()
    links: tuple[Link, ...] = ()
    code: bool = False
    cells: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """The nearest heading's text, '' where there is none."""
        return self.under[-1].text if self.under else ""


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed text. prose: the text as written, its code blocks and comments blanked line by line."""

    headings: tuple[Heading, ...]
    blocks: tuple[Block, ...]
    prose: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """What becomes a piece: its text, where it begins, and the links in it."""

    text: str
    line: int
    links: tuple[Link, ...] = ()


def parse(text: str) -> Page:
    """CommonMark with tables. Nothing inside a code block is a heading or a link."""
    tokens = _PARSER.parse(text)
    headings: list[Heading] = []
    blocks: list[Block] = []
    code: set[int] = set()
    row: _Row | None = None
    level, head = 0, False
    for token in tokens:
        line = (token.map[0] if token.map else 0) + 1
        under = _open(headings)
        if token.type == "heading_open":
            level = int(token.tag[1])
        elif token.type in ("thead_open", "thead_close"):
            head = token.type == "thead_open"
        elif token.type == "tr_open":
            row = _Row(line)
        elif token.type == "tr_close" and row is not None:
            blocks += row.block(under, head)
            row = None
        elif token.type == "inline":
            said, links = _inline(token)
            if level:
                headings.append(Heading(level, said, line))
                level = 0
                if links:
                    blocks.append(Block(said, line, under, links))
            elif row is not None:
                row.cells.append(said)
                row.links += links
            elif said or links:
                blocks.append(Block(said, line, under, links))
        elif token.type in ("fence", "code_block"):
            code.update(range(*token.map) if token.map else ())
            if token.content.strip():
                blocks.append(Block(token.content.rstrip("\n"), line, under, code=True))
        elif token.type == "html_block" and (plain := _COMMENT.sub(" ", token.content).strip()):
            plain = " ".join(re.sub(r"<[^>]*>", " ", plain).split())
            blocks += [Block(plain, line, under)] if plain else []
    return Page(tuple(headings), tuple(blocks), _prose(text, code))


def plain(text: str) -> str:
    """A line of Markdown as it reads: the words of links, without marks."""
    return " ".join(_inline(token)[0] for token in _PARSER.parseInline(text))


_PARSER = MarkdownIt("commonmark", {"html": True, "maxNesting": 100}).enable(["table", "strikethrough"])


class _Row:
    """A table's row while it is read."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.cells: list[str] = []
        self.links: tuple[Link, ...] = ()

    def block(self, under: tuple[Heading, ...], head: bool) -> list[Block]:
        text = " | ".join(cell for cell in self.cells if cell)
        cells = () if head else tuple(self.cells)
        return [Block(text, self.line, under, self.links, cells=cells)] if text else []


def _open(headings: list[Heading]) -> tuple[Heading, ...]:
    """The headings that a text after the last of these stands under."""
    found: list[Heading] = []
    for heading in reversed(headings):
        if not found or heading.level < found[-1].level:
            found.append(heading)
        if heading.level == 1:
            break
    return tuple(reversed(found))


def _prose(text: str, code: set[int]) -> str:
    kept = "\n".join("" if at in code else line for at, line in enumerate(text.split("\n")))
    return _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), kept)


def _inline(token: Token) -> tuple[str, tuple[Link, ...]]:
    said: list[str] = []
    links: list[Link] = []
    opened: tuple[str, int] | None = None
    for child in token.children or ():
        if child.type == "text":
            said.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            said.append("\n")
        elif child.type == "code_inline":
            # A wikilink in code is an example of one.
            said.append(child.content.replace("[[", "[\u2060["))
        elif child.type == "link_open":
            opened = (str(child.attrs.get("href", "")), len(said))
        elif child.type == "link_close" and opened is not None:
            if opened[0]:
                shown = "".join(said[opened[1] :]).strip()
                named = WIKI.fullmatch(unquote(opened[0]))  # [text]([[page]]), as Logseq writes it
                links.append(Link(named[2] if named else opened[0], shown, wiki=bool(named)))
            opened = None
        elif child.type == "image":
            said.append(child.content)
    text = "".join(said)
    links += [Link(match[2], _shown(match[2]), wiki=True) for match in WIKI.finditer(text)]
    read = WIKI.sub(lambda match: _shown(match[2]), text).replace("[\u2060[", "[[")
    return read.strip(), tuple(links)


def _shown(link: str) -> str:
    """What a wikilink shows: its text after the bar, else its target."""
    target, _, text = link.partition("|")
    return (text or target).strip()


def pieces_of(blocks: Iterable[Block]) -> list[Part]:
    """Parts in reading order: blocks under one heading joined while they are short, long ones cut.
    The nearest heading leads a part, so that it says what it is about."""
    joined: list[Block] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if last and last.under[-1:] == block.under[-1:] and len(last.text) + len(block.text) <= SHORT:
            joined[-1] = Block(f"{last.text}\n{block.text}", last.line, last.under, (*last.links, *block.links))
        else:
            joined.append(block)
    return [part for block in joined for part in _parts(block)]


def _parts(block: Block) -> Iterator[Part]:
    texts = _cut(block.text)
    links: list[list[Link]] = [[] for _ in texts]
    for link in block.links:
        at = next((at for at, text in enumerate(texts) if link.text in text), 0)
        links[at : at + 1] = [[*links[at], link]] if texts else []
    heading = block.heading[:MOST_OF_HEADING]
    for text, found in zip(texts, links, strict=True):
        led = f"{heading}: {text}" if heading and not text.startswith(heading) else text
        yield Part(led, block.line, tuple(found))


def _cut(text: str) -> list[str]:
    if len(text) <= LONG:
        return [text]
    parts, held = [], ""
    for sentence in _sentences(text):
        while len(sentence) > LONG:
            if held:
                parts.append(held)
                held = ""
            parts.append(sentence[:LONG])
            sentence = sentence[LONG:]
        if held and len(held) + len(sentence) > LONG:
            parts.append(held)
            held = ""
        held += sentence
    return [part.strip() for part in (*parts, held) if part.strip()]


def _sentences(text: str) -> list[str]:
    ends = [match.end() for match in _SENTENCE.finditer(text)]
    return [text[a:b] for a, b in zip([0, *ends], [*ends, len(text)], strict=True) if a < b]
