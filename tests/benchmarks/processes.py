"""A running tournament as the system shows it from outside: which processes, what they take."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.benchmarks.watched import arena_words
from tests.soak.blows import children

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_NS_PER_S = 1_000_000_000
_PATIENCE_S = 60.0


class Running:
    """A run of `arena tournament` that goes on."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    @property
    def is_over(self) -> bool:
        """Whether it has ended; `CalledProcessError` if it failed."""
        code = self._process.poll()
        if code:
            raise subprocess.CalledProcessError(code, self._process.args)
        return code is not None

    def arena(self) -> list[int]:
        """Return coordinator and workers."""
        return [self._process.pid, *children(self._process.pid)]

    def bots_of_workers(self) -> list[list[int]]:
        """Return the bot processes of each process that the coordinator has started."""
        return [children(pid) for pid in children(self._process.pid)]

    def memory_bytes(self) -> int:
        """Return what coordinator and workers have resident."""
        return sum(map(_resident_bytes, self.arena()))

    def cpu_s(self) -> float:
        """Return the CPU that coordinator and workers have taken, exactly to the microsecond."""
        return sum(map(_cpu_s, self.arena()))

    def wait_until_bots_live(self, bots: int, seconds: float) -> None:
        """Wait until the same bot processes have lived so long; `TimeoutError` if they never do."""
        end_s = time.monotonic() + _PATIENCE_S
        before: list[int] = []
        since_s = time.monotonic()
        while time.monotonic() < end_s and not self.is_over:
            found = sorted(bot for each in self.bots_of_workers() for bot in each)
            if found != before:
                before, since_s = found, time.monotonic()
            if len(found) == bots and time.monotonic() - since_s >= seconds:
                return
            time.sleep(0.05)
        raise TimeoutError(f"no {bots} bot processes that live for {seconds} s")


@contextmanager
def running(config: Path) -> Iterator[Running]:
    """Start a tournament; one that is not over at the end is stopped at once."""
    process = subprocess.Popen(arena_words("tournament", str(config)), stdout=subprocess.DEVNULL)
    try:
        yield Running(process)
    finally:
        while process.poll() is None:
            process.send_signal(signal.SIGTERM)  # the second one stops games, too
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.5)


def _resident_bytes(pid: int) -> int:
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE_BYTES
    return 0


def _cpu_s(pid: int) -> float:
    taken_ns = 0
    for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with suppress(OSError):
            taken_ns += int(thread.read_text().split()[0])
    return taken_ns / _NS_PER_S
