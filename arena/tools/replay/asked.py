"""Which bot a game's decisions are put to, in whose place, and where.

A bot that is named by a path is asked in the foreground, where it lies: it is one's own. A
stranger's is isolated as in a run: one of the submissions, and one that is only named, because a
name does not show whose it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from arena.errors import UserError
from arena.referee.clock import Limits
from arena.referee.record import GameRecord
from arena.runtime.job import BotSpec
from arena.store.reader import Reader
from arena.store.rows import BotVersion
from arena.text import visible
from arena.tools.bots import DEFAULT_LEVEL, level_of
from arena.tools.match import bot_path
from arena.tools.replay.feeding import Feed, moments_of
from arena.tools.replay.games import PlayedGame
from arena.tools.replay.told import require_deal
from arena.tournament import preparing, snapshot
from arena.tournament.config import Config
from arena.tournament.config.bot_files import main_file
from arena.tournament.config.bot_yaml import BotYaml, read_bot_yaml
from arena.tournament.config.entry import BotEntry, entry_at, name_of_entry
from arena.tournament.config.keys import BotKeys
from arena.tournament.entering import match_identity
from arena.tournament.identity import Seeds
from arena.tournament.preparing import Maker
from arena.tournament.snapshot import Snapshot


class _Entered(msgspec.Struct, frozen=True):
    """What is kept of how a bot entered (`BotVersion.spec`)."""

    path: str = ""
    command: tuple[str, ...] | None = None
    params: dict[str, Any] = {}
    env: dict[str, str] = {}
    limits: Limits = Limits()


class Strangers:
    """Whose bots are someone else's."""

    def __init__(self, submissions: str | None) -> None:
        """Everybody's below the folder `submissions`, if a config has one."""
        self._folder = None if submissions is None else Path(submissions).resolve()

    def have(self, path: str) -> bool:
        """Whether the bot at a path is a stranger's."""
        return self._folder is not None and Path(path).resolve().is_relative_to(self._folder)


class _Meant(msgspec.Struct, frozen=True):
    """The bot a person named."""

    name: str
    path: str
    is_strange: bool
    """Whether it may be someone else's."""

    def is_of(self, version: BotVersion) -> bool:
        """Whether a version is one of that bot: of its file, or of its name."""
        return (
            _entered(version).path == self.path or self.name.casefold() == version.name.casefold()
        )


def prepare(
    config: Config,
    reader: Reader,
    record: GameRecord,
    game: PlayedGame,
    given: str,
    folder: Path,
    notice: Callable[[str], None],
    *,
    seat: int | None = None,
    deal: int | None = None,
) -> Feed:
    """Find out which bot is to be asked and in whose place, and make what it needs.

    `given` is the path of a bot, or the name of one in the game, which is then asked as it lies
    there now. It gets command, params and env of that bot in these results, known by its path or
    its name, unless it is a folder with a ``bot.yaml`` of its own; without a `seat` it takes its
    own. A stranger's bot is copied into `folder`; `notice` is told what is made. Raises `UserError`
    if there is no such bot, seat or deal, or nothing was decided there, and `SurroundingsError` if
    no level of isolation holds here.
    """
    require_deal(game, deal)
    strangers = Strangers(config.submissions)
    versions = {str(version): version for version in reader.bots()}
    sat = [versions[version] for version in record.id.seats]
    meant = _meant(given, sat, strangers)
    taken = _seat(meant, sat) if seat is None else seat
    if not moments_of(game, taken, deal):
        where = "this game" if deal is None else f"deal {deal}"
        raise UserError(f"{visible(str(sat[taken]))} was asked nothing in {where}")
    tournament = reader.tournament()
    assert tournament is not None  # noqa: S101 - a game of it was found
    hashes = {name: version.hash for name, version in versions.items()}
    seeds = Seeds(tournament.secret, match_identity(hashes, record.id.match))
    level = level_of(config) if meant.is_strange else None
    entry = _entry(meant, sat[taken], versions.values(), strangers)
    return Feed(
        game,
        taken,
        _spec(entry, folder, level, notice),
        seeds.bot(record.id.board, record.id.seating, taken),
        _entered(sat[taken]).limits,
        level,
        deal,
    )


def _entered(version: BotVersion) -> _Entered:
    return msgspec.convert(version.spec, _Entered)


def _meant(given: str, sat: Sequence[BotVersion], strangers: Strangers) -> _Meant:
    """Return the bot at a path, or the one in the game that is called so."""
    path = Path(os.path.abspath(given))  # noqa: PTH100 - keep links as they are
    if not path.exists():
        for version in sat:
            if given.casefold() in (version.name.casefold(), str(version).casefold()):
                return _Meant(version.name, _entered(version).path, is_strange=True)
    name = name_of_entry(path, BotKeys(str(path)), read_bot_yaml(path))
    meant = _Meant(name, str(path), strangers.have(str(path)))
    has_command = any(_entered(one).command and meant.is_of(one) for one in sat)
    return meant if path.exists() and has_command else replace(meant, path=str(bot_path(given)))


def _seat(meant: _Meant, sat: Sequence[BotVersion]) -> int:
    same = [seat for seat, version in enumerate(sat) if meant.is_of(version)]
    if len(same) == 1:
        return same[0]
    seats = ", ".join(f"{seat} {visible(str(version))}" for seat, version in enumerate(sat))
    text = f"in whose place is {visible(meant.name)} to be asked? Add --seat N"
    raise UserError(f"{text}; in this game the seats were {seats}")


def _entry(
    meant: _Meant, sat: BotVersion, versions: Iterable[BotVersion], strangers: Strangers
) -> BotEntry:
    """Return the bot as it lies there now, with what the results know of it."""
    same = [one for one in versions if meant.is_of(one)]
    best = max(same, key=lambda one: (one == sat, one.current, one.number), default=None)
    if best is None:
        return entry_at(Path(meant.path), Limits())
    return _known_entry(meant, best, strangers)


def _known_entry(meant: _Meant, best: BotVersion, strangers: Strangers) -> BotEntry:
    """Return a bot as it entered; what another folder says of its own bot goes before.

    Of a stranger's bot nothing that is run is taken for one that is not.
    """
    known, path = _entered(best), Path(meant.path)
    if strangers.have(known.path) and not meant.is_strange:
        known = replace(known, command=None, env={})
    there = read_bot_yaml(path)
    own = BotYaml() if known.path == meant.path else there
    command = known.command if own.command is None else tuple(map(str, own.command))
    build = None if there.build is None else tuple(map(str, there.build))
    params, env = own.params or known.params, own.env or known.env
    main = main_file(path) or path.name
    return BotEntry(best.name, meant.path, main, command, params, env, known.limits, {}, build)


def _spec(
    entry: BotEntry, folder: Path, level: str | None, notice: Callable[[str], None]
) -> BotSpec:
    """Return how it is started: isolated in a copy; or where it lies, as its author debugs it."""
    path = Path(entry.path)
    lies_in = path if path.is_dir() else path.parent
    taken = Snapshot("", str(lies_in)) if level is None else snapshot.take(path, folder)
    maker = Maker(notice, level=level or DEFAULT_LEVEL)
    return preparing.prepare(entry, taken, f"{entry.name}@0", maker)
