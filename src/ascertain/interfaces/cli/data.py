"""import and export: what goes in, and what comes out."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ascertain.errors import AscertainError, ImportRefused, ModelError, NotFound
from ascertain.interfaces.cli.call import Call, counting, shared
from ascertain.interfaces.cli.failures import DONE, FAILED, PARTLY, UsageError
from ascertain.interfaces.plain import escaped

if TYPE_CHECKING:
    from ascertain.memory import Memory
    from ascertain.write.propose import ChatModel
    from ascertain.write.report import ImportReport


@click.command("import")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@click.option("--format", metavar="NAME", help="What the files are. Default: found out.")
@click.option("--dry-run", is_flag=True, help="Report what would be taken, and write nothing.")
@click.option("--retire-vanished", is_flag=True, help="Withdraw nodes whose file is gone or tells them no more.")
@click.option(
    "--extract",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write nodes that the model of $ASCERTAIN_MODEL proposes into a new FILE, for review.",
)
@shared
def import_(
    call: Call,
    paths: tuple[Path, ...],
    format: str | None,
    dry_run: bool,
    retire_vanished: bool,
    extract: Path | None,
) -> int:
    """Take files and folders into the store, made where it isn't there.

    Files that were moved keep the ids of what they told. Files that are gone are reported.

    Each PATH is taken whole or not at all. Ends with status 0 (all taken), 3 (partly: the report
    names what was not) or 1 (nothing taken).
    """
    model = _model(extract, dry_run=dry_run) if extract is not None else None
    with ExitStack() as stack:
        reports = _import_each(call, stack, paths, format, dry_run=dry_run, retire_vanished=retire_vanished)
    if model is not None and extract is not None:
        reports.append(_extract(call, paths, model, extract))
    if call.json:
        from ascertain.interfaces.wire import import_json

        call.tell(import_json(reports))
    else:
        from ascertain.interfaces.cli.import_view import show_import

        with call.page() as console:
            show_import(console, reports, dry_run=dry_run)
    if not any(report.took_anything for report in reports):
        return FAILED
    return PARTLY if any(report.skipped for report in reports) else DONE


def _import_each(
    call: Call,
    stack: ExitStack,
    paths: Sequence[Path],
    format: str | None,
    *,
    dry_run: bool,
    retire_vanished: bool,
) -> list[ImportReport]:
    """One report a path. A path that is refused is told as skipped where there are others, else raised."""
    from ascertain.formats.base import Problem
    from ascertain.write.report import ImportReport

    memory: Memory | None = None
    reports = []
    for path in paths:
        try:
            _check(path, format)
            # Only now: a mistyped path must not leave an empty store behind.
            memory = memory or stack.enter_context(_memory(call, dry_run))
            with counting(f"Taking {path.name}:") as progress:
                report = memory.import_path(
                    path, format=format, dry_run=dry_run, retire_vanished=retire_vanished, progress=progress
                )
                reports.append(report)
        except (NotFound, ImportRefused) as error:
            if len(paths) == 1:
                raise
            reports.append(ImportReport(problems=[Problem(error.where or str(path), None, error.problem)]))
    return reports


def _model(target: Path, *, dry_run: bool) -> ChatModel:
    """The model that is set, checked before anything is taken."""
    from ascertain.write.propose import ChatModel

    if dry_run:
        raise UsageError("can't be joined with --dry-run", where="--extract")
    if target.exists():
        raise UsageError("is there already", where=str(target), hint="Name a new file for the proposals.")
    name, at, url = os.environ.get("ASCERTAIN_MODEL", "").partition("@")
    if not at or not name or not url.startswith(("http://", "https://")):
        raise UsageError("names no model", where="ASCERTAIN_MODEL", hint="Set it to MODEL@URL of an OpenAI endpoint.")
    return ChatModel(url, name, os.environ.get("ASCERTAIN_MODEL_KEY", ""))


def _extract(call: Call, paths: Sequence[Path], model: ChatModel, target: Path) -> ImportReport:
    """Writes proposals into a file that can be reviewed and imported; what the model said amiss is noted."""
    from ascertain.formats.base import Problem
    from ascertain.formats.json import jsonl
    from ascertain.write.report import ImportReport

    try:
        with call.memory() as memory:
            found = [one for path in paths for one in memory.propose(path, model)]
    except ModelError as error:
        raise ModelError(
            error.problem, where=error.where, hint=f"{error.hint} The import itself is done; no proposal was written."
        ) from error
    problems = [replace(one, skipped=False) for one in found if isinstance(one, Problem)]
    nodes = {one.id: one for one in found if not isinstance(one, Problem)}
    count = _write_aside(jsonl.write(nodes.values(), ()), target)
    told = f"{count} proposals wait here: take out what is wrong, then run ascertain import {target}"
    return ImportReport(problems=[*problems, Problem(str(target), None, told, skipped=False)])


def _check(path: Path, format: str | None) -> None:
    from ascertain.formats.catalogue import by_name, detect

    where = path.expanduser()
    if format is not None:
        try:
            by_name(format)
        except NotFound as error:
            raise UsageError(error.problem, where="--format", hint=error.hint) from error
    if not where.exists():
        raise NotFound("there is no such file or folder", where=str(path), hint="Check the path.")
    if format is None:
        detect(where)


def _memory(call: Call, dry_run: bool) -> Memory:
    from ascertain.memory import Memory

    if dry_run and not call.settings.store.expanduser().exists():
        return Memory.temporary(encoder=call.settings.encoder())
    return call.memory(create=True)


@click.command
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Default: stdout.")
@click.option(
    "--format",
    type=click.Choice(["jsonl", "mcp-memory", "markdown"]),
    default="jsonl",
    help="jsonl loses nothing; mcp-memory is a memory server's file; markdown is a folder of notes.",
)
@shared
def export(call: Call, output: Path | None, format: str) -> int:
    """Print the whole store as JSON Lines, in the interchange format or another.

    A FILE is written aside and renamed when it is whole. Markdown goes into a new folder.
    """
    if format == "markdown":
        return _export_notes(call, output)
    # The lines are closed before the store: they may end early, with the reader of a pipe.
    with call.memory_unasked() as memory, closing(memory.export(format)) as told:
        if output is None or str(output) == "-":
            _print_lines(told)
            return DONE
        target = output.expanduser().resolve()
        if target.exists() and target.samefile(call.settings.store.expanduser()):
            raise UsageError("is the store itself", where=str(output), hint="Name another file.")
        count = _write_aside(told, target)
    if call.json:
        call.tell({"file": str(output), "lines": count})
    else:
        call.say(f"{count:,} lines in {output}")
    return DONE


def _export_notes(call: Call, output: Path | None) -> int:
    if output is None or str(output) == "-":
        raise UsageError("Markdown needs a folder to be written to", where="--output", hint="Name one with -o FOLDER.")
    with call.memory_unasked() as memory:
        count = memory.export_markdown(output)
    if call.json:
        call.tell({"folder": str(output), "notes": count})
    else:
        call.say(f"{count:,} notes in {output}")
    return DONE


def _print_lines(told: Iterable[str]) -> None:
    clean = escaped if sys.stdout.isatty() else str
    for line in told:
        sys.stdout.write(clean(line.rstrip("\n")) + "\n")


def _write_aside(told: Iterable[str], target: Path) -> int:
    """Writes lines to a file that is there whole or as it was; how many."""
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        # A device or a pipe (/dev/stdout): a rename would put a file in its place.
        with target.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as out:
            return sum(bool(out.write(line.rstrip("\n") + "\n")) for line in told)
    aside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with aside.open("x", encoding="utf-8", errors="backslashreplace", newline="\n") as out:
            count = sum(bool(out.write(line.rstrip("\n") + "\n")) for line in told)
            out.flush()
            os.fsync(out.fileno())
        aside.replace(target)
    except BaseException as error:
        if not isinstance(error, FileExistsError):
            aside.unlink(missing_ok=True)
        if isinstance(error, OSError) and not isinstance(error, AscertainError):
            # The name that people gave, not the one beside it.
            raise OSError(error.errno, error.strerror, str(target)) from error
        raise
    return count
