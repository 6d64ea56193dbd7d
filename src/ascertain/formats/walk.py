"""The files of a folder: each real file once, none outside, and nothing passed over unsaid."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from ascertain.formats.base import Problem

AGENTS_FOLDERS = frozenset(
    (".agents", ".aim", ".basic-memory", ".claude", ".clinerules", ".cursor", ".gemini", ".github", ".kiro",
     ".memory-bank", ".roo", ".serena", ".windsurf")
)  # fmt: skip
"""Hidden folders in which agents keep what they are told and what they learnt."""

AGENTS_FILES = frozenset((".clinerules", ".cursorrules", ".goosehints", ".roorules", ".windsurfrules"))
"""Hidden files of agents: Markdown without a suffix."""

DECISION_FOLDERS = ".adr-dir"
"""The file, in a root, that names folders of decision records (adr-tools)."""

_MACHINERY = frozenset(("__pycache__", "node_modules"))

_COPIES = frozenset((("logseq", "bak"), ("logseq", ".recycle")))
"""(folder, folder in it) where programs keep earlier versions of what lies elsewhere."""


def walk(root: Path, wanted: Callable[[Path], bool]) -> Iterator[Path | Problem]:
    """The wanted files in path order, and what was passed over: links, folders that can't be opened,
    hidden files and folders save those of agents, and every file that is not wanted."""
    inside = root.resolve()
    closed: list[OSError] = []
    for where, folders, files in os.walk(root, onerror=closed.append):
        folder = Path(where)
        entered = []
        for name in sorted(folders):
            if (folder / name).is_symlink():
                # os.walk does not follow it; what it points to inside is met under its own name.
                yield Problem(str(folder / name), None, "a link to a folder is not followed")
            elif _is_machinery(folder, name):
                yield Problem(str(folder / name), None, "a hidden or made folder is not read", skipped=False)
            else:
                entered.append(name)
        folders[:] = entered
        for name in sorted(files):
            file = folder / name
            if name == DECISION_FOLDERS:
                continue  # read by decision_folders
            if not _is_open(PurePosixPath(file.relative_to(root).as_posix())):
                yield Problem(str(file), None, "a hidden file is not read", skipped=False)
            elif file.is_symlink():
                told = "the file is read under its own name" if _leads_into(file, inside) else "not followed outside"
                told = told if file.exists() else "it leads nowhere"
                yield Problem(str(file), None, f"a link: {told}")
            elif not file.is_file():
                yield Problem(str(file), None, "no file but a device or a pipe: not read", skipped=False)
            elif wanted(file):
                yield file
            else:
                kind = f"a {file.suffix.lower()} file" if file.suffix else "a file of no known kind"
                yield Problem(str(file), None, f"{kind} is not read", skipped=False)
    for error in closed:
        yield Problem(str(error.filename), None, f"the folder can't be opened: {error.strerror or error}")


def _is_machinery(folder: Path, name: str) -> bool:
    hidden = name.startswith(".") and name not in AGENTS_FOLDERS
    return hidden or name in _MACHINERY or (folder.name, name) in _COPIES


def _leads_into(link: Path, inside: Path) -> bool:
    try:
        return link.resolve().is_relative_to(inside)
    except (OSError, RuntimeError):  # a link to itself
        return False


def _is_open(path: PurePosixPath) -> bool:
    """Is a file neither hidden nor, among what a forge keeps in `.github`, no instruction?"""
    if path.name.startswith("."):
        return path.name in AGENTS_FILES
    if ".github" in path.parts[:-1]:
        return path.name == "copilot-instructions.md" or path.name.endswith(".instructions.md")
    return True


def decision_folders(root: Path) -> frozenset[str]:
    """Folders, relative to the root, that an `.adr-dir` in it names."""
    try:
        told = (root / DECISION_FOLDERS).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return frozenset()
    return frozenset(line.strip().strip("/") for line in told.splitlines() if line.strip())
