"""The Markdown files of a folder: each real file once, none outside, nothing hidden."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ascertain.formats.base import Problem

SUFFIXES = (".md", ".markdown")


def walk(root: Path) -> Iterator[Path | Problem]:
    """Files in path order, and what was passed over: links, folders that can't be opened, and last,
    in one line, what is not Markdown. Hidden files and folders are passed over silently."""
    inside = root.resolve()
    others: Counter[str] = Counter()
    closed: list[OSError] = []
    for where, folders, files in os.walk(root, onerror=closed.append):
        folder = Path(where)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in [one for one in folders if (folder / one).is_symlink()]:
            # os.walk does not follow it; what it points to inside is met under its own name.
            yield Problem(str(folder / name), None, "a link to a folder is not followed")
        for name in sorted(name for name in files if not name.startswith(".")):
            file = folder / name
            if file.suffix.lower() not in SUFFIXES:
                others[file.suffix.lower() or "(none)"] += 1
            elif not file.is_symlink():
                yield file
            elif file.resolve().is_relative_to(inside):
                yield Problem(str(file), None, "a link: the file is read under its own name")
            else:
                yield Problem(str(file), None, "a link to outside the folder is not followed")
    for error in closed:
        yield Problem(str(error.filename), None, f"the folder can't be opened: {error.strerror or error}")
    if others:
        told = ", ".join(f"{suffix} {count}" for suffix, count in sorted(others.items()))
        count = f"{others.total()} file that is" if others.total() == 1 else f"{others.total()} files that are"
        yield Problem(str(root), None, f"{count} not Markdown: {told}", skipped=False)


def decision_folders(root: Path) -> frozenset[str]:
    """Folders, relative to the root, that an `.adr-dir` in it names."""
    try:
        told = (root / ".adr-dir").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return frozenset()
    return frozenset(line.strip().strip("/") for line in told.splitlines() if line.strip())
