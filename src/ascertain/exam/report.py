"""One self-contained page for a run: it opens offline and sends nothing anywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from ascertain.exam import breakdown
from ascertain.exam.charts import (
    graphs,
    language_heat_map,
    recall_chart,
    risk_coverage_chart,
    states_by_stratum,
)
from ascertain.exam.intervals import Interval
from ascertain.exam.outcome import Outcome
from ascertain.exam.result import RunResult

_MOST_STRATA = 40
"""A tag with more values than this (an id, say) makes no chart."""


def write_report(result: RunResult, path: str | Path) -> None:
    """Writes the page: figures with intervals, charts, and every wrong, chosen and unanswerable
    question with its evidence, to be filtered and searched. The same result, the same bytes.

    Raises MissingExtra where plotly is not installed.
    """
    Path(path).write_text(report_page(result), encoding="utf-8", newline="\n")


def report_page(result: RunResult) -> str:
    """The page as text. Everything that comes from the exam or the store is escaped."""
    graphs()
    from plotly.offline import get_plotlyjs

    page = (files("ascertain.exam") / "report.html").read_text("utf-8")
    parts = {
        "TITLE": escape(f"{result.exam}, {result.policy}"),
        "AUTHOR": escape(result.author),
        "POLICY": escape(f"{result.policy} (by {result.policy_author})"),
        "HALF": escape(f"; only the questions to {result.half} with" if result.half else ""),
        "WARNINGS": "".join(f'<p class="warning">{escape(one)}</p>' for one in result.warnings),
        "COUNTS": _rows(_figures(result)),
        "CHARTS": "\n".join(_charts(result)),
        "QUESTIONS": _embedded([_told(one) for one in result.outcomes if _shown(one)]),
        "PLOTLY": get_plotlyjs(),
    }
    # Split once by the marks, so that a mark inside the data is never replaced.
    for at, part in enumerate(pieces := page.split("%%")):
        if at % 2:
            pieces[at] = parts[part]
    return "".join(pieces)


def _charts(result: RunResult) -> Iterator[str]:
    outcomes = result.outcomes
    whole = {
        "answerable": [one for one in outcomes if one.answerable],
        "unanswerable": [one for one in outcomes if not one.answerable],
    }
    kinds = {
        "Kind of the gold node": breakdown.by_kind(outcomes),
        "Share of the title's words that the question reuses": breakdown.by_reuse(outcomes),
        "Words in the title": breakdown.by_words(outcomes),
        "Languages, question → title": breakdown.by_languages(outcomes),
    } | {f"Tag: {tag}": strata for tag, strata in breakdown.by_tags(outcomes).items()}
    figures = [
        ("whole", states_by_stratum("All questions", whole)),
        ("half", risk_coverage_chart(result)),
        ("half", recall_chart(result)),
        ("whole", language_heat_map(breakdown.by_languages(outcomes))),
        *(("whole", states_by_stratum(title, strata)) for title, strata in kinds.items()
          if 1 < len(strata) <= _MOST_STRATA),
    ]  # fmt: skip
    for number, (width, figure) in enumerate(figures):
        # An id of our own: Plotly's are random, and a report is the same from run to run.
        chart = figure.to_html(
            full_html=False, include_plotlyjs=False, div_id=f"chart-{number}",
            config={"displayModeBar": False, "responsive": True},
        )  # fmt: skip
        yield f'<div class="chart {width}">{chart}</div>'


def _figures(result: RunResult) -> list[tuple[str, int, int, Interval | None]]:
    found, rates = result.counts, result.intervals
    named = [
        ("a gold node in the pool", "in_pool", found.answerable),
        ("a gold node first", "first", found.answerable),
        ("resolved right", "resolved_right", found.answerable),
        ("resolved wrong", "resolved_wrong", found.answerable),
        ("choose", "choose", found.answerable),
        ("choose, a gold node in the list", "choose_has_gold", found.answerable),
        ("none", "none", found.answerable),
        ("unanswerable, resolved", "unanswerable_resolved", found.unanswerable),
        ("unanswerable, choose", "unanswerable_choose", found.unanswerable),
    ]
    rows = [(label, int(getattr(found, name)), total, rates.get(name)) for label, name, total in named]
    resolved = found.resolved_right + found.resolved_wrong + found.unanswerable_resolved
    return [*rows, ("right among all resolved", found.resolved_right, resolved, rates.get("precision"))]


def _rows(figures: list[tuple[str, int, int, Interval | None]]) -> str:
    return "\n".join(
        f"<tr><td>{escape(label)}</td><td>{count}</td><td>{total}</td><td>"
        + (f"{rate[0]:.1%}</td><td>{rate[1]:.1%} to {rate[2]:.1%}" if rate else "</td><td>")
        + "</td></tr>"
        for label, count, total, rate in figures
    )


def _shown(one: Outcome) -> bool:
    return not one.resolved_right


def _told(one: Outcome) -> dict[str, Any]:
    way = {"resolved": "wrong", "choose": "chosen", "none": "none"}[one.state] if one.answerable else "unanswerable"
    return {
        "id": one.id,
        "way": way,
        "state": one.state,
        "question": one.question,
        "lang": one.lang,
        "as_of": one.as_of or "",
        "gold": list(one.gold),
        "pool": one.in_pool,
        "tags": ", ".join(f"{tag}: {value}" for tag, value in one.tags.items()),
        "reason": one.reason,
        "obstacles": list(one.obstacles),
        "offered": [
            {"id": each.id, "kind": each.kind, "title": each.title, "gold": each.id in one.gold, "said": each.said}
            for each in one.offered
        ],
    }


def _embedded(data: object) -> str:
    """JSON that can stand inside a script element: no `<`, `>` or `&`, and no line separators
    that older scripts read as line ends."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text
