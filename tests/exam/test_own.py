import json

import pytest

from ascertain import Memory
from ascertain.decide.seed import SeedPolicy
from ascertain.errors import ExamInvalid
from ascertain.exam.format import load_exam
from ascertain.exam.own import new_exam
from ascertain.exam.run import run_exam
from ascertain.exam.split import half_of
from exam.folders import TINY


@pytest.fixture
def memory():
    with Memory.temporary() as made:
        made.import_path(TINY / "store.jsonl")
        yield made


def questions(folder):
    return {one.question: one.gold for one in load_exam(folder).questions}


def test_what_was_picked_becomes_gold_and_none_of_these_becomes_unanswerable(memory, tmp_path):
    memory.choose("the hot chamber", "kiln", by="Ida", lang="en")
    memory.choose("the moon", None, by="Ida")
    made = new_exam(memory, tmp_path / "own")
    assert (made.author, made.answerable, made.unanswerable, made.left_out) == ("Ida", 1, 1, ())
    assert questions(tmp_path / "own") == {"the hot chamber": ("kiln",), "the moon": ()}


def test_a_new_exam_runs(memory, tmp_path):
    memory.choose("Wood kiln", "kiln", by="Ida")
    new_exam(memory, tmp_path / "own")
    result = run_exam(tmp_path / "own", SeedPolicy())
    assert (result.author, result.counts.answerable, result.counts.in_pool) == ("Ida", 1, 1)


def test_the_last_pick_of_a_person_counts(memory, tmp_path):
    memory.choose("the foot thing", "kiln", by="Ida")
    memory.choose("the foot thing", "wheel", by="Ida")
    new_exam(memory, tmp_path / "own")
    assert questions(tmp_path / "own") == {"the foot thing": ("wheel",)}


def test_different_nodes_of_different_people_are_both_right(memory, tmp_path):
    memory.choose("the thing", "kiln", by="Ida")
    memory.choose("the thing", "wheel", by="Jun")
    made = new_exam(memory, tmp_path / "own")
    assert made.author == "Ida, Jun"
    assert questions(tmp_path / "own") == {"the thing": ("kiln", "wheel")}


def test_a_node_for_one_and_none_for_another_is_left_out(memory, tmp_path):
    memory.choose("the thing", "kiln", by="Ida")
    memory.choose("the thing", None, by="Jun")
    memory.choose("the wheel", "wheel", by="Jun")
    made = new_exam(memory, tmp_path / "own")
    assert [question for question, _ in made.left_out] == ["the thing"]


def test_only_one_persons_picks_can_be_taken(memory, tmp_path):
    memory.choose("the thing", "kiln", by="Ida")
    memory.choose("the other", "wheel", by="Jun")
    assert new_exam(memory, tmp_path / "own", by="Jun").author == "Jun"
    assert questions(tmp_path / "own") == {"the other": ("wheel",)}


def test_what_was_taken_back_is_not_in_it(memory, tmp_path):
    choice = memory.choose("the thing", "kiln", by="Ida")
    memory.undo_choice(choice.number)
    with pytest.raises(ExamInvalid, match="nothing was picked"):
        new_exam(memory, tmp_path / "own")
    assert not (tmp_path / "own").exists()


def test_an_exam_that_is_there_is_never_written_over(memory, tmp_path):
    memory.choose("the thing", "kiln", by="Ida")
    new_exam(memory, tmp_path / "own")
    with pytest.raises(ExamInvalid, match="there already"):
        new_exam(memory, tmp_path / "own")


def test_each_question_is_tagged_with_its_half(memory, tmp_path):
    for number in range(12):
        memory.choose(f"thing number {number}", "kiln", by="Ida")
    new_exam(memory, tmp_path / "own")
    for line in (tmp_path / "own" / "exam.jsonl").read_text("utf-8").splitlines():
        data = json.loads(line)
        assert data["tags"]["half"] == half_of(data["question"])
