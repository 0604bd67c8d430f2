"""A program on a terminal of its own, whose screen the test looks at. Helpers only, no test."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyte
from commands import PATIENCE_S, processes_in, wait_until

_MOMENT_S = 0.01
CTRL_C, CTRL_Z = "\x03", "\x1a"
_TAKE_TERMINAL = (
    "import fcntl, os, sys, termios\n"
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
    "os.execvp(sys.argv[1], sys.argv[1:])"
)


class Terminal:
    """Keyboard and screen of a program that leads a session here."""

    def __init__(
        self,
        *command: str,
        folder: Path,
        env: Mapping[str, str],
        stdout: Path | None,
        columns: int,
        rows: int,
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self.written = b""
        self._reads = pyte.ByteStream(self.screen)
        self._controller, terminal = pty.openpty()
        self._set_size(columns, rows)
        kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
        with contextlib.ExitStack() as files:
            out = terminal if stdout is None else files.enter_context(stdout.open("wb"))
            self.process = subprocess.Popen(
                [sys.executable, "-c", _TAKE_TERMINAL, *command],
                cwd=folder,
                env={**kept, "TERM": "xterm-256color", "COLUMNS": "", **env},
                stdin=terminal,
                stdout=out,
                stderr=terminal,
                start_new_session=True,
            )
        os.close(terminal)
        self._is_open = True

    def type(self, keys: str) -> None:
        """Press keys; the terminal's driver makes signals of some."""
        os.write(self._controller, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        self._set_size(columns, rows)

    def _set_size(self, columns: int, rows: int) -> None:
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self._controller, termios.TIOCSWINSZ, size)

    @property
    def modes(self) -> list[object]:
        """How its driver treats what is typed and printed, such as by an echo."""
        return termios.tcgetattr(self._controller)

    def close(self) -> None:
        """Close the window."""
        if self._is_open:
            self._is_open = False
            os.close(self._controller)

    @property
    def lines(self) -> list[str]:
        """What is seen now, without the empty rest."""
        self._read()
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip().split("\n")

    def shows(self, *parts: str) -> bool:
        """Wait until the screen shows all of these."""
        return self.comes(lambda: all(part in "\n".join(self.lines) for part in parts))

    def comes(self, condition: Callable[[], object]) -> bool:
        """Wait for something, while the program can go on printing."""

        def look() -> object:
            self._read()
            return condition()

        return wait_until(look)

    def end(self) -> int:
        """Wait for the program's end; return its exit code, or minus the signal that ended it."""
        assert self.comes(lambda: self.process.poll() is not None), self.lines
        self._read()
        return int(self.process.returncode)

    @property
    def is_clean(self) -> bool:
        """Whether the cursor is shown at the beginning of a line."""
        return self.screen.cursor.x == 0 and not self.screen.cursor.hidden

    def _read(self) -> None:
        """Take in what comes until nothing does for a moment: it may be half a picture."""
        while self._is_open and select.select([self._controller], [], [], _MOMENT_S)[0]:
            try:
                chunk = os.read(self._controller, 65536)
            except OSError:  # nobody has the other end open any more
                return
            self.written += chunk
            self._reads.feed(chunk)


@contextmanager
def terminal(
    *command: str,
    folder: Path,
    env: Mapping[str, str] | None = None,
    stdout: Path | None = None,
    columns: int = 100,
    rows: int = 30,
) -> Iterator[Terminal]:
    """A program that has begun on a terminal; it is killed at the end, and its bots with it."""
    shown = Terminal(
        *command, folder=folder, env=env or {}, stdout=stdout, columns=columns, rows=rows
    )
    try:
        yield shown
    finally:
        shown.close()
        shown.process.kill()
        shown.process.wait()
        wait_until(lambda: not processes_in(folder), patience_s=PATIENCE_S / 5)
        for pid in processes_in(folder):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
