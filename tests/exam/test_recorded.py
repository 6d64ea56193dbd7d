import json

import pytest
from hypothesis import given

from ascertain.errors import ExamInvalid
from ascertain.exam.recorded import Header, RecordedQuestion, is_recording, read_recording, write_recording
from exam.made import SURE, UNSURE, asked, questions

HEADER = Header("tiny", "somebody", "an encoder", 24, 50, 2)


def write(path, *made):
    return list(write_recording(path, HEADER, made))


@given(questions())
def test_evidence_comes_back_from_disk_as_it_was(made):
    for one in made:
        assert RecordedQuestion.from_json(json.loads(one.line())) == one
        assert json.loads(one.line())["pool"] == json.loads(json.dumps(one.pool.to_json()))


def test_a_recording_is_read_as_it_was_written(tmp_path):
    made = (asked("1", SURE, "a"), asked("2", UNSURE))
    assert write(tmp_path / "r", *made) == list(made)
    assert is_recording(tmp_path / "r")
    assert list(read_recording(tmp_path / "r")) == list(made)


def test_a_run_that_breaks_off_leaves_no_recording(tmp_path):
    writing = write_recording(tmp_path / "r", HEADER, iter([asked("1", SURE), asked("2", SURE)]))
    next(writing)
    writing.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "told"), [("", "not a recording"), ("{}\n", "not a recording"), ("x", "can't be read")]
)
def test_another_file_is_refused(tmp_path, text, told):
    (tmp_path / "r").write_text(text)
    with pytest.raises(ExamInvalid, match=told):
        list(read_recording(tmp_path / "r"))


def test_a_damaged_line_is_named(tmp_path):
    write(tmp_path / "r", asked("1", SURE), asked("2", SURE))
    lines = (tmp_path / "r").read_text().splitlines()
    (tmp_path / "r").write_text("\n".join([lines[0], lines[1], lines[2][:-40]]))
    with pytest.raises(ExamInvalid, match=":3: is damaged"):
        list(read_recording(tmp_path / "r"))


def test_a_recording_that_lost_lines_is_refused(tmp_path):
    write(tmp_path / "r", asked("1", SURE), asked("2", SURE))
    lines = (tmp_path / "r").read_text().splitlines()
    (tmp_path / "r").write_text("\n".join(lines[:2]) + "\n")
    with pytest.raises(ExamInvalid, match="1 of 2"):
        list(read_recording(tmp_path / "r"))
