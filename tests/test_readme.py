"""What the README shows is run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from ascertain.interfaces.cli.main import main

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.M | re.S)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with docs/memory in it, as the README assumes."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "memory").symlink_to(ROOT / "docs" / "memory")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASCERTAIN_STORE", raising=False)
    return tmp_path


def test_the_python_block_runs(elsewhere: Path, capsys: pytest.CaptureFixture[str]):
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("resolved concept:concepts/candidate-pool")


def test_every_command_shown_runs(elsewhere: Path, capsys: pytest.CaptureFixture[str]):
    lines = [line[2:] for block in blocks("console") for line in block.splitlines() if line.startswith("$ ")]
    assert len(lines) > 4
    for line in lines:
        words = shlex.split(line)
        assert words[0] == "ascertain"
        assert status(words[1:]) in ((0, 3, 4) if words[1] == "ask" else (0, 3)), (line, capsys.readouterr())


def status(words: list[str]) -> object:
    try:
        main(words)
    except SystemExit as left:
        return left.code or 0
    return 0


def test_the_two_commands_are_those_of_the_bootstrap_script():
    assert blocks("sh") == ["python3 bootstrap.py demo\n", "python3 bootstrap.py test\n"]
    assert all(word in (ROOT / "bootstrap.py").read_text() for word in ('"demo"', '"test"'))


PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(page: Path):
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        if not re.match(r"[a-z]+:", target):
            assert (page.parent / target).exists(), target
