"""A resolution, for people: the state first, then what is meant or may be, then why."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ascertain.interfaces.cli.evidence_words import evidence_words
from ascertain.interfaces.plain import cut, lines, one_line
from ascertain.model.evidence import Candidate
from ascertain.model.nodes import Episode
from ascertain.model.resolution import Offer, Resolution, State
from ascertain.store.base import NodeRow

_LOOK: dict[State, tuple[str, str]] = {
    "resolved": ("✓ RESOLVED", "bold green"),
    "choose": ("? CHOOSE", "bold yellow"),
    "none": ("– NONE", "dim"),
}
_KIND_STYLE = {"concept": "cyan", "record": "blue", "decision": "magenta", "episode": "green"}
_TEXT_LINES = 8
_TEXT_CHARACTERS = 1_200


def show_answer(console: Console, answer: Resolution, row: NodeRow | None, *, why: bool) -> None:
    """Prints an answer. row: the node that is meant, where it could be read. why: with the evidence."""
    look, style = _LOOK[answer.state]
    first = answer.candidates[0].candidate if answer.candidates else None
    if answer.state == "resolved" and first is not None:
        console.print(Text.assemble((look, style), "  ", (one_line(first.title), "bold")))
        console.print(_indented(_what(first)))
        if row is not None and (told := row.node.summary if isinstance(row.node, Episode) else row.node.text):
            console.print(_indented(Text("\n" + lines(told[:_TEXT_CHARACTERS], most=_TEXT_LINES))))
        console.print(_indented(Text("\n" + one_line(answer.reason), "dim")))
    else:
        console.print(Text.assemble((look, style), "  ", one_line(answer.reason)))
        if answer.candidates:
            asked = one_line(answer.ask_back) or "Which one is meant?"
            console.print(Text(f"\n  {asked}" if answer.state == "choose" else "\n  What came near:"))
            console.print(_indented(_offers(answer.candidates)))
    if answer.hidden:
        told = f"{answer.hidden} of what could be meant may not be seen; --include-retired shows it."
        console.print(_indented(Text("\n" + told, "dim")))
    if why:
        _show_why(console, answer)


def _what(one: Candidate) -> Text:
    parts = [Text(one.kind, _KIND_STYLE[one.kind]), Text(one_line(one.node), "dim")]
    return Text("  ").join([*parts, *(Text(told) for told in times_of(one))])


def times_of(one: Candidate) -> list[str]:
    """Its moment, when it holds and since when it no longer does, in words; what is not stated is left out."""
    told = []
    if one.moment:
        verb = {"record": "observed", "decision": "decided", "episode": "began"}.get(one.kind, "at")
        told.append(f"{verb} {_day(one.moment)}")
    if one.valid_from and one.valid_to:
        told.append(f"holds {_day(one.valid_from)} to {_day(one.valid_to)}")
    elif one.valid_from or one.valid_to:
        told.append(f"holds since {_day(one.valid_from)}" if one.valid_from else f"held until {_day(one.valid_to)}")
    if one.hidden_why:
        told.append(one.hidden_why)
    elif one.retired_at:
        told.append(f"withdrawn {_day(one.retired_at)}")
    return told


def _day(instant: str | None) -> str:
    return (instant or "").removesuffix("T00:00:00Z")


def _offers(offers: Sequence[Offer]) -> Table:
    table = Table.grid(padding=(0, 2))
    for _ in range(2):
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for number, offer in enumerate(offers, 1):
        one = offer.candidate
        about = [one_line(one.node), *times_of(one)]
        said = Text.assemble((one_line(one.title), "bold"), "\n", ("  ".join(about), "dim"))
        if offer.differs_by:
            said.append("\n")
            said.append_text(_differences(offer))
        table.add_row(str(number), Text(one.kind, _KIND_STYLE[one.kind]), said)
    return table


def _differences(offer: Offer) -> Text:
    return Text("  ").join(
        Text.assemble((f"{name} ", "dim"), (one_line(told), "yellow")) for name, told in offer.differs_by.items()
    )


def _show_why(console: Console, answer: Resolution) -> None:
    console.print(Text("\n  Why", "bold"))
    console.print(_indented(Text(f"policy {answer.policy}: {one_line(answer.why.rule)}")))
    for told in answer.why.grounds:
        console.print(_indented(Text.assemble(("+ ", "green"), one_line(told))))
    for told in answer.why.obstacles:
        console.print(_indented(Text.assemble(("- ", "yellow"), one_line(told))))
    if answer.candidates:
        console.print(_indented(_evidence(answer.candidates)))
    spent = ", ".join(f"{stage} {ms:.1f}" for stage, ms in answer.timings_ms.items())
    console.print(_indented(Text(f"\ntimings in ms: {spent}", "dim")))


def _evidence(offers: Sequence[Offer]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", title=None)
    table.add_column("candidate", ratio=2, overflow="fold")
    table.add_column("arm", no_wrap=True)
    table.add_column("rank", justify="right", no_wrap=True)
    table.add_column("evidence", ratio=5, overflow="fold")
    for number, offer in enumerate(offers, 1):
        name = Text(f"{number} {cut(offer.candidate.title, 60)}")
        for arm, evidence in offer.candidate.arms.items():
            table.add_row(name, Text(arm), str(evidence.rank), Text(one_line(evidence_words(evidence))))
            name = Text("")
        if not offer.candidate.arms:
            table.add_row(name, Text("–"), "", Text("here as another version of a candidate"))
    return table


def _indented(what: Text | Table) -> Padding:
    return Padding(what, (0, 0, 0, 2))
