"""One run of a tournament as its command shows it: who is told, what stops it, how it ends.

Loads all that a run needs before its first game: import it late.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from arena.cli.configs import plan, size
from arena.cli.output import Output, close_stdout, code_of, shown
from arena.cli.signals import SIGNAL_BASE, asked_by_signals, put_away_by_signals
from arena.cli.tables import show_remarks, show_standings
from arena.referee.record import name_of
from arena.report.progress.displays import Display, PlainDisplay
from arena.report.progress.events import SCHEMA, RunningBot, RunStarted
from arena.report.progress.live import LiveDisplay
from arena.report.progress.log import FILE_NAME, RunLog
from arena.report.progress.stream import EventStream
from arena.report.progress.told import Interim, Telling
from arena.report.standings import Standings
from arena.runtime.executor import LocalExecutor, cores
from arena.store.store import Store
from arena.text import count
from arena.tournament.config import Config
from arena.tournament.entering import Field, enter
from arena.tournament.identity import commitment
from arena.tournament.runner import LOGS, Runner, RunResult
from arena.tournament.stopping import Stopping

_FOUND = 1
_CANNOT_DRAW = ("", "dumb", "unknown")


class Run:
    """A run of one tournament, from its first line to its last."""

    def __init__(
        self,
        config: Config,
        output: Output,
        *,
        as_json: bool = False,
        show: Callable[[Standings], None] | None = None,
    ) -> None:
        """Find out how to show it; nothing is started yet.

        `as_json`: print events. `show` shows the final standings in place of the table.
        """
        self._config = config
        self._output = output
        self._workers = config.run.workers or len(cores())
        self._stopping = Stopping()
        self._display = choose_display(output, self._replayed_by(), as_json=as_json)
        self._log = RunLog(Path(config.results) / FILE_NAME, self._display.notice)
        self._as_json = as_json
        self._show = show
        self._stream: EventStream | None = None

    def _replayed_by(self) -> Callable[[str], str] | None:
        """Return what makes the command that replays a game, if games are kept for that."""
        if self._config.records == "results":
            return None
        config = shown(Path(self._config.path))
        return lambda game: self._output.command("replay", config, game)

    def play(self, again: str) -> int:
        """Play what is left and print the table; return the exit code.

        `again` is the command that goes on. Raises what ends a run (`Runner.run`), and an
        `OSError` if the events that were asked for could not be printed.
        """
        with asked_by_signals(self._stopping), Store.open(Path(self._config.results)) as store:
            field = enter(self._config, store)
            if self._as_json:
                self._stream = EventStream(
                    sys.stdout.buffer,
                    _start(self._config, field, self._workers),
                    self._lose_stream,
                )
            telling = self._telling(store)
            with self._display, put_away_by_signals(self._display):
                try:
                    result, standings = self._play(field, store, telling)
                    code = self._code(result, standings)
                except SystemExit as end:  # by a signal
                    telling.ended(code=code_of(end), signal=_name(self._stopping.signal))
                    raise
                except BaseException as error:
                    telling.ended(error=str(error), code=code_of(error))
                    raise
                complete = standings is not None and standings.progress.complete is True
                telling.ended(code=code, complete=complete, signal=_name(_cut_off_by(result)))
        self._show_end(result, standings, again)
        lost = self._lost(result)
        if lost is not None:
            raise lost
        return code

    def _lose_stream(self) -> None:
        """Ask for a stop, unless what ended the reader has asked already, as Ctrl-C does both."""
        close_stdout()
        if self._stopping.signal is None:
            self._stopping.request(signal.SIGPIPE)

    def _lost(self, result: RunResult) -> OSError | None:
        """Return why nobody could be told of events, unless the run was ended by something else."""
        ended_by = _cut_off_by(result)
        is_other = ended_by not in (None, signal.SIGPIPE)
        return None if self._stream is None or is_other else self._stream.error

    def _telling(self, store: Store) -> Telling:
        logs = [self._log]
        if self._output.log_file is not None:
            logs.append(RunLog(Path(self._output.log_file), self._display.notice))
        listeners = [self._display, *logs, *([self._stream] if self._stream is not None else ())]
        wanted = self._as_json or isinstance(self._display, LiveDisplay)
        interim = Interim(lambda: _standings(self._config, store)) if wanted else None
        return Telling(listeners, logs=Path(self._config.results) / LOGS, interim=interim)

    def _play(
        self, field: Field, store: Store, telling: Telling
    ) -> tuple[RunResult, Standings | None]:
        """Return how the run ended and how the bots stand, if anybody wants to know."""
        config = self._config
        telling.notice(f"{config.name}: {plan(config)}, {count(self._workers, 'worker')}")
        telling.notice(f"cards committed: {commitment(field.tournament.secret)}")
        for change in field.changes:
            telling.notice(change)
        if self._workers > len(cores()):
            telling.notice(_crowded(self._workers, len(cores())))
        with LocalExecutor(self._workers) as executor:
            result = Runner(
                config,
                field,
                store,
                executor,
                workers=self._workers,
                cores=None if config.run.workers else len(cores()),
                listener=telling,
                stopping=self._stopping,
            ).run()
        if _cut_off_by(result) is not None and self._stream is None:
            return result, None
        standings = _standings(config, store)
        if self._stream is not None:
            self._stream.ranked(standings)
        return result, standings

    def _code(self, result: RunResult, standings: Standings | None) -> int:
        lost = self._lost(result)
        if lost is not None:
            return code_of(lost)
        ended_by = _cut_off_by(result)
        if ended_by is not None or standings is None:
            return SIGNAL_BASE + (ended_by or 0)
        absent = any(tally.withdrawn is not None for tally in standings.tallies)
        return _FOUND if absent or standings.progress.void else 0

    def _show_end(self, result: RunResult, standings: Standings | None, again: str) -> None:
        """Print the table, or how to go on, and where everything is."""
        if _cut_off_by(result) is not None or standings is None:
            self._output.notice(f"saved, {result.settled} of {result.total} games.")
            self._output.notice(f"To continue:  {again}")
            return
        if self._show is not None:
            self._show(standings)
            return
        if self._as_json:
            show_remarks(standings, self._output)
        else:
            show_standings(standings, self._output)
        if result.out_of_time:
            self._output.notice(f"stop.after is over, {result.settled} of {result.total} games.")
            self._output.notice(f"To continue:  {again}")
        if not self._log.is_troubled:
            self._output.notice(f"log: {shown(Path(self._config.results) / FILE_NAME)}")
        self._output.notice(f"results: {shown(Path(self._config.results))}")


def choose_display(
    output: Output, replayed_by: Callable[[str], str] | None = None, *, as_json: bool
) -> Display:
    """Choose the drawn display where a terminal can draw and no events are printed on it."""
    can_draw = sys.stderr.isatty() and os.environ.get("TERM", "").lower() not in _CANNOT_DRAW
    if output.quiet or not can_draw or (as_json and sys.stdout.isatty()):
        return PlainDisplay(output.notice, replayed_by=replayed_by)
    return LiveDisplay(sys.stderr, colored=output.colored, replayed_by=replayed_by)


def _start(config: Config, field: Field, workers: int) -> RunStarted:
    matches, _ = size(config)
    return RunStarted(
        schema=SCHEMA,
        tournament=config.name,
        config=config.path,
        variant=config.variant,
        options=config.options,
        bots=tuple(RunningBot(name_of(version), version) for version in field.specs),
        matches=matches,
        boards=config.boards,
        workers=workers,
        commitment=commitment(field.tournament.secret),
    )


def _crowded(workers: int, cores: int) -> str:
    """Warn that bots wait for each other's cores while their clocks run."""
    return (
        f"{count(workers, 'worker')} on {count(cores, 'core')} (run.workers): bots wait for each"
        " other while their clocks run, so do not trust timeouts and times"
    )


def _standings(config: Config, store: Store) -> Standings:
    """Return how the bots stand now; the first time it takes a while to load what rates them."""
    from arena.tools.rankings import current_standings

    return current_standings(config, store)


def _cut_off_by(result: RunResult) -> int | None:
    """Return the signal that kept a run from settling all; one that came too late did nothing."""
    return result.signal if result.settled < result.total else None


def _name(number: int | None) -> str | None:
    return None if number is None else signal.Signals(number).name
