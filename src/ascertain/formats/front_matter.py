"""Front matter off a Markdown text, tolerantly: a note is never lost for its metadata."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

import yaml

from ascertain.errors import InvalidTime
from ascertain.model.times import parse_instant

MOST_CHARACTERS = 65_536

_FENCED = re.compile(r"\A---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
_KEY = re.compile(r"^[^\s#:\-][^:\n]*:(?:\s|$)", re.M)
_ALIASING = re.compile(r"(?:^|[\s\[{,:])[&*]\w")


@dataclass(frozen=True)
class FrontMatter:
    """values: by key in lower case. body: what follows; line: where it begins, from 1. raw: the front
    matter as written where it could not be read, and problem why."""

    values: Mapping[str, Any] = field(default_factory=dict)
    body: str = ""
    line: int = 1
    raw: str = ""
    problem: str = ""


def split(text: str) -> FrontMatter:
    """Splits a text at its front matter. A leading `---` that is only a rule begins none."""
    match = _FENCED.match(text)
    if match is None:
        return FrontMatter(body=text)
    raw, body = match["yaml"], text[match.end() :]
    line = text.count("\n", 0, match.end()) + 1
    if raw.strip() and not _KEY.search(raw):
        return FrontMatter(body=text)
    try:
        if len(raw) > MOST_CHARACTERS:
            raise ValueError(f"over {MOST_CHARACTERS} characters")
        found = yaml.load(raw, Loader=_Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return FrontMatter(body=body, line=line, raw=raw, problem=_first_line(error))
    if found is None:
        return FrontMatter(body=body, line=line)
    if not isinstance(found, dict):
        return FrontMatter(body=body, line=line, raw=raw, problem="it is not a list of keys and values")
    return FrontMatter({str(key).strip().casefold(): value for key, value in found.items()}, body, line)


class _Loader(yaml.SafeLoader):
    """YAML without references: a few lines of them unfold into gigabytes."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()  # type: ignore[no-untyped-call]  # untyped in the stubs
        if isinstance(event, yaml.AliasEvent):
            raise yaml.YAMLError("references (*name) are not read")
        return super().compose_node(parent, index)


def _first_line(error: Exception) -> str:
    problem = getattr(error, "problem", None) or str(error)
    mark = getattr(error, "problem_mark", None)
    where = f" (its line {mark.line + 1})" if mark is not None else ""
    return f"{str(problem).splitlines()[0] if str(problem) else 'not YAML'}{where}"


def as_text(value: object) -> str:
    """A value as one text: dates as ISO, a list of one or a mapping of one key as what it holds;
    '' for nothing, for several and for what makes no text."""
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return as_text(value[0]) if len(value) == 1 else ""
    if isinstance(value, dict):
        return as_text(next(iter(value))) if len(value) == 1 else ""
    return str(value).strip()


def as_list(value: object) -> list[str]:
    """A value as texts: a list's items, or a text cut at commas (a link may hold one)."""
    if isinstance(value, (list, tuple)):
        flat = [one for item in value for one in (item if isinstance(item, list) else [item])]
        # YAML reads an unquoted [[name]] as a list in a list.
        return [text for text in map(as_text, flat) if text]
    text = as_text(value)
    parts = re.split(r",(?![^\[]*\]\])", text) if text else []
    return [part.strip() for part in parts if part.strip()]


def as_instant(value: object) -> tuple[datetime | None, str]:
    """A value as an instant and, where it is none, what is wrong with it; never guessed."""
    if isinstance(value, datetime):
        return parse_instant(value), ""
    text = as_text(value)
    if not text:
        return None, ""
    try:
        return parse_instant(text), ""
    except InvalidTime as error:
        return None, error.problem
