"""Taking a bot in: it must start and play one game before it enters the submissions folder."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.errors import ArenaError, UnfitError, UserError
from arena.referee.record import Forfeit, GameId
from arena.runtime.executor import (
    BotSpec,
    Job,
    JobGame,
    JobResult,
    decode_result,
    encode,
    play_job,
    working_folder,
)
from arena.tournament import snapshot
from arena.tournament.config import Config, load_config
from arena.tournament.config.bot_files import NO_ENTRY, is_bot
from arena.tournament.config.entry import BotEntry, entry_at
from arena.tournament.entering import check_open
from arena.tournament.preparing import Maker, prepare
from arena.tournament.snapshot import Snapshot
from arena.tournament.trials import level_of, one_worker

Fit = Callable[[BotSpec, str], None]
"""Looks closer at a bot, at a level of isolation; raises `UnfitError` if it is unfit."""

_TRIAL_BOARD = hashlib.sha256(b"the board of a trial game").digest()
_TRIAL_MS = 1_000
_UNFINISHED = ".unfinished-"
_OLD = "old"


def submit(
    config: Config,
    source: Path,
    notice: Callable[[str], None],
    fit: Fit = lambda _spec, _level: None,
) -> Path:
    """Copy the bot at `source` into the submissions folder of `config`; return where it is now.

    What it needs is made, then it must play one game against itself and be `fit`; `notice` is told
    so. A bot submitted before under the same name is replaced, and enters the next run as a new
    version. Raises `UserError` with the reason if the config has no such folder, the name is not
    allowed or taken, or the tournament is closed, and `UnfitError` if the bot is at fault.
    """
    if config.submissions is None:
        raise UserError(
            f"{config.path} takes no submissions; add a line such as\n  submissions: ../submissions"
        )
    submissions = Path(config.submissions)
    if submissions.is_dir():
        with _locked(submissions):
            pass
        config = load_config(config.path)
    source = source.absolute()
    entry = _entry(config, source)
    target = submissions / (entry.name if source.is_dir() else source.name)
    _check_name(config, target, entry.name)
    check_open(config)
    with working_folder() as folder:
        taken = snapshot.take(source, folder)
        _try(config, entry, taken, notice, fit)
        submissions.mkdir(parents=True, exist_ok=True)
        with _locked(submissions):  # others may have been submitted meanwhile
            _check_name(load_config(config.path), target, entry.name)
            if target.exists():
                notice(f"{entry.name} was submitted before: {_what_follows(target, taken)}")
            _copy_in(taken, target, is_folder=source.is_dir())
    return target


@contextmanager
def _locked(submissions: Path) -> Iterator[None]:
    """Have a submissions folder for oneself, as earlier submissions should have left it."""
    folder = os.open(submissions, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        _put_back(submissions.glob(f"{_UNFINISHED}*"))
        yield
    finally:
        os.close(folder)


def _what_follows(target: Path, taken: Snapshot) -> str:
    with suppress(UserError):  # somebody has put there what a bot may not hold
        if snapshot.hash_of(target) == taken.hash:
            return "just the same, so no new version"
    return "this one takes its place, and enters the next run as a new version"


def _entry(config: Config, source: Path) -> BotEntry:
    if not is_bot(source):
        what = NO_ENTRY if source.is_dir() else "is no Python file"
        why = what if source.exists() else "no such file"
        text = "submit a .py file, or a folder with a bot.py or a bot.yaml"
        raise UserError(f"{source}: {why}; {text}")
    return entry_at(source, config.limits)


def _check_name(config: Config, target: Path, name: str) -> None:
    """Refuse what would be a second bot of one name, or take the place of anything else."""
    for bot in config.bots:
        is_named = bot.name.casefold() == name.casefold()
        is_there = Path(bot.path) == target
        if is_named and not is_there:
            raise UserError(f'"{name}" is already the name of {bot.path}; rename the file')
        if is_there and not is_named:
            raise UserError(f'{target} is already there: the bot "{bot.name}"; rename yours')
    if os.path.lexists(target) and all(Path(bot.path) != target for bot in config.bots):
        raise UserError(f"{target} is already there, and is no bot of the tournament; rename yours")


def _try(
    config: Config, entry: BotEntry, taken: Snapshot, notice: Callable[[str], None], fit: Fit
) -> None:
    """Let the bot play one game against itself under the tournament's limits, then look closer."""
    with one_worker() as executor:
        level = level_of(config, executor)
        bot = prepare(entry, taken, f"{entry.name}@1", Maker(notice, level=level))
        notice(f"{bot.name} plays a trial game against itself")
        trial = encode(_trial(config, bot, level))
        result = decode_result(executor.submit(play_job, trial).result())
    _check_result(bot.name, result)
    fit(bot, level)


def _trial(config: Config, bot: BotSpec, level: str) -> Job:
    game = JobGame(GameId((bot.version, bot.version), 0, 0), _TRIAL_BOARD, (1, 2))
    two = (bot, bot)
    return Job(config.variant, config.options, two, (game,), 1, _TRIAL_MS, isolation=level)


def _check_result(name: str, result: JobResult) -> None:
    if not result.records:
        raise ArenaError("the trial game was void by the arena's fault; run the command again")
    for record in result.records:
        if isinstance(record.end, Forfeit):
            raise UnfitError(_refusal(name, record.end))


def _refusal(name: str, end: Forfeit) -> str:
    what = f"is at fault in its trial game ({end.fault})"
    what = "does not start" if end.fault == "no_start" else what
    return "\n    ".join([f"{name} {what}: {end.detail}", *end.got.splitlines()])


def _copy_in(taken: Snapshot, target: Path, *, is_folder: bool) -> None:
    """Put the very files that were tried in place, at once or not at all."""
    unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=target.parent))
    try:
        copy = Path(shutil.copytree(taken.folder, unfinished / "new"))
        for path in (copy, *copy.rglob("*")):
            path.chmod(path.stat().st_mode | 0o200)
        _put(copy if is_folder else copy / target.name, target, unfinished / _OLD)
    finally:
        # Whatever has come between, a signal too: nothing is removed that is not replaced.
        _put_back((unfinished,))
        snapshot.remove(unfinished)


def _put(new: Path, target: Path, aside: Path) -> None:
    """Put `new` where `target` may be; a folder cannot be replaced and goes `aside` first."""
    if new.is_dir() and target.exists():
        aside.mkdir()
        target.rename(aside / target.name)
    new.replace(target)


def _put_back(unfinished: Iterable[Path]) -> None:
    """Put earlier submissions back that went aside and were not replaced."""
    for folder in unfinished:
        for old in (folder / _OLD).glob("*"):
            target = folder.parent / old.name
            if not target.exists():
                old.rename(target)
