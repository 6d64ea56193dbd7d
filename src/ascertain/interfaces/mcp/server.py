"""The server: tools, resources and prompts over one store."""

from __future__ import annotations

from importlib.metadata import version

from mcp.server.mcpserver import MCPServer, ResourceSecurity
from mcp.server.mcpserver.exceptions import ResourceError

from ascertain.errors import AscertainError
from ascertain.interfaces.mcp.opened import Opened
from ascertain.interfaces.mcp.results import dumped, thing
from ascertain.interfaces.mcp.tools import Tools
from ascertain.interfaces.plain import line_of

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


def build(opened: Opened) -> MCPServer:
    """A server over a store, which whoever opened it closes."""
    server = MCPServer(
        "ascertain",
        title="ascertain",
        description="Which one memory is meant: resolved, choose or none.",
        instructions=INSTRUCTIONS,
        version=version("ascertain"),
        log_level="WARNING",
    )
    Tools(opened).add_to(server)
    _add_resources(server, opened)
    _add_prompts(server)
    return server


def _add_resources(server: MCPServer, opened: Opened) -> None:
    # An id is a key of the store and never a path, so it may look like one.
    keys = ResourceSecurity(exempt_params=frozenset({"id"}))

    @server.resource("ascertain://memory/{id}", title="A memory", mime_type="application/json", security=keys)
    def memory_by_id(id: str) -> str:
        """A node, document or piece by its id (percent-encoded), with its edges, as JSON."""
        try:
            return dumped(thing(opened.memory(), id))
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
