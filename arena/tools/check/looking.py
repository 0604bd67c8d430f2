"""All checks of one bot, one after the other, and what they come to."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from arena.referee.fault import Fault
from arena.runtime.asking import Answer, AskedBot, asked_bots
from arena.runtime.folders import working_folder
from arena.runtime.job import BotSpec
from arena.text import count, visible, visible_lines
from arena.tools.bots import bot_at
from arena.tools.check import ending, measuring
from arena.tools.check.asked import Asked, Game
from arena.tools.check.codes import CODES
from arena.tools.check.conversation import Conversation, Said, Until
from arena.tools.check.findings import Checked, CheckName, Finding, Looked, Outcome, Times
from arena.tools.check.judging import Judge
from arena.tools.check.playing import (
    Played,
    ask_again,
    first_difference,
    play_games,
    play_together,
    put_positions,
)
from arena.tools.check.setting import Part, Setting
from arena.tournament.config.names import in_place_of_modules
from arena.tournament.preparing import Maker, prepare
from arena.tournament.snapshot import take

_SHOWN_LINES = 3
_SHOWN_CHARACTERS = 300
_FEWEST_TABLES = 2


class Bots(NamedTuple):
    """The same bot three times, each with a process of its own."""

    main: AskedBot
    quiet: AskedBot
    """Of which only stdout is kept."""
    child: AskedBot
    """Whose parent is not the arena."""


def check(given: str, setting: Setting, notice: Callable[[str], None] = lambda _: None) -> Checked:
    """Check a bot, given by its path or, if the setting knows it, by its name.

    `notice` is told when something is made for it first. Raises `UserError` if there is no bot or
    that fails, `SurroundingsError` if the machine does not let it be started at all.
    """
    with working_folder() as folder:
        entry = setting.entries.get(given)
        if entry is None:
            spec = bot_at(given, folder, setting.limits, level=setting.level, notice=notice)
        else:
            taken = take(Path(entry.path), folder)
            spec = prepare(entry, taken, f"{entry.name}@1", Maker(notice, level=setting.level))
        return check_started(spec, given, setting)


def check_started(spec: BotSpec, given: str, setting: Setting) -> Checked:
    """Check a bot that is ready to be started; `given` is how a person named it."""
    with _started(spec, setting) as bots:
        return Looking(bots, given, spec, setting).look()


@contextmanager
def _started(spec: BotSpec, setting: Setting) -> Iterator[Bots]:
    specs = (spec, ending.with_only_stdout(spec), ending.as_a_child(spec))
    with asked_bots(
        specs, level=setting.level, clock_ns=time.monotonic_ns, may_ponder=True
    ) as bots:
        yield Bots(*bots)


class Looking:
    """A bot while it is checked."""

    def __init__(self, bots: Bots, given: str, spec: BotSpec, setting: Setting) -> None:
        """Begin before it is started; `given` is how a person named it."""
        self._bots = bots
        self._given = given
        self._folder = Path(spec.folder)
        self._limits = spec.limits
        self._setting = setting
        self._talk = Conversation(bots.main, spec.limits.move_ms)
        self._judge = Judge(self._talk, self._reproduce)
        self._looked: list[Looked] = []
        self._findings: dict[str, Finding] = {}
        """By code: what is found again in a later check is counted."""
        self._runs: list[tuple[Said, ...]] = []
        """What was asked one by one, each time beginning with a fresh process."""
        self._decisions = 0
        self._games = 0

    def look(self) -> Checked:
        """Make all checks."""
        forsaken = ending.Forsaken(self._bots.child) if "ends" in self._setting.parts else None
        begun = time.monotonic()
        fault = self._talk.begin()
        if fault is not None:
            self._cannot_start(fault)
            return self._checked(None)
        start_ms = round((time.monotonic() - begun) * 1000)
        self._note("starts", f"{start_ms} ms", ())
        if {"positions", "repeat"}.intersection(self._setting.parts):
            self._put_positions()
        if {"games", "tables", "repeat"}.intersection(self._setting.parts):
            self._play()
        self._measure()
        if "repeat" in self._setting.parts:
            self._repeat()
        if forsaken is not None:
            self._see_ends(forsaken)
        return self._checked(start_ms)

    def _checked(self, start_ms: int | None) -> Checked:
        return Checked(
            self._given,
            tuple(self._looked),
            tuple(self._findings.values()),
            start_ms,
            None if start_ms is None else self._bots.main.max_tables,
            self._games,
            self._decisions,
            self._times(),
            self._bots.main.most_memory_bytes,
        )

    # what is told

    def _note(self, check: CheckName, text: str, findings: Sequence[Finding]) -> None:
        """Take note of what came of a check."""
        outcome: Outcome = "ok"
        if findings:
            is_wrong = any(one.severity == "failure" for one in findings)
            outcome = "failure" if is_wrong else "warning"
            text = f"{text}: {', '.join(one.code for one in findings)}"
        self._looked.append(Looked(check, outcome, text))
        for one in findings:
            before = self._findings.get(one.code)
            times = one.times + (0 if before is None else before.times)
            self._findings[one.code] = replace(before or one, times=times)

    def _reproduce(self, check: CheckName, asked: Asked | None) -> str:
        return self._setting.reproduce(self._given, check, asked)

    def _warn(
        self, check: CheckName, code: str, expected: str, got: str, asked: Asked | None = None
    ) -> Finding:
        """Return a finding that says nothing beyond its code, what was expected and what came."""
        return Finding(
            code,
            CODES[code].severity,
            CODES[code].title,
            check,
            "" if asked is None else asked.where,
            "",
            visible(expected),
            visible_lines(got),
            1,
            self._reproduce(check, None),
        )

    # the checks

    def _cannot_start(self, fault: Fault) -> None:
        expected = f"ready within {self._limits.start_ms} ms"
        found = self._warn("starts", "A301", expected, fault.got)
        text = "; ".join([fault.detail, *_suspected(self._folder, fault.got)])
        self._note("starts", fault.detail, [replace(found, text=text)])

    def _put_positions(self) -> None:
        numbered = self._setting.positions()
        played = put_positions(self._talk, numbered, self._until("positions"))
        self._take("positions", _gone_through(played, len(numbered), "position"), played)

    def _play(self) -> None:
        """Play games one by one, then many at once, and compare."""
        games = self._setting.games()
        self._talk.begin()
        alone = play_games(self._talk, games, self._until("games"))
        self._games = alone.games
        told = _gone_through(alone, len(games), "game")
        self._take("games", f"{told}, {count(len(alone.said), 'decision')}", alone)
        if "tables" in self._setting.parts:
            self._play_together(games, alone)

    def _play_together(self, games: Sequence[Game], alone: Played) -> None:
        slow = measuring.most_tables(self._times(), self._limits)
        most = min(self._bots.main.max_tables, len(games), slow)
        if most < _FEWEST_TABLES:
            why = "too slow for several" if slow < _FEWEST_TABLES else "one at a time"
            self._looked.append(Looked("tables", "skipped", why))
            return
        self._talk.begin()
        together = play_together(self._talk, games, most, self._until("tables"))
        told = f"{_gone_through(together, len(games), 'game')}, up to {most} at once"
        also = () if together.misdeeds else self._differences(alone, together)
        self._take("tables", told, together, also)

    def _take(self, check: Part, told: str, played: Played, also: Sequence[Finding] = ()) -> None:
        """Take in what came of a check, and judge it."""
        self._decisions += sum(isinstance(one.answer, Answer) for one in played.said)
        if check != "tables":
            self._runs.append(played.said)
        if check in self._setting.parts:
            self._note(
                check,
                told,
                [*self._judge.findings(check, played.misdeeds, self._until(check)), *also],
            )

    def _differences(self, alone: Played, together: Played) -> Sequence[Finding]:
        """See whether games went otherwise beside others, and always go the same way alone."""
        found = first_difference(alone.said, together.said)
        if found is None:
            return []
        self._talk.begin()
        if first_difference(alone.said, ask_again(self._talk, alone.said, self._until("tables"))):
            return []
        one, other = found
        return [self._warn("tables", "A203", one.action, other.action, one.asked)]

    def _measure(self) -> None:
        limits, measured = self._limits, self._times()
        memory_bytes = self._bots.main.most_memory_bytes
        near = [
            self._warn(check, code, expected, got)
            for check, code, expected, got in measuring.near_limits(measured, memory_bytes, limits)
        ]
        if measured is not None:
            told = measuring.show_times(measured, limits)
            self._note("time", told, [one for one in near if one.check == "time"])
        told = measuring.show_memory(memory_bytes, limits)
        self._note("memory", told, [one for one in near if one.check == "memory"])

    def _times(self) -> Times | None:
        return measuring.times(chain.from_iterable(self._runs))

    def _repeat(self) -> None:
        """Ask all once more, in processes whose stdout is listened to."""
        quiet = Conversation(self._bots.quiet, self._limits.move_ms)
        asked, printed, findings = 0, "", []
        for said in self._runs:
            if quiet.begin() is not None:
                self._looked.append(Looked("repeat", "skipped", "it does not start from a shell"))
                return
            again = ask_again(quiet, said, self._until("repeat"))
            asked += len(again)
            found = first_difference(said, again)
            if found is not None:
                one, other = found
                findings.append(self._warn("repeat", "A202", one.action, other.action, one.asked))
            ending.leaves(quiet.bot)
            printed += quiet.bot.printed
        self._decisions += asked
        self._note("repeat", f"{count(asked, 'decision')} once more", findings)
        self._hear(printed)

    def _hear(self, printed: str) -> None:
        """Judge what was printed to stdout from the start to the end."""
        shown = "\n".join(printed.splitlines()[:_SHOWN_LINES])[:_SHOWN_CHARACTERS]
        found = self._warn("output", "A201", "nothing on stdout", shown)
        is_quiet = not printed.strip()
        told = "nothing on stdout" if is_quiet else count(len(printed), "character") + " on stdout"
        self._note("output", told, [] if is_quiet else [found])

    def _see_ends(self, forsaken: ending.Forsaken) -> None:
        """See whether it ends at the farewell and when nobody is there to say it."""
        findings = []
        if not ending.leaves(self._bots.main):
            expected = f"its end within {ending.TO_LEAVE_S} s"
            findings.append(self._warn("ends", "A204", expected, "it is still there"))
        told = "at bye"
        if forsaken.was_there:
            told += ", and when the arena has gone"
            if forsaken.lives_on():
                expected = f"its end within {ending.TO_NOTICE_S} s"
                findings.append(self._warn("ends", "A205", expected, "it is still there"))
        elif not findings:
            unseen = "it does not start from a shell, so not seen when the arena has gone"
            self._looked.append(Looked("ends", "skipped", f"{told}; {unseen}"))
            return
        self._note("ends", told, findings)

    def _until(self, check: Part) -> Until:
        setting = self._setting
        return Until(setting.positions_s if check == "positions" else setting.patience_s)


def _gone_through(played: Played, of: int, what: str) -> str:
    """Say how many there were, and of how many if not all."""
    if not played.is_cut:
        return count(played.games, what)
    return f"only {played.games} of {count(of, what)}"


def _suspected(folder: Path, printed: str) -> Iterator[str]:
    """Yield what in the bot's folder has a name that keeps Python from what a traceback names."""
    for name, path in in_place_of_modules(folder):
        if re.search(rf"\b{name}\b(?!/)", printed):
            yield f"{path.name} is imported in place of the module {name}: rename it"
