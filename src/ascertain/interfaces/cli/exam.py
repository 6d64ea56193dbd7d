"""`ascertain exam …` and `ascertain pick`: measure, compare, tune, and make exams of one's own."""

from __future__ import annotations

import functools
import getpass
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Concatenate, ParamSpec

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from ascertain.decide.base import Policy
from ascertain.decide.catalogue import DEFAULT
from ascertain.decide.gates.catalogue import gated_policy_named
from ascertain.encoders.base import Encoder
from ascertain.errors import NotFound
from ascertain.exam.compare import compare, load_saved
from ascertain.exam.format import load_exam
from ascertain.exam.grid import ALL_ARMS, Axes, evaluate
from ascertain.exam.own import new_exam
from ascertain.exam.recorded import RecordedQuestion, read_header, read_recording
from ascertain.exam.report import write_report
from ascertain.exam.run import Progressing, Remembering, ask_all, memory_of, run_exam
from ascertain.exam.split import HALVES
from ascertain.exam.together import COST, ablation
from ascertain.interfaces.cli import exam_tables as tables
from ascertain.interfaces.cli.call import Call, shared
from ascertain.interfaces.cli.failures import DONE
from ascertain.interfaces.plain import one_line
from ascertain.interfaces.settings import Settings

P = ParamSpec("P")

_FILE = click.Path(path_type=Path)


def _named(context: click.Context, parameter: click.Parameter, name: str) -> Policy:
    try:
        return gated_policy_named(name)
    except NotFound as error:
        raise click.BadParameter(str(error)) from error


_policy = click.option(
    "--policy",
    metavar="NAME",
    default=DEFAULT,
    show_default=True,
    callback=_named,
    help="How to decide: seed, grounds, or one with gates as in seed+residual.",
)


def _measuring(function: Callable[Concatenate[Call, P], int]) -> Callable[..., int]:
    """Adds --json. An exam brings its own store: the environment's is left alone."""

    @click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
    @functools.wraps(function)
    def wrapped(as_json: bool, *args: P.args, **kwargs: P.kwargs) -> int:
        return function(Call(Settings.from_environment(os.environ), as_json), *args, **kwargs)

    return wrapped


@click.group("exam")
def exam_group() -> None:
    """Measure how well questions find what they mean."""


@exam_group.command("run")
@click.argument("folder", metavar="DIR", type=_FILE)
@_policy
@click.option("--report", type=_FILE, metavar="FILE.html", help="Write a page with charts and every miss.")
@click.option("--record", type=_FILE, metavar="FILE", help="Write all evidence, to decide again without a store.")
@click.option("--save", type=_FILE, metavar="FILE", help="Write the result with each question, to compare.")
@click.option("--store", type=_FILE, metavar="PATH", help="Ask this store and not the one that the exam brings.")
@click.option("--half", type=click.Choice(HALVES), help="Only the questions to tune with, or only those to test with.")
@_measuring
def run_command(
    call: Call,
    folder: Path,
    policy: Policy,
    report: Path | None,
    record: Path | None,
    save: Path | None,
    store: Path | None,
    half: Any,  # one of HALVES: click checks it
) -> int:
    """Ask every question of the exam in DIR and count how it went.

    DIR holds exam.jsonl, exam.json and store.jsonl. Candidacy (was a right node in the pool),
    ranking (was it first) and commitment (was it resolved, and right) are counted apart.
    """
    encoder = call.settings.encoder()
    with _progress() as told:
        result = run_exam(folder, policy, store=store, encoder=encoder, record=record, half=half, progress=told)
    for warning in result.warnings:
        click.echo(f"Warning: {one_line(warning)}", err=True)
    if save is not None:
        _write_json(save, result.saved())
    if report is not None:
        write_report(result, report)
    if call.json:
        call.tell({**result.to_json(), "timings_ms": result.timings_ms})
    else:
        with call.page() as console:
            tables.show_run(console, result)
    return DONE


@exam_group.command("compare")
@click.argument("a", type=_FILE)
@click.argument("b", type=_FILE)
@_policy
@_measuring
def compare_command(call: Call, a: Path, b: Path, policy: Policy) -> int:
    """Pair two runs question by question and list what changed.

    A and B are files that `exam run --save` wrote, or recordings, which are decided over with
    --policy. Differences are tested with McNemar's exact test.
    """
    found = compare(load_saved(a, policy), load_saved(b, policy))
    if call.json:
        call.tell(found.to_json())
    else:
        with call.page() as console:
            tables.show_comparison(console, found)
    return DONE


def _words(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    return None if value is None else tuple(part.strip() for part in value.split(",") if part.strip())


def _numbers(kind: type[int] | type[float]) -> Callable[..., Any]:
    def read(context: click.Context, parameter: click.Parameter, value: str | None) -> Any:
        try:
            return None if value is None else tuple(kind(part) for part in value.split(","))
        except ValueError:
            raise click.BadParameter(f"numbers between commas, not {value!r}", context, parameter) from None

    return read


@exam_group.command("ablate")
@click.argument("source", metavar="FILE|DIR", type=_FILE)
@click.option("--policies", callback=_words, help="Between commas, such as seed,grounds.")
@click.option(
    "--arms", multiple=True, metavar="ARMS", help="Arms that are on, as title+graph; repeat it. Default: each one off."
)
@click.option("--bars", callback=_numbers(int), help="Least matched words, between commas.")
@click.option("--gaps", callback=_numbers(float), help="Least gaps, between commas.")
@click.option("--gates", multiple=True, metavar="GATES", help="none, or gates as a+b; repeat it.")
@click.option("--cost", default=COST, show_default=True, help="What a confident wrong answer costs, in right ones.")
@click.option("--all", "everything", is_flag=True, help="Tune on all questions and keep none to test with.")
@_measuring
def ablate_command(
    call: Call,
    source: Path,
    policies: tuple[str, ...] | None,
    arms: tuple[str, ...],
    bars: tuple[int, ...] | None,
    gaps: tuple[float, ...] | None,
    gates: tuple[str, ...],
    cost: float,
    everything: bool,
) -> int:
    """Try arms, bars, gaps, gates and policies over recorded evidence.

    FILE is what `exam run --record` wrote; for a DIR the evidence is gathered first. Settings
    are ranked on the half of the questions that is for tuning and shown on the other half too.
    Changes that pay only together are pointed out.
    """
    given: dict[str, Any] = {"policies": policies, "bars": bars, "gaps": gaps}
    given["arms"] = tuple(_arms(one) for one in arms) or None
    given["gates"] = tuple(() if one == "none" else tuple(one.split("+")) for one in gates) or None
    try:
        settings = Axes(**{name: value for name, value in given.items() if value}).settings()
    except NotFound as error:
        raise click.UsageError(str(error)) from error
    with _progress() as told, _evidence(source, call.settings.encoder(), told) as (total, questions):
        grid = evaluate(questions, settings, progress=lambda done: told("decide", done, total))
    found = ablation(grid, cost=cost, everything=everything)
    if call.json:
        call.tell(found.to_json())
    else:
        with call.page() as console:
            tables.show_ablation(console, found)
    return DONE


def _arms(text: str) -> tuple[str, ...]:
    named = tuple(sorted(set(text.split("+"))))
    if wrong := [one for one in named if one not in ALL_ARMS]:
        raise click.BadParameter(f"no arm named {wrong[0]!r}; known: {', '.join(ALL_ARMS)}", param_hint="--arms")
    return named


@exam_group.command("new")
@click.argument("folder", metavar="DIR", type=_FILE)
@click.option("--by", metavar="NAME", help="Only what this person picked.")
@click.option("--name", default="", help="The exam's name; else the folder's.")
@shared
def new_command(call: Call, folder: Path, by: str | None, name: str) -> int:
    """Make an exam in DIR of what was picked in the store.

    Its author is whoever picked. Questions for which none of the candidates was right become
    questions that nothing answers.
    """
    with call.memory_unasked() as memory:
        made = new_exam(memory, folder, by=by, name=name)
    if call.json:
        call.tell(
            {
                "folder": str(made.folder),
                "author": made.author,
                "answerable": made.answerable,
                "unanswerable": made.unanswerable,
                "left_out": [{"question": question, "reason": reason} for question, reason in made.left_out],
            }
        )
        return DONE
    call.say(f"{made.folder}: {made.answerable} answerable and {made.unanswerable} unanswerable, by {made.author}")
    for question, reason in made.left_out:
        call.say(f"left out: {question}: {reason}")
    return DONE


@click.command("pick")
@click.argument("question", required=False)
@click.argument("id", required=False)
@click.option("--none", "none_of_these", is_flag=True, help="None of the candidates is right.")
@click.option("--by", metavar="NAME", help="Who picks. Default: the name of the user.")
@click.option("--lang", default="", help="The question's language (BCP 47).")
@click.option("--undo", type=int, metavar="NUMBER", help="Take a choice back.")
@shared
def pick_command(
    call: Call,
    question: str | None,
    id: str | None,
    none_of_these: bool,
    by: str | None,
    lang: str,
    undo: int | None,
) -> int:
    """Write down which node QUESTION meant: its ID, or --none.

    Asked the same again, it comes first in the list. `ascertain exam new` makes an exam of what was
    picked.
    """
    if undo is not None:
        return _undo(call, undo)
    if question is None or (id is None) != none_of_these:
        raise click.UsageError("Name the question, and the id that was meant or --none.")
    with call.memory() as memory:
        offered = [one.candidate.id for one in memory.ask(question).candidates]
        choice = memory.choose(question, id, by=by or getpass.getuser(), offered=offered, lang=lang)
    if call.json:
        call.tell(
            {"number": choice.number, "question": choice.question, "picked": choice.picked, "by": choice.picked_by}
        )
    else:
        call.say(f"Choice {choice.number}: {choice.picked or 'none of these'}")
    return DONE


def _undo(call: Call, number: int) -> int:
    with call.memory_unasked() as memory:
        memory.undo_choice(number)
    if call.json:
        call.tell({"undone": number})
    else:
        call.say(f"Choice {number} is taken back.")
    return DONE


@contextmanager
def _evidence(source: Path, encoder: Encoder, told: Progressing) -> Iterator[tuple[int, Iterator[RecordedQuestion]]]:
    """How many questions there are and their evidence: recorded, or gathered now."""
    if source.is_dir():
        exam = load_exam(source)
        with closing(memory_of(exam, None, Remembering(encoder), told)) as memory:
            yield len(exam.questions), ask_all(memory, exam, times=())
    else:
        yield read_header(source).questions, read_recording(source)


@contextmanager
def _progress() -> Iterator[Progressing]:
    """A bar on stderr for each stage, where stderr is a terminal; nothing elsewhere."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description:>8}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as bars:
        tasks: dict[str, TaskID] = {}

        def told(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total or None)
            bars.update(tasks[stage], completed=done)

        yield told


def _write_json(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")
