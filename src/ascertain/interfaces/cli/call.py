"""What every command shares: --store, --json, and where answers go."""

from __future__ import annotations

import functools
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

import click

from ascertain.interfaces.plain import json_line, one_line
from ascertain.interfaces.settings import Settings

if TYPE_CHECKING:
    from rich.console import Console

    from ascertain.memory import Memory

P = ParamSpec("P")


@dataclass(frozen=True)
class Call:
    """One run of one command. json: answer with one JSON object instead of words."""

    settings: Settings
    json: bool = False

    def memory(self, *, create: bool = False) -> Memory:
        """The store with the encoder that is set. Raises what `Memory.open` and
        `Settings.encoder` raise; NotFound where there is no store and not `create`."""
        from ascertain.memory import Memory

        return Memory.open(self.settings.store, encoder=self.settings.encoder(), create=create)

    def memory_unasked(self) -> Memory:
        """The store, for what needs no vector of a new text: whichever encoder wrote it."""
        from ascertain.memory import Memory

        return Memory.open(self.settings.store, create=False, check_encoder=False)

    def tell(self, value: dict[str, Any]) -> None:
        """Prints one JSON object on one line of stdout."""
        sys.stdout.write(json_line(value) + "\n")

    def say(self, text: str) -> None:
        """Prints one plain line on stdout."""
        sys.stdout.write(one_line(text) + "\n")

    @contextmanager
    def page(self) -> Iterator[Console]:
        """stdout for people: colour on a terminal only and never with NO_COLOR; elsewhere 100 cells
        wide (or as wide as COLUMNS says) and no blanks at the ends of lines. Nothing in a text is markup."""
        from rich.console import Console

        width = None if sys.stdout.isatty() else shutil.get_terminal_size((100, 25)).columns
        console = Console(file=sys.stdout, width=width, markup=False, emoji=False, highlight=False)
        if console.is_terminal:
            yield console
            return
        with console.capture() as told:
            yield console
        sys.stdout.write("".join(line.rstrip() + "\n" for line in told.get().splitlines()))


def shared(function: Callable[Concatenate[Call, P], int]) -> Callable[..., int]:
    """Adds --store and --json. The command gets a Call and returns its exit status."""

    @click.option(
        "--store",
        type=click.Path(path_type=Path),
        metavar="PATH",
        help="The store, a file. Default: $ASCERTAIN_STORE, else ascertain.db in this folder.",
    )
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
    @functools.wraps(function)
    def wrapped(store: Path | None, as_json: bool, *args: P.args, **kwargs: P.kwargs) -> int:
        settings = Settings.from_environment(os.environ)
        return function(Call(replace(settings, store=store or settings.store), as_json), *args, **kwargs)

    return wrapped


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None] | None]:
    """A callback that shows how many things were done so far, on stderr; None where that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn(what), TextColumn("{task.completed:,}"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done: progress.update(task, completed=done)
