"""Files that come again: the same, moved, or gone.

A file is known by its absolute path, and by the digest of its bytes where it was moved. What it told
stays under the ids that it got when it was first read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path, PurePosixPath

from ascertain.formats.base import Item, Problem
from ascertain.model.ids import key_of
from ascertain.store.origins import Origin

BLOCK = 1 << 20


@dataclass
class Arrival:
    """One import, seen from the files: which of them the store knows, and under which name.

    root: the folder or file that is imported. known: all files that the store knows.
    """

    root: Path
    known: list[Origin]
    remarks: list[Problem] = field(default_factory=list)
    _told: dict[str, list[str]] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)
    _moved: dict[str, Origin] = field(default_factory=dict)
    _file_of: dict[str, str] = field(default_factory=dict)
    _parted: set[str] = field(default_factory=set)
    _roots_moved: set[str] = field(default_factory=set)
    _digests: dict[str, str] = field(default_factory=dict)
    _folders: dict[Path, Path] = field(default_factory=dict)
    _keys: dict[str, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._top = self.root.resolve() if self.root.is_dir() else _absolute(self.root)
        self._folder = self._top if self.root.is_dir() else self._top.parent
        self._by_path = {one.path: one for one in self.known}
        self._by_name: dict[str, list[Origin]] = {}
        for one in self.known:
            self._by_name.setdefault(one.name, []).append(one)
        self._gone = {one.path: one for one in self.known if not os.path.lexists(_as_named(one.path))}
        if self._gone:
            self._find_moved()

    def known_as(self, file: Path) -> PurePosixPath:
        """The path that the ids of a file are made of (see Format)."""
        path = self._path(file)
        if path not in self._names:
            self._names[path] = self._name_of(path)
        return PurePosixPath(self._names[path])

    def digest(self, file: str | Path) -> str:
        """Of a file's bytes, when this was first asked; empty where it can't be read."""
        path = self._path(Path(file))
        if path not in self._digests:
            self._digests[path] = _digest(path)
        return self._digests[path]

    def watch(self, items: Iterable[Item | Problem]) -> Iterator[Item | Problem]:
        """Lets what was read through, and notes which file told what."""
        paths: dict[str, str] = {}
        for one in items:
            if isinstance(one, Item):
                path = paths.get(one.file)
                if path is None:
                    path = paths[one.file] = self._path(Path(one.file))
                self._told.setdefault(path, []).append(one.value.id)
            yield one

    def file_of(self, id: str) -> str:
        """The file, as it was read, that told this; empty where none did."""
        if not self._file_of:
            self._file_of.update({told: path for path, ids in self._told.items() for told in ids})
        return self._file_of.get(id, "")

    def arrived(self) -> list[Origin]:
        """The files that told something, as they are to be known from now on."""
        return [
            Origin(path, str(self._top), self._name(path), self.digest(path), tuple(dict.fromkeys(ids)))
            for path, ids in self._told.items()
        ]

    def file_key(self, file: str) -> tuple[int, int]:
        """Of a file by the path where it lay before, and by the one where it lies now."""
        if file not in self._keys:
            path = self._path(Path(file))
            before = self._moved[path].path if path in self._moved else path
            self._keys[file] = key_of("file", before), key_of("file", path)
        return self._keys[file]

    def left(self) -> list[str]:
        """Paths that are known no more: their files lie elsewhere now, or are no copies any longer."""
        return [*self._found_again(), *self._parted, *self._lost_on_the_way()]

    def followed(self) -> list[Origin]:
        """Files that are gone since their folder moved, as if they had been there, so that the next import
        of the folder still knows that it misses them."""
        return [
            replace(one, path=_kept(self._top / _relative(path, Path(one.root))), root=str(self._top))
            for path, one in self._lost_on_the_way().items()
        ]

    def _lost_on_the_way(self) -> dict[str, Origin]:
        found = self._found_again()
        return {path: one for path, one in self._gone.items() if one.root in self._roots_moved and path not in found}

    def missing(self) -> list[tuple[Origin, tuple[str, ...]]]:
        """Files below the root that are gone, with what they told and nobody tells any more; and files
        that are there, with what they no longer tell."""
        left = self._found_again()
        everywhere = {id for ids in self._told.values() for id in ids}
        others = [one for one in self.known if one.path not in self._told and one.path not in left]
        here = [one for one in others if one.path in self._gone and self._is_ours(one)]
        elsewhere = {id for one in others if one.path not in self._gone for id in one.ids}
        told = [(one, one.ids) for one in here]
        told += [(one, one.ids) for path in self._told if (one := self._by_path.get(path) or self._moved.get(path))]
        found = []
        for origin, ids in told:
            lost = tuple(id for id in ids if id not in everywhere and id not in elsewhere)
            if lost or self.is_gone(origin):
                found.append((origin, lost))
        return found

    def is_gone(self, origin: Origin) -> bool:
        """Does its file lie nowhere any more, as far as this import can tell?"""
        return origin.path in self._gone and origin.path not in self._found_again()

    def _is_ours(self, origin: Origin) -> bool:
        below = origin.path == str(self._top) or origin.path.startswith(str(self._top) + os.sep)
        return below or origin.root in self._roots_moved

    def _found_again(self) -> set[str]:
        return {one.path for path, one in self._moved.items() if path in self._told}

    def _path(self, file: Path) -> str:
        folder = file.parent
        if folder not in self._folders:
            self._folders[folder] = folder.resolve()
        return _kept(self._folders[folder] / file.name if file.name not in ("", "..") else file.resolve())

    def _name(self, path: str) -> str:
        return self._names.get(path) or self._name_of(path)

    def _name_of(self, path: str) -> str:
        if known := self._by_path.get(path) or self._moved.get(path):
            sharing = [one for one in self._by_name[known.name] if one is not known and one.path not in self._gone]
            if sharing and self.digest(path) != known.digest:
                # Copies were one until now; the one that lives on keeps the name.
                self._parted.update(one.path for one in sharing)
            return known.name
        own = _relative(path, self._folder)
        holders = [one for one in self._by_name.get(own, []) if one.path not in self._gone or not self._is_ours(one)]
        holders = [one for one in holders if one.path != path]
        taken = set(self._names.values())
        if own not in taken and (not holders or any(one.digest == self.digest(path) for one in holders)):
            return own
        name = self._free_name(own, taken)
        self.remarks.append(Problem(path, None, f"known as {name!r} here: another file goes by {own!r}", skipped=False))
        return name

    def _free_name(self, own: str, taken: set[str]) -> str:
        """The name with as many of the folders above as make it the only one."""
        name = own
        for part in reversed(self._folder.parts[1:]):
            name = f"{part}/{name}"
            if name not in self._by_name and name not in taken:
                return name
        number = 2
        while (numbered := f"{name} ({number})") in self._by_name or numbered in taken:
            number += 1
        return numbered

    def _find_moved(self) -> None:
        """Pairs files that are gone with files that are new: by their bytes, and where several have the
        same, by their name as well. What can't be told apart is not paired. Where a whole folder was
        moved, what was edited since is known by the place it has in it."""
        new = [path for path in self._files() if path not in self._by_path]
        digests = {path: self.digest(path) for path in new}
        left = dict(self._gone)
        for key in (_whole_name, _last_name, _no_name):
            gone: dict[tuple[str, str], list[Origin]] = {}
            for one in left.values():
                gone.setdefault((one.digest, key(one.name)), []).append(one)
            here: dict[tuple[str, str], list[str]] = {}
            for path in new:
                if path not in self._moved:
                    here.setdefault((digests[path], key(_relative(path, self._folder))), []).append(path)
            for told, paths in here.items():
                if len(paths) == 1 and len(gone.get(told, ())) == 1:
                    self._moved[paths[0]] = gone[told][0]
                    del left[gone[told][0].path]
        self._roots_moved = {one.root for one in self._moved.values() if not os.path.lexists(one.root)}
        by_place = {_relative(one.path, Path(one.root)): one for one in left.values() if one.root in self._roots_moved}
        for path in new:
            place = _relative(path, self._folder)
            if path not in self._moved and place in by_place:
                self._moved[path] = by_place[place]

    def _files(self) -> Iterator[str]:
        if self._top.is_file():
            yield _kept(self._top)
        for where, _, files in os.walk(self._top):
            for name in sorted(files):
                path = Path(where, name)
                if path.is_file() and not path.is_symlink():
                    yield _kept(path)


def _absolute(path: Path) -> Path:
    """Without links in the folders above it; a link itself keeps its name."""
    return path.parent.resolve() / path.name if path.name not in ("", "..") else path.resolve()


def _kept(path: Path) -> str:
    """A path as a store can keep it: what is no text in it is written out."""
    return str(path).encode(errors="backslashreplace").decode()


def _as_named(path: str) -> str:
    """A path that _kept wrote, as the file system has it."""
    return re.sub(r"\\udc([89a-f][0-9a-f])", lambda match: chr(0xDC00 + int(match[1], 16)), path)


def _relative(path: str, folder: Path) -> str:
    try:
        return Path(path).relative_to(folder).as_posix()
    except ValueError:
        return Path(path).name


def _whole_name(name: str) -> str:
    return name


def _last_name(name: str) -> str:
    return name.rpartition("/")[2]


def _no_name(name: str) -> str:
    return ""


def _digest(path: str) -> str:
    """Of a file's bytes; empty where it can't be read."""
    digest = blake2b(digest_size=16)
    try:
        with Path(path).open("rb") as stream:
            while block := stream.read(BLOCK):
                digest.update(block)
    except (OSError, ValueError):
        return ""
    return digest.hexdigest()
