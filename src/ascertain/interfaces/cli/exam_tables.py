"""Tables that a person reads: a run, a comparison, an ablation."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from ascertain.exam import breakdown
from ascertain.exam.compare import Comparison
from ascertain.exam.grid import Setting
from ascertain.exam.metrics import counts, only_by_arm, recall_by_arm, recall_by_depth
from ascertain.exam.result import RunResult
from ascertain.exam.together import Ablation
from ascertain.interfaces.plain import one_line

_MOST_SETTINGS = 12
_MOST_CHANGES = 40


def show_run(console: Console, result: RunResult) -> None:
    """The counts with their intervals, then the same by stratum."""
    found = result.counts
    console.print(f"{one_line(result.exam)}, policy {result.policy}", style="bold")
    console.print(f"questions by {one_line(result.author)}", style="dim")
    table = Table("", "questions", "of", "rate", "95% interval")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, count, whole, (rate, low, high) in result.rates():
        table.add_row(name, str(count), str(whole), f"{rate:.1%}", f"{low:.1%} to {high:.1%}")
    console.print(table)
    outcomes, arms = result.outcomes, result.arms
    console.print("pool recall by depth: " + _pairs(recall_by_depth(outcomes)))
    console.print("pool recall by arm: " + _pairs(recall_by_arm(outcomes, arms)))
    console.print("by this arm only: " + _pairs(only_by_arm(outcomes, arms)))
    covered = ", ".join(f"{float(name):.0%}: {share:.1%}" for name, share in result.risk.at_precision.items())
    console.print(f"candidates a question: {found.pool_size_mean}; coverage at precision: {covered}")
    for title, strata in (
        ("gold kind", breakdown.by_kind(outcomes)),
        ("languages", breakdown.by_languages(outcomes)),
        ("title reuse", breakdown.by_reuse(outcomes)),
        ("title words", breakdown.by_words(outcomes)),
    ):
        console.print(_strata(title, strata))


def _strata(title: str, strata: breakdown.Strata) -> Table:
    table = Table(title, "questions", "in pool", "first", "right", "wrong", "choose", "with gold", "none")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, outcomes in strata.items():
        one = counts(outcomes)
        silent = one.unanswerable - one.unanswerable_resolved - one.unanswerable_choose
        table.add_row(
            one_line(name),
            str(len(outcomes)),
            str(one.in_pool),
            str(one.first),
            str(one.resolved_right),
            str(one.resolved_wrong + one.unanswerable_resolved),
            str(one.choose + one.unanswerable_choose),
            str(one.choose_has_gold),
            str(one.none + silent),
        )
    return table


def show_comparison(console: Console, found: Comparison) -> None:
    """Each measure paired, then the questions that changed."""
    console.print(f"a: {one_line(found.a)}\nb: {one_line(found.b)}\n{found.questions} questions in both")
    for side, ids in (("a", found.only_in_a), ("b", found.only_in_b)):
        if ids:
            console.print(f"only in {side}, left out: {len(ids)}")
    table = Table("", "only a", "only b", "both", "p (McNemar, exact)")
    for name, paired in found.measures.items():
        table.add_row(name, str(paired.only_a), str(paired.only_b), str(paired.both), f"{paired.p:.4f}")
    console.print(table)
    changes = Table("changed", "question", "a", "b", "")
    for one in found.changes[:_MOST_CHANGES]:
        verdict = {True: "better", False: "worse", None: ""}[one.better]
        changes.add_row(one_line(one.id), one_line(one.question), one_line(one.a), one_line(one.b), verdict)
    console.print(changes if found.changes else "no question changed")
    if len(found.changes) > _MOST_CHANGES:
        console.print(f"and {len(found.changes) - _MOST_CHANGES} more; --json lists them all")


def show_ablation(console: Console, found: Ablation) -> None:
    """The worthiest settings, and the changes that pay only together."""
    console.print(
        f"{found.settings} settings, ranked on {found.tuned} questions by right answers less"
        f" {found.cost:g} for each confident wrong one; shown on {found.tested} others"
    )
    table = Table(
        "policy", "arms", "bar", "gap", "gates", "worth", "tested", "right", "wrong", "no answer: resolved", "alike"
    )
    for one in found.ranked[:_MOST_SETTINGS]:
        ways = one.ways
        table.add_row(
            *_setting(one.setting),
            f"{one.worth:g}",
            "" if one.tested is None else f"{one.tested:g}",
            str(ways["resolved_right"]),
            str(ways["resolved_wrong"]),
            str(ways["unanswerable_resolved"]),
            str(one.alike),
        )
    console.print(table)
    if not found.together:
        console.print("no two changes pay only together")
        return
    pairs = Table(
        "first change", "alone", "second change", "alone", "together", "worth", "p", "from", title="pay only together"
    )
    for each in found.together:
        start = " ".join(part for part in _setting(each.start) if part)
        pairs.add_row(
            one_line(each.first), f"{each.first_gain:+g}", one_line(each.second), f"{each.second_gain:+g}",
            f"{each.gain:+g}", f"{each.reached:g}", f"{each.p:.4f}", one_line(start),
        )  # fmt: skip
    console.print(pairs)


def _setting(one: Setting) -> tuple[str, str, str, str, str]:
    def told(value: float | None) -> str:
        return "" if value is None else f"{value:g}"

    return one.policy, "+".join(one.arms), told(one.bar), told(one.gap), "+".join(one.gates)


def _pairs(found: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in found.items())
