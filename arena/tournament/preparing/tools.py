"""Running what makes things: within a time, with a log that is shown on failure."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import msgspec

from arena.errors import SurroundingsError, UserError
from arena.text import refusal, visible_lines

PATIENCE_S = 600.0
_LOOK_S = 0.1
_LAST_BYTES = 4_000
_LAST_LINES = 20


class StoppedError(Exception):
    """It was asked to stop before all was made."""


class Maker(msgspec.Struct, frozen=True):
    """For whom something is made, who is told so, and who may break it off."""

    notice: Callable[[str], None]
    is_stopping: Callable[[], bool] = lambda: False
    level: str = "process"
    """The level of isolation at which a bot's own commands are run."""
    name: str = ""
    """The bot's."""

    def named(self, name: str) -> Maker:
        """Return the same for a bot of that name."""
        return msgspec.structs.replace(self, name=name)

    def tell(self, text: str) -> None:
        """Say what is being made."""
        self.notice(f"{self.name}: {text}")

    def wait(self) -> None:
        """Let a moment go by; `StoppedError` if it shall not go on."""
        if self.is_stopping():
            raise StoppedError
        sleep(_LOOK_S)

    def run(self, what: str, argv: Sequence[str | Path], folder: Path) -> None:
        """Run a program to its end; raises `UserError` with its last lines if it fails."""
        with tempfile.TemporaryFile() as log:
            try:
                process = subprocess.Popen(
                    argv,
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            except OSError as error:
                raise SurroundingsError(f"{what}: {argv[0]}: {refusal(error)}") from error
            try:
                why = self._wait_for(process)
            finally:
                _kill(process)
            if why:
                raise UserError(f"{self.name}: {what} failed: {why}{_last_lines(log.fileno())}")

    def _wait_for(self, process: subprocess.Popen[bytes]) -> str:
        """Return why it failed, empty if it did not."""
        end_s = monotonic() + PATIENCE_S
        while process.poll() is None:
            if monotonic() > end_s:
                return f"not done within {PATIENCE_S:.0f} s"
            self.wait()
        return f"exit code {process.returncode}" if process.returncode else ""


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _last_lines(log: int) -> str:
    size = os.fstat(log).st_size
    raw = os.pread(log, _LAST_BYTES, max(0, size - _LAST_BYTES))
    lines = visible_lines(raw.decode("utf-8", "replace")).splitlines()[-_LAST_LINES:]
    return "".join(f"\n    {line}" for line in lines)
