"""Observations and relations of notes as basic-memory writes them: lists that a program reads.

- [category] a fact #tag (context)
- verb [[Target]] (context)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Any

from ascertain.formats.markdown.entry import Entry
from ascertain.formats.markdown.front_matter import as_text
from ascertain.formats.markdown.page import WIKI, Page, plain
from ascertain.formats.texts import clean, short

_OBSERVATION = re.compile(r"^\s*[-*+][ \t]+\[(?P<category>[^\[\]()\n]{1,100})\][ \t]+(?P<text>\S.*)$")
_RELATION = re.compile(r"^\s*[-*+][ \t]+(?P<verb>[^\[\]\n]{0,100}?)[ \t]*\[\[(?P<target>[^\[\]\n]+)\]\]")
_TAGS = re.compile(r"(?:^|(?<=\s))#[^\s#()]+")
_CONTEXT = re.compile(r"\s*\((?P<context>[^()]*)\)\s*$")
_OLDER = frozenset(("supersedes", "replaces", "대체"))
_NEWER = frozenset(("superseded by", "replaced by", "is superseded by", "is replaced by"))


@dataclass(frozen=True)
class Observed:
    """What the lists of a note say. about, supersedes, superseded_by: targets of its relations."""

    facts: tuple[Entry, ...]
    about: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()


def is_observing(page: Page, values: Mapping[str, Any]) -> bool:
    """Is this such a note? By its permalink, or by a type together with an observation."""
    return bool(as_text(values.get("permalink")) or (as_text(values.get("type")) and any(_observations(page))))


def read_observed(path: PurePosixPath, page: Page) -> Observed:
    """Each observation is a Record; a box of a task, a link and a footnote are none. An id is made of
    what is said, so that a list may be put in another order."""
    facts: dict[str, Entry] = {}
    for line, said in _observations(page):
        text = _TAGS.sub("", _CONTEXT.sub("", said["text"]))
        title = plain(text).strip() or plain(said["text"])
        whole = f"[{said['category'].strip()}] {plain(said['text'])}"
        id = f"record:{clean(str(path.with_suffix('')))}#{blake2b(whole.encode(), digest_size=8).hexdigest()}"
        linked = tuple(match[2].partition("|")[0].strip() for match in WIKI.finditer(said["text"]))
        facts.setdefault(id, Entry("record", id, short(title), whole, line, about=linked, of_note=True))
    about: list[str] = []
    older: list[str] = []
    newer: list[str] = []
    for relation in map(_RELATION.match, page.prose.split("\n")):
        if relation:
            verb = " ".join(relation["verb"].strip("\"'“” ").casefold().replace("_", " ").split())
            place = older if verb in _OLDER else newer if verb in _NEWER else about
            place.append(relation["target"].partition("|")[0].strip())
    return Observed(tuple(facts.values()), tuple(dict.fromkeys(about)), tuple(older), tuple(newer))


def _observations(page: Page) -> Iterator[tuple[int, re.Match[str]]]:
    for at, line in enumerate(page.prose.split("\n"), 1):
        match = _OBSERVATION.match(line)
        if match and not _is_box(match["category"].strip()):
            yield at, match


def _is_box(category: str) -> bool:
    """`[x]`, `[-]`, `[!]` and what else task lists tick; an ideograph alone may be a word."""
    return (len(category) < 2 and not category > "\u2e80") or category.startswith("^") or not category
