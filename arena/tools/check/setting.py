"""How bots are checked: which parts, with which options and limits."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import Any, Literal, get_args

import msgspec
from msgspec.structs import replace

from arena.errors import UserError
from arena.referee.clock import Limits
from arena.tools.bots import DEFAULT_LEVEL, level_of
from arena.tools.check.asked import Asked, Game, Position, games, option_sets, positions, under
from arena.tools.check.findings import CheckName
from arena.tools.match import bot_path
from arena.tournament.config import BotEntry, load_config

Part = Literal["positions", "games", "tables", "repeat", "ends"]
"""What can be looked at alone; the bot is always started."""
PARTS: tuple[Part, ...] = get_args(Part)
DEFAULT_SEED = "check"
_GAMES_OF_ONE_SET = 6
"""Pairs of games when all have the same options."""


class Setting(msgspec.Struct, frozen=True):
    """How bots are checked."""

    parts: tuple[Part, ...] = PARTS
    options: dict[str, Any] | None = None
    """Only what can be met with these options; None: every option there is."""
    position: int | None = None
    """Only this position is put; from 1."""
    game: int | None = None
    """Only this game is played; from 1."""
    seed: str = DEFAULT_SEED
    """What the games' cards come from."""
    limits: Limits = Limits()
    """Of a bot that is given by its path."""
    entries: dict[str, BotEntry] = {}
    """Bots that can be given by their names."""
    level: str = DEFAULT_LEVEL
    """Of isolation."""
    patience_s: float = 8.0
    """A part is broken off after this..."""
    positions_s: float = 60.0
    """...but positions only after this: there are few, and they show most."""
    command: str = "arena check"
    """What finds something again, with the bot..."""
    again: tuple[str, ...] = ()
    """...and with these options, beside that which says where to look."""

    def require(self, bots: Iterable[str]) -> None:
        """Raise `UserError` unless each of these is a bot that can be checked."""
        for bot in bots:
            if bot not in self.entries:
                bot_path(bot)

    def positions(self) -> list[tuple[int, Position]]:
        """Return the positions with their numbers."""
        numbered = [
            (number, one if self.options is None else under(one, self.options))
            for number, one in enumerate(positions(), 1)
            if self.position in (None, number)
        ]
        return [(number, one) for number, one in numbered if one is not None]

    def games(self) -> list[Game]:
        """Return the games."""
        fixed = None if self.options is None else (self.options,) * _GAMES_OF_ONE_SET
        every = games(fixed or option_sets(), self.seed)
        return [game for game in every if self.game in (None, game.number)]

    def reproduce(self, bot: str, check: CheckName, asked: Asked | None = None) -> str:
        """Return the command that shows a finding again: at one decision, or in a whole check."""
        where: tuple[str, ...] = ()
        if asked is not None and check in {"positions", "games"}:
            kind, _, number = asked.game.partition(" ")
            where = (f"--{kind}", number)
        elif check in PARTS or check == "output":  # which is listened to in that part
            where = ("--only", check if check in PARTS else "repeat")
        return f"{self.command} {shlex.join((bot, *where, *self.again))}"


def wanted(
    *,
    config: str | None,
    part: Part | None,
    position: int | None,
    game: int | None,
    seed: str,
    command: str,
) -> Setting:
    """Return the setting that a person asks for by `command`; None for what was not given.

    Raises `UserError` if there is no such position or game, or the config is wrong, and
    `SurroundingsError` if it wants the strongest level of isolation and none holds here.
    """
    again = () if seed == DEFAULT_SEED else ("--seed", seed)
    parts = _parts(part, position, game)
    setting = Setting(parts, None, position, game, seed, command=command, again=again)
    loaded = None if config is None else load_config(config)
    if loaded is not None:
        setting = replace(
            setting,
            options=loaded.options,
            limits=loaded.limits,
            entries={entry.name: entry for entry in loaded.bots},
            again=("--config", str(config), *again),
        )
    _require("position", position, setting.positions(), len(positions()))
    _require("game", game, setting.games(), len(replace(setting, game=None).games()))
    return setting if loaded is None else replace(setting, level=level_of(loaded))


def _parts(part: Part | None, position: int | None, game: int | None) -> tuple[Part, ...]:
    if position is not None:
        return ("positions",)
    if game is not None:
        return ("games",)
    return PARTS if part is None else (part,)


def _require(what: str, number: int | None, found: Sequence[object], last: int) -> None:
    if number is not None and not found:
        why = "cannot be met in that tournament" if number <= last else f"the last one is {last}"
        raise UserError(f"there is no {what} {number}: {why}")
