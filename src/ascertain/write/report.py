"""What an import took, and what it did not."""

from __future__ import annotations

from dataclasses import dataclass, field

from ascertain.formats.base import Problem


@dataclass
class ImportReport:
    """added, changed, unchanged and retired count nodes; documents and pieces what was read of them,
    new or not. problems holds what was skipped and, with `skipped` False, remarks on what was
    taken otherwise than written. Built up while an import runs, then handed out.
    """

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    retired: int = 0
    documents: int = 0
    pieces: int = 0
    problems: list[Problem] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def skipped(self) -> list[Problem]:
        """What was not taken."""
        return [problem for problem in self.problems if problem.skipped]

    @property
    def nodes(self) -> int:
        return self.added + self.changed + self.unchanged

    @property
    def took_anything(self) -> bool:
        return bool(self.nodes or self.documents or self.retired)
