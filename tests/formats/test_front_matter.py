"""Front matter comes off a note, and what can't be read of it loses nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain.formats.markdown.front_matter import as_instant, as_list, as_text, split

NOTE = "---\ntitle: A thing\ntags: [a, b]\n---\nBody.\n"


@pytest.mark.parametrize(
    "text",
    [
        NOTE,
        "\ufeff" + NOTE,
        NOTE.replace("\n", "\r\n"),
        NOTE.replace("---\n", "---  \t\n"),
        NOTE.replace("---\nB", "...\nB"),
    ],
)
def test_marks_line_ends_and_blanks_after_the_fence_change_nothing(text: str) -> None:
    found = split(text)
    assert (found.values, found.body, found.line, found.problem) == (
        {"title": "A thing", "tags": ["a", "b"]},
        "Body.\n",
        5,
        "",
    )


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nA rule above.\n\n---\n\nBody.\n",
        "---\n\nSome words. Warning: hot\n\n---\n\nBody.\n",
        "---\n\n# Heading\n\n---\n",
        "---\n[[x]]y\n---\nBody.\n",
        "---\nnever closed: yes\n\nBody.\n",
        "Body.\n---\ntitle: no\n---\n",
        "```\n---\ntitle: no\n---\n```\n",
    ],
)
def test_what_is_no_front_matter_stays_in_the_body(text: str) -> None:
    found = split(text)
    assert (found.values, found.body, found.problem) == ({}, text, "")


@pytest.mark.parametrize(
    "yaml",
    [
        "title: *starred",
        "file: C:\\notes: here",
        "up:\n  - [[x]]y",
        "created: {{date}}",
        "status: {proposed | [ADR-1](1.md)}",
        "a: &a [1]\nb: *a",
        "a: &a [*a]",
        "title: \t- x\n\tb",
        "a: " + "[" * 5_000,
        "a: " + "b" * 70_000,
    ],
)
def test_what_cannot_be_read_is_kept_as_text_with_the_reason(yaml: str) -> None:
    found = split(f"---\n{yaml}\n---\nBody.\n")
    assert (found.values, found.body, found.raw) == ({}, "Body.\n", f"{yaml}\n")
    assert found.problem


def test_a_summary_is_not_kept_as_text_since_it_is_never_searched() -> None:
    raw = "kind: episode\nmood: {{x}}\nsummary: >\n  A quagglenaut\n\n  came.\nplace: here\n"
    assert split(f"---\n{raw}---\nBody.\n").raw == "kind: episode\nmood: {{x}}\nplace: here\n"


def test_scalars_stay_as_written() -> None:
    """A title 1.10 is not 1.1, 0012 is not ten, and a bad date takes no other key with it."""
    found = split("---\ntitle: 1.10\nid: 0012\nalias: yes\ndate: 2026-13-45\nnone:\nnull: ~\nq: 'null'\n---\n")
    assert found.values == {
        "title": "1.10", "id": "0012", "alias": "yes", "date": "2026-13-45", "none": None, "": None, "q": "null",
    }  # fmt: skip


def test_of_a_key_that_stands_twice_the_last_counts() -> None:
    assert split("---\nTitle: A\ntitle: B\n---\n").values == {"title": "B"}


def test_no_tag_makes_an_object() -> None:
    found = split("---\na: !!python/object/apply:os.getcwd []\nb: !!int 0x" + "f" * 5_000 + "\n---\n")
    assert as_text(found.values["a"]) == ""
    assert as_text(found.values["b"]).startswith("0xff")


@pytest.mark.parametrize(
    ("yaml", "text", "texts"),
    [
        ("{ accepted }", "accepted", ["accepted"]),
        ("[one]", "one", ["one"]),
        ("[one, two]", "", ["one", "two"]),
        ("[[one]]", "one", ["one"]),
        ("one, [[a, b]]", "one, [[a, b]]", ["one", "[[a, b]]"]),
        ("", "", []),
        ("{a: b, c: d}", "", []),
    ],
)
def test_values_are_coerced(yaml: str, text: str, texts: list[str]) -> None:
    value = split(f"---\nkey: {yaml}\n---\n").values["key"]
    assert (as_text(value), as_list(value)) == (text, texts)


@pytest.mark.parametrize(
    ("value", "instant"),
    [
        ("2026-03-01", "2026-03-01T00:00:00+00:00"),
        ("2026-3-1", "2026-03-01T00:00:00+00:00"),
        ("2026/03/01", "2026-03-01T00:00:00+00:00"),
        ("2026. 3. 1.", "2026-03-01T00:00:00+00:00"),
        ({"2023-11-10": None}, "2023-11-10T00:00:00+00:00"),
        ("2026-03-01T00:00:00+09:00", "2026-02-28T15:00:00+00:00"),
        ("2026-W09", "2026-02-23T00:00:00+00:00"),
    ],
)
def test_times_are_read(value: object, instant: str) -> None:
    found, problem = as_instant(value)
    assert found is not None
    assert (found.isoformat(), problem) == (instant, "")


@pytest.mark.parametrize("value", ["2/27/2025", "27.2.2025", "2026-13-01", "2026/13/2", "last tuesday", "2026-Q1"])
def test_a_time_that_cannot_be_read_is_none_and_never_guessed(value: str) -> None:
    found, problem = as_instant(value)
    assert found is None
    assert value in problem


@given(st.text(st.sampled_from("-: \n\ta[]{}*&!'\"#|>,."), max_size=60), st.text(max_size=40))
def test_no_front_matter_stops_reading_and_no_body_is_lost(raw: str, body: str) -> None:
    body = body.replace("\r", "")
    found = split(f"---\n{raw}\n---\n{body}")
    assert found.body.endswith(body)
