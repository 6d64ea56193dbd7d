"""Whole names and where they may stand in a question."""

from __future__ import annotations

import time
from unicodedata import normalize

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ascertain.text.names import name_key, name_spans
from ascertain.text.normalise import match_form


def keys(text: str) -> set[str]:
    return {key for key, _, _ in name_spans(text)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rate Limiting", "rate  limiting"),
        ("Rate-limiting", "Rate Limiting"),
        ("rate_limiting", "Rate Limiting"),
        ("ＡＰＩ Key", "api key"),
        ("AC/DC", "ac dc"),
        ("O’Hara", "O'Hara"),
        ("Don't Stop", "dont stop"),
        ("Hello, World!", "hello world"),
        ("VPN設定", "vpn 設定"),
        ("ユーザー認証", "ユーザー 認証"),
        ("지식 그래프", "지식그래프"),
        ("Straße", "STRASSE"),
        ("KX-2031-0417", "kx‑2031–0417"),
        ("⭐\ufe0f Notes", "⭐ notes"),
        ("C++", "c++"),
        (normalize("NFD", "Förster"), "förster"),
    ],
)
def test_one_name_written_in_two_ways_has_one_key(one, other):
    assert name_key(one) == name_key(other) != ""


@pytest.mark.parametrize(
    "names",
    [
        ("C", "C++", "C#"),
        (".NET", "NET"),
        ("Quota", "Quotas"),
        ("KX-2031-0417", "KX-2031-0418", "KX-2031"),
        ("v1.2", "v1.2.3"),
        ("Resume", "Résumé"),
        ("结算", "结算单"),
        ("결제", "결제는"),
        ("The Who", "Who"),
        ("🦊", "🐻"),
        ("!!!", "???"),
    ],
)
def test_names_that_differ_have_keys_that_differ(names):
    assert len({name_key(name) for name in names}) == len(names)


def test_a_name_of_ideographs_stays_one_run():
    assert name_key("会议纪要") == "会议纪要"


def test_a_name_without_any_unit_is_its_match_form():
    assert name_key(" !!! ") == match_form(" !!! ") == "!!!"
    assert list(name_spans("!!!")) == [("!!!", 0, 3)]
    assert name_key("") == name_key("\x00") == ""
    assert list(name_spans("")) == []


@given(st.text())
def test_name_key_is_idempotent(text):
    assert name_key(name_key(text)) == name_key(text)


@given(st.text())
def test_a_name_that_can_be_seen_has_a_key(text):
    assume(match_form(text))
    assert name_key(text)


@given(st.text(st.characters(categories=["L", "N", "Zs", "Po"])))
def test_name_key_is_the_same_composed_and_decomposed(text):
    assert name_key(normalize("NFD", text)) == name_key(normalize("NFC", text))


LETTERS = st.one_of(
    st.text(st.characters(categories=["Lu", "Ll"], max_codepoint=0x52F), min_size=1, max_size=9),
    st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=1, max_size=6),
    st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5), min_size=1, max_size=3),
    st.text(st.sampled_from("שלוםعربيहिन्दीგე"), min_size=1, max_size=6).filter(lambda word: word[0].isalpha()),
)


@given(st.lists(LETTERS, min_size=1, max_size=8))
def test_a_name_of_up_to_eight_words_is_found_in_a_question(words):
    name = " ".join(words)
    assert name_key(name) in keys(f"xx {name} yy")


@given(st.lists(LETTERS, min_size=1, max_size=5))
def test_the_key_of_a_span_is_the_key_of_its_text_and_part_of_the_whole_key(words):
    text = " ".join(words)
    whole = name_key(text)
    for key, start, end in name_spans(text):
        assert name_key(text[start:end]) == key
        assert key in whole


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("결제는 누가 맡아?", "결제"),
        ("결제를 어떻게 되돌리지?", "결제"),
        ("어제 결제인가요", "결제"),
        ("지식 그래프는 뭐야?", "지식 그래프"),
        ("배포하는 사람은?", "배포"),
        ("우리 집에 누가?", "집"),
        ("Slack은 어디에 쓰지?", "Slack"),
        ("会议纪要在哪里", "会议"),
        ("会议纪要在哪里", "会议纪要"),
        ("VPN設定とは", "VPN設定"),
        ("インターネットプロトコルスイートって何", "インターネットプロトコルスイート"),
        ("การประชุมคืออะไร", "การประชุม"),
        ("Кто такая Марина?", "Марина"),
        ("Wer ist Förster?", "förster"),
        ("What is Smith's plan?", "Smith"),
        ("What did jamie ohara sing?", "Jamie O'Hara"),
        ("qui a piloté l'avion", "Avion"),
        ("İstanbul'da hava", "İstanbul"),
        ("is C++ used?", "C++"),
        ("what is .NET?", ".NET"),
        ("see KX-2031-0417.", "KX-2031-0417"),
        ("what is 🦊?", "🦊"),
        ("the who", "The Who"),
        ("rate-limiting, please", "Rate limiting"),
    ],
)
def test_a_stored_name_is_found_in_a_question(question, name):
    assert name_key(name) in keys(question)


@pytest.mark.parametrize(
    ("question", "name"),
    [("what is KX-2031-0417?", "KX-2031"), ("is C++ used?", "C"), ("release v1.2.3", "v1.2"), ("주간 회의", "회")],
)
def test_a_part_of_another_name_is_no_name(question, name):
    assert name_key(name) not in keys(question)


def test_spans_point_into_the_text_as_given():
    text = normalize("NFD", "Wer ist Förster?")
    found = {key: text[start:end] for key, start, end in name_spans(text)}
    assert found["förster"] == normalize("NFD", "Förster")


def test_a_whole_question_can_be_a_name_however_long():
    title = "who was the first acting president of the large republic between the two great rivers in spring"
    assert name_key(title) in keys(title)


@pytest.mark.parametrize(
    "text", ["word " * 20_000, "会" * 20_000, "결제는 " * 20_000, "o'hara's " * 9_000, "a" * 100_000]
)
def test_spans_are_bounded_and_quick(text):
    start = time.perf_counter()
    assert len(list(name_spans(text))) <= 2_500
    assert time.perf_counter() - start < 3


def test_a_long_text_can_be_searched_to_its_end():
    text = "word " * 3_000 + "Outbox"
    assert "outbox" not in keys(text)
    assert "outbox" in {key for key, _, _ in name_spans(text, max_words=3, max_spans=None)}
