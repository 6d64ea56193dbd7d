"""The commands by name. Each is imported when it is run, so that none waits for what another needs."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = {
    "import": "data:import_",
    "ask": "ask:ask",
    "search": "ask:search",
    "show": "show:show",
    "material": "material:material",
    "history": "time:history",
    "status": "show:status",
    "retire": "time:retire",
    "restore": "time:restore",
    "supersede": "time:supersede",
    "correct": "time:correct",
    "forget": "time:forget",
    "twins": "twins:twins",
    "merge": "twins:merge",
    "part": "twins:part",
    "export": "data:export",
    "pick": "exam:pick_command",
    "mcp": "mcp:mcp_command",
    "exam": "exam:exam_group",
    "calibrate": "calibrate:calibrate_command",
    "doctor": "keep:doctor",
    "reindex": "keep:reindex",
    "reembed": "keep:reembed",
}
"""name → module of this folder: name in it; in the order in which help lists them."""


class Commands(click.Group):
    """A group whose commands are those of COMMANDS."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, or None for a name that none has."""
        if (place := COMMANDS.get(cmd_name)) is None:
            return None
        module, _, name = place.partition(":")
        command = getattr(import_module(f"{__package__}.{module}"), name)
        if not isinstance(command, click.Command):
            raise TypeError(f"{place} is no command")
        return command
