"""What a person or a script is told when a command can't do what was asked: one line, one status."""

from __future__ import annotations

import click

from ascertain.errors import AscertainError, InvalidInput
from ascertain.interfaces.plain import one_line

DONE, FAILED, USAGE, CHOOSE, PARTLY, NONE, INTERRUPTED = 0, 1, 2, 3, 3, 4, 130
"""Exit statuses. CHOOSE is of `ask`, PARTLY of `import`."""


class UsageError(AscertainError, ValueError):
    """The command line itself is wrong."""


class SystemRefused(AscertainError, OSError):
    """The operating system said no."""


class Interrupted(AscertainError):
    """Stopped from outside."""


def failure_of(error: BaseException) -> tuple[AscertainError, int] | None:
    """What to tell and the exit status; None for what is a defect of ours and should be seen as one."""
    match error:
        case InvalidInput():
            return error, USAGE
        case UsageError():
            return error, USAGE
        case AscertainError():
            return error, FAILED
        case click.UsageError():
            return UsageError(_sentence(error), hint=_help(error)), USAGE
        case click.ClickException():
            return UsageError(_sentence(error)), USAGE
        case KeyboardInterrupt() | click.Abort():
            return Interrupted("interrupted"), INTERRUPTED
        case OSError():
            return SystemRefused(error.strerror or str(error), where=str(error.filename or "")), FAILED
        case UnicodeError():
            # Names of files may hold bytes that are no text; a store keeps text only.
            return SystemRefused("a name holds bytes that are not UTF-8", hint="Rename the file."), FAILED
    return None


def _sentence(error: click.ClickException) -> str:
    return one_line(error.format_message())


def _help(error: click.UsageError) -> str:
    told = f"Try: {error.ctx.command_path if error.ctx else 'ascertain'} --help"
    if not isinstance(error, click.NoSuchOption) or error.ctx is None:
        return told
    group = isinstance(error.ctx.command, click.Group)
    return f"{'Options come after the command.' if group else 'A -- goes before words that start with a dash.'} {told}"
