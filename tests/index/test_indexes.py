"""Indexes over generated stores: the same answers as entry by entry, whatever came before."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascertain.index import bm25, family, nearest, segment
from ascertain.index.indexes import Held, Hit, Indexes
from ascertain.store.base import FAMILIES, Entry
from index import by_hand
from index.fake_source import FakeSource, entry

WORDS = ["night", "shift", "회의", "plan", "a", "b", "c"]
QUESTIONS = [["night"], ["shift", "plan", "night"], ["회의", "a", "b", "c", "nowhere"], ["b", "b"], []]
# Few values, so that many cosines tie exactly.
COMPONENTS = st.sampled_from([-1.0, 0.0, 0.5, 1.0])


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    made = entry(
        draw(st.integers(1, 30)),
        " ".join(draw(st.lists(st.sampled_from(WORDS), max_size=6))),
        draw(st.lists(COMPONENTS, max_size=8)),
        owner=draw(st.integers(1, 5)),
        slot=draw(st.integers(0, 3)),
    )
    return replace(made, vector=b"") if draw(st.booleans()) and not any(made.vector) else made


removals = st.tuples(st.just("title"), st.integers(1, 30))
writes = st.tuples(st.just("write"), st.lists(entries(), max_size=8), st.lists(removals, max_size=4))
steps = st.lists(st.one_of(writes, st.just(("catch up",)), st.just(("reopen",))), max_size=12)


@pytest.fixture(params=["as it is", "every shortcut"])
def shortcuts(request: pytest.FixtureRequest) -> None:
    """`every shortcut`: limits so low that small stores take the ways of large ones."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "every shortcut":
            patch.setattr(bm25, "LONG", 0)
            patch.setattr(nearest, "EXACT", 0)
            patch.setattr(nearest, "STRONGEST", 3)
            patch.setattr(nearest, "WIDE", 4)
            patch.setattr(nearest, "NARROW", 3)
            patch.setattr(family, "FEW", 2)
            patch.setattr(family, "MERGED", 2)
            patch.setattr(segment, "AT_ONCE", 3)
            patch.setattr(family, "OUTGROWN", 12)
            patch.setattr(family, "OUTGROWN_ON_OPENING", 6)
        yield


def answers(indexes: Indexes) -> list[object]:
    """All that can be asked of the title family."""
    found: list[object] = [indexes.size("title"), indexes.document_frequency("title", WORDS)]
    for k in (1, 3, 100):
        found += [indexes.words("title", question, k) for question in QUESTIONS]
        found += [indexes.near("title", vector, k) for vector in vectors()]
    return found


def vectors() -> list[np.ndarray]:
    return [np.array(row, dtype=np.float32) for row in ([1, 0.5, 0, 0, 0, 0, 0, 0], [-1, 2, 3, 0, 1, 1, -2, 4])]


@settings(max_examples=60)
@given(steps=steps)
@pytest.mark.usefixtures("shortcuts")
def test_it_answers_as_a_new_index_does_whatever_has_happened(steps):
    with TemporaryDirectory() as place:
        source = FakeSource()
        indexes = Indexes(source, Path(place) / "store.index")
        for step in steps:
            if step[0] == "write":
                source.write(*step[1], remove=step[2])
            elif step[0] == "catch up":
                indexes.catch_up()
            else:
                indexes = Indexes(source, Path(place) / "store.index")
        indexes.catch_up()
        assert answers(indexes) == answers(Indexes(source, None))


@settings(max_examples=60)
@given(steps=st.lists(writes, max_size=8), k=st.sampled_from([1, 2, 5, 100]))
def test_it_answers_as_going_through_every_entry_does(steps, k):
    source = FakeSource()
    indexes = Indexes(source, None)
    for _, written, removed in steps:
        source.write(*written, remove=removed)
        indexes.catch_up()
    living = source.living("title")
    assert indexes.size("title") == len(living)
    assert indexes.document_frequency("title", WORDS) == {w: by_hand.frequency(living, w) for w in WORDS}
    for question in QUESTIONS:
        assert by_hand.agree(indexes.words("title", question, k), by_hand.words(living, question, k))
    for vector in vectors():
        assert by_hand.agree(indexes.near("title", vector, k), by_hand.near(living, vector, k))
    held = indexes.held("title", [*range(32), *range(5)], WORDS)
    said = {one.key: frozenset(one.terms.split()) for one in living}
    assert held == {key: Held(terms & set(WORDS), len(terms)) for key, terms in said.items()}


@settings(max_examples=40)
@given(written=st.lists(entries(), max_size=30, unique_by=lambda e: e.key), data=st.data())
@pytest.mark.usefixtures("shortcuts")
def test_the_order_of_writing_changes_nothing(written, data):
    first, second = FakeSource(), FakeSource()
    first.write(*written)
    for item in data.draw(st.permutations(written)):
        second.write(item)
    assert answers(Indexes(first, None)) == answers(Indexes(second, None))


def test_frequent_words_are_shut_out_without_changing_the_answer(monkeypatch):
    """Long posting lists, rare and frequent words, dead entries: as entry by entry."""
    random = np.random.default_rng(5)
    frequent = np.minimum(random.zipf(1.3, size=(3_000, 7)), 400)
    source = FakeSource()
    source.write(*(entry(key, " ".join(f"w{n}" for n in row)) for key, row in enumerate(frequent.tolist(), 1)))
    indexes = Indexes(source, None)
    indexes.catch_up()
    source.write(entry(7, "w1 w2"), entry(5_000, "w1 w3 w200"), remove=[("title", n) for n in range(20, 200)])
    indexes.catch_up()
    monkeypatch.setattr(bm25, "LONG", 50)
    living = source.living("title")
    for question in (["w1"], ["w1", "w2"], ["w350", "w1"], ["w200", "w40", "w2", "w1"], [f"w{n}" for n in range(30)]):
        for k in (1, 10, 200):
            assert by_hand.agree(indexes.words("title", question, k), by_hand.words(living, question, k))


def test_of_too_many_terms_the_rarest_count():
    source = FakeSource()
    common = [f"c{n}" for n in range(64)]
    source.write(entry(1, " ".join(common)), entry(2, " ".join([*common, "rare"])), entry(3, "c0"))
    found = Indexes(source, None).words("title", [*common, "rare", *(f"absent{n}" for n in range(900))], 3)
    # c0 is the most frequent of the 65 that occur, and the only one that entry 3 has.
    assert [hit.key for hit in found] == [2, 1]


def test_it_reads_nothing_where_nothing_was_written():
    source = FakeSource()
    source.write(entry(1, "night"))
    indexes = Indexes(source, None)
    indexes.catch_up()
    before = source.reads
    indexes.catch_up()
    assert source.reads == before


def test_it_is_as_of_the_last_catching_up():
    source = FakeSource()
    source.write(entry(1, "night"))
    indexes = Indexes(source, None)
    assert indexes.size("title") == 1
    source.write(entry(2, "night"))
    assert indexes.size("title") == 1
    indexes.catch_up()
    assert indexes.size("title") == 2


def test_families_do_not_mix():
    source = FakeSource()
    source.write(*(entry(key, "night", [1.0], family=name) for key, name in enumerate(FAMILIES, 1)))
    indexes = Indexes(source, None)
    for key, name in enumerate(FAMILIES, 1):
        assert [hit.key for hit in indexes.words(name, ["night"], 9)] == [key]
        assert [hit.key for hit in indexes.near(name, np.eye(8, dtype=np.float32)[0], 9)] == [key]


def test_nothing_to_read_is_near_nothing():
    source = FakeSource()
    source.write(entry(1, "night"), entry(2, "shift", [-1.0, -2.0]))
    indexes = Indexes(source, None)
    assert [hit.key for hit in indexes.near("title", np.ones(8, dtype=np.float32), 9)] == [2]
    assert indexes.near("title", np.zeros(8, dtype=np.float32), 9) == []
    assert indexes.near("title", np.full(8, np.nan, dtype=np.float32), 9) == []
    assert indexes.near("title", np.ones(8, dtype=np.float32), 0) == []


def test_entries_without_vectors_are_found_by_their_terms_and_near_nothing(tmp_path):
    source = FakeSource()
    source.write(*(replace(entry(key, "=plan pl la an", family="word"), vector=b"") for key in (1, 2)))
    for _ in range(2):  # built, and read from its files
        indexes = Indexes(source, tmp_path)
        assert [hit.key for hit in indexes.words("word", ["=plan"], 9)] == [1, 2]
        assert indexes.near("word", np.ones(8, dtype=np.float32), 9) == []
    source.write(entry(3, "=shift", [1.0], family="word"))
    indexes.catch_up()
    assert [hit.key for hit in indexes.near("word", np.ones(8, dtype=np.float32), 9)] == [3]


def test_a_vector_of_another_length_is_refused():
    with pytest.raises(ValueError, match="8 components"):
        Indexes(FakeSource(), None).near("title", np.ones(9, dtype=np.float32), 1)


def test_a_hit_says_whose_it_is():
    source = FakeSource()
    source.write(entry(4, "night shift", [0.6, 0.8], owner=77, slot=3))
    indexes = Indexes(source, None)
    assert indexes.near("title", np.array([0.6, 0.8] + [0] * 6, dtype=np.float32), 1) == [Hit(4, 77, 3, 1.0)]
    (hit,) = indexes.words("title", ["night"], 1)
    assert (hit.key, hit.owner, hit.slot) == (4, 77, 3)


def test_searches_go_on_while_another_thread_catches_up():
    source = FakeSource()
    source.write(*(entry(key, "night shift", [1.0, key]) for key in range(1, 300)))
    indexes = Indexes(source, None)
    indexes.catch_up()
    failures: list[BaseException] = []
    done = threading.Event()

    def search() -> None:
        try:
            while not done.is_set():
                assert len(indexes.words("title", ["night", "shift"], 50)) == 50
                assert len(indexes.near("title", np.ones(8, dtype=np.float32), 50)) == 50
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for key in range(300, 340):
        source.write(entry(key, "night", [key, 1.0]), remove=[("title", key - 299)])
        indexes.catch_up()
    done.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert indexes.size("title") == 299
