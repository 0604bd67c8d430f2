"""A bot that a person named by its path, ready to be started outside of a tournament."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arena.runtime.executor import BotSpec, Limits
from arena.tools.match import bot_path
from arena.tournament import snapshot, trials
from arena.tournament.config import Config
from arena.tournament.config.entry import entry_at
from arena.tournament.preparing import Maker, prepare

DEFAULT_LEVEL = "process"
"""Of isolation: as in a tournament whose config does not say."""


def level_of(config: Config) -> str:
    """Return the level of isolation at which bots of a tournament are started outside of it.

    It is that of the tournament's own runs. Only ``auto`` has to be looked for, as `arena submit`
    does: whether a level holds that was chosen, the runs look themselves. Raises
    `SurroundingsError` if no level holds here.
    """
    if config.isolation != "auto":
        return config.isolation
    with trials.one_worker() as executor:
        return trials.level_of(config, executor)


def bot_at(
    given: str,
    folder: Path,
    limits: Limits,
    *,
    level: str,
    notice: Callable[[str], None] = lambda _: None,
) -> BotSpec:
    """Copy the bot at a path into `folder` and return how it is started; its version is number 1.

    What it needs is made, at a level of isolation, and `notice` is told so. Raises `UserError` if
    there is no bot, its file's name is not one for bots, its `bot.yaml` is not right or what it
    needs cannot be made.
    """
    path = bot_path(given)
    entry = entry_at(path, limits)
    maker = Maker(notice, level=level)
    return prepare(entry, snapshot.take(path, folder), f"{entry.name}@1", maker)
