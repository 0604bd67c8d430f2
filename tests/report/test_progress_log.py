"""The log of a run."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from runs import lost

from arena.report.progress.events import RunFinished, fault_seen
from arena.report.progress.log import RunLog
from arena.report.progress.told import Telling

STAMP = "2026-03-04T05:06:07Z"


def log_of(path: Path, troubles: list[str] | None = None) -> RunLog:
    now = datetime(2026, 3, 4, 5, 6, 7, 890000, UTC)
    return RunLog(path, (troubles if troubles is not None else []).append, now=lambda: now)


def test_a_run_from_its_beginning_to_its_end(tmp_path: Path) -> None:
    path, bots = tmp_path / "results" / "arena.log", tmp_path / "bots"
    bots.mkdir()
    (bots / "b.stderr.log").touch()
    telling = Telling([log_of(path)], logs=bots)
    telling.notice("cards committed: 12ab")
    telling.begun(settled=2, total=9)
    telling.played([lost("crash", got="Traceback\n  it broke"), lost("crash", loser="a@1")])
    telling.advanced(4)
    telling.ended(code=143, signal="SIGTERM")
    telling.ended(code=4, error="the disk\nis full")
    lost_by = "b@2 lost a@1:b@2/0/1 by a fault (crash): so it was"
    assert path.read_text().splitlines() == [
        f"{STAMP}  {text}"
        for text in (
            "cards committed: 12ab",
            "run begins: 2 of 9 games settled",
            f"{lost_by}; got: Traceback\\n  it broke; what it printed: {bots}/b.stderr.log",
            "a@1 lost a@1:b@2/0/1 by a fault (crash): so it was",
            "run ends: 4 of 9 games settled; interrupted by SIGTERM; exit code 143",
            "run ends: 4 of 9 games settled; error: the disk\\nis full; exit code 4",
        )
    ]


def test_every_fault_is_logged(tmp_path: Path) -> None:
    path = tmp_path / "arena.log"
    Telling([log_of(path)], logs=tmp_path).played([lost("crash", board) for board in range(50)])
    assert len(path.read_text().splitlines()) == 50


def test_only_a_line_of_its_own_has_a_time(tmp_path: Path) -> None:
    path = tmp_path / "arena.log"
    log_of(path).notice(f"a cannot be started:\n{STAMP}  all is well\x1b[2J\r\n\tat line 3")
    assert path.read_text().split("\n") == [
        f"{STAMP}  a cannot be started:",
        f"    {STAMP}  all is well\\x1b[2J\\r",
        "    \\tat line 3",
        "",
    ]


def test_a_log_that_cannot_be_written_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    troubles: list[str] = []
    log = log_of(tmp_path / "file" / "arena.log", troubles)
    log.notice("one")
    log.notice("two")
    log.ended(RunFinished(0, 0, complete=False, signal=None, error=None, exit=0))
    assert log.is_troubled
    assert troubles == [f"there is no log of this run: {tmp_path}/file/arena.log: File exists"]


def test_a_log_does_not_grow_without_end(tmp_path: Path) -> None:
    path = tmp_path / "arena.log"
    fault = fault_seen(lost("crash", got="x" * 60_000), tmp_path)
    assert fault is not None
    log = log_of(path)
    for _ in range(300):
        log.faulted(fault)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["arena.log", "arena.log.old"]
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 9 * 2**20
