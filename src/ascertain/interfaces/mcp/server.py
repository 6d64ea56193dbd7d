"""The server: tools, resources and prompts over one memory.

Annotations are evaluated here (no `from __future__ import annotations`): the SDK reads them, and those
of the tools name functions beside them.
"""

import functools
import json
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Annotated, Any, Literal, ParamSpec, TypeVar
from urllib.parse import quote

from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp_types import CallToolResult, ContentBlock, ResourceLink, TextContent, ToolAnnotations
from pydantic import Field

from ascertain.errors import AscertainError, InvalidInput, NotFound
from ascertain.interfaces.mcp.asking import NONE_OF_THESE, Asked, Pick, can_ask, question_for
from ascertain.interfaces.mcp.shapes import Answer, Found, Kept, Picked, Shown, Versions
from ascertain.interfaces.mcp.waiting import Waiting
from ascertain.interfaces.plain import line_of
from ascertain.interfaces.wire import Json, pieces_json, thing_json
from ascertain.interfaces.wire_material import glimpses_json, history_json, material_json
from ascertain.memory import Memory
from ascertain.model.documents import Document
from ascertain.model.nodes import NODE_TYPES, Kind
from ascertain.model.times import format_instant, parse_instant
from ascertain.store.base import NodeRow, PieceRow

P = ParamSpec("P")
R = TypeVar("R")

INSTRUCTIONS = """\
ascertain keeps memories (concepts, records, decisions, episodes) and says which one a question means.

Use `ask` whenever you need what was decided, measured, agreed or what a term means here.
- resolved: one memory is meant. Use its material, and name it as your source.
- choose: several could be meant. Never pick one yourself, and never merge them: show the list to the \
person you work for, in its order, and hand what they pick to `pick` with the choice_id. If nobody can \
be asked, say that you can't tell which is meant.
- none: the memory holds nothing that is meant. Say so; don't guess. `search` may still find passages, \
which are hints and no answers.

Use `remember` for what should be known next time. It refuses twins and returns the one it found: then \
`supersede` it where the world changed, or leave it. Nothing is ever overwritten.\
"""

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
ASKS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
WITHDRAWS = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)

Question = Annotated[str, Field(description="The question, in any language, as the person asked it.")]
Id = Annotated[str, Field(description="The id of a node, as an earlier answer gave it.")]
Time = Annotated[str | None, Field(description="ISO 8601, such as 2026-03-01 or 2026-03-01T12:00:00Z.")]


def build(memory: Memory) -> MCPServer:
    """A server over an open memory, which stays open when the server ends."""
    server = MCPServer(
        "ascertain",
        title="ascertain",
        description="Which one memory is meant: resolved, choose or none.",
        instructions=INSTRUCTIONS,
        version=version("ascertain"),
        log_level="WARNING",
    )
    _Tools(memory).add_to(server)
    _add_resources(server, memory)
    _add_prompts(server)
    return server


class _Tools:
    """The tools of one server. Each is plain and synchronous: the SDK runs it on a thread of its own, so
    that a slow one holds up nobody."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._waiting = Waiting()

    def add_to(self, server: MCPServer) -> None:
        """Registers them, with what each does to the memory."""
        memory, waiting = self._memory, self._waiting

        def answered(
            question: str,
            valid_at: str | None,
            as_of: str | None,
            include_retired: bool,
        ) -> Asked:
            answer = memory.ask(question, valid_at=valid_at, as_of=as_of, include_retired=include_retired)
            return Asked(answer, memory.glimpses(answer))

        def chosen(
            asked: Annotated[Asked, Resolve(_told(answered))], context: Context[Any, Any]
        ) -> Pick | Elicit[Pick]:
            if asked.answer.state != "choose" or not can_ask(context):
                return Pick(pick="")
            return question_for(asked)

        @server.tool(annotations=ASKS, title="Ask which memory is meant")
        @_told
        def ask(
            question: Question,
            asked: Annotated[Asked, Resolve(_told(answered))],
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
            reads = {"valid_at": valid_at, "as_of": as_of, "include_retired": include_retired}
            if not isinstance(pick, AcceptedElicitation) or not pick.data.pick:
                return self._answer(asked, reads, budget)
            told = pick.data.pick
            if told != NONE_OF_THESE and told not in asked.labels:
                return self._answer(asked, reads, budget, note="The answer was not on the list: nothing was picked.")
            node = asked.labels.get(told)
            offered = [one.id for one in asked.glimpses]
            memory.choose(question, node, by=_who(context), offered=offered)
            return self._answer(asked, reads, budget, picked=(node,))

        @server.tool(annotations=READS, title="Search passages")
        @_told
        def search(
            question: Question, limit: Annotated[int, Field(ge=1, le=50)] = 10
        ) -> Annotated[CallToolResult, Found]:
            """The passages of documents nearest to a question: hints, not an answer."""
            found = memory.search(question, limit=limit)
            texts = [f"[{one.row.document}] {one.row.piece.text}" for one in found]
            links = [_link(one.row.document, one.row.document) for one in found]
            return _result("\n\n".join(texts) or "Nothing found.", pieces_json(question, found), links)

        @server.tool(annotations=WRITES, title="Remember something")
        @_told
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
            done = memory.remember(
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
            return _kept(done.row, added=done.added, note=note)

        @server.tool(annotations=WRITES, title="Link a memory")
        @_told
        def link(
            id: Id,
            about: Annotated[list[str] | None, Field(description="Ids of concepts it is about.")] = None,
            aliases: Annotated[list[str] | None, Field(description="Other names of it.")] = None,
            source: Annotated[str, Field(description="Where it came from.")] = "",
        ) -> Annotated[CallToolResult, Kept]:
            """Adds what a memory is about, other names of it, or where it came from."""
            return _kept(memory.link(id, about=about or (), aliases=aliases or (), source=source))

        @server.tool(annotations=WITHDRAWS, title="Withdraw a memory")
        @_told
        def retire(
            id: Id,
            reason: Annotated[str, Field(description="Why.")] = "",
            at: Annotated[Time, Field(description="Since when. Now unless given.")] = None,
        ) -> Annotated[CallToolResult, Kept]:
            """Withdraws a memory that should no longer be relied on. It stays readable in its history."""
            return _kept(memory.retire(id, reason=reason, at=at))

        @server.tool(annotations=WRITES, title="Replace a memory by a newer one")
        @_told
        def supersede(
            old: Annotated[str, Field(description="The id of the older memory.")],
            new: Annotated[str, Field(description="The id of the newer memory, of the same kind.")],
            at: Annotated[Time, Field(description="When the newer began to hold.")] = None,
        ) -> Annotated[CallToolResult, Kept]:
            """Says that a newer memory took the place of an older one; both stay readable."""
            return _kept(memory.supersede(old, new, at=at))

        @server.tool(annotations=READS, title="History of a memory")
        @_told
        def history(id: Id) -> Annotated[CallToolResult, Versions]:
            """All recorded versions of a memory: when each was known, and when it holds."""
            told = history_json(id, memory.history(id))
            return _result(_dumped(told), told, [_link(id, id)])

        @server.tool(annotations=READS, title="Show a memory")
        @_told
        def show(
            id: Annotated[str, Field(description="The id of a node, a document or a piece.")],
        ) -> Annotated[CallToolResult, Shown]:
            """A memory, a document or a piece as it stands, with its edges."""
            told = _thing(memory, id)
            return _result(_dumped(told), {"thing": told}, [_link(id, str(told.get("title", id)))])

        @server.tool(annotations=WRITES, title="Hand in what a person picked")
        @_told
        def pick(
            choice_id: Annotated[str, Field(description="The choice_id of an answer whose state is choose.")],
            context: Context[Any, Any],
            node: Annotated[
                str | None, Field(description="The id that the person picked; null for none of these.")
            ] = None,
        ) -> Annotated[CallToolResult, Picked]:
            """Writes down what the person picked from a list that ask returned. Never call it with a pick
            of your own."""
            if node is not None:
                memory.node(node)
            taken = waiting.take(choice_id, node)
            choice = memory.choose(taken.question, node, by=_who(context), offered=taken.offered)
            told = {"question": choice.question, "picked": choice.picked, "number": choice.number}
            return _result(
                f"Written down: {choice.picked or NONE_OF_THESE}.", told, [_link(node, node)] if node else []
            )

    def _answer(
        self, asked: Asked, reads: Json, budget: int, *, picked: tuple[str | None] | None = None, note: str = ""
    ) -> CallToolResult:
        answer = asked.answer
        state: Literal["resolved", "choose", "none"] = answer.state
        node, reason, choice_id = answer.node, answer.reason, None
        if picked is not None:
            node = picked[0]
            state = "resolved" if node else "none"
            reason = "the person picked it" if node else "the person said that none of these is meant"
        elif state == "choose":
            choice_id = self._waiting.add(answer.question, tuple(one.id for one in asked.glimpses))
        material = None
        text = f"{state}: {reason}"
        if node is not None:
            kept = self._memory.material(node, budget=budget, form="prompt", **reads)
            material = material_json(kept)
            text = kept.text
        elif state == "choose":
            lines = [one for one in question_for(asked).message.splitlines() if one]
            text = "\n".join(
                [
                    *([note] if note else []),
                    *lines,
                    "",
                    f"Hand this list to the person you work for; pick with choice_id {choice_id}.",
                ]
            )
        told = {
            "state": state,
            "question": answer.question,
            "node": node,
            "reason": f"{note} {reason}".strip(),
            "picked_by_user": picked is not None,
            "candidates": glimpses_json(asked.glimpses),
            "hidden": answer.hidden,
            "ask_back": (answer.ask_back or None) if state == "choose" else None,
            "choice_id": choice_id,
            "material": material,
        }
        titles = {one.candidate.node: one.candidate.title for one in answer.candidates}
        meant = [node] if node else [one.id for one in asked.glimpses] if state == "choose" else []
        return _result(text, told, [_link(id, titles.get(id, id)) for id in meant])


def _told(function: Callable[P, R]) -> Callable[P, R]:
    """What went wrong becomes an error result in one line, with what to do next."""

    @functools.wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except AscertainError as error:
            raise ToolError(line_of(error)) from error

    return wrapped


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


def _kept(row: NodeRow, *, added: bool = False, note: str = "") -> CallToolResult:
    node = row.node
    told: Json = {
        "id": node.id,
        "kind": node.kind,
        "title": node.title,
        "added": added,
        "version": row.version,
        "valid_from": format_instant(row.holds_from),
        "valid_to": format_instant(row.holds_to),
        "retired_at": format_instant(node.retired_at),
        "superseded_by": row.superseded_by,
        "note": note,
    }
    text = f"{'Remembered' if added else 'Stands'}: {node.title} ({node.kind}, id {node.id}). {note}".rstrip()
    return _result(text, told, [_link(node.id, node.title)])


def _result(text: str, told: Json, links: Sequence[ContentBlock] = ()) -> CallToolResult:
    seen = dict.fromkeys(json.dumps(one.model_dump(mode="json")) for one in links)
    unique = [ResourceLink.model_validate_json(one) for one in seen]
    return CallToolResult(content=[TextContent(type="text", text=text), *unique], structured_content=told)


def _link(id: str, title: str) -> ResourceLink:
    return ResourceLink(
        type="resource_link",
        uri=f"ascertain://memory/{quote(id, safe='')}",
        name=id,
        title=title,
        mime_type="application/json",
    )


def _dumped(told: Json) -> str:
    return json.dumps(told, ensure_ascii=False, indent=1)


def _thing(memory: Memory, id: str) -> Json:
    found = memory.find(id)
    if found is None:
        raise NotFound(f"nothing has the id {id!r}", hint="Ask for it by name.")
    match found:
        case NodeRow():
            return thing_json(found, memory.neighbours(found.node.id))
        case PieceRow():
            return thing_json(found, memory.neighbours(found.piece.id))
        case Document():
            return thing_json(found, [])


def _add_resources(server: MCPServer, memory: Memory) -> None:
    @server.resource("ascertain://memory/{id}", title="A memory", mime_type="application/json")
    def memory_by_id(id: str) -> str:
        """A node, document or piece by its id (percent-encoded), with its edges, as JSON."""
        try:
            return _dumped(_thing(memory, id))
        except AscertainError as error:
            raise ResourceError(line_of(error)) from error


def _add_prompts(server: MCPServer) -> None:
    @server.prompt(title="What do we know?")
    def what_do_we_know(question: str) -> str:
        """Answer a question from memory alone, with its source, or say that it can't be told."""
        return (
            f"Ask the memory with the `ask` tool: {question}\n\nIf it is resolved, answer from its material and name"
            " the memory. If it is choose, show me the list and let me pick. If it is none, say so."
        )

    @server.prompt(title="Keep a decision")
    def keep_a_decision(decision: str) -> str:
        """Write down what was decided, linked to what it is about."""
        return (
            f"We decided: {decision}\n\nAsk the memory first whether an earlier decision says something else. Then"
            " `remember` it as a decision, about the concepts it concerns; where it replaces an earlier one, say so"
            " with `supersedes`. Show me what you wrote."
        )

    @server.prompt(title="Keep what happened")
    def keep_what_happened(what: str) -> str:
        """Write down an episode with its facts."""
        return (
            f"This happened: {what}\n\n`remember` it as an episode with its time if I gave one, and each fact"
            " measured as a record. Don't invent times or facts."
        )
