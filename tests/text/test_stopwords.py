"""Function words and question words, and the shapes and stems beneath them."""

from __future__ import annotations

from ascertain.text.normalise import match_form
from ascertain.text.scripts import clusters, shape_of
from ascertain.text.stems import stem
from ascertain.text.stopwords import STOP, STOP_GRAMS


def test_every_stop_word_is_folded_as_words_are():
    assert [word for word in STOP | STOP_GRAMS if match_form(word) != word] == []


def test_no_single_latin_letter_but_the_english_words_is_a_stop_word():
    """«Vitamin K» and «Model Y» differ from their siblings by one letter."""
    assert {word for word in STOP if len(word) == 1 and word.isascii()} == {"a", "i"}


def test_a_shape_is_as_long_as_its_text():
    assert shape_of("Aé9 漢かカー가ก🦊-") == "Aa9 HhkpKtE-"


def test_clusters_cover_a_run():
    for run, shape in (("ประชุม", "t"), ("ក្រុង", "x"), ("မြန်မာ", "b"), ("会议", "H"), ("か\u309a", "h")):
        spans = clusters(run, shape)
        assert "".join(run[start:end] for start, end in spans) == run
        assert all(not _is_mark(run[start]) for start, _ in spans)


def _is_mark(char: str) -> bool:
    return shape_of("a" + char)[1] == "m" or char in "\u0e38\u17d2\u102c\u103a\u103c"


def test_forms_of_one_english_word_meet_and_short_words_stay():
    for forms in ("paint paints painted painting", "query queries", "movie movies", "house houses"):
        assert len({stem(form) for form in forms.split()}) == 1
    assert stem("gas") == "gas"
    assert stem("naïves") == "naïves"
