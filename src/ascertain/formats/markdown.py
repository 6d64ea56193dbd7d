"""Markdown into headings, links and pieces."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

SHORT = 300
"""Blocks under one heading are joined up to so many characters."""
LONG = 1_200
"""A longer block is cut, at the end of a sentence where there is one."""

_WIKI = re.compile(r"(!?)\[\[([^\[\]\n]+?)\]\]")
_SENTENCE = re.compile(r"(?<=[.!?。！？])[\s\u3000]*|\n+")


@dataclass(frozen=True, slots=True)
class Heading:
    """level: 1 to 6; line: from 1, in the text given."""

    level: int
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the text in reading order, as plain text. links: targets as written, in order.
    heading: the nearest above, '' where there is none. code: it is a code block."""

    text: str
    line: int
    heading: str
    links: tuple[str, ...] = ()
    code: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed text."""

    headings: tuple[Heading, ...]
    blocks: tuple[Block, ...]


def parse(text: str) -> Page:
    """CommonMark with tables. Nothing inside a code block is a heading or a link."""
    tokens = _PARSER.parse(text)
    headings: list[Heading] = []
    blocks: list[Block] = []
    in_heading = 0
    for token in tokens:
        line = (token.map[0] if token.map else 0) + 1
        nearest = headings[-1].text if headings else ""
        if token.type == "heading_open":
            in_heading = int(token.tag[1])
        elif token.type == "inline":
            said, links = _inline(token)
            if in_heading:
                headings.append(Heading(in_heading, said, line))
                in_heading = 0
                if links:
                    blocks.append(Block(said, line, nearest, links))
            elif said or links:
                blocks.append(Block(said, line, nearest, links))
        elif token.type in ("fence", "code_block") and token.content.strip():
            blocks.append(Block(token.content.rstrip("\n"), line, nearest, (), code=True))
        elif token.type == "html_block" and (plain := re.sub(r"<[^>]*>", " ", token.content).strip()):
            blocks.append(Block(" ".join(plain.split()), line, nearest))
    return Page(tuple(headings), tuple(blocks))


_PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def _inline(token: Token) -> tuple[str, tuple[str, ...]]:
    said: list[str] = []
    links: list[str] = []
    for child in token.children or ():
        if child.type == "text":
            said.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            said.append("\n")
        elif child.type == "code_inline":
            # A wikilink in code is an example of one.
            said.append(child.content.replace("[[", "[\u2060[") if "[[" in child.content else child.content)
        elif child.type == "link_open" and (target := str(child.attrs.get("href", ""))):
            links.append(target)
        elif child.type == "image":
            said.append(child.content)
    text = "".join(said)
    links += [match[2] for match in _WIKI.finditer(text)]
    plain = _WIKI.sub(lambda match: _shown(match[2]), text).replace("[\u2060[", "[[")
    return plain.strip(), tuple(links)


def _shown(link: str) -> str:
    """What a wikilink shows: its text after the bar, else its target."""
    target, _, text = link.partition("|")
    return (text or target).strip()


def pieces_of(page: Page) -> list[tuple[str, tuple[str, ...]]]:
    """(text, links) in reading order: blocks under one heading joined while they are short, long
    ones cut. The nearest heading leads a piece, so that it says what it is about."""
    joined: list[tuple[str, str, tuple[str, ...]]] = []
    for block in page.blocks:
        last = joined[-1] if joined else None
        if last and last[0] == block.heading and len(last[1]) + len(block.text) <= SHORT:
            joined[-1] = (last[0], f"{last[1]}\n{block.text}", (*last[2], *block.links))
        else:
            joined.append((block.heading, block.text, block.links))
    pieces = []
    for heading, text, links in joined:
        for at, part in enumerate(_cut(text)):
            led = f"{heading}: {part}" if heading and not part.startswith(heading) else part
            pieces.append((led, links if at == 0 else ()))
    return pieces


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
