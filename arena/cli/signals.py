"""What signals do to a run: those that end a program ask it to stop, Ctrl-Z clears the terminal.

A signal that whoever started the program lets it ignore stays ignored, as SIGHUP under nohup, or
SIGINT in a job that a script has put into the background.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from arena.report.progress.displays import Display
    from arena.tournament.stopping import Stopping

SIGNAL_BASE = 128
"""What is added to a signal's number to say in an exit code that it ended the command."""
_Handler = Callable[[int, FrameType | None], None]
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def asked_by_signals(stopping: Stopping) -> Iterator[None]:
    """Let the signals that end a program ask for a stop instead; the third ends it at once.

    For whoever asks when no game is running, which the first two are about.
    """

    def ask(number: int, frame: FrameType | None) -> None:
        if stopping.at_once:
            _end(number, frame)
        stopping.request(number)

    with _handled(dict.fromkeys(_ENDING, ask)):
        yield


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let the signals that end a program end it tidily: what it made for itself is removed."""
    with _handled(dict.fromkeys(_ENDING, _end)):
        yield


@contextmanager
def put_away_by_signals(display: Display) -> Iterator[None]:
    """Leave the terminal clean while Ctrl-Z has stopped the run."""

    def give_way(number: int, _: FrameType | None) -> None:
        with display.put_away(), _handled({signal.Signals(number): signal.SIG_DFL}):
            signal.raise_signal(number)  # goes on with the next line when the shell says `fg`

    with _handled({signal.SIGTSTP: give_way}):
        yield


def _end(number: int, _: FrameType | None) -> NoReturn:
    """End the program wherever it is; nothing that takes in errors may take this for one."""
    raise SystemExit(SIGNAL_BASE + number)


@contextmanager
def _handled(handlers: Mapping[signal.Signals, _Handler | signal.Handlers]) -> Iterator[None]:
    before = {
        number: signal.signal(number, handler)
        for number, handler in handlers.items()
        if signal.getsignal(number) != signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
