"""A bot that a person named by its path, ready to be started outside of a tournament."""

from __future__ import annotations

from pathlib import Path

from arena.runtime.executor import BotSpec, Limits
from arena.tools.match import bot_path
from arena.tournament import identity, snapshot
from arena.tournament.config.entry import entry_at


def bot_at(given: str, folder: Path, limits: Limits | None = None) -> BotSpec:
    """Copy the bot at a path into `folder` and return how it is started; its version is number 1.

    Raises `UserError` if there is no bot, its file's name is not one for bots, or its `bot.yaml` is
    not right.
    """
    path = bot_path(given)
    entry = entry_at(path, limits or Limits())
    return identity.bot_spec(entry, snapshot.take(path, folder), f"{entry.name}@1")
