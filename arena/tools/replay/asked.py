"""Which bot a game's decisions are put to, and in whose place."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from arena.errors import UserError
from arena.referee.clock import Limits
from arena.referee.record import GameRecord
from arena.runtime.job import BotSpec
from arena.store.reader import Reader
from arena.store.rows import BotVersion
from arena.text import visible
from arena.tools.match import bot_path
from arena.tools.replay.feeding import Feed
from arena.tools.replay.games import PlayedGame
from arena.tournament import preparing
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


class _Meant(msgspec.Struct, frozen=True):
    """The bot a person named."""

    name: str
    path: str

    def is_of(self, version: BotVersion) -> bool:
        """Whether a version is one of that bot: of its file, or of its name."""
        return (
            _entered(version).path == self.path or self.name.casefold() == version.name.casefold()
        )


def prepare(
    reader: Reader,
    record: GameRecord,
    game: PlayedGame,
    given: str,
    *,
    seat: int | None = None,
    deal: int | None = None,
) -> Feed:
    """Find out which bot is to be asked and in whose place.

    `given` is the path of a bot, or the name of one in the game, which is then asked as it lies
    there now. It gets command, params and env of that bot in these results, known by its path or
    its name, unless it is a folder with a ``bot.yaml`` of its own; without a `seat` it takes its
    own. Raises `UserError` if there is no such bot, or no
    such seat.
    """
    versions = {str(version): version for version in reader.bots()}
    sat = [versions[version] for version in record.id.seats]
    meant = _meant(given, sat)
    taken = _seat(meant, sat) if seat is None else seat
    tournament = reader.tournament()
    assert tournament is not None  # noqa: S101 - a game of it was found
    hashes = {name: version.hash for name, version in versions.items()}
    seeds = Seeds(tournament.secret, match_identity(hashes, record.id.match))
    return Feed(
        game,
        taken,
        _spec(meant, sat[taken], versions.values()),
        seeds.bot(record.id.board, record.id.seating, taken),
        _entered(sat[taken]).limits,
        deal,
    )


def _entered(version: BotVersion) -> _Entered:
    return msgspec.convert(version.spec, _Entered)


def _meant(given: str, sat: Sequence[BotVersion]) -> _Meant:
    """Return the bot at a path, or the one in the game that is called so."""
    path = Path(os.path.abspath(given))  # noqa: PTH100 - keep links as they are
    if not path.exists():
        for version in sat:
            if given.casefold() in (version.name.casefold(), str(version).casefold()):
                return _Meant(version.name, _entered(version).path)
    meant = _Meant(name_of_entry(path, BotKeys(str(path)), read_bot_yaml(path)), str(path))
    has_command = any(_entered(one).command and meant.is_of(one) for one in sat)
    return meant if path.exists() and has_command else _Meant(meant.name, str(bot_path(given)))


def _seat(meant: _Meant, sat: Sequence[BotVersion]) -> int:
    same = [seat for seat, version in enumerate(sat) if meant.is_of(version)]
    if len(same) == 1:
        return same[0]
    seats = ", ".join(f"{seat} {visible(str(version))}" for seat, version in enumerate(sat))
    text = f"in whose place is {visible(meant.name)} to be asked? Add --seat N"
    raise UserError(f"{text}; in this game the seats were {seats}")


def _spec(meant: _Meant, sat: BotVersion, versions: Iterable[BotVersion]) -> BotSpec:
    """Return how it is started: where it lies, so that a debugger shows the author's own files."""
    same = [one for one in versions if meant.is_of(one)]
    best = max(same, key=lambda one: (one == sat, one.current, one.number), default=None)
    path = Path(meant.path)
    entry = entry_at(path, Limits()) if best is None else _known_entry(meant, best)
    folder = path if path.is_dir() else path.parent
    return preparing.prepare(
        entry, Snapshot("", str(folder)), f"{entry.name}@0", Maker(lambda _: None)
    )


def _known_entry(meant: _Meant, best: BotVersion) -> BotEntry:
    """Return a bot as it entered; what another folder says of its own bot goes before."""
    known, path = _entered(best), Path(meant.path)
    own = BotYaml() if known.path == meant.path else read_bot_yaml(path)
    command = known.command if own.command is None else tuple(map(str, own.command))
    params, env = own.params or known.params, own.env or known.env
    main = main_file(path) or path.name
    return BotEntry(best.name, meant.path, main, command, params, env, known.limits, {})
