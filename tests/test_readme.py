"""What the README shows is run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from ascertain.interfaces.cli.main import cli, main

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str, page: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.M | re.S)


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


def test_every_command_of_the_page_on_formats_runs(elsewhere: Path, capsys: pytest.CaptureFixture[str]):
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    lines = [line[2:] for block in blocks("console", page) for line in block.splitlines()]
    assert len(lines) > 4
    for line in lines:
        assert status(shlex.split(line)[1:]) in (0, 3), (line, capsys.readouterr())


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


def commands_on(page: Path) -> list[list[str]]:
    """What pages show of ascertain, in blocks and within lines, in words."""
    text = page.read_text(encoding="utf-8")
    shown = re.findall(r"`(ascertain [a-z][^`\n]*)`", text)
    shown += [line.partition("  #")[0] for line in re.findall(r"^\$ (ascertain [^\n]*)", text, re.M)]
    return [shlex.split(line)[1:] for line in shown]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_command_that_a_page_names_is_there_with_its_options(page: Path):
    for words in commands_on(page):
        context = click.Context(cli)
        command = cli.get_command(context, words[0])
        assert command is not None, words
        if isinstance(command, click.Group) and len(words) > 1 and not words[1].startswith("-"):
            command = command.get_command(context, words[1])
            assert command is not None, words
        known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        told = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert told <= {*known, "-h", "--help"}, words
