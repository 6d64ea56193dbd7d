"""Markdown becomes headings, links and pieces."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ascertain.formats.markdown.page import LONG, MOST_OF_HEADING, SHORT, parse, pieces_of, plain

CODE = """# Title

```md
---
title: no
---
## No heading

[[No link]] and [none](none.md)
```

    # indented [[neither]]

Text with `[[code]]` and <!-- [[hidden]] --> more.
"""


def test_nothing_in_code_or_comments_is_a_heading_or_a_link() -> None:
    page = parse(CODE)
    assert [heading.text for heading in page.headings] == ["Title"]
    assert [link for block in page.blocks for link in block.links] == []
    assert "No heading" not in page.prose
    assert "hidden" not in page.prose
    assert page.prose.count("\n") == CODE.count("\n")


def test_code_is_kept_in_pieces() -> None:
    texts = [part.text for part in pieces_of(parse(CODE).blocks)]
    assert "## No heading" in "\n".join(texts)
    assert "Text with [[code]] and  more." in texts[-1]


def test_links_of_every_form_are_found_and_read_as_plain_text() -> None:
    page = parse("See [[Target|words]], [[Other#part]], ![[Embed]], [here](a%20b.md#x) and [page]([[Log]]).\n")
    (block,) = page.blocks
    assert [(link.target, link.wiki) for link in block.links] == [
        ("a%20b.md#x", False), ("Log", True), ("Target|words", True), ("Other#part", True), ("Embed", True),
    ]  # fmt: skip
    assert block.text == "See words, Other#part, Embed, here and page."
    assert plain("**[bold](x.md)** `code`") == "bold code"


def test_headings_and_blocks_know_their_line_and_what_they_stand_under() -> None:
    page = parse("# A\n\none\n\n## B\n\ntwo\n\n### C\n\nthree\n\n## D\n\nfour\n")
    assert [(block.line, [heading.text for heading in block.under]) for block in page.blocks] == [
        (3, ["A"]), (7, ["A", "B"]), (11, ["A", "B", "C"]), (15, ["A", "D"]),
    ]  # fmt: skip


def test_small_neighbours_share_a_piece_under_one_heading_only() -> None:
    parts = pieces_of(parse("# A\n\none\n\n- two\n- three\n\n## B\n\nfour\n").blocks)
    assert [part.text for part in parts] == ["A: one\ntwo\nthree", "B: four"]


def test_a_tables_row_is_one_line() -> None:
    parts = pieces_of(parse("| Key | Meaning |\n| --- | --- |\n| a | first |\n| b |  |\n").blocks)
    assert [part.text for part in parts] == ["Key | Meaning\na | first\nb"]


def test_a_link_stands_in_the_piece_that_shows_it() -> None:
    text = "A sentence that fills the page. " * 50 + "At the end stands [[Late]]."
    parts = pieces_of(parse(text).blocks)
    assert len(parts) == 2
    assert [bool(part.links) for part in parts] == [False, True]


def test_long_texts_are_cut_at_the_end_of_a_sentence_and_runs_without_one_cut_hard() -> None:
    parts = pieces_of(parse("# H\n\n" + "Eins zwei drei. " * 200 + "\n\n" + "가" * 3_000).blocks)
    assert all(part.text.endswith("drei.") for part in parts[:-3])
    assert sum(part.text.count("가") for part in parts) == 3_000


def test_a_heading_of_any_length_leads_its_piece_shortly() -> None:
    (part,) = pieces_of(parse(f"# {'long ' * 400}\n\ntext\n").blocks)
    assert part.text.endswith(": text")
    assert len(part.text) <= MOST_OF_HEADING + len(": text")


@given(
    st.lists(
        st.sampled_from(
            ["# ", "## ", "- ", "> ", "```\n", "[[", "]]", "|", "\n\n", "\n", "word ", "문장이다。", "x" * 500, "<!--"]
        ),
        max_size=60,
    )
)
def test_no_piece_is_empty_or_too_long(parts: list[str]) -> None:
    for part in pieces_of(parse("".join(parts)).blocks):
        assert part.text.strip()
        assert len(part.text) <= max(LONG, SHORT) + MOST_OF_HEADING + 2
