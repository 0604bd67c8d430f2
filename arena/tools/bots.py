"""A bot that a person named by its path, ready to be started outside of a tournament."""

from __future__ import annotations

from pathlib import Path

from arena.errors import UserError
from arena.runtime.executor import BotSpec, Limits
from arena.tools.match import bot_path
from arena.tournament import identity, snapshot
from arena.tournament.config.bot_files import main_file
from arena.tournament.config.entries import NAME_RULE, BotEntry, bot_name, is_bot_name


def bot_at(given: str, folder: Path, limits: Limits | None = None) -> BotSpec:
    """Copy the bot at a path into `folder` and return how it is started; its version is number 1.

    Raises `UserError` if there is no bot, or its file's name is not one for bots.
    """
    path = bot_path(given)
    name = bot_name(path)
    if not is_bot_name(name):
        raise UserError(f'"{name}" is no bot name: {NAME_RULE}; rename the file')
    main = main_file(path) or path.name
    entry = BotEntry(name, str(path), main, None, {}, {}, limits or Limits(), {})
    return identity.bot_spec(entry, snapshot.take(path, folder), f"{name}@1")
