"""A segment in files: built under a name of its own, then pointed to.

<folder>/CURRENT                 the name of the build in use
<folder>/<build>/arrays.bin      all arrays, one after another
<folder>/<build>/manifest.json   whose they are, where each begins, and their checksums

A build is never changed once it has its name, so readers map it without a lock, and two processes
may build at the same time: the later pointer wins. What does not fit in any way is as good as
missing, for it can always be built again.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import secrets
import shutil
import time
import zlib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ascertain.index.postings import Postings
from ascertain.index.segment import Segment

VERSION = 1
"""Of the files, and of everything that shapes their content: terms are cut elsewhere and stored."""

ALIGNED = 64
SAMPLES = 16
SAMPLE_BYTES = 4096
STALE_SECONDS = 3600.0
"""A folder that nothing points to may belong to a process that is still building; after this, no more."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a cached segment must fit: the store, the family, the length of vectors."""

    uuid: str
    family: str
    dimension: int


@dataclass(frozen=True, slots=True)
class Build:
    """A segment that lies in files. generation: the store's, before its entries were read.
    checksums: of each array, as it was written."""

    segment: Segment
    generation: int
    path: Path
    checksums: dict[str, int]


def save(folder: Path, stamp: Stamp, generation: int, segment: Segment) -> Build | None:
    """Writes a build and points to it; older builds are deleted where that is possible.

    Returns it as read back, or None if that fails.

    Raises OSError if the folder can't be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{generation}-{secrets.token_hex(8)}"
    unfinished = folder / f".{name}"
    unfinished.mkdir()
    try:
        places = _write_arrays(unfinished / "arrays.bin", segment)
        size, sample = _sample(unfinished / "arrays.bin")
        manifest = {
            "version": VERSION,
            "uuid": stamp.uuid,
            "family": stamp.family,
            "dimension": stamp.dimension,
            "generation": generation,
            "size": size,
            "sample": sample,
            "arrays": places,
        }
        (unfinished / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        unfinished.rename(folder / name)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    replaced = _current(folder)
    pointer = folder / f".CURRENT-{name}"
    pointer.write_text(name, encoding="utf-8")
    pointer.replace(folder / "CURRENT")
    build = _read(folder / name, stamp)
    _delete_old(folder, replaced, name)
    return build


def load(folder: Path, stamp: Stamp) -> Build | None:
    """The build in use, mapped into memory; None if there is none that fits. Looks at a sample of
    the bytes only: `damage` looks at all."""
    current = _current(folder)
    return _read(folder / current, stamp) if current else None


def damage(build: Build) -> list[str]:
    """Which arrays of a build no longer have the checksum they were written with, in words."""
    return [
        f"{build.path}: {name} is damaged; ascertain reindex builds it anew"
        for name, array in _arrays(build.segment).items()
        if _checksum(array) != build.checksums[name]
    ]


def _read(path: Path, stamp: Stamp) -> Build | None:
    try:
        manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
        owner = Stamp(manifest["uuid"], manifest["family"], manifest["dimension"])
        if manifest["version"] != VERSION or owner != stamp:
            return None
        if (manifest["size"], manifest["sample"]) != _sample(path / "arrays.bin"):
            return None
        places = manifest["arrays"]
        checksums = {name: int(place["checksum"]) for name, place in places.items()}
        segment = _segment(_map(path / "arrays.bin", places))
        return Build(segment, int(manifest["generation"]), path, checksums)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _write_arrays(path: Path, segment: Segment) -> dict[str, dict[str, Any]]:
    places: dict[str, dict[str, Any]] = {}
    with path.open("wb") as file:
        for name, array in _arrays(segment).items():
            file.write(b"\0" * (-file.tell() % ALIGNED))
            places[name] = {
                "type": array.dtype.str,
                "shape": list(array.shape),
                "offset": file.tell(),
                "checksum": _checksum(array),
            }
            file.write(_bytes(array))
        file.flush()
        # Else a power cut could leave a pointer to a file of the right size and no content.
        os.fsync(file.fileno())
    return places


def _arrays(segment: Segment) -> dict[str, npt.NDArray[Any]]:
    own = {f.name: getattr(segment, f.name) for f in fields(Segment) if f.name != "postings"}
    return own | {f.name: getattr(segment.postings, f.name) for f in fields(Postings)}


def _segment(arrays: dict[str, npt.NDArray[Any]]) -> Segment:
    postings = Postings(**{f.name: arrays[f.name] for f in fields(Postings)})
    own = {f.name: arrays[f.name] for f in fields(Segment) if f.name != "postings"}
    return Segment(**own, postings=postings)


def _map(path: Path, places: dict[str, dict[str, Any]]) -> dict[str, npt.NDArray[Any]]:
    with path.open("rb") as file:
        memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return {
        name: np.ndarray(tuple(place["shape"]), dtype=np.dtype(place["type"]), buffer=memory, offset=place["offset"])
        for name, place in places.items()
    }


def _bytes(array: npt.NDArray[Any]) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _checksum(array: npt.NDArray[Any]) -> int:
    return zlib.crc32(_bytes(array)) if array.size else 0


def _sample(path: Path) -> tuple[int, int]:
    """The size of a file, and a checksum of blocks spread over it."""
    checksum = 0
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        for at in range(SAMPLES):
            file.seek(max(size - SAMPLE_BYTES, 0) * at // (SAMPLES - 1))
            checksum = zlib.crc32(file.read(SAMPLE_BYTES), checksum)
    return size, checksum


def _current(folder: Path) -> str:
    try:
        name = (folder / "CURRENT").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
    return name if name and Path(name).name == name else ""


def _delete_old(folder: Path, replaced: str, current: str) -> None:
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            old = path.name == replaced or time.time() - path.stat().st_mtime > STALE_SECONDS
            if path.name not in (current, "CURRENT") and old:
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)
