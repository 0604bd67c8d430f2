"""Logs grow, and never without end."""

from __future__ import annotations

from pathlib import Path

from arena.logs import append_log


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
