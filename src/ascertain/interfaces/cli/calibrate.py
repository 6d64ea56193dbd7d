"""`ascertain calibrate`: weights of one's own, and what they promise."""

from __future__ import annotations

import json
import os
from contextlib import closing
from pathlib import Path

import click
from rich.table import Table

from ascertain.decide.calibrated import CalibratedPolicy, Weights, shipped_weights
from ascertain.encoders.base import Encoder
from ascertain.exam.calibrate import HELD, Calibration, calibrate
from ascertain.exam.format import load_exam
from ascertain.exam.metrics import Counts, counts
from ascertain.exam.outcome import outcome_of
from ascertain.exam.recorded import RecordedQuestion, read_header, read_recording
from ascertain.exam.run import Remembering, ask_all, memory_of
from ascertain.exam.split import half_of
from ascertain.interfaces.cli.call import Call
from ascertain.interfaces.cli.failures import DONE
from ascertain.interfaces.settings import Settings


@click.command("calibrate")
@click.argument("sources", nargs=-1, required=True, metavar="DIR|FILE...", type=click.Path(path_type=Path))
@click.option("--max-wrong", type=click.FloatRange(0.001, 0.5), default=0.05, show_default=True,
              help="The share of wrong answers among those resolved, at most.")  # fmt: skip
@click.option("--confidence", type=click.FloatRange(0.5, 0.999), default=0.95, show_default=True,
              help="How sure that is to hold.")  # fmt: skip
@click.option("--held", type=click.FloatRange(0.01, 0.999), default=HELD, show_default=True,
              help="With which probability a list is to hold the right node.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", default=Path("weights.json"),
              show_default=True, help="Where to write the weights.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def calibrate_command(
    sources: tuple[Path, ...], max_wrong: float, confidence: float, held: float, out: Path, as_json: bool
) -> int:
    """Fit the calibrated policy on exams and set how sure it must be.

    A DIR is an exam, a FILE is what `exam run --record` wrote. The models are fitted on one half of
    the questions and stay near those that come with the package; what is promised is set on the
    other half. Use the weights with `ascertain ask --weights FILE` or ASCERTAIN_WEIGHTS.
    """
    settings = Settings.from_environment(os.environ)
    call = Call(settings, as_json)
    exams: dict[str, list[RecordedQuestion]] = {}
    encoder = None
    for source in sources:
        if source.is_dir() and encoder is None:
            encoder = settings.encoder()
        name, questions = _recorded(source, encoder)
        exams.setdefault(name, []).extend(questions)
    made = calibrate(exams, max_wrong=max_wrong, confidence=confidence, held=held)
    out.write_text(json.dumps(made.weights.to_json(), indent=1, ensure_ascii=False) + "\n", "utf-8", newline="\n")
    testing = [one for each in exams.values() for one in each if half_of(one.question) == "test"]
    found = {"before": _counted(testing, shipped_weights()), "after": _counted(testing, made.weights)}
    if call.json:
        call.tell(_told(made, found, out))
    else:
        _show(call, made, found, out, max_wrong=max_wrong)
    return DONE


def _recorded(source: Path, encoder: Encoder | None) -> tuple[str, list[RecordedQuestion]]:
    if encoder is None or not source.is_dir():
        return read_header(source).exam, list(read_recording(source))
    exam = load_exam(source)
    with closing(memory_of(exam, None, Remembering(encoder))) as memory:
        return exam.name, list(ask_all(memory, exam, times=()))


def _counted(questions: list[RecordedQuestion], weights: Weights) -> Counts:
    return counts([outcome_of(one, CalibratedPolicy(weights)) for one in questions])


_SHOWN = ("answerable", "first", "resolved_right", "resolved_wrong", "choose", "choose_has_gold", "unanswerable",
          "unanswerable_resolved", "unanswerable_choose")  # fmt: skip


def _told(made: Calibration, found: dict[str, Counts], out: Path) -> dict[str, object]:
    return {
        "file": str(out),
        "tuned": made.tuned,
        "held_out": made.held,
        "bar": made.bar.bar,
        "resolved": made.bar.resolved,
        "wrong": made.bar.wrong,
        "upper": round(made.bar.upper, 4),
        "more": made.bar.more,
        "list_probability": made.list.probability,
        "list_reached": made.list.reached,
        "promise": made.weights.promise,
        "list_promise": made.weights.list_promise,
        **{name: {each: getattr(one, each) for each in _SHOWN} for name, one in found.items()},
    }


def _show(call: Call, made: Calibration, found: dict[str, Counts], out: Path, *, max_wrong: float) -> None:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(f"{made.held} questions set aside")
    for name in ("weights of the package", "these weights"):
        table.add_column(name, justify="right")
    for each in _SHOWN:
        table.add_row(each, *(str(getattr(one, each)) for one in found.values()))
    with call.page() as console:
        console.print(table)
    bar = made.bar
    if bar.bar is not None:
        call.say(
            f"Bar {bar.bar:.2f}: {bar.wrong} of {bar.resolved} wrong, at most {bar.upper:.3f}: {made.weights.promise}."
        )
    elif bar.more is not None:
        call.say(f"No bar can be promised yet: about {bar.more} more questions like these would do.")
    else:
        call.say(
            f"No bar can be promised: at each that was tested more than {max_wrong:.0%} of what it resolves is wrong."
        )
    short = "" if made.list.reached else " (five candidates can't hold it as often as was asked)"
    call.say(f"Lists: {made.weights.list_promise}{short}.")
    call.say(f"Written to {out}; ascertain ask --weights {out}")
