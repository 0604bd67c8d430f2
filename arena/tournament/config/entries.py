"""Which bots take part: from paths, globs and the submissions folder to named entries.

Which files are bots: `bot_files`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import UNSET

from arena.errors import ConfigError, UserError
from arena.runtime.executor import Limits
from arena.tournament.config.bot_files import (
    MOST_MATCHES,
    Finder,
    is_bot_file,
    is_submission,
    is_text,
    listed,
)
from arena.tournament.config.bot_yaml import BotYaml, read_bot_yaml
from arena.tournament.config.document import Document, KeyPath
from arena.tournament.config.entry import BotEntry, make_entry, name_of_entry
from arena.tournament.config.keys import BotKeys, ConfigKeys
from arena.tournament.config.names import NAME_RULE, is_bot_name


class Entries:
    """Collects the entries of one config and reports what is wrong with them."""

    def __init__(self, document: Document, base: Path, limits: Limits) -> None:
        """Paths are relative to the folder `base`; `limits` are the tournament's."""
        self._document = document
        self._finder = Finder(base)
        self._limits = limits
        self._taken: dict[str, tuple[BotEntry, KeyPath]] = {}
        self.errors: list[ConfigError] = []
        """What is wrong in files that bots have of their own."""

    @property
    def origins(self) -> dict[str, int | None]:
        """Return by name which of ``bots`` each bot comes from, None: from the submissions."""
        numbers = ((entry.name, key[1:2]) for entry, key in self._taken.values())
        return {name: int(number[0]) if number else None for name, number in numbers}

    def read(self, keys: ConfigKeys) -> tuple[BotEntry, ...]:
        """Return the bots of the list in its order, then the submissions by name."""
        for number, given in enumerate(keys.bots or ()):
            key = ("bots", number)
            with self._reporting(key):
                if isinstance(given, str):
                    self._read_short(given, key)
                elif given is not UNSET:
                    self._read_long(given, key)
        if keys.submissions is not None:
            with self._reporting(("submissions",)):
                self._read_submissions(keys.submissions)
        return tuple(entry for entry, _ in self._taken.values())

    @contextmanager
    def _reporting(self, key: KeyPath) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._document.report_value(key, f"cannot be read: {error.strerror}")

    def _read_short(self, given: str, key: KeyPath) -> None:
        matched = self._finder.matches(given)
        if matched is None:
            problem = self._finder.short_problem(given)
            self._report(key, problem)
            self._enter(BotKeys(given), self._finder.absolute(given), key, is_right=not problem)
            return
        found = [path for path in matched if is_bot_file(path)]
        if not found or len(matched) > MOST_MATCHES:
            self._report(key, self._finder.glob_problem(given, matched))
        for path in found:
            self._enter(BotKeys(given), path, key, is_right=True)

    def _read_long(self, given: BotKeys, key: KeyPath) -> None:
        if given.path is UNSET:
            return
        has_command = given.command is not None
        problem = self._finder.long_problem(given.path, has_command=has_command)
        self._report((*key, "path"), problem)
        self._enter(given, self._finder.absolute(given.path), key, is_right=not problem)

    def _read_submissions(self, given: str) -> None:
        """Take what is in the submissions folder; one that does not exist yet is empty."""
        key = ("submissions",)
        folder = self._finder.absolute(given)
        if os.path.lexists(folder) and not folder.is_dir():
            self._report(key, "is no folder")
        for path in listed(folder):
            if is_submission(path):
                self._enter(BotKeys(given), path, key, is_right=True)

    def _report(self, key: KeyPath, problem: str | None) -> None:
        if problem is not None:
            self._document.report_value(key, problem)

    def _enter(self, given: BotKeys, path: Path, key: KeyPath, *, is_right: bool) -> None:
        """Check a bot's name and take it in; of a wrong path the name is of no interest."""
        own = self._own_keys(path, key)
        name = name_of_entry(path, given, own)
        at = key if given.name is None else (*key, "name")
        if not is_text(path):
            self._report(key, "leads to a path that is not UTF-8 text")
        elif not is_bot_name(name):
            if given.name is None and is_right:
                rename = _how_to_name(path, key)
                self._report(key, f'"{name}" is no bot name: {NAME_RULE}; {rename}')
        elif name.casefold() in self._taken:
            if given.name is not None or is_right:
                self._report(at, self._clash(name, given, path, key))
        else:
            self._taken[name.casefold()] = make_entry(path, given, own, self._limits), key

    def _own_keys(self, path: Path, key: KeyPath) -> BotYaml:
        """Read what a bot's folder says of it; what is wrong with that is kept for later."""
        try:
            return read_bot_yaml(path)
        except ConfigError as error:
            self.errors.append(error)
        except UserError as error:
            self._report(key, str(error))
        return BotYaml()

    def _clash(self, name: str, given: BotKeys, path: Path, key: KeyPath) -> str:
        other, where = self._taken[name.casefold()]
        place = f"{Path(other.path).name}, {self._document.show(where)}"
        hint = f"; {_how_to_name(path, key)}" if given.name is None else ""
        if name == other.name:
            return f'"{name}" is already the name of {place}{hint}'
        return f'"{name}" differs only by case from "{other.name}", the name of {place}{hint}'


def _how_to_name(path: Path, key: KeyPath) -> str:
    """Say how a bot that is named by its file gets another name."""
    if key == ("submissions",):
        return f"rename {path.name} in that folder"
    return f"rename {path.name}, or give it a name: {{name: ..., path: ...}}"
