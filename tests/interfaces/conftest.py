"""A store to ask, and the command line run in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ascertain import Concept, Decision, Document, Episode, Memory, Piece, Record
from ascertain.encoders import bundled
from ascertain.interfaces.cli.main import run
from ascertain.model.times import parse_instant
from interfaces.ran import EVIL, Cli, Ran


@pytest.fixture(scope="session")
def model() -> Any:
    """The bundled encoder's weights, loaded once: every command of a test would load them anew."""
    return bundled._load()


@pytest.fixture(autouse=True)
def _loaded_once(monkeypatch: pytest.MonkeyPatch, model: Any) -> None:
    monkeypatch.setattr(bundled, "_load", lambda: model)


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in (
        "ASCERTAIN_STORE",
        "ASCERTAIN_ENCODER",
        "ASCERTAIN_ENCODER_KEY",
        "ASCERTAIN_MODEL",
        "FORCE_COLOR",
        "COLUMNS",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs the command line with these words."""

    def ran(*words: str | Path) -> Ran:
        capsys.readouterr()
        status = run([str(word) for word in words])
        told = capsys.readouterr()
        return Ran(status, told.out, told.err)

    return ran


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with nodes of all kinds. Tests read it and write nothing."""
    path = tmp_path_factory.mktemp("store") / "notes.db"
    march = parse_instant("2026-03-01")
    with Memory.open(path) as memory:
        memory.add(
            Concept(id="gate", title="Residual gate", body="A check that can only take\nconfidence away."),
            Concept(id="pool", title="후보 풀", aliases=("candidate pool",), body="팔이 내놓은 것의 합집합"),
            Concept(id="outbox", title="Outbox", body="Where messages wait."),
            Decision(id="d-outbox", title="Outbox", body="We keep an outbox.", decided_at=march),
            Record(id="r-pool", title="Size of the lifeguard roster", body="Twelve.", observed_at=march),
            Record(id="gone", title="Harbour crane licence", body="Expired.", retired_at=march),
            Decision(id="old", title="Cache sessions in Redis", body="Fast.", decided_at=parse_instant("2025-01-01")),
            Decision(id="new", title="Cache sessions in Postgres", body="One less.", supersedes=("old",),
                     decided_at=march),
            Episode(id="e", title="The great outage", summary="A secret narrative.", about=("outbox",),
                    started_at=march),
            Concept(id="evil", title=EVIL, body="line\x07 one\r\n\x1b]0;title\x07 two"),
            Document(id="doc", title="Notes", source="notes.md", pieces=(
                Piece(id="doc#1", text="The residual gate doubts what is left unsaid.", mentions=("gate",)),
                Piece(id="doc#2", text="Nothing \x1b[2J to see."),
            )),
        )  # fmt: skip
    return path
