"""Commands that ask bots outside of a run are killed: nothing of their bots stays."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import arena, new_tournament, processes_in, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows whose they are")

RUNS_AWAY = """
import subprocess, time
subprocess.Popen(["sleep", "1000"], start_new_session=True)
time.sleep(1000)
"""
"""It never says hello; the kernel kills it with the arena, but not its child."""


@pytest.fixture
def place() -> Iterator[Path]:
    """A short folder in which commands make theirs; at the end nothing runs there."""
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        yield Path(short)
        for pid in processes_in(Path(short)):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize(
    "words",
    [
        ("check", "a.py", "--config", "tour.yaml"),
        ("play", "a.py", "--config", "tour.yaml"),
        ("replay", "tour.yaml", "a@1:b@1/0/0", "--to", "a"),
        ("submit", "c.py", "--to", "tour.yaml"),
    ],
)
def test_nothing_stays_of_a_command_that_is_killed(
    words: tuple[str, ...], place: Path, tmp_path: Path
) -> None:
    limits = {"start": "600s"}
    tournament = new_tournament(tmp_path, "a", "b", boards=1, limits=limits, submissions="subs")
    if words[0] == "replay":
        assert arena("-q", "tournament", "tour.yaml", folder=tmp_path).code == 0
    for name in ("a", "c"):
        tournament.add_bot(name, RUNS_AWAY)
    with subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        cwd=tmp_path,
        env={**os.environ, "XDG_RUNTIME_DIR": str(place), "TMPDIR": str(place)},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as command:
        try:
            assert wait_until(lambda: runaways(place))
        finally:
            command.kill()
    assert wait_until(lambda: not processes_in(place))
    assert wait_until(lambda: not list(place.iterdir()))


def runaways(place: Path) -> list[int]:
    """The children that bots have started which run in a folder."""
    found = []
    for pid in processes_in(place):
        with contextlib.suppress(OSError):  # it has just ended
            if b"sleep" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found
