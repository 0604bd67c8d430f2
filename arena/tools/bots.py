"""A bot that a person named by its path, ready to be started outside of a tournament."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arena.runtime.executor import BotSpec, Limits
from arena.tools.match import bot_path
from arena.tournament import snapshot
from arena.tournament.config.entry import entry_at
from arena.tournament.preparing import Maker, prepare


def bot_at(
    given: str,
    folder: Path,
    limits: Limits | None = None,
    notice: Callable[[str], None] = lambda _: None,
    level: str = "process",
) -> BotSpec:
    """Copy the bot at a path into `folder` and return how it is started; its version is number 1.

    What it needs is made, at a level of isolation, and `notice` is told so. Raises `UserError` if
    there is no bot, its file's name is not one for bots, its `bot.yaml` is not right or what it
    needs cannot be made.
    """
    path = bot_path(given)
    entry = entry_at(path, limits or Limits())
    maker = Maker(notice, level=level)
    return prepare(entry, snapshot.take(path, folder), f"{entry.name}@1", maker)
