"""The entry: parse, run one command, and turn what goes wrong into one line and a status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import click

from ascertain import __version__
from ascertain.interfaces.cli.catalogue import Commands
from ascertain.interfaces.cli.failures import DONE, FAILED, USAGE, failure_of
from ascertain.interfaces.plain import json_line, line_of

_EPILOG = """\b
Exit statuses: 0 done (ask: resolved), 1 failed, 2 wrong usage; ask: 3 choose, 4 none;
import: 1 nothing taken, 3 partly taken.

\b
Shell completion: eval "$(_ASCERTAIN_COMPLETE=bash_source ascertain)" (or zsh_source, fish_source).

\b
Environment: ASCERTAIN_STORE (the store), ASCERTAIN_ENCODER (bundled, bge-m3:FOLDER or
remote:MODEL:DIMENSION@URL), ASCERTAIN_ENCODER_KEY (a remote encoder's token),
ASCERTAIN_MODEL and ASCERTAIN_MODEL_KEY (for import --extract: MODEL@URL of an OpenAI endpoint, its token),
ASCERTAIN_WEIGHTS (weights that ascertain calibrate wrote), NO_COLOR."""


@click.group(
    cls=Commands,
    invoke_without_command=True,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="ascertain")
@click.pass_context
def cli(context: click.Context) -> int:
    """A memory that confirms which one is meant, and says so when it cannot."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
    return USAGE


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the command line and exits with its status. argv: without the program's name; None for
    the process's own."""
    sys.exit(run(sys.argv[1:] if argv is None else argv))


def run(argv: Sequence[str]) -> int:
    """Runs one command; its exit status. What it refuses is one line on stderr and, with --json,
    an error object on stdout. Errors that are ours to mend go through."""
    _speak_utf8()
    try:
        status = cli.main(list(argv), prog_name="ascertain", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else DONE
    except BrokenPipeError:
        # Whoever read us has gone: there is nobody to tell, and the interpreter's own last flush
        # would complain once more.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except BaseException as error:
        if (failure := failure_of(error)) is None:
            raise
        told, status = failure
        if _wants_json(argv):
            from ascertain.interfaces.wire import error_json

            sys.stdout.write(json_line(error_json(told)) + "\n")
            sys.stdout.flush()
        sys.stderr.write(line_of(told) + "\n")
        return status


def _wants_json(argv: Sequence[str]) -> bool:
    """Was --json said? Read from the words themselves: the parser may be what failed."""
    told = list(argv)
    return "--json" in (told[: told.index("--")] if "--" in told else told)


def _speak_utf8() -> None:
    """Whatever the console's code page is: what can't be written is escaped, never an error."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
