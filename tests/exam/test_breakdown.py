from hypothesis import given

from ascertain.decide.seed import SeedPolicy
from ascertain.exam.breakdown import by_kind, by_languages, by_reuse, by_tags, by_words
from ascertain.exam.outcome import outcome_of
from ascertain.exam.recorded import Facts
from exam.made import SURE, UNSURE, asked, questions


def outcomes(*made):
    return [outcome_of(one, SeedPolicy()) for one in made]


def names(strata):
    return {name: [one.id for one in found] for name, found in strata.items()}


MIXED = outcomes(
    asked("1", SURE, "a", lang="ko", facts=Facts(("concept",), ("en",), 2, 0.0), tags={"form": "name"}),
    asked("2", SURE, "a", "b", lang="ko", facts=Facts(("concept", "record"), ("en", "ko"), 21, 0.25)),
    asked("3", UNSURE, lang="", tags={"form": "left out"}),
)


def test_several_kinds_of_gold_are_a_stratum_of_their_own_and_no_gold_is_none():
    assert names(by_kind(MIXED)) == {"concept": ["1"], "concept+record": ["2"], "none": ["3"]}


def test_languages_are_the_questions_and_the_titles():
    assert names(by_languages(MIXED)) == {"ko→en": ["1"], "ko→en+ko": ["2"], "und→none": ["3"]}


def test_reuse_and_length_fall_into_bands():
    assert names(by_reuse(MIXED)) == {"0": ["1"], "0 to 0.25": ["2"], "none": ["3"]}
    assert names(by_words(MIXED)) == {"1 to 2": ["1"], "21 and more": ["2"], "none": ["3"]}


def test_a_question_without_a_tag_is_in_none_of_its_strata():
    assert {tag: names(strata) for tag, strata in by_tags(MIXED).items()} == {
        "form": {"left out": ["3"], "name": ["1"]}
    }


@given(questions())
def test_strata_part_the_questions_without_loss(made):
    found = outcomes(*made)
    for split in (by_kind, by_languages, by_reuse, by_words):
        parted = [one.id for stratum in split(found).values() for one in stratum]
        assert sorted(parted) == sorted(one.id for one in found)
