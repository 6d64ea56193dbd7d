"""The files beside a store: reused where they fit, built anew where they do not, never an error."""

from __future__ import annotations

import json
import os
import shutil
import threading
from pathlib import Path

import pytest

from ascertain.index import cache, family
from ascertain.index.indexes import Indexes
from ascertain.store.base import FAMILIES
from index.fake_source import FakeSource, entry


def filled(count: int = 200, **options: str) -> FakeSource:
    source = FakeSource(**options)
    source.write(*(entry(key, f"night w{key}", [1.0, key]) for key in range(1, count + 1)))
    return source


def build_of(folder: Path, name: str = "title") -> Path:
    return folder / name / (folder / name / "CURRENT").read_text()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "store.db.index"


def test_a_second_process_reads_the_files_and_not_the_store(folder):
    source = filled()
    Indexes(source, folder).catch_up()
    before = source.reads
    again = Indexes(source, folder)
    again.catch_up()
    assert source.reads == before
    assert [hit.key for hit in again.words("title", ["w7"], 3)] == [7]


def test_only_what_changed_is_read(folder, monkeypatch):
    source = filled()
    Indexes(source, folder).catch_up()
    build = build_of(folder)
    source.write(entry(500, "night w500"), remove=[("title", 7)])
    monkeypatch.setattr(family.segment, "from_entries", None)
    again = Indexes(source, folder)
    again.catch_up()
    assert [hit.key for hit in again.words("title", ["w7", "w500"], 3)] == [500]
    assert build_of(folder) == build


def test_a_base_that_is_outgrown_is_built_anew(folder, monkeypatch):
    monkeypatch.setattr(family, "OUTGROWN", 50)
    source = filled()
    indexes = Indexes(source, folder)
    indexes.catch_up()
    build = build_of(folder)
    for key in range(300, 350):
        source.write(entry(key, "night"))
        indexes.catch_up()
    assert build_of(folder) == build
    source.write(remove=[("title", 1)])
    indexes.catch_up()
    assert build_of(folder) != build
    assert not build.exists()
    assert indexes.size("title") == 249


def flip_first(path: Path) -> None:
    flip(path / "arrays.bin", 0)


def flip(file: Path, at: int) -> None:
    content = bytearray(file.read_bytes())
    content[at] ^= 0xFF
    file.write_bytes(bytes(content))


def edit(path: Path, **values: object) -> None:
    manifest = json.loads((path / "manifest.json").read_text())
    (path / "manifest.json").write_text(json.dumps(manifest | values))


DAMAGES = {
    "a flipped byte": flip_first,
    "a shortened file": lambda path: os.truncate(path / "arrays.bin", 100),
    "an empty file": lambda path: os.truncate(path / "arrays.bin", 0),
    "no arrays": lambda path: (path / "arrays.bin").unlink(),
    "no manifest": lambda path: (path / "manifest.json").unlink(),
    "half a manifest": lambda path: os.truncate(path / "manifest.json", 40),
    "a manifest of something else": lambda path: (path / "manifest.json").write_text("[1, 2]"),
    "another store's": lambda path: edit(path, uuid="store-2"),
    "another version's": lambda path: edit(path, version=0),
    "another dimension": lambda path: edit(path, dimension=16),
    "another family's": lambda path: edit(path, family="piece"),
    "arrays unnamed": lambda path: edit(path, arrays={}),
    "a generation that is yet to come": lambda path: edit(path, generation=99),
    "no build": lambda path: shutil.rmtree(path),
    "no pointer": lambda path: (path.parent / "CURRENT").unlink(),
    "a pointer to elsewhere": lambda path: (path.parent / "CURRENT").write_text("../piece"),
    "a pointer to nothing": lambda path: (path.parent / "CURRENT").write_text(""),
    "a pointer of bytes": lambda path: (path.parent / "CURRENT").write_bytes(b"\xff\xfe"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_what_does_not_fit_is_built_anew(folder, damage):
    source = filled()
    Indexes(source, folder).catch_up()
    before = source.reads
    damage(build_of(folder))
    indexes = Indexes(source, folder)
    indexes.catch_up()
    assert source.reads == before + 1, "one family was read again"
    assert [hit.key for hit in indexes.words("title", ["w7"], 3)] == [7]
    assert indexes.check() == []
    Indexes(source, folder).catch_up()
    assert source.reads == before + 1, "what was built serves the next process"


def test_a_store_put_back_from_a_copy_is_read_again(folder):
    grown, copy = filled(), filled()
    grown.write(entry(500, "night"))
    Indexes(grown, folder).catch_up()
    indexes = Indexes(copy, folder)
    indexes.catch_up()
    assert indexes.size("title") == 200


def test_checking_finds_a_byte_that_opening_passes_over(folder, monkeypatch):
    source = filled(3_000)
    Indexes(source, folder).catch_up()
    monkeypatch.setattr(cache, "SAMPLES", 2)
    manifest = json.loads((build_of(folder) / "manifest.json").read_text())
    _, sample = cache._sample(build_of(folder) / "arrays.bin")
    edit(build_of(folder), sample=sample)
    flip(build_of(folder) / "arrays.bin", manifest["arrays"]["codes"]["offset"])
    indexes = Indexes(source, folder)
    (problem,) = indexes.check()
    assert "codes is damaged" in problem
    indexes.rebuild()
    assert indexes.check() == []


def test_a_number_that_points_nowhere_has_the_cache_built_anew(folder, monkeypatch):
    source = filled(3_000)
    Indexes(source, folder).catch_up()
    monkeypatch.setattr(cache, "SAMPLES", 2)
    build = build_of(folder)
    manifest = json.loads((build / "manifest.json").read_text())
    place = manifest["arrays"]["entries"]
    content = bytearray((build / "arrays.bin").read_bytes())
    content[place["offset"] : place["offset"] + 4 * place["shape"][0]] = b"\xff" * (4 * place["shape"][0])
    (build / "arrays.bin").write_bytes(bytes(content))
    edit(build, sample=cache._sample(build / "arrays.bin")[1])
    indexes = Indexes(source, folder)
    assert [hit.key for hit in indexes.words("title", ["w7"], 3)] == [7]
    assert indexes.check() == []


def test_a_folder_that_cannot_be_made_is_done_without(tmp_path):
    """Its place is taken by a file; the same as a folder that may not be written, also for root."""
    (tmp_path / "store.db.index").write_text("")
    indexes = Indexes(filled(), tmp_path / "store.db.index")
    indexes.catch_up()
    assert [hit.key for hit in indexes.words("title", ["w7"], 3)] == [7]
    assert indexes.check() == []


def test_nothing_unfinished_is_left_where_the_disk_is_full(folder, monkeypatch):
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    indexes = Indexes(filled(), folder)
    indexes.catch_up()
    assert indexes.size("title") == 200
    assert [path for path in folder.rglob("*") if path.is_file()] == []


def test_two_that_build_at_once_do_each_other_no_harm(folder):
    source = filled()
    failures: list[BaseException] = []

    def build() -> None:
        try:
            indexes = Indexes(source, folder)
            for _ in range(10):
                indexes.rebuild()
                assert [hit.key for hit in indexes.words("title", ["w7"], 3)] == [7]
                assert indexes.check() == []
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=build) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert Indexes(source, folder).size("title") == 200


def test_checking_counts_what_the_store_holds(folder):
    source = filled()
    indexes = Indexes(source, folder)
    indexes.catch_up()
    source._entries.popitem()  # without a generation: as no store should
    assert indexes.check() == ["the title index holds 200 entries, the store 199"]


def test_a_build_newer_than_the_number_just_read_is_taken(folder):
    """Another process wrote and built between our look at the store and our look at the folder."""
    source = filled()

    class Late(FakeSource):
        def generation(self) -> int:
            late = super().generation()
            if late == 1:
                self.write(entry(500, "night"))
                Indexes(self, folder).catch_up()
            return late

    late = Late()
    late.write(*source.living("title"))
    indexes = Indexes(late, folder)
    indexes.catch_up()
    assert indexes.size("title") == 201
    assert late.reads == len(FAMILIES), "once for each family, by the other process"
