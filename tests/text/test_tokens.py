"""Text to tokens with their places."""

from __future__ import annotations

import time
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain.text.tokens import LONGEST, index_terms, tokenise

HAN = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5)
KATAKANA = st.characters(min_codepoint=0x30A2, max_codepoint=0x30F3)


def texts(text: str, kind: str) -> list[str]:
    return [token.text for token in tokenise(text) if token.kind == kind]


def told(text: str) -> list[str]:
    return [token.text for token in tokenise(text) if not token.stop]


@pytest.mark.parametrize(
    ("written", "whole", "parts"),
    [
        ("KX-2031-0417", "kx-2031-0417", ["kx", "2031", "0417"]),
        ("AC/DC", "ac/dc", ["ac", "dc"]),
        ("svc-auth", "svc-auth", ["svc", "auth"]),
        ("C++", "c++", []),
        ("C#", "c#", []),
        (".NET", ".net", ["net"]),
        ("v1.2.3", "v1.2.3", ["v", "1", "2", "3"]),
        ("foo_bar", "foo_bar", ["foo", "bar"]),
        ("std::vector", "std::vector", ["std", "vector"]),
        ("BIP34", "bip34", ["bip", "34"]),
        ("2to3", "2to3", ["2", "to", "3"]),
        ("getUserName", "getusernam", ["get", "user", "name"]),
        ("HTTPServer", "httpserver", ["http", "server"]),
        ("rate-limiting", "rate-limiting", ["rate", "limit"]),
        ("C/C++17", "c/c++17", ["c", "c++", "17"]),
        ("O'Hara", "ohara", ["o", "hara"]),
        ("O’Hara", "ohara", ["o", "hara"]),
        ("PDFs", "pdfs", []),
        ("Smith's", "smith", []),
        ("https://example.org/a/b", "https://example.org/a/b", ["https", "exampl", "org", "a", "b"]),
        ("me@example.org", "me@example.org", ["me", "exampl", "org"]),
    ],
)
def test_an_identifier_is_one_word_and_its_parts(written, whole, parts):
    assert texts(f"see ({written}).", "word") == ["see", whole]
    assert texts(f"see ({written}).", "part") == parts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("queries", "query"),
        ("classes", "class"),
        ("caches", "cache"),
        ("branches", "Branch"),
        ("movies", "movie"),
        ("statuses", "status"),
        ("boxes", "box"),
        ("Quotas", "quota"),
        ("Förster", "forster"),
        ("Straße", "STRASSE"),
        ("ＡＰＩ", "api"),
        ("ёлка", "елка"),
        ("الرياض", "رياض"),
        ("إسلام", "اسلام"),
        ("كتابٌ", "كتاب"),
        ("مدرسة", "مدرسه"),
        ("٢٠٢٤", "2024"),
        ("Ọ̀ṣun", "osun"),
        ("don’t", "dont"),
    ],
)
def test_ways_of_writing_a_word_meet_in_one_term(one, other):
    assert index_terms(one) == index_terms(other) != []


@pytest.mark.parametrize("word", ["status", "glass", "bus", "is"])
def test_a_word_that_only_looks_plural_stays(word):
    assert [token.text for token in tokenise(word)] == [word]


@pytest.mark.parametrize("pair", [("vitamin K", "vitamin E"), ("C", "C++"), ("C#", "C++"), ("0417", "0418")])
def test_names_that_differ_keep_a_term_that_differs(pair):
    assert set(index_terms(pair[0])) != set(index_terms(pair[1]))


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What is the rate limit?", ["rate", "limit"]),
        ("Tell me about Outbox", ["outbox"]),
        ("What's it mean?", ["what", "it", "mean"]),
        ("Wer ist Förster?", ["forster"]),
        ("Кто такая Марина?", ["марина"]),
        ("من هو سالم؟", ["سالم"]),
        ("Qui a dirigé l'avion ?", ["dirig", "avion"]),
        ("¿Quién es Marina?", ["es", "marina"]),
        ("Quem é o autor", ["o", "autor"]),
        ("Марина деген ким", ["марина", "деген", "ким"]),
        ("결제는 누가 맡아?", ["결제", "맡아"]),
        ("Slack은 어디에 쓰지?", ["slack", "쓰지"]),
        ("배포가 뭐야", ["배포"]),
        ("会议是什么", ["会议", "议是"]),
        ("请问会议", ["问会", "会议"]),
        ("認証とは何ですか", ["認証"]),
        ("הי מי מרים", ["הי", "מרים"]),
        ("मरीना कौन है", ["मरीना"]),
        ("Մարինան ո՞վ է", ["մարինան"]),
    ],
)
def test_function_and_question_words_say_nothing(question, terms):
    assert index_terms(question) == terms


@pytest.mark.parametrize("word", ["die", "war", "son", "pan", "hat", "fur", "car", "ten", "os", "ai", "kim", "dan"])
def test_a_word_that_means_something_elsewhere_is_no_stop_word(word):
    assert told(word) == [word]


def test_the_arabic_name_that_looks_like_a_preposition_says_something():
    assert told("علي") == ["علي"]
    assert told("على") == []


def test_a_text_of_stop_words_is_indexed_all_the_same():
    assert index_terms("The Who") == ["the", "who"]


def test_terms_are_repeated_as_they_occur():
    assert index_terms("gate, gates and Gate") == ["gate", "gate", "gate"]


@pytest.mark.parametrize(
    "question", ["결제는 누가 맡아?", "결제를 어떻게 되돌리지?", "결제", "결제의 담당자", "우리 결제에서는?"]
)
def test_a_korean_noun_is_met_under_any_particle(question):
    assert "결제" in index_terms(question)


@pytest.mark.parametrize(
    "question", ["Slack은 어디에 쓰지?", "Slack에 장애 공지를 올린다", "SLACK으로", "어제Slack에서는"]
)
def test_a_latin_word_is_met_with_a_particle_glued_on(question):
    terms = index_terms(question)
    assert "slack" in terms
    assert not {"은", "에", "으로", "에서는"} & {token.text for token in tokenise(question)}


def test_a_long_korean_noun_is_met_by_its_pieces():
    assert {"지식", "그래프"} & set(index_terms("지식그래프는")) == {"지식"}
    assert "그래" in texts("지식그래프는", "gram")


@pytest.mark.parametrize("question", ["会议", "会议纪要", "会议纪要在哪里", "我的会议"])
def test_a_two_character_noun_is_met_in_any_run(question):
    """A run of ideographs is not one token."""
    assert "会议" in index_terms(question)


def test_latin_inside_a_run_of_ideographs_is_met():
    assert "vpn" in index_terms("用VPN連接")
    assert "vpn" in index_terms("ＶＰＮ設定")


def test_katakana_words_stand_whole_and_in_pairs():
    assert texts("ユーザー認証", "word") == ["ユーザー", "認証"]
    assert texts("ユーザー認証", "gram") == ["ユー", "ーザ", "ザー"]


def test_verb_endings_do_not_glue_to_ideographs():
    assert [token.text for token in tokenise("食べる")] == ["食", "べる"]


def test_thai_pairs_are_of_readable_clusters():
    """A vowel above or before its consonant is not a character on its own."""
    grams = texts("การประชุม", "gram")
    assert "ประ" in grams
    assert "ชุม" in grams
    assert set(grams) & set(texts("ประชุม", "gram"))


@pytest.mark.parametrize("emoji", ["🦊", "⭐", "🇰🇷", "🏳"])
def test_an_emoji_is_a_word(emoji):
    assert texts(f"my {emoji}!", "word") == ["my", emoji]


def test_a_presentation_mark_does_not_change_an_emoji():
    assert index_terms("⭐\ufe0f") == index_terms("⭐")


@pytest.mark.parametrize("text", ["", " ", '"', "( )", "*", "\x00", '"' * 10_000, "…—!?", "\ufeff", "\ud800", "\u0301"])
def test_punctuation_alone_gives_no_token(text):
    assert tokenise(text) == ()
    assert index_terms(text) == []


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("a-b", ["a-b", "b"]),
        ("col:val", ["col:val", "col", "val"]),
        ("NEAR(", ["near"]),
        ("^x", ["x"]),
        ("NOT cats", ["cat"]),
        ("park.", ["park"]),
        ("nul\x00byte", ["nul", "byte"]),
    ],
)
def test_query_operators_are_words_like_others(text, terms):
    assert index_terms(text) == terms


def test_a_term_has_a_longest_length():
    assert [len(token.text) for token in tokenise("a" * 5_000)] == [LONGEST]
    assert all(len(term) <= LONGEST for term in index_terms("ab1" * 1_000 + " " + "カ" * 1_000 + " " + "가" * 1_000))


def test_spans_point_into_the_text_as_given():
    text = normalize("NFD", "Ärger mit ﬁle, 결제는 ＡＢＣ")
    places = {token.text: text[token.start : token.end] for token in tokenise(text)}
    assert places["arger"] == normalize("NFD", "Ärger")
    assert places["file"] == "ﬁle"
    assert places["결제"] == normalize("NFD", "결제")
    assert places["abc"] == "ＡＢＣ"


MIXED = st.text(
    st.one_of(st.characters(), st.sampled_from(" -_/.:#+&@'’aAzZ019éßЖعכ한글는이漢々かカーกาั🦊\u0301\u200d\x00㎏½"))
)


@given(MIXED)
def test_tokens_lie_in_the_text_in_order_and_hold_no_blank(text):
    order = {"word": 0, "part": 1, "gram": 2}
    tokens = tokenise(text)
    for token in tokens:
        assert 0 <= token.start < token.end <= len(text)
        assert token.text
        assert not any(char.isspace() for char in token.text)
        assert len(token.text) <= LONGEST
    keys = [(token.start, order[token.kind]) for token in tokens]
    assert keys == sorted(keys)


@given(MIXED)
def test_index_terms_are_the_telling_tokens(text):
    assert sorted(index_terms(text)) == sorted(told(text) or [token.text for token in tokenise(text)])


@given(MIXED)
def test_composed_and_decomposed_texts_have_the_same_terms(text):
    assert index_terms(normalize("NFD", text)) == index_terms(normalize("NFC", text))


CAPITALS = st.sampled_from(
    [
        chr(code)
        for code in range(0x41, 0x530)
        if len(normalize("NFKC", chr(code))) == 1 and chr(code) != chr(code).lower()
    ]
)


@given(st.lists(st.text(CAPITALS, min_size=1, max_size=8), max_size=5))
def test_case_does_not_change_the_terms(words):
    text = " ".join(words)
    assert index_terms(text.lower()) == index_terms(text) == index_terms(text.capitalize())


@given(st.text(HAN | KATAKANA, max_size=8), st.text(HAN, min_size=2, max_size=2), st.text(HAN | KATAKANA, max_size=8))
def test_a_two_character_word_is_found_within_any_longer_run(before, word, after):
    assert word in {token.text for token in tokenise(before + word + after)}


@pytest.mark.parametrize(
    "unit", ["a", "aB", "a1", "a.", "a'", "l'a", "会", "タ", "가", "하는", "e\u0301", "\u0301\u0323", '"', "🦊"]
)
def test_a_long_text_without_a_blank_takes_linear_time(unit):
    start = time.perf_counter()
    tokenise(unit * (100_000 // len(unit)))
    assert time.perf_counter() - start < 3  # measured below 0.5; a quadratic rule takes minutes
