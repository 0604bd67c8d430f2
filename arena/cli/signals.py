"""What signals do to a run: those that end a program ask it to stop, Ctrl-Z clears the terminal."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from arena.report.progress.views import View
    from arena.tournament.stopping import Stopping

SIGNAL_BASE = 128
"""What is added to a signal's number to say in an exit code that it ended the command."""
_Handler = Callable[[int, FrameType | None], None]
_ENDING = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def asked_by_signals(stopping: Stopping) -> Iterator[None]:
    """Let the signals that end a program ask for a stop instead."""

    def ask(number: int, _: FrameType | None) -> None:
        stopping.request(number)

    with _handled(dict.fromkeys((*_ENDING, *_unless_ignored(signal.SIGHUP)), ask)):
        yield


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let the signals that end a program end it tidily: what it made for itself is removed."""

    def end(number: int, _: FrameType | None) -> NoReturn:
        raise click.exceptions.Exit(SIGNAL_BASE + number)

    with _handled(dict.fromkeys((*_ENDING, *_unless_ignored(signal.SIGHUP)), end)):
        yield


@contextmanager
def put_away_by_signals(view: View) -> Iterator[None]:
    """Leave the terminal clean while Ctrl-Z has stopped the run."""

    def give_way(number: int, _: FrameType | None) -> None:
        with view.put_away(), _handled({signal.Signals(number): signal.SIG_DFL}):
            signal.raise_signal(number)  # goes on with the next line when the shell says `fg`

    with _handled(dict.fromkeys(_unless_ignored(signal.SIGTSTP), give_way)):
        yield


def _unless_ignored(number: signal.Signals) -> tuple[signal.Signals, ...]:
    """Leave a signal alone that is to be ignored, as SIGHUP under nohup."""
    return () if signal.getsignal(number) == signal.SIG_IGN else (number,)


@contextmanager
def _handled(handlers: Mapping[signal.Signals, _Handler | signal.Handlers]) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
