import json

import pytest

from ascertain import Memory
from exam.folders import TINY, write


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "own.db"
    with Memory.open(path) as memory:
        memory.import_path(TINY / "store.jsonl")
    return path


def test_a_run_prints_one_object_with_the_counts_and_the_breakdown(cli):
    ran = cli("exam", "run", TINY, "--policy", "seed", "--json")
    assert (ran.status, ran.err) == (0, "")
    assert ran.json["answerable"] + ran.json["unanswerable"] == 12
    assert ran.json["policy"] == "seed"
    assert set(ran.json["by"]) == {"gold_kind", "languages", "title_reuse", "title_words", "tags"}


def test_two_runs_print_the_same_but_for_timings(cli):
    one, two = (cli("exam", "run", TINY, "--json").json for _ in range(2))
    assert one.pop("timings_ms").keys() == two.pop("timings_ms").keys()
    assert json.dumps(one) == json.dumps(two)


def test_a_person_reads_a_table(cli):
    ran = cli("exam", "run", TINY)
    assert ran.status == 0
    assert "resolved_right" in ran.out
    assert "ko→en" in ran.out


def test_an_exam_by_the_rules_author_is_warned_of_on_stderr(cli):
    assert "can't judge the rule" in cli("exam", "run", TINY, "--policy", "grounds", "--json").err


def test_an_exam_brings_its_own_store_whatever_the_environment_says(cli, monkeypatch, tmp_path):
    monkeypatch.setenv("ASCERTAIN_STORE", str(tmp_path / "nowhere.db"))
    assert cli("exam", "run", TINY).status == 0


def test_a_bad_exam_is_one_line_that_names_the_place(cli, tmp_path):
    ran = cli("exam", "run", write(tmp_path / "bad", questions=["x"]), "--json")
    assert ran.status == 1
    assert "exam.jsonl:1" in ran.err
    assert ran.err.count("\n") == 1
    assert "error" in ran.json


def test_a_policy_that_is_not_there_is_wrong_usage(cli):
    assert cli("exam", "run", TINY, "--policy", "nobody").status == 2
    assert cli("exam", "run", TINY, "--policy", "seed+nobody").status == 2


def test_a_recording_compares_with_a_saved_result(cli, tmp_path):
    assert (
        cli("exam", "run", TINY, "--policy", "seed", "--record", tmp_path / "r", "--save", tmp_path / "s").status == 0
    )
    same = cli("exam", "compare", tmp_path / "s", tmp_path / "r", "--policy", "seed", "--json")
    assert same.json["changes"] == []
    other = cli("exam", "compare", tmp_path / "s", tmp_path / "r", "--policy", "seed+residual")
    assert other.status == 0
    assert "McNemar" in other.out


def test_an_ablation_ranks_on_one_half_and_tests_on_the_other(cli, tmp_path):
    cli("exam", "run", TINY, "--record", tmp_path / "r")
    found = cli(
        "exam", "ablate", tmp_path / "r", "--bars", "1,2", "--gaps", "0.05", "--policies", "seed", "--json"
    ).json
    assert found["tuned"] + found["tested"] == 12
    assert found["ranked"][0]["worth"] >= found["ranked"][-1]["worth"]
    assert "settings, ranked" in cli("exam", "ablate", TINY, "--arms", "title", "--gates", "none", "--all").out


@pytest.mark.parametrize(
    "words", [("--arms", "nose"), ("--bars", "x"), ("--policies", "nobody"), ("--gates", "nobody")]
)
def test_knobs_that_are_not_there_are_wrong_usage(cli, words):
    assert cli("exam", "ablate", TINY, *words).status == 2


def test_a_report_is_written_beside_the_figures(cli, tmp_path):
    pytest.importorskip("plotly", reason="a report needs the extra `report`")
    assert cli("exam", "run", TINY, "--report", tmp_path / "report.html").status == 0
    assert "Wood kiln" in (tmp_path / "report.html").read_text("utf-8")


def test_what_is_picked_becomes_an_exam(cli, store, tmp_path):
    made = cli("pick", "the hot chamber", "kiln", "--by", "Ida", "--store", store, "--json")
    assert made.json == {"number": 1, "question": "the hot chamber", "picked": "kiln", "by": "Ida"}
    assert cli("pick", "the moon", "--none", "--by", "Ida", "--store", store).status == 0
    assert cli("pick", "the sun", "wheel", "--by", "Ida", "--store", store).status == 0
    assert cli("pick", "--undo", "3", "--store", store).status == 0
    new = cli("exam", "new", tmp_path / "mine", "--store", store, "--json").json
    assert (new["author"], new["answerable"], new["unanswerable"]) == ("Ida", 1, 1)
    assert cli("exam", "run", tmp_path / "mine", "--json").json["author"] == "Ida"


@pytest.mark.parametrize("words", [(), ("which?",), ("which?", "kiln", "--none")])
def test_a_pick_without_one_answer_is_wrong_usage(cli, store, words):
    assert cli("pick", *words, "--store", store).status == 2


def test_a_pick_of_what_is_not_there_is_refused(cli, store):
    ran = cli("pick", "which?", "nowhere", "--by", "Ida", "--store", store)
    assert ran.status == 1
    assert "nowhere" in ran.err
