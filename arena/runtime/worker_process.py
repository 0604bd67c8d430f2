"""A local worker as its coordinator sees it: how it is started, spoken to and seen off.

What may live here: one process and the lines to it. Which one plays what, and that a dead one is
replaced, is for executor.py.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from multiprocessing.connection import Connection
from pathlib import Path

import arena
from arena.runtime.folders import clear_up_after
from arena.runtime.job import Ending, encode_request
from arena.runtime.page import Blame, Page

_LARGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")
_LEAVE_S = 5.0
"""How long a worker that was told to go may take to end its bots."""


class WorkerProcess:
    """A running worker: one socket for jobs and their results, one to ask for their end.

    Which games it plays stands on a page that both can see.
    """

    def __init__(self, core: int | None, lifeline: int) -> None:
        """Start it for a core, or for all; `lifeline` it only holds open.

        Raises `OSError` if the machine gives no process.
        """
        self._page = Page()
        self._jobs, jobs = socket.socketpair()
        self._control, control = socket.socketpair()
        self._connection = Connection(os.dup(self._jobs.fileno()))
        self._job = 0
        self._asked = 0
        """The most urgent ending that was asked for of the present job, or 0."""
        with jobs, control:
            try:
                self._process = start_worker(
                    [jobs.fileno(), control.fileno(), self._page.fileno()], core, lifeline
                )
            except OSError:
                self._close()
                raise

    def begin(self) -> None:
        """Count the next job."""
        self._job += 1
        self._asked = 0

    def play(self, payload: bytes) -> bytes:
        """Send the job that was begun, and wait for its result."""
        self._page.clear()
        self._connection.send_bytes(payload)
        return self._connection.recv_bytes()

    def end(self, ending: Ending) -> None:
        """Ask for the end of the present job, by its number: it may be over when this is read.

        Once is enough, and more could fill the line of a worker that is stuck.
        """
        if ending <= self._asked:
            return
        self._asked = ending
        with contextlib.suppress(OSError):  # it has died, and whoever waits for it will hear of it
            self._control.send(encode_request(self._job, ending), socket.MSG_DONTWAIT)

    def hang_up(self) -> None:
        """Wake up whoever reads or writes here; the descriptors stay valid until `see_off`."""
        for line in (self._control, self._jobs):
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def see_off(self) -> tuple[tuple[int, ...], tuple[Blame, ...]]:
        """Wait until the process has gone, but not for one that is stuck; leave nothing of it.

        Returns the places of the games that it broke off, and who may be blamed for that.
        """
        self.hang_up()
        try:
            self._process.wait(_LEAVE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        clear_up_after(self._process.pid)
        left = self._page.running(), self._page.blamed()
        self._close()
        return left

    def _close(self) -> None:
        self._connection.close()
        self._jobs.close()
        self._control.close()
        self._page.close()


def start_worker(
    descriptors: list[int], core: int | None, lifeline: int
) -> subprocess.Popen[bytes]:
    """Start a worker that inherits the descriptors for jobs, control and the page, and a lifeline.

    It only holds the last one.
    """
    words = descriptors if core is None else [*descriptors, core]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "arena.runtime.worker", *map(str, words)],
        env={**os.environ, "PYTHONPATH": own_path(), **memory_in_large_pages()},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[*descriptors, lifeline],
        start_new_session=True,
    )


def memory_in_large_pages() -> dict[str, str]:
    """Return what makes a worker's memory few large pages, where the system offers them.

    Many games are open in it, far apart in memory, and whenever it gets its core back the processor
    has to find their pages anew. That is about a tenth of its time. Whoever has chosen how Python
    takes memory has chosen that for workers, too.
    """
    if "PYTHONMALLOC" in os.environ or not _can_take_large_pages():
        return {}
    tunables = os.environ.get("GLIBC_TUNABLES", "").split(":")
    wanted = ":".join([*filter(None, tunables), "glibc.malloc.hugetlb=1"])
    return {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": wanted}


def _can_take_large_pages() -> bool:
    """Whether both the system and its library for memory know of them (glibc since 2.35)."""
    try:
        library = os.confstr("CS_GNU_LIBC_VERSION") or ""
        numbers = tuple(map(int, library.removeprefix("glibc ").split(".")[:2]))
        return numbers >= (2, 35) and "[never]" not in _LARGE_PAGES.read_text("ascii")
    except (OSError, ValueError):
        return False


def own_path() -> str:
    """Return where this very arena is imported from, whether it is installed or not."""
    here = str(Path(arena.__file__).parents[1])
    return os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
