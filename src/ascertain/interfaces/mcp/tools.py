"""The tools: few, each one thing that a person or an agent does with a memory.

Annotations are evaluated here (no `from __future__ import annotations`): the SDK reads them, and those
of `ask` name functions beside it.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field

from ascertain.errors import InvalidInput
from ascertain.interfaces.mcp.asking import NONE_OF_THESE, Asked, Pick, can_ask, question_for
from ascertain.interfaces.mcp.opened import Opened
from ascertain.interfaces.mcp.results import dumped, kept, result, thing, told_plainly
from ascertain.interfaces.mcp.shapes import Answer, Found, Kept, Picked, Shown, Versions
from ascertain.interfaces.mcp.waiting import Open, Waiting
from ascertain.interfaces.wire import Json, pieces_json
from ascertain.interfaces.wire_material import glimpses_json, history_json, material_json
from ascertain.model.nodes import NODE_TYPES, Kind
from ascertain.model.times import parse_instant

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
ASKS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
WITHDRAWS = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)

Question = Annotated[str, Field(description="The question, in any language, as the person asked it.")]
Id = Annotated[str, Field(description="The id of a node, as an earlier answer gave it.")]
Time = Annotated[str | None, Field(description="ISO 8601, such as 2026-03-01 or 2026-03-01T12:00:00Z.")]


class Tools:
    """The tools of one server. Each is plain and synchronous: the SDK runs it on a thread of its own, so
    that a slow one holds up nobody."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._waiting = Waiting()

    def add_to(self, server: MCPServer) -> None:
        """Registers them, with what each does to the memory."""
        opened, waiting = self._opened, self._waiting

        # The SDK runs a resolver once a call, known by its identity: both that need it name this one.
        @told_plainly
        def answered(question: str, valid_at: str | None, as_of: str | None, include_retired: bool) -> Asked:
            return self._ask(question, {"valid_at": valid_at, "as_of": as_of, "include_retired": include_retired})

        def chosen(asked: Annotated[Asked, Resolve(answered)], context: Context[Any, Any]) -> Pick | Elicit[Pick]:
            if asked.answer.state != "choose" or not can_ask(context):
                return Pick(pick="")
            return question_for(asked)

        @server.tool(annotations=ASKS, title="Ask which memory is meant")
        @told_plainly
        def ask(
            question: Question,
            asked: Annotated[Asked, Resolve(answered)],
            pick: Annotated[ElicitationResult[Pick], Resolve(chosen)],
            context: Context[Any, Any],
            valid_at: Annotated[Time, Field(description="What held in the world at this time. ISO 8601.")] = None,
            as_of: Annotated[Time, Field(description="What held and was known at this time. ISO 8601.")] = None,
            include_retired: Annotated[bool, Field(description="Consider withdrawn memories too.")] = False,
            budget: Annotated[int, Field(ge=0, le=100_000, description="Tokens of material at most.")] = 1500,
        ) -> Annotated[CallToolResult, Answer]:
            """Which one memory a question means: resolved (with what it says), choose or none.

            On choose the person at the client is asked, where the client can; else hand the list to the
            person you work for. Never pick one yourself."""
            if not isinstance(pick, AcceptedElicitation) or not pick.data.pick:
                return self._answer(asked, budget)
            now = self._ask(question, asked.reads)
            if now.labels != asked.labels:
                return self._answer(now, budget, note="The memory changed in the meantime: nothing was picked.")
            if pick.data.pick != NONE_OF_THESE and pick.data.pick not in now.labels:
                return self._answer(now, budget, note="The answer was not on the list: nothing was picked.")
            node = now.labels.get(pick.data.pick)
            opened.memory().choose(question, node, by=_who(context), offered=tuple(now.labels.values()))
            return self._picked(now, budget, node)

        @server.tool(annotations=READS, title="Search passages")
        @told_plainly
        def search(
            question: Question, limit: Annotated[int, Field(ge=1, le=50)] = 10
        ) -> Annotated[CallToolResult, Found]:
            """The passages of documents nearest to a question: hints, not an answer."""
            found = opened.memory().search(question, limit=limit)
            texts = [f"[{one.row.document}] {one.row.piece.text}" for one in found]
            links = [(one.row.document, one.row.document) for one in found]
            return result("\n\n".join(texts) or "Nothing found.", pieces_json(question, found), links)

        @server.tool(annotations=WRITES, title="Remember something")
        @told_plainly
        def remember(
            kind: Annotated[Kind, Field(description="concept: what a term means; record: a fact; decision; episode.")],
            title: Annotated[str, Field(description="A name that tells it from others.")],
            text: Annotated[str, Field(description="What it says, in full sentences.")] = "",
            aliases: Annotated[list[str] | None, Field(description="Other names, in any language.")] = None,
            about: Annotated[list[str] | None, Field(description="Ids of the concepts it is about.")] = None,
            at: Annotated[Time, Field(description="When observed, decided or begun. Leave out if unknown.")] = None,
            ended_at: Annotated[Time, Field(description="When an episode ended.")] = None,
            valid_from: Annotated[Time, Field(description="Since when it holds.")] = None,
            valid_to: Annotated[Time, Field(description="Until when it holds.")] = None,
            supersedes: Annotated[list[str] | None, Field(description="Ids whose place it takes.")] = None,
            lang: Annotated[str, Field(description="The language, such as en or ko.")] = "",
            source: Annotated[str, Field(description="Where it came from: a URL, a file, a person.")] = "",
        ) -> Annotated[CallToolResult, Kept]:
            """Keeps a concept, record, decision or episode. Where the memory holds it already, nothing is
            written and that one is returned (added: false). Answers only when it is on disk."""
            told = _node(kind, title, text, at, ended_at)
            done = opened.memory(create=True).remember(
                NODE_TYPES[kind](
                    **told,
                    id="",
                    title=title,
                    aliases=tuple(aliases or ()),
                    about=tuple(about or ()),
                    supersedes=tuple(supersedes or ()),
                    valid_from=parse_instant(valid_from, where="valid_from"),
                    valid_to=parse_instant(valid_to, where="valid_to"),
                    lang=lang,
                    source=source,
                )
            )
            note = "" if done.added else "It was there before; nothing was written. Supersede it if the world changed."
            return kept(done.row, added=done.added, note=note)

        @server.tool(annotations=WRITES, title="Link a memory")
        @told_plainly
        def link(
            id: Id,
            about: Annotated[list[str] | None, Field(description="Ids of concepts it is about.")] = None,
            aliases: Annotated[list[str] | None, Field(description="Other names of it.")] = None,
            source: Annotated[str, Field(description="Where it came from.")] = "",
        ) -> Annotated[CallToolResult, Kept]:
            """Adds what a memory is about, other names of it, or where it came from."""
            return kept(opened.memory().link(id, about=about or (), aliases=aliases or (), source=source))

        @server.tool(annotations=WITHDRAWS, title="Withdraw a memory")
        @told_plainly
        def retire(
            id: Id,
            reason: Annotated[str, Field(description="Why.")] = "",
            at: Annotated[Time, Field(description="Since when. Now unless given.")] = None,
        ) -> Annotated[CallToolResult, Kept]:
            """Withdraws a memory that should no longer be relied on. It stays readable in its history."""
            return kept(opened.memory().retire(id, reason=reason, at=at))

        @server.tool(annotations=WRITES, title="Replace a memory by a newer one")
        @told_plainly
        def supersede(
            old: Annotated[str, Field(description="The id of the older memory.")],
            new: Annotated[str, Field(description="The id of the newer memory, of the same kind.")],
            at: Annotated[Time, Field(description="When the newer began to hold.")] = None,
        ) -> Annotated[CallToolResult, Kept]:
            """Says that a newer memory took the place of an older one; both stay readable."""
            return kept(opened.memory().supersede(old, new, at=at))

        @server.tool(annotations=READS, title="History of a memory")
        @told_plainly
        def history(id: Id) -> Annotated[CallToolResult, Versions]:
            """All recorded versions of a memory: when each was known, and when it holds."""
            told = history_json(id, opened.memory().history(id))
            return result(dumped(told), told, [(id, id)])

        @server.tool(annotations=READS, title="Show a memory")
        @told_plainly
        def show(
            id: Annotated[str, Field(description="The id of a node, a document or a piece.")],
        ) -> Annotated[CallToolResult, Shown]:
            """A memory, a document or a piece as it stands, with its edges."""
            told = thing(opened.memory(), id)
            return result(dumped(told), {"thing": told}, [(id, str(told.get("title", id)))])

        @server.tool(annotations=WRITES, title="Hand in what a person picked")
        @told_plainly
        def pick(
            choice_id: Annotated[str, Field(description="The choice_id of an answer whose state is choose.")],
            context: Context[Any, Any],
            node: Annotated[
                str | None, Field(description="The id that the person picked; null for none of these.")
            ] = None,
        ) -> Annotated[CallToolResult, Picked]:
            """Writes down what the person picked from a list that ask returned. Never call it with a pick
            of your own."""
            waits = waiting.on_list(choice_id, node)
            now = self._ask(waits.question, waits.reads)
            if tuple(now.labels.values()) != waits.offered:
                waiting.take(choice_id)
                raise InvalidInput("the memory changed since", where="choice_id", hint="Ask the question again.")
            waiting.take(choice_id)
            choice = opened.memory().choose(waits.question, node, by=_who(context), offered=waits.offered)
            told = {"question": choice.question, "picked": choice.picked, "number": choice.number}
            links = [(one.id, one.title) for one in now.glimpses if one.id == node]
            return result(f"Written down: {choice.picked or NONE_OF_THESE}.", told, links)

    def _ask(self, question: str, reads: Mapping[str, Any]) -> Asked:
        memory = self._opened.memory()
        answer = memory.ask(question, **reads)
        return Asked(answer, memory.glimpses(answer), reads)

    def _answer(self, asked: Asked, budget: int, *, note: str = "") -> CallToolResult:
        """What ask gives where nobody picked."""
        answer = asked.answer
        told: Json = {
            "state": answer.state,
            "question": answer.question,
            "node": answer.node,
            "reason": f"{note} {answer.reason}".lstrip(),
            "picked_by_user": False,
            "candidates": glimpses_json(asked.glimpses),
            "hidden": answer.hidden,
            "ask_back": answer.ask_back or None,
            "choice_id": None,
            "material": None,
        }
        if answer.node is not None:
            return self._with_material(told, answer.node, asked.reads, budget)
        if answer.state == "none":
            return result(f"none: {told['reason']}", told)
        id = self._waiting.add(Open(answer.question, tuple(asked.labels.values()), asked.reads))
        listed = question_for(asked).message
        text = f"{note}\n\n{listed}\n\nHand this list to the person you work for; then pick with choice_id {id}."
        links = [(one.id, one.title) for one in asked.glimpses]
        return result(text.lstrip(), told | {"choice_id": id}, links)

    def _picked(self, asked: Asked, budget: int, node: str | None) -> CallToolResult:
        """What ask gives where the person picked."""
        told: Json = {
            "state": "none" if node is None else "resolved",
            "question": asked.answer.question,
            "node": node,
            "reason": "The person said that none of these is meant." if node is None else "The person picked it.",
            "picked_by_user": True,
            "candidates": glimpses_json(asked.glimpses),
            "hidden": asked.answer.hidden,
            "ask_back": None,
            "choice_id": None,
            "material": None,
        }
        if node is None:
            return result(f"none: {told['reason']}", told)
        return self._with_material(told, node, asked.reads, budget)

    def _with_material(self, told: Json, node: str, reads: Mapping[str, Any], budget: int) -> CallToolResult:
        found = self._opened.memory().material(node, budget=budget, form="prompt", **reads)
        text = f"{told['state']}: {node}. {told['reason']}\n\n{found.text}"
        return result(text, told | {"material": material_json(found)}, [(node, node)])


def _who(context: Context[Any, Any]) -> str:
    """Who picks, as far as the client tells: its own name."""
    params = context.session.client_params
    name = params.client_info.name if params is not None and params.client_info is not None else ""
    return f"user of {name or 'an MCP client'}"


def _node(kind: Kind, title: str, text: str, at: str | None, ended_at: str | None) -> Json:
    moment = parse_instant(at, where="at")
    ended = parse_instant(ended_at, where="ended_at")
    if ended is not None and kind != "episode":
        raise InvalidInput("only an episode ends", where=title, hint="Use valid_to for when something stops to hold.")
    match kind:
        case "concept":
            if moment is not None:
                raise InvalidInput("a concept has no moment", where=title, hint="Use valid_from, or a record.")
            return {"body": text}
        case "record":
            return {"body": text, "observed_at": moment}
        case "decision":
            return {"body": text, "decided_at": moment}
        case "episode":
            return {"summary": text, "started_at": moment, "ended_at": ended}
