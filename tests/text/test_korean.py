"""Particles and endings off Korean stems."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain.text.korean import bare_forms, is_particle, stem_hangul


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("결제", "결제"),
        ("결제는", "결제"),
        ("결제를", "결제"),
        ("결제가", "결제"),
        ("결제에서는", "결제"),
        ("결제까지도", "결제"),
        ("결제로부터", "결제"),
        ("결제인가요", "결제"),
        ("결제예요", "결제"),
        ("장애입니다", "장애"),
        ("회의", "회의"),
        ("회의의", "회의"),
        ("회의에서", "회의"),
        ("주간회의", "주간회의"),
        ("도로", "도로"),
        ("서울로", "서울"),
        ("판교로", "판교"),
        ("나이", "나이"),
        ("나이는", "나이"),
        ("가을", "가을"),
        ("검색결과", "검색결과"),
        ("고양이", "고양이"),
        ("고양이가", "고양이"),
        ("사용자들은", "사용자"),
        ("방식이란", "방식"),
        ("집에서", "집"),
        ("배포하는", "배포"),
        ("배포했다", "배포"),
        ("배포하기", "배포"),
        ("결정했지", "결정"),
        ("결정됐나요", "결정"),
        ("제한", "제한"),
        ("접근제한", "접근제한"),
        ("지하", "지하"),
        ("메시지", "메시지"),
    ],
)
def test_a_noun_is_found_under_its_endings(word, stem):
    assert stem_hangul(word).stem == stem


def test_a_particle_that_does_not_fit_the_last_sound_stays():
    """«은» follows a consonant and «는» a vowel."""
    assert stem_hangul("결제은").stem == "결제은"
    assert stem_hangul("방식는").stem == "방식는"


def test_the_word_as_written_is_kept_where_the_rule_is_unsure():
    assert "민주주의" in (stem_hangul("민주주의").stem, *stem_hangul("민주주의").also)
    assert "차이나" in stem_hangul("차이나").also


def test_a_one_syllable_noun_is_offered_beside_its_word():
    assert stem_hangul("집에").also == ("집",)


def test_every_reading_of_a_word_is_offered_for_names():
    assert bare_forms("결제는") == ("결제",)
    assert bare_forms("학교만은") == ("학교만", "학교")
    assert bare_forms("회의") == ()


def test_particles_stand_alone_after_latin_words():
    assert is_particle("에서는")
    assert is_particle("이")
    assert not is_particle("팀")


@given(st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=1, max_size=12))
def test_a_stem_is_a_beginning_of_its_word_and_never_empty(word):
    found = stem_hangul(word)
    for form in (found.stem, *found.also, *bare_forms(word)):
        assert form
        assert word.startswith(form)
