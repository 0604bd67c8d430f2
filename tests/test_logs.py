"""Logs grow, and never without end."""

from __future__ import annotations

import fcntl
import threading
import time
from pathlib import Path

from arena.logs import append_log

PATIENCE_S = 60.0


def test_a_log_grows(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "bot.stderr.log"
    append_log(log, "")
    assert not log.exists()
    append_log(log, "one\n")
    append_log(log, "\u2663\n")
    assert log.read_text(encoding="utf-8") == "one\n\u2663\n"


def test_a_full_log_makes_room_and_is_kept_once(tmp_path: Path) -> None:
    log, old = tmp_path / "bot.stderr.log", tmp_path / "bot.stderr.log.old"
    for letter in "ab":
        append_log(log, letter * 5 * 1024 * 1024)
        append_log(log, f"after {letter}")
        assert log.read_text() == f"after {letter}"
        assert old.read_text()[-2:] == letter * 2


def is_waited_for(log: Path) -> bool:
    """Whether somebody waits for the lock of a file."""
    ending = f":{log.stat().st_ino} 0 EOF"
    locks = Path("/proc/locks").read_text().splitlines()
    return any(" -> FLOCK " in lock and lock.endswith(ending) for lock in locks)


def test_a_log_that_another_process_has_just_put_away_is_not_put_away_again(
    tmp_path: Path,
) -> None:
    log, old = tmp_path / "bot.stderr.log", tmp_path / "bot.stderr.log.old"
    append_log(log, "a" * 5 * 1024 * 1024)
    late = threading.Thread(target=append_log, args=(log, "late"))
    with log.open("a") as another:
        fcntl.flock(another, fcntl.LOCK_EX)
        late.start()
        end_s = time.monotonic() + PATIENCE_S
        while not is_waited_for(log):
            assert late.is_alive()
            assert time.monotonic() < end_s
            time.sleep(0.001)
        log.replace(old)
        log.write_text("other, ")
    late.join()
    assert log.read_text() == "other, late"
    assert old.stat().st_size == 5 * 1024 * 1024
