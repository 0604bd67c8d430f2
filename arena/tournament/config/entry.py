"""One bot that takes part: what a config, its own folder and its files say of it together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from arena.errors import UserError
from arena.runtime.executor import Limits
from arena.text import visible
from arena.tournament.config.bot_files import main_file
from arena.tournament.config.bot_yaml import BotYaml, read_bot_yaml
from arena.tournament.config.keys import BotKeys
from arena.tournament.config.names import NAME_RULE, bot_name, is_bot_name, nfc


class BotEntry(msgspec.Struct, frozen=True):
    """One bot that takes part."""

    name: str
    path: str
    """Its file or folder, absolute."""
    main: str
    """What is run of it where there is no command: the file itself, or ``bot.py`` of a folder."""
    command: tuple[str, ...] | None
    """The command line, run in its snapshot."""
    params: dict[str, Any]
    env: dict[str, str]
    limits: Limits
    """All its limits, those of the tournament included."""
    own_limits: dict[str, int | None]
    """The limits given for this bot alone, by their names in `Limits`."""
    build: tuple[str, ...] | None = None
    """The command line that makes of its snapshot what plays."""
    command_is_given: bool = False
    """Whether the config says the command, so that a sandbox shows where its program is."""


def name_of_entry(path: Path, given: BotKeys, own: BotYaml) -> str:
    """Return what a bot is called: by the config, by its own folder, or by its path."""
    name = given.name if given.name is not None else own.name
    return bot_name(path) if name is None else nfc(name)


def make_entry(path: Path, given: BotKeys, own: BotYaml, limits: Limits) -> BotEntry:
    """Put together a bot at an absolute path; what the config has `given` goes before its `own`.

    `limits` are the tournament's.
    """
    command = given.command or own.command
    own_limits = given.limits.given()
    return BotEntry(
        name_of_entry(path, given, own),
        str(path),
        main_file(path) or path.name,
        tuple(str(word) for word in command) if command else None,
        given.params or own.params,
        given.env or own.env,
        msgspec.structs.replace(limits, **own_limits),
        own_limits,
        tuple(str(word) for word in own.build) if own.build else None,
        bool(given.command),
    )


def entry_at(path: Path, limits: Limits) -> BotEntry:
    """Return the bot at an absolute path where there is no config, or none that names it.

    Raises `UserError` if its name is none for bots or its ``bot.yaml`` is not right.
    """
    entry = make_entry(path, BotKeys(str(path)), read_bot_yaml(path), limits)
    if not is_bot_name(entry.name):
        raise UserError(visible(f'"{entry.name}" is no bot name: {NAME_RULE}; rename the file'))
    return entry
