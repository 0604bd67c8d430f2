"""A run as JSON Lines: each event field by field, and readers that go away."""

from __future__ import annotations

import errno
import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from runs import lost, standings, won

from arena.report.progress.events import SCHEMA, RunningBot, RunStarted
from arena.report.progress.stream import EventStream
from arena.report.progress.told import Telling
from arena.report.rankings import rankings

START = RunStarted(
    schema=SCHEMA,
    tournament="autumn",
    config="/home/x/autumn.yaml",
    variant="two_handed",
    options={"target_score": 2},
    bots=(RunningBot("a", "a@1"), RunningBot("b", "b@2")),
    matches=1,
    boards=30,
    workers=2,
    commitment="12ab",
)


class Out(io.BytesIO):
    """Stdout that remembers how much was there whenever it was flushed."""

    def __init__(self) -> None:
        super().__init__()
        self.flushed: list[int] = []

    def flush(self) -> None:
        self.flushed.append(len(self.getvalue()))


def told(logs: Path, out: io.BytesIO) -> list[dict[str, Any]]:
    """All events of a short run."""
    telling = Telling([EventStream(out, START, lambda: None)], logs=logs)
    telling.notice("b changed")
    telling.begun(settled=2, total=60)
    telling.played([won(3), lost("illegal", 3, detail="bad\x1b", got="one\n\x07two")])
    telling.advanced(4)
    telling.ranked(standings("a", "b"))
    telling.notice("wait")
    telling.ended(code=130, signal="SIGINT")
    return [json.loads(line) for line in out.getvalue().decode().splitlines()]


def test_every_event_field_by_field(tmp_path: Path) -> None:
    (tmp_path / "b.stderr.log").touch()
    assert told(tmp_path, Out()) == [
        {
            "event": "run_started",
            "schema": "arena.event/1",
            "tournament": "autumn",
            "config": "/home/x/autumn.yaml",
            "variant": "two_handed",
            "options": {"target_score": 2},
            "bots": [{"name": "a", "version": "a@1"}, {"name": "b", "version": "b@2"}],
            "matches": 1,
            "boards": 30,
            "workers": 2,
            "commitment": "12ab",
            "scheduled": 60,
            "settled": 2,
        },
        {"event": "notice", "text": "b changed"},
        {
            "event": "game",
            "id": "a@1:b@2/3/0",
            "seats": ["a@1", "b@2"],
            "points": [10, 7],
            "winner": 0,
            "end": {"kind": "target"},
        },
        {
            "event": "game",
            "id": "a@1:b@2/3/1",
            "seats": ["b@2", "a@1"],
            "points": [0, 0],
            "winner": 1,
            "end": {"kind": "forfeit", "seat": 0, "fault": "illegal", "detail": r"bad\x1b"},
        },
        {
            "event": "fault",
            "bot": "b",
            "version": "b@2",
            "kind": "illegal",
            "game": "a@1:b@2/3/1",
            "detail": r"bad\x1b",
            "got": "one\n\\x07two",
            "log": f"{tmp_path}/b.stderr.log",
        },
        {
            "event": "standings",
            "rankings": json.loads(msgspec.json.encode(rankings(standings("a", "b")))),
        },
        {"event": "notice", "text": "wait"},
        {
            "event": "run_finished",
            "settled": 4,
            "scheduled": 60,
            "complete": False,
            "signal": "SIGINT",
            "error": None,
            "exit": 130,
        },
    ]


def test_each_line_is_there_at_once(tmp_path: Path) -> None:
    out = Out()
    told(tmp_path, out)
    ends = [n + 1 for n, byte in enumerate(out.getvalue()) if byte == ord("\n")]
    assert out.flushed == ends


def test_a_fault_of_a_bot_that_printed_nothing_names_no_file(tmp_path: Path) -> None:
    assert [event["log"] for event in told(tmp_path, Out()) if event["event"] == "fault"] == [None]


def test_a_run_that_never_began_has_no_events(tmp_path: Path) -> None:
    out = Out()
    telling = Telling([EventStream(out, START, lambda: None)], logs=tmp_path)
    telling.notice("b changed")
    telling.ended(code=2, error="no bot can be started")
    assert out.getvalue() == b""


@pytest.mark.parametrize("number", [errno.EPIPE, errno.ENOSPC])
def test_once_nobody_reads_them_the_run_is_asked_to_end_and_no_more_are_written(
    tmp_path: Path, number: int
) -> None:
    class Refusing(io.BytesIO):
        writes = 0

        def write(self, _: object) -> int:
            self.writes += 1
            raise OSError(number, "refused")

    out, asked = Refusing(), []
    stream = EventStream(out, START, lambda: asked.append("stop"))
    telling = Telling([stream], logs=tmp_path)
    telling.begun(settled=0, total=60)
    telling.played([won(), won()])
    telling.ended(code=141)
    assert stream.error is not None
    assert stream.error.errno == number
    assert (asked, out.writes) == (["stop"], 1)
