"""Baselines and the chapter's phenomena on a folder of exams: Markdown tables and the ledger.

    python benchmarks/measure_exams.py ../shared/exams --evidence FOLDER

Records every exam's evidence once into FOLDER (kept between runs; delete it after a change of
search, arms or pool), decides over it, and writes docs/measurements/*.md and evidence/ledger.json.
The calibrated policy is fitted: it is measured on each half of the questions with weights that were
fitted on the other half (exam/split.py), never with those that it ships with.
Only figures are written, no text of an exam. Exams whose names differ in a last number
(`locomo-conv-26`, `beam-1`) are told as one.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ascertain.arms.catalogue import ARMS
from ascertain.decide.base import Policy
from ascertain.decide.calibrated import CalibratedPolicy, shipped_weights
from ascertain.decide.catalogue import DEFAULT, POLICIES, policy_named
from ascertain.decide.gates.base import GatedPolicy
from ascertain.decide.gates.catalogue import DEFAULT_GATES, gate_named, gated_policy_named
from ascertain.decide.rules import semantic_of, title_of
from ascertain.decide.seed import SeedPolicy
from ascertain.exam.authorship import shared
from ascertain.exam.breakdown import REUSE_BANDS, by_languages, by_reuse
from ascertain.exam.fit import Example, examples_of, fit
from ascertain.exam.grid import without
from ascertain.exam.metrics import Counts, counts, only_by_arm, recall_by_arm, recall_by_depth
from ascertain.exam.outcome import Outcome, outcome_of
from ascertain.exam.recorded import RecordedQuestion, read_header, read_recording
from ascertain.exam.run import run_exam
from ascertain.exam.split import HALVES, half_of

ROOT = Path(__file__).resolve().parent.parent
NAMES = tuple(sorted(arm.name for arm in ARMS))
RUN = "ascertain exam run ../shared/exams/{exam} --policy {policy}"
SELF = "python benchmarks/measure_exams.py ../shared/exams --evidence FOLDER"

CROSSED = f"{DEFAULT}, each half by weights fitted on the other half"
TITLE_FIRST = "Gold first by the title arm alone"
TITLE_MISS = "What stood first where gold did not (matched words)"

Change = Callable[[RecordedQuestion], RecordedQuestion]


@dataclass
class Family:
    """Exams told as one. The author is that of the first."""

    name: str
    author: str
    files: list[Path]

    def questions(self) -> list[RecordedQuestion]:
        return [one for file in self.files for one in read_recording(file)]


def record(exams: Path, evidence: Path) -> list[Family]:
    """Gathers what is not there yet; the families in name order."""
    evidence.mkdir(parents=True, exist_ok=True)
    families: dict[str, Family] = {}
    for folder in sorted(path for path in exams.iterdir() if path.is_dir()):
        file = evidence / f"{folder.name}.jsonl"
        if not file.exists():
            result = run_exam(folder, SeedPolicy(), record=file)
            seconds = {stage: round(ms / 1e3, 1) for stage, ms in result.timings_ms.items()}
            print(f"{folder.name}: {len(result.outcomes)} questions, {seconds}", file=sys.stderr, flush=True)
        name = re.sub(r"(-conv)?-\d+$", "", folder.name)
        families.setdefault(name, Family(name, read_header(file).author, [])).files.append(file)
    return [families[name] for name in sorted(families)]


@dataclass(frozen=True)
class Crossed:
    """The default policy for each half of the questions, fitted (where it is) on the other half."""

    of: dict[str, Policy]

    def gated(self, gate: str) -> Crossed:
        return Crossed({half: GatedPolicy(policy, (gate_named(gate),)) for half, policy in self.of.items()})


def crossed(families: Sequence[Family]) -> Crossed:
    default = policy_named(DEFAULT)
    if not isinstance(default, CalibratedPolicy):
        return Crossed(dict.fromkeys(HALVES, default))
    shipped = shipped_weights()
    examples: dict[str, list[Example]] = {half: [] for half in HALVES}
    for family in families:
        questions = family.questions()
        for half in HALVES:
            # One exam to the fit, which weighs exams alike: ten short ones would outweigh the rest.
            examples[half] += examples_of({family.name: [one for one in questions if half_of(one.question) == half]})
    fitted = {
        half: fit(found, resolve=shipped.resolve, nothing=shipped.nothing, listed=shipped.listed, promise="")
        for half, found in examples.items()
    }
    return Crossed({"tune": replace(default, weights=fitted["test"]), "test": replace(default, weights=fitted["tune"])})


def decided(
    questions: Iterable[RecordedQuestion], policy: Policy | Crossed, change: Change | None = None
) -> list[Outcome]:
    def of(one: RecordedQuestion) -> Policy:
        return policy.of[half_of(one.question)] if isinstance(policy, Crossed) else policy

    return [outcome_of(change(one) if change else one, of(one)) for one in questions]


def arms_only(arms: Sequence[str]) -> Change:
    return lambda one: replace(one, pool=without(one.pool, arms))


def seen_only(one: RecordedQuestion) -> RecordedQuestion:
    """The accident of the chapter: what may not be seen is dropped before the decision."""
    kept = tuple(replace(each, older=(), beyond=False) for each in one.pool.candidates if each.visible and each.arms)
    return replace(one, pool=replace(one.pool, candidates=kept))


def false(found: Counts) -> int:
    """Confident and wrong, to whatever question."""
    return found.resolved_wrong + found.unanswerable_resolved


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows)]) + "\n"


def share(part: float, whole: float) -> str:
    return f"{part / whole:.1%}" if whole else "–"


class Page:
    """A Markdown page that is filled family by family."""

    def __init__(self, title: str, about: str, *tables: tuple[str, Sequence[str]]) -> None:
        self.title, self.about = title, about
        self.tables = {name: (head, list[Sequence[object]]()) for name, head in tables}

    def add(self, name: str, *row: object) -> None:
        self.tables[name][1].append(row)

    def text(self) -> str:
        parts = [f"# {self.title}\n", self.about.strip() + "\n", f"Made by `{SELF}`.\n"]
        for name, (head, rows) in self.tables.items():
            parts += [f"## {name}\n", table(head, rows)]
        return "\n".join(parts)


STATES = ("exam", "answerable", "in pool", "first", "right", "wrong", "choose", "with gold", "none",
          "unanswerable", "resolved", "choose")  # fmt: skip


def pages() -> dict[str, Page]:
    both = ("exam", "policy", "right", "wrong", "unanswerable, resolved", "right lost", "false avoided")
    return {
        "baselines": Page(
            "Baselines",
            "Every exam under the chapter's policy and the others. Counts of questions; the last two columns are of"
            " the unanswerable ones. One exam alone: `" + RUN.format(exam="NAME", policy="NAME") + " --json`. The"
            " weights that the calibrated policy ships with were fitted on questions of these exams, so its own"
            " table flatters it; the last one, where no question judges weights that were fitted on it, does not.",
            *((policy.name, STATES) for policy in POLICIES),
            (CROSSED, STATES),
        ),
        "pool-depth": Page(
            "The pool is the ceiling",
            "Chapter 18, section 3: digging the pool deeper barely moves what is in it, and widening candidacy does."
            " Answerable questions with a gold node in the pool.",
            ("By depth", ("exam", "answerable", "1x", "2x", "4x", "share at 1x", "share at 4x")),
            ("By arm alone", ("exam", "answerable", *NAMES)),
            ("By this arm and no other", ("exam", "in pool", *NAMES)),
            ("The chapter's three arms and the others", ("exam", "answerable", "title, graph, semantic", "all")),
        ),
        "bar": Page(
            "One token against two",
            "Chapter 18, section 4: raising the bar and hearing the vector's gap pay only together. The seed policy"
            " with the title and graph arms, or with the semantic arm as well, and a bar of one or two tokens."
            " right / wrong + unanswerable resolved.",
            ("Bar", ("exam", "2 arms, bar 1", "2 arms, bar 2", "3 arms, bar 1", "3 arms, bar 2")),
        ),
        "gap-and-distance": Page(
            "Gap against distance",
            "Chapter 18, section 4: the raw distance is unusable and the gap separates. Of the first candidate of the"
            " semantic arm: how well similarity and gap tell right ones from wrong ones (area under the ROC curve;"
            " 0.5 is chance), and the similarity's 10th to 90th percentile among right and among wrong ones.",
            ("Separation", ("exam", "right", "wrong", "by similarity", "by gap", "right ones", "wrong ones")),
        ),
        "title-length": Page(
            "Records outrun concepts by title length",
            "Chapter 18, section 3: sentence-shaped titles take questions from short ones, and normalising by title"
            " length turns that over. The first of the title arm's candidates when ordered by matched words, by"
            " BM25 (as the arm does), and by the share of the title that matched; ties by id. Among questions"
            " whose gold has that kind, and whose pool holds a gold node with title evidence.",
            ("Words in titles of the pool", ("exam", "kind", "titles", "median words")),
            (TITLE_FIRST, ("exam", "gold kind", "questions", "matched words", "BM25", "share of title")),
            (TITLE_MISS, ("exam", "gold kind", "misses", "first is longer", "first is shorter")),
        ),
        "residual-gate": Page(
            "The residual gate",
            "Chapter 18, section 5. What the gate buys (confident wrong answers avoided) and costs (right ones lost)."
            " In stores without documents search returns nothing, so that every question whose title leaves a word"
            " unsaid is held back: read those rows as the price of the chapter's letter there. Off by default.",
            ("Effect", both),
        ),
        "retired-tie": Page(
            "A retired tie must not promote the survivor",
            "Chapter 18, section 8. The same pools decided as the design says (decide, then hide) and as the chapter's"
            " accident had it (hide, then decide). Only questions with a hidden candidate in the pool.",
            (
                "Order",
                ("exam", "policy", "questions", "decide first: right", "wrong or unanswerable resolved",
                 "hide first: right", "wrong or unanswerable resolved", "decide first: unanswerable resolved",
                 "hide first: unanswerable resolved"),
            ),
        ),
        "language": Page(
            "Language is a candidacy problem",
            "Chapter 18, section 7: once reuse of the title's words is held fixed, languages perform alike. Share of"
            " answerable questions with a gold node in the pool / first, under the default policy.",
            ("By reuse of the title's words", ("exam", "same language?", *REUSE_BANDS)),
            ("By language pair", ("exam", "languages", "answerable", "in pool", "first", "right", "wrong")),
        ),
    }  # fmt: skip


def measure(
    family: Family, default: Crossed, made: dict[str, Page], ledger: dict[str, list[dict[str, object]]]
) -> None:
    questions = family.questions()
    name, total = family.name, sum(bool(one.gold) for one in questions)
    seed = decided(questions, SeedPolicy())
    own = decided(questions, default)
    shipped = {policy.name: decided(questions, policy) for policy in POLICIES if policy.name != "seed"}
    for label, outcomes in {"seed": seed, **shipped, CROSSED: own}.items():
        found = counts(outcomes)
        made["baselines"].add(
            label, name, found.answerable, found.in_pool, found.first, found.resolved_right, found.resolved_wrong,
            found.choose, found.choose_has_gold, found.none, found.unanswerable, found.unanswerable_resolved,
            found.unanswerable_choose,
        )  # fmt: skip
    depth, pool = recall_by_depth(seed), made["pool-depth"]
    pool.add("By depth", name, total, *depth.values(), share(depth["1x"], total), share(depth["4x"], total))
    pool.add("By arm alone", name, total, *recall_by_arm(seed, NAMES).values())
    pool.add("By this arm and no other", name, depth["1x"], *only_by_arm(seed, NAMES).values())
    three = sum(bool({"title", "graph", "semantic"}.intersection(one.arms)) for one in seed if one.answerable)
    pool.add("The chapter's three arms and the others", name, total, share(three, total), share(depth["1x"], total))
    bars(family, questions, made["bar"])
    separation(family, questions, made["gap-and-distance"])
    lengths(family, questions, made["title-length"])
    residual(family, questions, default, {"seed": seed, DEFAULT: own}, made["residual-gate"])
    hidden(family, questions, default, made["retired-tie"], ledger)
    languages(family, own, made["language"])
    enter(family, questions, default, seed, own, ledger)


def bars(family: Family, questions: Sequence[RecordedQuestion], page: Page) -> None:
    row = []
    for arms in (("graph", "title"), ("graph", "semantic", "title")):
        for bar in (1, 2):
            found = counts(decided(questions, SeedPolicy(bar=bar, arms=arms)))
            row.append(f"{found.resolved_right} / {false(found)}")
    page.add("Bar", family.name, *row)


def separation(family: Family, questions: Sequence[RecordedQuestion], page: Page) -> None:
    sides: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for one in questions:
        for each in one.pool.candidates:
            if (found := semantic_of(each)) is not None and found.rank == 1:
                sides[each.node in one.gold].append((found.similarity, found.gap))
    if not sides[True] or not sides[False]:
        return
    right, wrong = (np.array(sides[side]) for side in (True, False))
    bands = [f"{np.percentile(side[:, 0], 10):.2f} to {np.percentile(side[:, 0], 90):.2f}" for side in (right, wrong)]
    areas = [f"{roc_area(right[:, at], wrong[:, at]):.3f}" for at in (0, 1)]
    page.add("Separation", family.name, len(right), len(wrong), *areas, *bands)


def roc_area(high: np.ndarray, low: np.ndarray) -> float:
    """The chance that a value of `high` is above one of `low`, ties counting half."""
    values = np.sort(low)
    below, up_to = np.searchsorted(values, high, "left"), np.searchsorted(values, high, "right")
    return float((below + up_to).sum() / (2 * len(high) * len(low)))


def lengths(family: Family, questions: Sequence[RecordedQuestion], page: Page) -> None:
    words: dict[str, dict[str, int]] = {}
    firsts: dict[str, list[list[bool]]] = {}
    misses: dict[str, list[int]] = {}
    for one in questions:
        titled = [(each, found) for each in one.pool.candidates if (found := title_of(each)) is not None]
        for each, found in titled:
            words.setdefault(each.kind, {})[each.node] = len(found.surface.split())
        if len(one.facts.kinds) != 1 or not any(each.node in one.gold for each, _ in titled):
            continue
        kind = one.facts.kinds[0]
        orders = [
            min(titled, key=lambda pair: (-len(pair[1].matched), pair[0].id)),
            min(titled, key=lambda pair: (-pair[1].score, pair[0].id)),
            min(titled, key=lambda pair: (-pair[1].title_share, pair[0].id)),
        ]
        firsts.setdefault(kind, []).append([first.node in one.gold for first, _ in orders])
        if orders[0][0].node not in one.gold:
            gold = max(len(found.surface.split()) for each, found in titled if each.node in one.gold)
            misses.setdefault(kind, []).append(len(orders[0][1].surface.split()) - gold)
    for kind in sorted(words):
        page.add(
            "Words in titles of the pool", family.name, kind, len(words[kind]), statistics.median(words[kind].values())
        )
    for kind in sorted(firsts):
        sums = [share(sum(column), len(firsts[kind])) for column in zip(*firsts[kind], strict=True)]
        page.add(TITLE_FIRST, family.name, kind, len(firsts[kind]), *sums)
    for kind in sorted(misses):
        longer, shorter = (sum(sign * one > 0 for one in misses[kind]) for sign in (1, -1))
        page.add(TITLE_MISS, family.name, kind, len(misses[kind]), longer, shorter)


def residual(
    family: Family, questions: Sequence[RecordedQuestion], default: Crossed, plain: dict[str, list[Outcome]], page: Page
) -> None:
    for policy, outcomes in plain.items():
        before = counts(outcomes)
        gated = default.gated("residual") if policy == DEFAULT else gated_policy_named(f"{policy}+residual")
        after = counts(decided(questions, gated))
        for label, found in ((policy, before), (f"{policy}+residual", after)):
            lost = before.resolved_right - found.resolved_right
            page.add("Effect", family.name, label, found.resolved_right, found.resolved_wrong,
                     found.unanswerable_resolved, lost, false(before) - false(found))  # fmt: skip


def hidden(
    family: Family,
    questions: Sequence[RecordedQuestion],
    default: Crossed,
    page: Page,
    ledger: dict[str, list[dict[str, object]]],
) -> None:
    touched = [one for one in questions if any(not each.visible for each in one.pool.candidates)]
    if not touched:
        return
    for name, policy in (("seed", SeedPolicy()), (DEFAULT, default)):
        first, accident = counts(decided(touched, policy)), counts(decided(touched, policy, seen_only))
        page.add("Order", family.name, name, len(touched), first.resolved_right, false(first),
                 accident.resolved_right, false(accident), first.unanswerable_resolved,
                 accident.unanswerable_resolved)  # fmt: skip
        if name == DEFAULT:
            ledger["visibility"].append(run_of(family, DEFAULT, first, accident))


def languages(family: Family, outcomes: Sequence[Outcome], page: Page) -> None:
    known = [one for one in outcomes if one.answerable]
    for label, same in (("yes", True), ("no", False)):
        side = [one for one in known if (one.lang in one.facts.langs) == same]
        if side:
            strata = by_reuse(side)
            cells = [
                f"{share(found.in_pool, found.answerable)} / {share(found.first, found.answerable)}"
                f" of {found.answerable}"
                for found in (counts(strata.get(band, [])) for band in REUSE_BANDS)
            ]
            page.add("By reuse of the title's words", family.name, label, *cells)
    pairs = by_languages(known)
    if len(pairs) > 1:
        for pair, each in pairs.items():
            found = counts(each)
            page.add("By language pair", family.name, pair, found.answerable, share(found.in_pool, found.answerable),
                     share(found.first, found.answerable), found.resolved_right, found.resolved_wrong)  # fmt: skip


def enter(
    family: Family,
    questions: Sequence[RecordedQuestion],
    default: Crossed,
    seed: Sequence[Outcome],
    own: Sequence[Outcome],
    ledger: dict[str, list[dict[str, object]]],
) -> None:
    """What each default-on rule buys and costs on this exam."""
    found = counts(own)
    ledger[f"policy {DEFAULT}"].append(run_of(family, DEFAULT, found, counts(seed)))
    for arm in NAMES:
        off = decided(questions, default, arms_only([one for one in NAMES if one != arm]))
        ledger[f"arm {arm}"].append(run_of(family, DEFAULT, found, counts(off)))
    for gate in DEFAULT_GATES:
        gated = counts(decided(questions, default.gated(gate)))
        ledger[f"gate {gate}"].append(run_of(family, f"{DEFAULT}+{gate}", gated, found))


def run_of(family: Family, policy: str, with_: Counts, without_: Counts) -> dict[str, object]:
    kept = ("answerable", "in_pool", "first", "resolved_right", "resolved_wrong", "choose_has_gold",
            "unanswerable", "unanswerable_resolved")  # fmt: skip
    return {
        "exam": family.name,
        "exam_author": family.author,
        "command": SELF,
        "policy": policy,
        "with": {name: getattr(with_, name) for name in kept},
        "without": {name: getattr(without_, name) for name in kept},
    }


RULES = {
    "visibility": ("the chapter's author", "decide over all, then hide; `without` hides first"),
    f"policy {DEFAULT}": (policy_named(DEFAULT).author, "the default policy; `without` is the seed policy"),
    **{f"arm {arm}": ("the chapter's author" if arm in ("title", "graph", "semantic") else "ascertain",
                      "the default policy; `without` has this arm's evidence taken out, weights as they are")
       for arm in NAMES},
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("exams", type=Path)
    parser.add_argument("--evidence", type=Path, required=True)
    given = parser.parse_args()
    made, ledger = pages(), {rule: list[dict[str, object]]() for rule in RULES}
    for gate in DEFAULT_GATES:
        ledger[f"gate {gate}"] = []
    families = record(given.exams, given.evidence)
    default = crossed(families)
    for family in families:
        print(f"{family.name} ...", file=sys.stderr, flush=True)
        measure(family, default, made, ledger)
    (ROOT / "docs/measurements").mkdir(parents=True, exist_ok=True)
    for name, page in made.items():
        (ROOT / f"docs/measurements/{name}.md").write_text(page.text(), "utf-8")
    entries = [
        {
            "rule": rule,
            "author": RULES[rule][0] if rule in RULES else gated_policy_named(f"{DEFAULT}+{rule[5:]}").author,
            "what": RULES[rule][1] if rule in RULES else "the gate; `without` is the policy alone",
            "runs": [
                one for one in runs if not shared(RULES[rule][0] if rule in RULES else "", str(one["exam_author"]))
            ],
        }
        for rule, runs in ledger.items()
    ]
    (ROOT / "evidence").mkdir(exist_ok=True)
    (ROOT / "evidence/ledger.json").write_text(
        json.dumps({"rules": entries}, indent=1, ensure_ascii=False) + "\n", "utf-8"
    )


if __name__ == "__main__":
    main()
