"""The charts of a report, as Plotly figures.

Plotly reads a few HTML tags in text, so every label that comes from data is escaped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from ascertain.errors import MissingExtra
from ascertain.exam.metrics import Counts, counts, recall_by_depth
from ascertain.exam.outcome import Outcome
from ascertain.exam.result import RunResult

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

STATES = (
    ("resolved right", "#2f7d5b"),
    ("choose, right one in the list", "#7fb3d5"),
    ("choose, without it", "#c9d6df"),
    ("none", "#e4e2dd"),
    ("resolved wrong", "#c0392b"),
)
_GRAPHS: Any = None  # the module, loaded when the first chart is drawn


def graphs() -> Any:
    """Plotly's graph_objects. Raises MissingExtra with what to install."""
    global _GRAPHS
    if _GRAPHS is None:
        try:
            import plotly.graph_objects
        except ImportError as error:
            raise MissingExtra("a report needs plotly", hint="Run: pip install 'ascertain[report]'") from error
        _GRAPHS = plotly.graph_objects
    return _GRAPHS


def states_by_stratum(title: str, strata: Mapping[str, Sequence[Outcome]]) -> Figure:
    """One bar for each stratum, with the share of questions in each state; unanswerable
    questions are resolved wrong, choose without it, or none."""
    go = graphs()
    names = list(strata)
    shares = [_shares(counts(strata[name])) for name in names]
    labels = [f"{escape(_short(name))} ({len(strata[name])})" for name in names]
    figure = go.Figure()
    for at, (state, colour) in enumerate(STATES):
        figure.add_bar(
            y=labels, x=[one[at] for one in shares], name=state, orientation="h", marker_color=colour,
            hovertemplate="%{x:.0%} " + state + "<extra>%{y}</extra>",
        )  # fmt: skip
    figure.update_layout(barmode="stack", height=110 + 26 * max(len(names), 3))
    figure.update_xaxes(tickformat=".0%", range=[0, 1])
    figure.update_yaxes(autorange="reversed", automargin=True)
    return _styled(figure, title)


def risk_coverage_chart(result: RunResult) -> Figure:
    """Risk against coverage, the precisions that are reported, and where the policy stands."""
    go = graphs()
    risk = result.risk
    figure = go.Figure()
    figure.add_scatter(
        x=[point[0] for point in risk.points], y=[point[1] for point in risk.points],
        mode="lines", name="first candidate, surest first", line_color="#34495e",
    )  # fmt: skip
    for precision in risk.at_precision:
        figure.add_hline(y=1 - float(precision), line_dash="dot", line_width=1, line_color="#999",
                         annotation_text=f"{float(precision):.0%} precision", annotation_font_size=10)  # fmt: skip
    if risk.risk is not None:
        figure.add_scatter(x=[risk.coverage], y=[risk.risk], mode="markers", name="what the policy resolves",
                           marker={"size": 11, "color": "#c0392b"})  # fmt: skip
    figure.update_xaxes(title="coverage: share of questions answered", tickformat=".0%", range=[0, 1])
    figure.update_yaxes(title="risk: share of those that are wrong", tickformat=".0%", rangemode="tozero")
    figure.update_layout(height=420)
    return _styled(figure, f"Risk against coverage (area {risk.area:.3f})")


def recall_chart(result: RunResult) -> Figure:
    """Share of answerable questions with a gold node in the pool, by depth."""
    go = graphs()
    found, total = recall_by_depth(result.outcomes), max(result.counts.answerable, 1)
    figure = go.Figure(
        go.Scatter(x=list(found), y=[count / total for count in found.values()], mode="lines+markers+text",
                   text=[f"{count / total:.1%}" for count in found.values()], textposition="top center",
                   line_color="#2f7d5b")
    )  # fmt: skip
    figure.update_xaxes(title="depth of the pool", type="category")
    figure.update_yaxes(title="a gold node in the pool", tickformat=".0%", range=[0, 1.08])
    figure.update_layout(height=420)
    return _styled(figure, "The pool is the ceiling: recall against depth")


def language_heat_map(strata: Mapping[str, Sequence[Outcome]]) -> Figure:
    """Question language × title language: the share of answerable questions whose first
    candidate is gold; the number of questions stands in each cell."""
    go = graphs()
    pairs = {tuple(name.split("→", 1)): [one for one in each if one.answerable] for name, each in strata.items()}
    pairs = {pair: each for pair, each in pairs.items() if each}
    asked, titled = sorted({pair[0] for pair in pairs}), sorted({pair[1] for pair in pairs})
    cells = [[pairs.get((row, column), []) for column in titled] for row in asked]
    figure = go.Figure(
        go.Heatmap(
            x=[escape(_short(one)) for one in titled], y=[escape(_short(one)) for one in asked],
            z=[[sum(one.first for one in each) / len(each) if each else None for each in row] for row in cells],
            text=[[f"{sum(one.first for one in each) / len(each):.0%} of {len(each)}" if each else "" for each in row]
                  for row in cells],
            texttemplate="%{text}", zmin=0, zmax=1, colorscale="YlGnBu", colorbar={"tickformat": ".0%"},
            hovertemplate="question %{y}, title %{x}: %{text}<extra></extra>",
        )
    )  # fmt: skip
    figure.update_xaxes(title="language of the title", type="category")
    figure.update_yaxes(title="language of the question", type="category", automargin=True)
    figure.update_layout(height=180 + 34 * max(len(asked), 4))
    return _styled(figure, "A gold node first, by question language × title language")


def _shares(found: Counts) -> tuple[float, ...]:
    total = max(found.answerable + found.unanswerable, 1)
    silent = found.unanswerable - found.unanswerable_resolved - found.unanswerable_choose
    ways = (
        found.resolved_right,
        found.choose_has_gold,
        found.choose - found.choose_has_gold + found.unanswerable_choose,
        found.none + silent,
        found.resolved_wrong + found.unanswerable_resolved,
    )
    return tuple(count / total for count in ways)


def _short(label: str) -> str:
    return label if len(label) <= 48 else label[:47] + "…"


def _styled(figure: Figure, title: str) -> Figure:
    figure.update_layout(
        title={"text": escape(title), "font": {"size": 15}},
        template="plotly_white", margin={"l": 20, "r": 20, "t": 60, "b": 40},
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
        font={"family": "system-ui, sans-serif", "size": 12},
    )  # fmt: skip
    return figure
