import json
import random
from dataclasses import replace

import pytest

from ascertain import Memory
from ascertain.decide.catalogue import POLICIES
from ascertain.decide.seed import SeedPolicy
from ascertain.errors import ExamInvalid
from ascertain.exam.run import run_exam, run_recording
from ascertain.exam.split import half_of
from exam.folders import TINY, lines, write


@pytest.fixture(scope="module")
def result():
    return run_exam(TINY, SeedPolicy())


@pytest.fixture(scope="module")
def memory():
    with Memory.temporary() as made:
        made.import_path(TINY / "store.jsonl")
        yield made


def outcome(result, id):
    return next(one for one in result.outcomes if one.id == id)


def test_every_question_is_asked_once(result):
    assert [one.id for one in result.outcomes] == sorted(one["id"] for one in lines("exam"))


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_an_exam_answers_as_ask_answers(memory, policy):
    for one in run_exam(TINY, policy).outcomes:
        answer = memory.ask(one.question, as_of=one.as_of, policy=policy)
        assert (one.state, one.node, one.reason) == (answer.state, answer.node, answer.reason)
        assert [each.id for each in one.offered] == [each.candidate.id for each in answer.candidates]


def test_a_name_in_another_language_is_found(result):
    found = outcome(result, "q02")
    assert found.in_pool
    assert (found.lang, found.facts.langs) == ("ko", ("en",))


def test_each_question_is_asked_at_its_own_moment(result):
    assert outcome(result, "q06").node != "gas-new"
    assert outcome(result, "q07").node != "gas-old"


def test_what_only_a_summary_says_puts_its_episode_nowhere_near(result):
    assert outcome(result, "q11").state != "resolved"


def test_kind_language_and_reuse_are_told_of_the_gold_nodes(result):
    by = result.by()
    assert set(by["gold_kind"]) == {"concept", "record", "decision", "episode", "none"}
    assert {"en→en", "ko→en", "en→ko", "ko→none"} <= set(by["languages"])
    assert by["tags"]["form"]["never said"]["unanswerable"] == 2
    assert outcome(result, "q01").facts.title_reuse == 1
    assert outcome(result, "q02").facts.title_reuse == 0


def test_a_run_is_the_same_to_the_byte_whatever_the_order_of_lines(tmp_path, result):
    shuffled = {name: random.Random(5).sample(lines(name), len(lines(name))) for name in ("exam", "store")}
    again = run_exam(write(tmp_path / "tiny", questions=shuffled["exam"], store=shuffled["store"]), SeedPolicy())
    assert json.dumps(again.saved()) == json.dumps(result.saved())


def test_decided_over_a_recording_it_is_the_same_without_a_store(tmp_path, result):
    recorded = run_exam(TINY, SeedPolicy(), record=tmp_path / "evidence")
    assert recorded.saved() == result.saved()
    assert run_recording(tmp_path / "evidence", SeedPolicy()).saved() == result.saved()


def test_a_store_of_ones_own_can_be_asked(tmp_path, result):
    with Memory.open(tmp_path / "own.db") as made:
        made.import_path(TINY / "store.jsonl")
    folder = write(tmp_path / "exam")
    (folder / "store.jsonl").unlink()
    assert run_exam(folder, SeedPolicy(), store=tmp_path / "own.db").to_json()["by"] == result.by()


def test_gold_must_be_in_the_store_that_is_asked(tmp_path):
    with Memory.open(tmp_path / "own.db"):
        pass
    with pytest.raises(ExamInvalid, match=r"exam\.jsonl:1.*kiln"):
        run_exam(TINY, SeedPolicy(), store=tmp_path / "own.db")


def test_nothing_runs_where_something_is_wrong(tmp_path):
    told = []
    folder = write(tmp_path, questions=[*lines("exam"), "x"])
    with pytest.raises(ExamInvalid):
        run_exam(folder, SeedPolicy(), progress=lambda *step: told.append(step))
    assert told == []


def test_the_two_halves_are_the_whole_and_share_no_words(result):
    halves = [run_exam(TINY, SeedPolicy(), half=half).outcomes for half in ("tune", "test")]
    assert sorted(one.id for half in halves for one in half) == [one.id for one in result.outcomes]
    assert {half_of(one.question) for one in halves[0]} <= {"tune"}


def test_a_rule_judged_by_its_own_authors_exam_is_warned_of(result):
    assert result.warnings == ()
    own = next(policy for policy in POLICIES if policy.author == "ascertain")
    assert any("ascertain" in told for told in run_exam(TINY, own).warnings)


def test_progress_is_told_by_stage():
    told = []
    run_exam(TINY, SeedPolicy(), progress=lambda *step: told.append(step))
    assert ("ask", 12, 12) in told
    assert told[0][0] == "import"


def test_only_the_timings_differ_from_run_to_run(result):
    again = run_exam(TINY, SeedPolicy())
    assert again.to_json() == result.to_json()
    assert again.timings_ms["total"] > 0
    assert "timings_ms" not in again.to_json()


def test_notebooks_show_the_rates_and_the_warnings(result):
    shown = result._repr_markdown_()
    for name, count, whole, _ in result.rates():
        assert f"| {name.replace('_', ' ')} | {count} | {whole} |" in shown
    assert all(warning.split()[0] in shown for warning in result.warnings)
    assert replace(result, exam="<b>|x|")._repr_markdown_().count("|") == shown.count("|") + 2
    assert "<b>" not in replace(result, exam="<b>|x|")._repr_markdown_()
