"""What users of comparable systems reported of taking files in, on ours: rows 2, 3, 14, 16 and 21 to 25."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ascertain import BundledEncoder, Concept, Document, Memory, Node, Piece, Record
from ascertain.errors import AscertainError, NotFound
from ascertain.formats.base import Item
from formats.noted import Read, noted


@pytest.fixture(scope="module")
def encoder() -> BundledEncoder:
    return BundledEncoder()


@pytest.fixture
def memory(encoder: BundledEncoder):
    with Memory.temporary(encoder=encoder) as made:
        yield made


def counts(memory: Memory, path: Path) -> tuple[int, int, int]:
    report = memory.import_path(path)
    return report.added, report.changed, report.unchanged


# row 2


def test_identifiers_with_a_long_common_beginning_stay_apart(memory: Memory, tmp_path: Path):
    titles = [f"Inspection form KX-2031-{n}" for n in ("0417", "0418")]
    titles += [f"Maintenance note QB-88 Rev {rev}" for rev in "CD"]
    file = tmp_path / "forms.jsonl"
    file.write_text("".join(json.dumps({"type": "record", "id": t, "title": t}) + "\n" for t in titles), "utf-8")
    assert counts(memory, file) == (4, 0, 0)
    assert counts(memory, file) == (0, 0, 4)
    assert memory.ask("What does inspection form KX-2031-0418 say?").node == titles[1]
    assert memory.ask("What does maintenance note QB-88 Rev D say?").node == titles[3]
    answer = memory.ask("What does the inspection form say?")
    assert answer.state == "choose"
    assert {offer.candidate.node for offer in answer.candidates} >= set(titles[:2])
    assert all(offer.differs_by for offer in answer.candidates)
    assert memory.twins() == []


# row 3

SPELLINGS = ("Rate limiting", "Rate Limiting", "rate limiting")


def entity(name: str, *observations: str) -> str:
    return json.dumps({"type": "entity", "name": name, "entityType": "term", "observations": observations}) + "\n"


def test_one_name_in_three_casings_is_one_concept_in_memory_files(memory: Memory, tmp_path: Path):
    for at, name in enumerate((*SPELLINGS, "Quota", "Quotas")):
        (tmp_path / f"{at}.jsonl").write_text(entity(name, f"fact {at}"), "utf-8")
    relation = {"type": "relation", "from": "RATE LIMITING", "to": "quota", "relationType": "guards"}
    (tmp_path / "9.jsonl").write_text(json.dumps(relation) + "\n", "utf-8")
    memory.import_path(tmp_path)
    found = memory.node("entity:Rate limiting").node
    assert set(found.aliases) == set(SPELLINGS[1:])
    about = [edge.start for edge in memory.neighbours(found.id) if edge.type == "ABOUT"]
    assert len(about) == 4
    for question in (*SPELLINGS, "what is RATE LIMITING?"):
        assert memory.ask(question).node == found.id
    assert memory.ask("what is a quota?").node == "entity:Quota"
    assert memory.node("entity:Quotas").node.aliases == ()
    assert counts(memory, tmp_path)[:2] == (0, 0)


def test_one_term_in_three_casings_is_one_concept_in_a_glossary(tmp_path: Path):
    read = noted(tmp_path, {"glossary.md": "".join(f"**{name}**: what holds {name}.\n\n" for name in SPELLINGS)})
    assert read.nodes == {"concept:glossary#rate-limiting"}
    assert read.get(Concept, "concept:glossary#rate-limiting").aliases == SPELLINGS[1:]
    assert sum("defined twice" in reason for reason in read.reasons) == 2


def test_links_in_any_casing_lead_to_one_concept(memory: Memory, tmp_path: Path):
    noted(tmp_path, {"Rate limiting.md": "What guards us.\n"} | {
        f"doc{at}.md": f"# Text {at}\n\nAbout [[{name}]].\n" for at, name in enumerate(SPELLINGS)
    })  # fmt: skip
    memory.import_path(tmp_path)
    assert memory.ask("rate limiting").node == "concept:Rate limiting"
    mentions = [edge for edge in memory.neighbours("concept:Rate limiting") if edge.type == "MENTIONS"]
    assert len(mentions) == 3


# row 14


def test_of_a_torn_memory_file_all_sound_lines_are_taken_and_each_bad_one_is_named(memory: Memory, tmp_path: Path):
    file = tmp_path / "memory.jsonl"
    lines = [
        entity("Sound", "one"),
        '{"type": "entity", "name": "A", "entityType": "t"} {"type": "entity", "name": "B", "entityType": "t"}\n',
        '{"type": "entity", "name": "Null", "entityType": "t", "observations": [null, "kept"]}\n',
        '{"type": "entity", "name": "Bare", "observations": ["kept too"]}\n',
        "[]\n",
        entity("Later"),
    ]
    file.write_bytes("".join(lines).encode() + '{"type": "entity", "name": "잘린'.encode()[:-1])
    report = memory.import_path(file)
    assert {problem.line for problem in report.skipped} == {2, 3, 5, 7}
    for name in ("Sound", "Null", "Bare", "Later"):
        assert memory.node(f"entity:{name}")
    assert memory.ask("Later").node == "entity:Later"


# row 16


def test_a_relation_to_what_comes_later_is_joined_and_one_to_nothing_is_told(memory: Memory, tmp_path: Path):
    file = tmp_path / "memory.jsonl"
    relation = '{"type": "relation", "from": "Here", "to": "Phantom-%d", "relationType": "knows"}\n'
    filler = "".join(entity(f"Filler {n}") for n in range(50))
    file.write_text(entity("Here") + relation % 1 + relation % 2 + filler + entity("Phantom-1"), "utf-8")
    report = memory.import_path(file)
    told = [one.reason for one in report.problems if "Phantom" in one.reason]
    assert len(told) == 1
    assert "Phantom-2" in told[0]
    assert [edge.type for edge in memory.neighbours("entity:Phantom-1")] == ["ABOUT"]
    with pytest.raises(NotFound):
        memory.node("entity:Phantom-2")
    assert counts(memory, file)[:2] == (0, 0)


# row 21


def test_the_same_folder_again_touched_or_renamed_makes_no_twins(memory: Memory, tmp_path: Path):
    folder = tmp_path / "notes"
    noted(folder, {"2026-03-01 talk.md": "We met.\n", "sub/Gate.md": "What lets through.\n"})
    assert counts(memory, folder) == (2, 0, 0)
    assert counts(memory, folder) == (0, 0, 2)
    for file in folder.rglob("*.md"):
        os.utime(file, (1, 1))
    assert counts(memory, folder) == (0, 0, 2)
    renamed = folder.rename(tmp_path / "renamed")
    assert counts(memory, renamed) == (0, 0, 2)
    assert memory.status().counts.documents == 2


# row 22


def test_names_in_any_script_collide_nowhere(memory: Memory, tmp_path: Path):
    names = ["31 회의 방식", "31", "知识图谱入门", "开关", "🦊"]
    read = noted(tmp_path, {f"{name}.md": f"Text of {name}.\n" for name in names})
    assert len(read.nodes) == len(read.documents) == 5
    assert {value.title for value in read.values.values() if isinstance(value, Node)} == set(names)
    assert counts(memory, tmp_path) == (5, 0, 0)
    assert counts(memory, tmp_path) == (0, 0, 5)


# row 23


def test_one_file_with_bad_front_matter_stops_no_other(tmp_path: Path):
    bad = {
        "star.md": "---\ntitle: *loud* words\n---\nText.\n",
        "path.md": "---\nfile: C:\\notes: old\\x: y\n---\n# From a heading\n\nText.\n",
        "list.md": "---\naliases:\n  - [[x]]y\n---\nText.\n",
        "rule.md": "---\n\nOnly a rule above.\n",
    }
    read = noted(tmp_path, {**bad, "good.md": "---\ntitle: Good\naliases: [Fine]\n---\nText.\n"})
    assert len(read.nodes) == 5
    assert read.get(Concept, "concept:good").aliases == ("Fine",)
    assert read.get(Concept, "concept:star").title == "star"
    assert read.get(Concept, "concept:path").title == "From a heading"
    assert any("loud" in text for text in read.texts("doc:star.md"))
    named = {Path(problem.file).name for problem in read.problems}
    assert {"star.md", "path.md", "list.md"} <= named
    assert "good.md" not in named


# row 24

NOTE = "---\ntitle: Ordinary title\naliases: [Other, 또 다른]\ntags: [one]\n---\nThe text.\n"


def test_marks_and_line_ends_hide_no_front_matter(tmp_path: Path):
    forms = {
        "a": NOTE.encode(),
        "b": b"\xef\xbb\xbf" + NOTE.encode(),
        "c": NOTE.replace("\n", "\r\n").encode(),
        "d": b"\xef\xbb\xbf" + NOTE.replace("\n", "\r\n").encode(),
        "e": NOTE.replace("---\n", "---  \n").encode(),
        "f": NOTE.encode("utf-16"),
    }
    seen = set()
    for name, data in forms.items():
        read = noted(tmp_path / name, {"n.md": data})
        assert read.problems == []
        node = read.get(Concept, "concept:n")
        seen.add((node.title, node.aliases, node.body, tuple(read.texts("doc:n.md"))))
    assert len(seen) == 1
    assert next(iter(seen))[:2] == ("Ordinary title", ("Other", "또 다른"))


# row 25

OUTSIDE = ["../x", "/etc/passwd", "a/../../b", "C:\\x", "..%2f", "a\0b"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_an_id_that_looks_like_a_path_writes_nothing_outside(memory: Memory, tmp_path: Path, name: str):
    told = (Concept(id=name, title="Gate"), Document(id=f"doc:{name}", title=name, pieces=(Piece(id=name, text="x"),)))
    memory.add(*told)
    target = tmp_path / "inside" / "out"
    target.parent.mkdir()
    if hasattr(memory, "export_markdown"):
        memory.export_markdown(target)
    files = [file.relative_to(tmp_path) for file in tmp_path.rglob("*") if file.is_file()]
    assert all(file.parts[:2] == ("inside", "out") for file in files)


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_path_that_is_not_there_is_one_clear_error(memory: Memory, tmp_path: Path, name: str):
    with pytest.raises((AscertainError, ValueError)):
        memory.import_path(str(tmp_path / "nothing") + "/" + name.lstrip("/"))
    assert memory.status().counts.nodes == {}


def test_links_in_a_circle_or_to_the_outside_are_told_and_each_real_file_is_read_once(tmp_path: Path):
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside / "sub", outside):
        folder.mkdir(parents=True)
    (inside / "a.md").write_text("Inside.\n", "utf-8")
    (outside / "secret.md").write_text("Outside.\n", "utf-8")
    try:
        (inside / "sub" / "parent").symlink_to(inside)
        (inside / "self").symlink_to(inside / "self")
        (inside / "out").symlink_to(outside)
        (inside / "secret.md").symlink_to(outside / "secret.md")
        (inside / "again.md").symlink_to(inside / "a.md")
    except OSError:
        pytest.skip("this system makes no links")
    read = Read(inside)
    assert read.nodes == {"concept:a"}
    assert {Path(one.file).name for one in read.problems} == {"parent", "self", "out", "secret.md", "again.md"}
    assert not any("Outside" in str(one.value) for one in read.all if isinstance(one, Item))


def test_a_record_is_kept_to_the_letter(memory: Memory):
    memory.add(Record(id="r", title="../../etc/passwd"))
    assert memory.node("r").node.title == "../../etc/passwd"
