"""A link is joined where exactly one note bears the name, and reported otherwise; never guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascertain import Document, Record
from formats.noted import noted

NOTES = {
    "One.md": "---\naliases: [하나]\n---\n# The first\n\nx\n",
    "a/Same.md": "# Same\n\none\n",
    "b/Same.md": "# Same\n\ntwo\n",
    "b/deep/Two words.md": "# Two words\n\nx\n",
    "README.md": "# About\n\nx\n",
    "node.js.md": "# Node\n\nx\n",
    "band.md": "# AC/DC\n\nx\n",
}


@pytest.mark.parametrize(
    ("link", "id"),
    [
        ("[[One]]", "concept:One"), ("[[one|text]]", "concept:One"), ("[[One#part]]", "concept:One"),
        ("![[One#^block]]", "concept:One"), ("[[The First]]", "concept:One"), ("[[하나]]", "concept:One"),
        ("[[One.md]]", "concept:One"), ("[[a/Same]]", "concept:a/Same"), ("[t](a/Same.md)", "concept:a/Same"),
        ("[t](./b/Same.md#x)", "concept:b/Same"), ("[t](b/deep/Two%20words.md)", "concept:b/deep/Two words"),
        ("[[deep/two words]]", "concept:b/deep/Two words"), ("[[concept:a/Same]]", "concept:a/Same"),
        ("[[node.js]]", "concept:node.js"), ("[t]([[One]])", "concept:One"), ("[[AC/DC]]", "concept:band"),
    ],
)  # fmt: skip
def test_a_link_that_one_note_answers_to_is_joined(tmp_path: Path, link: str, id: str) -> None:
    read = noted(tmp_path, NOTES | {"from.md": f"# From\n\nSee {link}.\n"})
    assert read.get(Document, "doc:from.md").pieces[0].mentions == (id,)
    assert not read.problems


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("[[Same]]", "ambiguous link [[Same]]: concept:a/Same, concept:b/Same"),
        ("[[Nowhere|there]]", "link to nothing [[Nowhere]]"),
        ("[[v1.2.links]]", "link to nothing [[v1.2.links]]"),
        ("[t](gone/Same2.md)", "link to nothing [[gone/Same2.md]]"),
        ("[[]]", None), ("[[#part]]", None), ("[[pic.png]]", None), ("![[a.pdf#page=2]]", None), ("[t](pic.svg)", None),
        ("[t](https://example.org/a.md)", None), ("[t](#here)", None), ("[t](../src/main.py)", None),
        ("[[README]]", None), ("`[[Nowhere]]`", None),
    ],
)  # fmt: skip
def test_a_link_that_none_or_several_answer_to_is_told_and_other_targets_are_not(
    tmp_path: Path, link: str, reason: str | None
) -> None:
    read = noted(tmp_path, NOTES | {"from.md": f"# From\n\nx\n\nSee {link} and again {link}.\n"})
    assert read.get(Document, "doc:from.md").pieces[0].mentions == ()
    assert [(problem.reason, problem.skipped) for problem in read.problems] == ([(reason, False)] if reason else [])


def test_a_bare_name_means_no_neighbour_where_another_note_bears_it_too(tmp_path: Path) -> None:
    read = noted(tmp_path, NOTES | {"a/from.md": "# From\n\n[[Same]], but [the one here](Same.md).\n"})
    assert read.get(Document, "doc:a/from.md").pieces[0].mentions == ("concept:a/Same",)
    assert "ambiguous" in read.reasons[0]


@pytest.mark.parametrize("target", ["Nowhere", "[[Same]]", "https://example.org", "record:other"])
def test_a_reference_that_joins_no_concept_is_told(tmp_path: Path, target: str) -> None:
    files = {"r.md": f'---\nkind: record\nabout: "{target}"\n---\nx\n', "other.md": "---\nkind: record\n---\ny\n"}
    read = noted(tmp_path, NOTES | files)
    assert read.get(Record, "record:r").about == ()
    assert [problem.skipped for problem in read.problems] == [False]
    assert "about" in read.reasons[0]


def test_a_namesake_of_another_kind_is_no_rival_for_what_only_concepts_can_be(tmp_path: Path) -> None:
    files = {
        "c.md": "---\nkind: concept\ntitle: Seed policy\n---\nx\n",
        "d.md": "---\nkind: decision\ntitle: Seed policy\n---\nx\n",
        "r.md": "---\nkind: record\nabout: Seed policy\n---\nx\n",
    }
    assert noted(tmp_path, files).get(Record, "record:r").about == ("concept:c",)


def test_links_may_point_forward_and_to_each_other(tmp_path: Path) -> None:
    read = noted(tmp_path, {"a.md": "# A\n\n[[z]]\n", "z.md": "# Z\n\n[[a]]\n"})
    assert read.get(Document, "doc:a.md").pieces[0].mentions == ("concept:z",)
    assert read.get(Document, "doc:z.md").pieces[0].mentions == ("concept:a",)
