"""``bot.yaml``: what a bot's own folder says of it, so that nobody who takes it in has to.

It says how the bot is run and what it is called, but nothing of limits: these are the tournament's.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import UnsetType

from arena.errors import ConfigError, UserError
from arena.text import visible
from arena.tournament.config.bot_files import BOT_YAML, FOLDER_ENTRY
from arena.tournament.config.document import Document, KeyPath, KeyPlace
from arena.tournament.config.keys import BotKeys, Command, Env, Params
from arena.tournament.config.mappings import Doc, Each, Keys
from arena.tournament.config.names import NAME_RULE, is_bot_name, nfc
from arena.tournament.config.readers import Text
from arena.tournament.config.yaml_nodes import read_nodes

_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RESERVED_ENV = "ARENA_"
_WHOLE = "delete it, or say how the bot is run: command: [./my_bot]"


class BotYaml(msgspec.Struct, frozen=True):
    """All keys of a ``bot.yaml``."""

    name: Annotated[
        str | None,
        Text("a name"),
        Doc("what the bot is called, as in a config", shown="the folder's name"),
    ] = None
    command: Command = None
    build: Annotated[
        tuple[str | UnsetType, ...] | None,
        Each(Text(is_free=True), "a list of words such as [make, -j2]"),
        Doc("what is run once, in a copy of the folder, before the bot can play", shown="nothing"),
    ] = None
    params: Params = {}
    env: Env = {}


def read_bot_yaml(folder: Path) -> BotYaml:
    """Return what a bot's folder says of it; nothing if there is no such file.

    Raises `ConfigError` with everything that is wrong in it, `UserError` if it cannot be read.
    """
    file = folder / BOT_YAML
    if file.is_symlink():
        raise UserError(f"{visible(str(file))}: is a link; a bot may hold files only")
    if not file.exists():
        return BotYaml()
    try:
        return _read(file, has_main=(folder / FOLDER_ENTRY).is_file())
    except ConfigError as error:
        problems = tuple(problem._replace(file=str(file)) for problem in error.problems)
        raise ConfigError(str(error), problems, error.number) from error


def _read(file: Path, *, has_main: bool) -> BotYaml:
    document, root = read_nodes(file, str(file), whole=_WHOLE)
    found = Keys(BotYaml).read(root, KeyPlace(document, ()))
    if not isinstance(found, BotYaml):
        raise document.error()
    check_bot(found, (), document)
    if found.build is not None and found.build[:1] in ((), ("",)):
        document.report_value(("build",), "is empty; give the words of a command, or leave it out")
    if not has_main and not document.has(("command",)):
        text = f"is missing, and there is no {FOLDER_ENTRY}; say how the bot is run"
        document.report_key(("command",), text)
    document.check()
    return found


def check_bot(given: BotKeys | BotYaml, key: KeyPath, document: Document) -> None:
    """Report what is wrong with what is said of a bot below `key`, whatever files there are."""
    if given.name is not None and not is_bot_name(nfc(given.name)):
        document.report_value((*key, "name"), f'"{given.name}" is no bot name: {NAME_RULE}')
    if given.command is not None and given.command[:1] in ((), ("",)):
        document.report_value((*key, "command"), "is empty; give the words of a command")
    for name in given.env:
        at = (*key, "env", name)
        if not _ENV_NAME.fullmatch(name):
            rule = "it may hold A to Z, a to z, 0 to 9 and _, but no digit first"
            document.report_key(at, f"is no name of an environment variable: {rule}")
        elif name.startswith(_RESERVED_ENV):
            document.report_key(at, f"names with {_RESERVED_ENV} belong to the arena")
