import json

import pytest

from ascertain.errors import ExamInvalid
from ascertain.exam.format import check_gold, check_store, load_exam
from exam.folders import TINY, lines, write

QUESTION = {"id": "q", "question": "What is a kiln?", "lang": "en", "gold": ["kiln"]}


def refused(folder):
    with pytest.raises(ExamInvalid) as caught:
        checked(folder)
    return str(caught.value)


def checked(folder):
    exam = load_exam(folder)
    check_gold(exam, check_store(exam.store_path))


def test_an_exam_is_read_whatever_the_order_of_its_lines(tmp_path):
    again = load_exam(write(tmp_path / "exam", questions=lines("exam")[::-1]))
    assert [one.id for one in again.questions] == [one.id for one in load_exam(TINY).questions]
    assert again.author == "ascertain"


def test_a_date_becomes_its_first_instant_and_tags_become_text(tmp_path):
    made = load_exam(write(tmp_path, questions=[QUESTION | {"as_of": "2025-06-01", "tags": {"a": True, "b": 2}}]))
    assert made.questions[0].as_of == "2025-06-01T00:00:00Z"
    assert made.questions[0].tags == {"a": "true", "b": "2"}


def test_blank_lines_a_byte_order_mark_and_plain_labels_are_fine(tmp_path):
    write(tmp_path, questions=["", QUESTION | {"tags": ["hard"]}, "  "])
    path = tmp_path / "exam.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert load_exam(tmp_path).questions[0].tags == {"hard": "yes"}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("not json", "not a JSON object"),
        ("[1]", "not a JSON object"),
        ("NaN", "not a JSON object"),
        ('{"id": "x", "question": "x", "gold": [NaN]}', "NaN"),
        (QUESTION | {"id": None}, "id"),
        (QUESTION | {"id": " "}, "id"),
        (QUESTION | {"question": " "}, "no question"),
        ({"id": "x", "gold": []}, "no question"),
        (QUESTION | {"gold": "kiln"}, "gold"),
        ({"id": "x", "question": "x"}, "gold"),
        (QUESTION | {"gold": [7]}, "string"),
        (QUESTION | {"as_of": "yesterday"}, "not a time"),
        (QUESTION | {"tags": "hard"}, "tags"),
        (QUESTION | {"lang": 7}, "lang"),
    ],
)
def test_a_bad_line_is_named_with_file_and_line(tmp_path, line, told):
    message = refused(write(tmp_path, questions=[QUESTION, line]))
    assert "exam.jsonl:2" in message
    assert told in message


def test_a_line_that_is_not_utf8_is_named(tmp_path):
    write(tmp_path)
    (tmp_path / "exam.jsonl").write_bytes(json.dumps(QUESTION).encode() + b"\n\xff\xfe\n")
    assert "exam.jsonl:2: is not UTF-8" in refused(tmp_path)


def test_a_question_id_twice_names_both_lines(tmp_path):
    message = refused(write(tmp_path, questions=[QUESTION, QUESTION | {"id": "other"}, QUESTION]))
    assert "exam.jsonl:3" in message
    assert "line 1" in message


def test_a_gold_id_that_is_not_in_the_store_is_named_with_its_line(tmp_path):
    message = refused(write(tmp_path, questions=[QUESTION, QUESTION | {"id": "r", "gold": ["nowhere"]}]))
    assert "exam.jsonl:2" in message
    assert "nowhere" in message


def test_a_document_is_nothing_that_a_question_can_mean(tmp_path):
    assert "handbook" in refused(write(tmp_path, questions=[QUESTION | {"gold": ["handbook"]}]))


@pytest.mark.parametrize("about", [{}, {"author": " "}, {"author": None}, {"name": "x", "author": ["x"]}])
def test_an_exam_without_an_author_is_refused(tmp_path, about):
    message = refused(write(tmp_path, about=about))
    assert "exam.json" in message
    assert "author" in message


@pytest.mark.parametrize("about", ["", "[]", "{"])
def test_an_exam_json_that_is_no_object_is_refused(tmp_path, about):
    assert "exam.json" in refused(write(tmp_path, about=about))


@pytest.mark.parametrize("name", ["exam.json", "exam.jsonl", "store.jsonl"])
def test_a_file_that_is_missing_is_named(tmp_path, name):
    write(tmp_path)
    (tmp_path / name).unlink()
    assert name in refused(tmp_path)


def test_a_folder_that_is_missing_is_named(tmp_path):
    assert "nowhere" in refused(tmp_path / "nowhere")


def test_an_exam_without_questions_is_refused(tmp_path):
    assert "no question" in refused(write(tmp_path, questions=[]))


def test_a_store_line_that_fails_is_named_before_anything_runs(tmp_path):
    message = refused(write(tmp_path, store=[*lines("store"), "not json", {"type": "unheard-of", "id": "x"}]))
    assert "store.jsonl:12" in message
    assert "store.jsonl:13" in message


def test_all_problems_are_told_at_once(tmp_path):
    message = refused(write(tmp_path, about={}, questions=["x", QUESTION, "y"]))
    assert message.count("exam.json") == 3
