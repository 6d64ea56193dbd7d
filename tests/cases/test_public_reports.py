"""What users of comparable systems reported, on ours: the smallest input and the right outcome."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from ascertain import BundledEncoder, Concept, Decision, EncoderMismatch, Episode, Memory, Record


@pytest.fixture(scope="module")
def encoder() -> BundledEncoder:
    return BundledEncoder()


@pytest.fixture
def memory(encoder: BundledEncoder):
    with Memory.temporary(encoder=encoder) as made:
        yield made


class ByHash:
    """Vectors that say nothing of meaning: two spellings lie anywhere."""

    def __init__(self, dimension: int = 8) -> None:
        self.name, self.dimension = f"hash-{dimension}", dimension

    def encode(self, texts):
        rows = [np.random.default_rng(abs(hash(text)) % 2**32).standard_normal(self.dimension) for text in texts]
        rows = np.array(rows, dtype=np.float32).reshape(len(texts), self.dimension)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_an_acronym_taken_in_twice_is_one_concept_and_resolved_whatever_vectors_say(tmp_path: Path):
    file = tmp_path / "a.jsonl"
    file.write_text('{"type": "concept", "id": "k", "title": "KQPR"}\n')
    with Memory.temporary(encoder=ByHash()) as memory:
        memory.import_path(file)
        again = memory.import_path(file)
        assert (again.added, again.unchanged) == (0, 1)
        answer = memory.ask("what is KQPR?")
        assert (answer.state, answer.node) == ("resolved", "k")


def test_one_name_under_two_kinds_is_handed_back_with_the_kind_told(memory: Memory):
    memory.add(Concept(id="c", title="Outbox", body="Where messages wait."), Decision(id="d", title="Outbox"))
    answer = memory.ask("what is the outbox?")
    assert answer.state == "choose"
    assert {offer.differs_by["kind"] for offer in answer.candidates} == {"concept", "decision"}


def test_a_name_that_was_never_stored_is_not_answered_from_its_neighbour(memory: Memory):
    memory.add(Record(id="nabi", title="the cat is called Nabi"))
    assert memory.ask("what did I tell you about my cat Milo?").state != "resolved"


@pytest.mark.parametrize("question", ["会议", "会议纪要", "VPN"])
def test_two_ideographs_find_a_longer_run(memory: Memory, question: str):
    memory.add(Concept(id="m", title="会议纪要", body="VPN 会议的记录"), Concept(id="x", title="天气"))
    answer = memory.ask(question)
    assert "m" in [offer.candidate.id for offer in answer.candidates]
    if question == "会议纪要":
        assert answer.node == "m"


@pytest.mark.parametrize(
    ("question", "id"),
    [("결제는 누가 맡아?", "pay"), ("결제를 어떻게 되돌리지?", "pay"), ("Slack은 어디에 쓰지?", "slack")],
)
def test_korean_particles_hide_no_noun(memory: Memory, question: str, id: str):
    memory.add(Concept(id="pay", title="결제"), Record(id="slack", title="Slack에 장애 공지를 올린다"))
    assert id in [offer.candidate.id for offer in memory.ask(question).candidates]


def test_a_question_in_any_script_finds_its_name_and_an_unknown_one_is_none(memory: Memory):
    memory.add(
        Concept(id="marina", title="Марина"),
        Concept(id="forster", title="Förster"),
        Episode(id="new", title="The newest thing that happened", started_at=datetime(2026, 11, 30, tzinfo=UTC)),
    )
    assert memory.ask("Кто такая Марина?").node == "marina"
    assert memory.ask("Wer ist Förster?").node == "forster"
    assert memory.ask("من هو سالم؟").state == "none"


ODD = [
    "a-b", "don't", '"', "AC/DC", "col:val", "NEAR(", "*", "^x", "AND", "NOT cats", "park.", "( )", "a\x00b",
    '"' * 10_000,
]  # fmt: skip


@pytest.mark.parametrize("question", ODD, ids=lambda text: repr(text[:8]))
def test_operators_and_quotes_are_only_text(memory: Memory, question: str):
    memory.add(Concept(id="cats", title="cats in the park"), Concept(id="band", title="AC/DC"))
    answer = memory.ask(question)
    assert answer.state in ("resolved", "choose", "none")
    if question == "AC/DC":
        assert answer.node == "band"
    if question == "( )":
        assert answer.state == "none"


@pytest.mark.parametrize("text", ["x`) DETACH DELETE n //", "'; DROP TABLE node; --", "{{7*7}}"])
def test_a_crafted_title_is_kept_to_the_letter(memory: Memory, text: str):
    memory.add(Concept(id=text, title=text, aliases=(f"{text} alias",), body=text), Concept(id="other", title="Other"))
    assert memory.node(text).node == Concept(id=text, title=text, aliases=(f"{text} alias",), body=text)
    assert memory.status().counts.nodes == {"concept": 2}


def test_a_store_refuses_another_encoder_before_anything_is_written(tmp_path: Path):
    path = tmp_path / "s.db"
    with Memory.open(path, encoder=ByHash(8)) as memory:
        memory.add(Concept(id="a", title="A thing"))
    with pytest.raises(EncoderMismatch, match=r"hash-8.*reembed"):
        Memory.open(path, encoder=ByHash(4))
    with Memory.open(path, encoder=ByHash(4), check_encoder=False) as memory:
        assert memory.reembed() == 1
    with Memory.open(path, encoder=ByHash(4)) as memory:
        assert memory.ask("a thing").node == "a"


def test_a_folder_taken_in_again_or_under_another_name_makes_no_twins(tmp_path: Path, memory: Memory):
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("31 회의 방식.md", "31.md", "知识图谱入门.md", "开关.md", "🦊.md"):
        (folder / name).write_text("# " + name.removesuffix(".md") + "\n\nSome text.\n")
    first = memory.import_path(folder)
    assert (first.added, first.documents, first.skipped) == (5, 5, [])
    second = memory.import_path(folder)
    assert (second.added, second.changed, second.unchanged) == (0, 0, 5)
    moved = folder.rename(tmp_path / "moved")
    third = memory.import_path(moved)
    assert (third.added, third.changed) == (0, 0)


def test_an_episodes_summary_is_never_matched(encoder: BundledEncoder):
    """A word planted in it is in no index, and the answer is the same as without it."""
    answers = []
    for summary in ("", "There was a quagglenaut in it."):
        with Memory.temporary(encoder=encoder) as memory:
            memory.add(Episode(id="e", title="A walk", summary=summary), Concept(id="c", title="Gate"))
            answers.append(memory.ask("who saw the quagglenaut?"))
            assert memory.search("quagglenaut") == []
            for family in ("title", "body", "piece"):
                assert memory._indexes.document_frequency(family, ["quagglenaut"]) == {"quagglenaut": 0}
    assert answers[0] == answers[1]
    assert answers[0].state != "resolved"
