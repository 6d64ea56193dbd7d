"""Both axes: what holds now, what held then, and that nothing is overwritten."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ascertain.errors import InvalidInput, InvalidTime, NotFound
from ascertain.memory import Memory
from ascertain.model.documents import Document, Piece
from ascertain.model.nodes import Concept, Decision, Record
from ascertain.model.times import parse_instant
from laws.tiny import TinyEncoder


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.temporary(encoder=TinyEncoder()) as made:
        yield made


def day(text: str) -> datetime:
    found = parse_instant(text)
    assert found is not None
    return found


def test_a_withdrawal_and_its_taking_back_both_stay_known(memory: Memory) -> None:
    memory.add(Concept(id="a", title="Night shift"), Concept(id="b", title="Gate"))
    memory.retire("a", reason="wrong")
    withdrawn = datetime.now(UTC)
    assert memory.ask("night shift").state == "none"
    memory.restore("a")
    assert memory.ask("night shift").node == "a"
    assert memory.ask("night shift", known_at=withdrawn).node is None, "as it was answered then"
    first, second = memory.history("a")
    assert (first.reason, first.until, second.since) == ("wrong", second.since, first.until)
    assert first.node.retired_at is not None
    assert second.node.retired_at is None


def test_retiring_twice_changes_nothing_and_another_time_keeps_both(memory: Memory) -> None:
    memory.add(Concept(id="a", title="Night shift", recorded_at=day("2024-01-01")))
    memory.retire("a", reason="wrong", at="2025-01-01")
    memory.retire("a")
    assert len(memory.history("a")) == 1
    memory.retire("a", reason="wrong since long", at="2024-06-01")
    assert [row.reason for row in memory.history("a")] == ["wrong", "wrong since long"]
    with pytest.raises(InvalidTime):
        memory.retire("a", at="2023-01-01")
    with pytest.raises(NotFound):
        memory.retire("nothing")


def test_supersession_ends_the_old_one_where_the_new_one_begins(memory: Memory) -> None:
    memory.add(Decision(id="a", title="Cache in Redis", valid_to=day("2031-01-01")))
    memory.supersede("a", Decision(id="b", title="Cache in Postgres"), at="2026-03-01")
    assert memory.node("a").holds_to == memory.node("b").node.valid_from == day("2026-03-01")
    assert memory.ask("cache in redis", valid_at="2026-02-28T23:59:59.999999Z").node == "a"
    assert memory.ask("cache in redis", valid_at="2026-03-01").node is None
    with pytest.raises(InvalidInput):
        memory.supersede("b", "a")
    with pytest.raises(InvalidInput):
        memory.supersede("a", Concept(id="c", title="Cache"))


def test_a_supersession_recorded_now_is_unknown_to_a_read_of_before(memory: Memory) -> None:
    memory.add(Decision(id="a", title="Cache in Redis"), Decision(id="b", title="Cache in Postgres"))
    before = datetime.now(UTC)
    memory.supersede("a", "b", at="2025-01-01")
    assert memory.ask("cache in redis").node is None
    assert memory.ask("cache in redis", known_at=before).node == "a"


def test_an_edge_that_was_taken_away_and_came_back_stood_twice(memory: Memory) -> None:
    memory.add(Concept(id="c", title="Gate"), Record(id="r", title="It is on", about=("c",)))
    store, node = memory._store, memory.node("r").node
    then = [datetime.now(UTC)]
    for about in ((), ("c",), ("c",)):
        memory.correct(replace(node, about=about, body=str(len(then))))
        then.append(datetime.now(UTC))
    known = [store.edges("ABOUT", start=["r"], known_at=moment) for moment in then]
    assert known == [[("r", "c")], [], [("r", "c")], [("r", "c")]]
    assert store.edges("ABOUT", start=["r"]) == [("r", "c")]


def test_what_is_stamped_is_unknown_before_it_was_added(memory: Memory) -> None:
    before = datetime.now(UTC)
    memory.add(Concept(id="a", title="Night shift"), stamp=True)
    assert memory.ask("night shift").node == "a"
    assert memory.ask("night shift", known_at=before).node is None
    assert memory.add(Concept(id="a", title="Night shift")).unchanged == 1, "an import that states nothing says nothing"


BOUNDARY = (
    "2026-02-28T15:00:00Z",
    "2026-02-28T15:00:00.000Z",
    "2026-03-01T00:00:00+09:00",
    "2026-02-28T07:00:00-08:00",
)


@pytest.mark.parametrize("moment", BOUNDARY)
def test_an_end_is_half_open_however_it_is_written(memory: Memory, moment: str) -> None:
    """Row 20 of the bug reports: instants compared as text order wrongly at the boundary."""
    memory.add(Concept(id="a", title="Night shift", valid_to=day("2026-03-01T00:00:00+09:00")))
    assert memory.ask("night shift", valid_at=moment).node is None
    assert memory.ask("night shift", valid_at="2026-02-28T14:59:59.999999Z").node == "a"


@pytest.mark.parametrize(
    ("start", "before", "on"),
    [
        ("2026-W09", "2026-02-22T23:59:59Z", "2026-02-23"),
        ("2024-02-29", "2024-02-28T23:59:59Z", "2024-02-29T00:00:00Z"),
        ("1307-10-13", "1307-10-12", "1307-10-13"),
        ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999998Z", "1970-01-01"),
        ("9999-12-31", "9999-12-30", "9999-12-31T12:00:00Z"),
        ("2026-06-01T00:00:00+05:45", "2026-05-31T18:14:59Z", "2026-05-31T18:15:00Z"),
    ],
)
def test_instants_of_every_kind_begin_where_they_say(memory: Memory, start: str, before: str, on: str) -> None:
    memory.add(Concept(id="a", title="Night shift", valid_from=day(start)))
    assert memory.ask("night shift", valid_at=before).node is None
    assert memory.ask("night shift", valid_at=on).node == "a"
    assert memory.node("a").node.valid_from == day(start)


_IN_A_ZONE = """
import sys, sqlite3, time
sys.path[:0] = {path!r}
time.tzset()
from laws.tiny import TinyEncoder
from ascertain.memory import Memory
from ascertain.model.nodes import Record
from ascertain.model.times import parse_instant
with Memory.temporary(encoder=TinyEncoder()) as memory:
    moment = parse_instant("2025-07-25T02:00:00Z")
    memory.add(Record(id="r", title="Night shift", observed_at=moment, recorded_at=moment, valid_from=moment),
               Record(id="s", title="Gate", valid_from=parse_instant("2025-07-25"),
                      valid_to=parse_instant("2025-07-25T09:00:00")))
    memory.retire("s", at="2025-08-01")
    rows = memory._store.database.rows("SELECT * FROM node ORDER BY id")
    told = [memory.ask(q, as_of=when).node for q in ("night shift", "gate")
            for when in ("2025-07-25", "2025-07-25T02:00:00Z", "2025-07-26", "2025-07-25T12:00:00+09:00")]
    print(rows, told)
"""


def test_the_zone_of_the_process_changes_no_byte_and_no_answer() -> None:
    """Row 19 of the bug reports: times written in a local zone move the day for everyone else."""
    path = [str(Path(__file__).parents[1]), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    said = set()
    for zone in ("America/Los_Angeles", "Asia/Seoul", "UTC"):
        run = subprocess.run(
            [sys.executable, "-c", _IN_A_ZONE.format(path=path)],
            capture_output=True, text=True, check=True, env={**os.environ, "TZ": zone},
        )  # fmt: skip
        said.add(run.stdout)
    assert len(said) == 1
    assert said.pop().strip().endswith("[None, 'r', 'r', 'r', 's', 's', None, 's']")


def test_a_crowd_of_withdrawn_records_does_not_hide_the_living_one(memory: Memory) -> None:
    """Row 6: over half of the candidates are retired, so the living one falls out of the window."""
    old = [Record(id=f"o{n}", title=f"night gate form code {n}", retired_at=day("2026-01-01")) for n in range(60)]
    memory.add(Record(id="live", title="night gate code"), *old)
    answer = memory.ask("night gate form code")
    assert "live" in [one.candidate.id for one in answer.candidates]
    assert answer.state == "choose"
    assert answer.hidden > 0


def test_a_superseded_decision_is_not_told_beside_its_successor(memory: Memory) -> None:
    """Row 7: a «supersedes» edge is stored and nobody reads it; the claim lives on in a piece."""
    memory.add(
        Decision(id="a", title="cache in Redis", decided_at=day("2025-01-01"), body="We cache in Redis."),
        Decision(id="b", title="cache in Postgres", decided_at=day("2026-01-01"), supersedes=("a",)),
        Document(id="d", title="Notes", pieces=(Piece(id="d#1", text="We cache in Redis."),)),
    )
    now = memory.ask("where do we cache?")
    assert (now.state, now.node) == ("resolved", "b")
    assert not {"a", "d#1"} & {one.candidate.id for one in now.candidates}
    marked = memory.ask("where do we cache in redis?", include_retired=True).candidates
    assert [one.candidate.valid_to for one in marked if one.candidate.id == "a"] == ["2026-01-01T00:00:00Z"]
    then = memory.ask("where do we cache?", as_of="2025-06-01")
    assert (then.state, then.node) == ("resolved", "a")
