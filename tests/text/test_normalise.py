"""One form for texts that look alike."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain.text.normalise import canonical, fold_marks, match_form


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("  Rate \t\n Limiting ", "rate limiting"),
        ("ＡＰＩ　キー", "api キー"),
        ("“Don’t” — ‘stop’", "\"don't\" - 'stop'"),
        ("\ufeffTitle\u200b", "title"),
        ("a\u202eb\u202c", "ab"),
        ("Straße", "strasse"),
        ("ﬁle", "file"),
        ("nul\x00l", "null"),
        ("Café", "café"),
        ("", ""),
    ],
)
def test_texts_that_look_alike_have_one_match_form(written, form):
    assert match_form(written) == form


@given(st.text())
def test_match_form_is_idempotent(text):
    assert match_form(match_form(text)) == match_form(text)


@given(st.text())
def test_match_form_is_the_same_composed_and_decomposed(text):
    assert match_form(normalize("NFD", text)) == match_form(normalize("NFC", text))


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("förster", "forster"),
        ("łódź", "lodz"),
        ("ёлка", "елка"),
        ("йод", "йод"),
        ("київ", "київ"),
        ("άνθρωπος", "ανθρωπος"),
        ("smørrebrød", "smorrebrod"),
        ("ışık", "isik"),
        ("がぎ", "がぎ"),
        ("한국", "한국"),
        ("हिन्दी", "हिन्दी"),
        ("ọ̀ṣun", "osun"),
    ],
)
def test_accents_go_only_where_they_are_accents(written, folded):
    assert fold_marks(written) == folded
    assert fold_marks(normalize("NFD", written)) == folded


@given(st.text(max_size=40))
def test_canonical_is_nfkc_of_the_whole_and_its_places_lie_in_the_text(text):
    """Normalising piece by piece, which keeps the places, must not differ from normalising at once."""
    form = canonical(text)
    if form.starts is not None:
        assert len(form.starts) == len(form.ends) == len(form.text)
    assert normalize("NFKC", form.text) == form.text
    for at in range(len(form.text)):
        start, end = form.span(at, at + 1)
        assert 0 <= start < end <= len(text)


def test_places_point_into_a_decomposed_text():
    text = normalize("NFD", "한 é")
    form = canonical(text)
    assert form.text == "한 é"
    assert [text[slice(*form.span(at, at + 1))] for at in (0, 2)] == [text[:3], text[4:]]


def test_a_tower_of_marks_is_cut_and_not_sorted_for_minutes():
    assert len(match_form("a" + "\u0301\u0323" * 50_000)) < 40
    assert len(canonical("a" + "\u0301\u0323" * 50_000).text) < 40
