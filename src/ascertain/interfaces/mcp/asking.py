"""From a question to an answer: the choice goes to the person at the client, where the client can ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Elicit
from pydantic import BaseModel, Field, create_model

from ascertain.interfaces.plain import cut, one_line
from ascertain.material.offers import Glimpse
from ascertain.model.resolution import Resolution

NONE_OF_THESE = "none of these"


class Pick(BaseModel):
    """What the person answered: a label of the question, NONE_OF_THESE, or empty where nobody was asked.

    Any text is taken here; whether it is on the list is looked up when it is used, so that an answer
    that isn't gives the list again and no failure."""

    pick: str


@dataclass(frozen=True)
class Asked:
    """An answer with enough of its candidates to choose by. reads: the times and options it was asked with."""

    answer: Resolution
    glimpses: Sequence[Glimpse]
    reads: Mapping[str, Any]

    @property
    def labels(self) -> dict[str, str]:
        """label → id of each candidate, in order."""
        return {label(number, one): one.id for number, one in enumerate(self.glimpses, 1)}


def label(number: int, one: Glimpse) -> str:
    """One line that tells a candidate from the others.

    >>> label(1, Glimpse("a", "record", "Latency", "", "2026-03-01T00:00:00Z", None, None, None, "", {}))
    '1. Latency (record, 2026-03-01)'
    """
    said = [one.kind, *([one.moment[:10]] if one.moment else []), *([one.mark] if one.mark else [])]
    return f"{number}. {cut(one.title, 120)} ({', '.join(said)})"


def can_ask(context: Context[Any, Any]) -> bool:
    """Whether the client lets its user fill in a form. A bare `elicitation: {}` counts, as before modes."""
    capabilities = context.client_capabilities
    found = capabilities.elicitation if capabilities is not None else None
    return found is not None and (found.form is not None or found.url is None)


def question_for(asked: Asked) -> Elicit[Pick]:
    """The question to the person. The same answer gives the same words: a client on the newest protocol
    is asked again in every round, and its pick counts only for the words that it has seen."""
    lines = [asked.answer.ask_back or "Several memories could be meant. Which one?"]
    for name, one in zip(asked.labels, asked.glimpses, strict=True):
        differs = "; ".join(f"{what}: {how}" for what, how in one.differs_by.items())
        lines.append("\n".join(filter(None, (name, one_line(one.beginning), one_line(differs)))))
    told: dict[str, Any] = {"enum": [*asked.labels, NONE_OF_THESE]}
    fields: dict[str, Any] = {"pick": (str, Field(title="Which one is meant?", json_schema_extra=told))}
    return Elicit("\n\n".join(lines), create_model("Pick", __base__=Pick, **fields))
