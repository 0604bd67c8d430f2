"""One bot process: started, watched, its output bounded, its whole tree killed.

What may live here: the operating system's side of a bot. What may not: the protocol, games.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
import subprocess
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from arena.errors import SurroundingsError
from arena.runtime import tree
from arena.text import refusal, visible_lines

KEPT_BYTES = 64 * 1024
"""How much of a process's output is kept: this much from its beginning and from its end."""
_READ_BYTES = 64 * 1024
_LAST_LINES = 20
_LAST_CHARACTERS = 2000
_OWN_DOING = {errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.ENOTDIR, errno.E2BIG, errno.EPERM}
"""Why a program cannot be run that is not the machine's shortage."""
_SIGNAL_BASE = 128
"""A sandbox ends with this and the signal that killed the program."""
_READS_AT_ONCE = 16
"""So that a bot that prints without end cannot hold up the games."""


class OutputTail:
    """The first and the last `KEPT_BYTES` of what a process printed."""

    def __init__(self) -> None:
        self._first = bytearray()
        self._last: deque[bytes] = deque()
        self._last_bytes = 0
        self._total = 0

    def add(self, chunk: bytes) -> None:
        """Take in the next bytes."""
        self._total += len(chunk)
        room = KEPT_BYTES - len(self._first)
        self._first += chunk[:room]
        if rest := chunk[room:] if room else chunk:
            self._last.append(rest)
            self._last_bytes += len(rest)
        while self._last and self._last_bytes - len(self._last[0]) >= KEPT_BYTES:
            self._last_bytes -= len(self._last.popleft())

    def text(self) -> str:
        """Return what was kept, control characters escaped, with a line on what was cut."""
        last = b"".join(self._last)[-KEPT_BYTES:]
        cut = self._total - len(self._first) - len(last)
        if not cut:
            return printable(bytes(self._first) + last)
        gap = f"\n[... {cut} bytes cut ...]\n"
        return printable(bytes(self._first)) + gap + printable(last)

    def last_lines(self) -> str:
        """Return the end of what was printed, as much as an author wants to see at once."""
        return "\n".join(self.text().splitlines()[-_LAST_LINES:])[-_LAST_CHARACTERS:]


def printable(raw: bytes) -> str:
    """Decode what a bot printed so that it cannot do anything to a terminal; lines stay lines."""
    return visible_lines(raw.decode("utf-8", "replace"))


class CannotRunError(Exception):
    """It is the bot's own doing that it cannot be started: its program, or what it is given."""


class BotProcess:
    """A running bot with its own session; `kill` leaves nothing of its tree."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        chain: Sequence[str] = (),
        number: int = 0,
        in_sandbox: bool = False,
    ) -> None:
        """Start a program that was found by `resolved` in `folder`, with `chain` before it.

        `number` is what the chain marks it with; in a sandbox it is the sandbox that is started,
        and which ends as the program did. Raises `CannotRunError` if it cannot be run and
        that is the bot's doing, and `SurroundingsError` if the machine gives no process.
        """
        self.output = OutputTail()
        self._number = number
        self._in_sandbox = in_sandbox
        try:
            self._popen = subprocess.Popen(
                [*chain, *argv],
                cwd=folder,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                close_fds=True,
            )
        except ValueError as error:
            raise CannotRunError(f"cannot run: {error}") from error
        except OSError as error:
            raise _blame(error) from error
        assert self._popen.stdout is not None  # noqa: S101 - it was asked for above
        self.output_fd = self._popen.stdout.fileno()
        os.set_blocking(self.output_fd, False)
        self._known = [self._popen.pid]
        """Its processes as the last look found them."""
        self._ended_cpu_us = 0
        """What others had taken that had ended by then."""
        self.exit_fd = _exit_fd(self._popen.pid)
        """Becomes readable when the process ends; None where the system has no such thing."""

    @property
    def pid(self) -> int:
        """The process, which is also its group and session."""
        return self._popen.pid

    def drain(self) -> bool:
        """Take in some of what was printed since; False when there will never be more."""
        with contextlib.suppress(BlockingIOError):
            for _ in range(_READS_AT_ONCE):
                chunk = os.read(self.output_fd, _READ_BYTES)
                if not chunk:
                    return False
                self.output.add(chunk)
        return True

    def has_ended(self) -> bool:
        """Whether the process itself has ended (its children may live on)."""
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT  # it stays, so that its group id stays ours
        if self._popen.returncode is not None:
            return True
        return os.waitid(os.P_PID, self._popen.pid, flags) is not None

    # all its processes

    def pids(self) -> list[int]:
        """Return all its processes, wherever they went, the first one first."""
        return tree.of_bot(self._popen.pid, self._number)

    def look(self, adopted: Iterable[int]) -> tree.Load:
        """Find all its processes, which may be among the `adopted`, and measure what they take."""
        self._known = tree.of_bot(self._popen.pid, self._number, adopted)
        load = tree.load(self._known)
        self._ended_cpu_us = load.ended_cpu_us
        return load

    def waited_us(self) -> int:
        """Return for how long threads of those processes could have run and had no core."""
        return tree.waited_us(self._known)

    def cpu_us(self) -> int:
        """Return the CPU time of its processes so far, as far as the last look found them."""
        if len(self._known) > 1:  # some of them may have ended since
            self._ended_cpu_us = tree.load(self._known).ended_cpu_us
        return self.computed_us() + self._ended_cpu_us

    def computed_us(self) -> int:
        """Return the CPU time of those of its processes that the last look found and still are.

        That is quick to know.
        """
        return sum([tree.cpu_us(pid) for pid in self._known])

    def proportional_memory(self) -> int:
        """Return the bytes of memory of its processes, none of them counted twice."""
        return tree.proportional_memory(self._known)

    def suspend(self) -> None:
        """Let all its processes stand still."""
        tree.stop_all(self.pids)

    def resume(self) -> None:
        """Let them go on."""
        tree.send(self.pids(), signal.SIGCONT)

    def kill(self) -> None:
        """Kill the whole tree, without waiting for its end; may be called again."""
        if self._popen.returncode is None:
            tree.kill_all(self.pids)
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
            self.drain()

    def bury(self) -> None:
        """Wait for the end of a killed process and give its descriptors back; may be repeated."""
        if self._popen.returncode is None:
            self._popen.wait()
            self.drain()
            if self.exit_fd is not None:
                os.close(self.exit_fd)
            if self._popen.stdout:
                self._popen.stdout.close()

    def how_it_ended(self) -> str:
        """Say it in words: ``exited 1``, ``killed by SIGSEGV``; only after it has ended."""
        status = os.waitid(os.P_PID, self._popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if status is None:
            return "still running"
        if status.si_code != os.CLD_EXITED:
            return f"killed by {signal_name(status.si_status)}"
        if self._in_sandbox and status.si_status > _SIGNAL_BASE:
            return f"killed by {signal_name(status.si_status - _SIGNAL_BASE)}"
        return f"exited {status.si_status}"


def _blame(error: OSError) -> Exception:
    """Say whose doing it is that a process could not be started."""
    if error.errno in _OWN_DOING:
        return CannotRunError(f"cannot run: {error.strerror}")
    return SurroundingsError(f"no bot process can be started: {refusal(error)}")


def _exit_fd(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):  # not on this system, or no descriptor left
        return None


def signal_name(number: int) -> str:
    """Name a signal; most of the real-time ones have no name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def resolved(argv: Sequence[str], folder: Path, path: str | None) -> list[str]:
    """Return the command line with the program's file; `bot` and `./bot` both mean the folder's.

    Raises `CannotRunError` if there is no such program, and `SurroundingsError` if the folder has
    gone.
    """
    if not folder.is_dir():
        text = "has gone; run the command again, and the bots are copied anew"
        raise SurroundingsError(f"{folder} {text}")
    own = folder / argv[0]
    program = str(own) if own.is_file() else shutil.which(argv[0], path=_seen_from(folder, path))
    if program is None:
        raise CannotRunError(f"cannot run {argv[0]!r}: no such program")
    if not os.access(program, os.X_OK):
        raise CannotRunError(f"cannot run {argv[0]!r}: the file is not executable")
    return [program, *argv[1:]]


def _seen_from(folder: Path, path: str | None) -> str | None:
    """Return a PATH as it is meant in a folder, where the program will run."""
    if path is None:
        return None
    return os.pathsep.join(str(folder / entry) for entry in path.split(os.pathsep))
