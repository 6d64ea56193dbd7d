import pytest

from ascertain import Memory
from ascertain.errors import InvalidInput, InvalidQuestion, NotFound
from exam.folders import TINY


@pytest.fixture
def memory():
    with Memory.temporary() as made:
        made.import_path(TINY / "store.jsonl")
        yield made


def test_a_choice_is_kept_as_it_was_made(memory):
    made = memory.choose(" which kiln? ", "kiln", by="Ida", offered=["kiln", "wheel"], lang="en")
    (kept,) = memory.choices()
    assert kept == made
    assert (kept.number, kept.question, kept.picked, kept.offered) == (1, "which kiln?", "kiln", ("kiln", "wheel"))


def test_none_of_these_is_a_choice_too(memory):
    memory.choose("the moon", None, by="Ida")
    assert memory.choices()[0].picked is None


def test_choices_stay_in_order_and_survive_closing(tmp_path):
    with Memory.open(tmp_path / "m.db") as made:
        made.import_path(TINY / "store.jsonl")
        made.choose("one", "kiln", by="Ida")
        made.choose("two", "wheel", by="Jun")
    with Memory.open(tmp_path / "m.db") as again:
        assert [(one.number, one.question, one.picked_by) for one in again.choices()] == [
            (1, "one", "Ida"),
            (2, "two", "Jun"),
        ]


def test_a_choice_that_is_taken_back_stays_in_the_log(memory):
    memory.choose("one", "kiln", by="Ida")
    memory.undo_choice(1)
    first = memory.choices()[0].undone_at
    memory.undo_choice(1)
    assert first is not None
    assert memory.choices()[0].undone_at == first


def test_picking_changes_no_index_and_no_other_questions_answer(memory):
    before, generation = memory.ask("the hot chamber"), memory.status().generation
    memory.choose("where is it hot?", "kiln", by="Ida")
    assert memory.ask("the hot chamber") == before
    assert memory.status().generation == generation


@pytest.mark.parametrize(
    ("arguments", "by", "error"),
    [
        ((" ", "kiln"), "Ida", InvalidQuestion),
        (("which?", "nowhere"), "Ida", NotFound),
        (("which?", "kiln"), " ", InvalidInput),
    ],
)
def test_what_can_not_be_logged_is_refused(memory, arguments, by, error):
    with pytest.raises(error):
        memory.choose(*arguments, by=by)
    assert memory.choices() == []


def test_a_number_that_nothing_has_can_not_be_taken_back(memory):
    with pytest.raises(NotFound):
        memory.undo_choice(7)
