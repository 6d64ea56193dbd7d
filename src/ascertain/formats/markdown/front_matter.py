"""Front matter off a Markdown text, tolerantly: a note is never lost for its metadata."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import yaml

from ascertain.errors import InvalidTime
from ascertain.formats.texts import whole
from ascertain.model.times import parse_instant

MOST_CHARACTERS = 65_536

_FENCED = re.compile(r"\A\ufeff?---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
_KEY = re.compile(r"[^\s#:\-][^:\n]*:(?:\s|$)")
_WORD_KEY = re.compile(r"[^\s#:\-][^\s:]*:(?:\s|$)")
_SUMMARY = re.compile(r"^(?:summary|요약)[ \t]*:.*\n?(?:(?:[ \t-].*)?\n)*(?:[ \t-].*\Z)?", re.I | re.M)
_DAY = re.compile(r"(\d{4})([-/.]) ?(\d{1,2})\2 ?(\d{1,2})\.?")


@dataclass(frozen=True)
class FrontMatter:
    """values: by key in lower case; a scalar is its text as written, or None. body: what follows;
    line: where it begins, from 1. raw: the front matter as written where it could not be read,
    without a summary, and problem why."""

    values: Mapping[str, Any] = field(default_factory=dict)
    body: str = ""
    line: int = 1
    raw: str = ""
    problem: str = ""


def split(text: str) -> FrontMatter:
    """Splits a text at its front matter. A leading `---` that is only a rule begins none: what
    follows the fence must be a key, and a key of one word where a blank line stands between."""
    text = text.replace("\r\n", "\n")
    match = _FENCED.match(text)
    if match is None or not _has_keys(match["yaml"]):
        return FrontMatter(body=text.removeprefix("\ufeff"))
    raw, body = match["yaml"], text[match.end() :]
    line = text.count("\n", 0, match.end()) + 1
    try:
        if len(raw) > MOST_CHARACTERS:
            raise ValueError(f"over {MOST_CHARACTERS} characters")
        found = yaml.load(raw, Loader=_Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return FrontMatter(body=body, line=line, raw=_SUMMARY.sub("", raw), problem=_first_line(error))
    if found is None:
        return FrontMatter(body=body, line=line)
    if not isinstance(found, dict):
        problem = "it is not a list of keys and values"
        return FrontMatter(body=body, line=line, raw=_SUMMARY.sub("", raw), problem=problem)
    values = {as_text(key).casefold(): value for key, value in found.items()}
    second = _FENCED.match(body.lstrip("\n"))
    if second is None or not _has_keys(second["yaml"]):
        return FrontMatter(values, body, line)
    rest = body.lstrip("\n")[second.end() :]
    line += body.count("\n") - rest.count("\n")
    return FrontMatter(values, rest, line, raw=second["yaml"], problem="a second block of it below the first")


def _has_keys(raw: str) -> bool:
    apart = not raw.partition("\n")[0].strip()
    first = next((line for line in raw.split("\n") if line.strip() and not line.startswith("#")), None)
    if first is None:
        # Empty, or every key commented out; below a blank line, # is a heading.
        return not (apart and raw.strip())
    return bool((_WORD_KEY if apart else _KEY).match(first))


class _Loader(yaml.BaseLoader):
    """YAML whose scalars stay as written (`0012`, `1.10`, `yes` are titles as well), without
    references: a few lines of them unfold into gigabytes, or into a value that holds itself."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if isinstance(self.peek_event(), yaml.AliasEvent):  # type: ignore[no-untyped-call]  # untyped in the stubs
            raise yaml.YAMLError("references (*name) are not read")
        return super().compose_node(parent, index)

    def construct_scalar(self, node: Any) -> Any:
        value = whole(super().construct_scalar(node))
        return None if not node.style and value in ("", "~", "null", "Null", "NULL") else value


def _first_line(error: Exception) -> str:
    problem = getattr(error, "problem", None) or str(error)
    mark = getattr(error, "problem_mark", None)
    where = f" (its line {mark.line + 1})" if mark is not None else ""
    return f"{str(problem).splitlines()[0] if str(problem) else 'not YAML'}{where}"


def as_text(value: object) -> str:
    """A value as one text: a list of one or a mapping of one key as what it holds; '' for nothing
    and for several."""
    while isinstance(value, (list, dict)):
        value = next(iter(value)) if len(value) == 1 else None
    return "" if value is None else str(value).strip()


def as_list(value: object) -> list[str]:
    """A value as texts: a list's items, or a text cut at commas (a link may hold one)."""
    if isinstance(value, list):
        flat = [one for item in value for one in (item if isinstance(item, list) else [item])]
        # YAML reads an unquoted [[name]] as a list in a list.
        return [text for text in map(as_text, flat) if text]
    text = as_text(value)
    parts = re.split(r",(?![^\[]*\]\])", text) if text else []
    return [part.strip() for part in parts if part.strip()]


def as_instant(value: object) -> tuple[datetime | None, str]:
    """A value as an instant and, where it is none, what is wrong with it; never guessed.

    Beside ISO 8601: a day whose parts are not padded or are parted by `/` or `.`, year first."""
    text = as_text(value)
    day = _DAY.fullmatch(text)
    try:
        return parse_instant(f"{day[1]}-{int(day[3]):02}-{int(day[4]):02}" if day else text), ""
    except InvalidTime:
        return None, f"not a time: {text!r}"
