"""Which bots take part: from paths, globs and the submissions folder to named entries.

Which files are bots: `bot_files`.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from arena.runtime.executor import Limits
from arena.tournament.config.bot_files import (
    MOST_MATCHES,
    Finder,
    is_bot_file,
    is_submission,
    is_text,
    listed,
    main_file,
)
from arena.tournament.config.document import Document, KeyPath
from arena.tournament.config.keys import BotKeys, ConfigKeys

_NAME_LENGTH = 40
NAME_RULE = (
    f"a bot name has 1 to {_NAME_LENGTH} letters, digits, _ . or -"
    " and begins with a letter or digit"
)
_PUNCTUATION = "_.-"
_INVISIBLE = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]"
)
"""The letters and marks among Unicode's default ignorable code points."""
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RESERVED_ENV = "ARENA_"


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


class Entries:
    """Collects the entries of one config and reports what is wrong with them."""

    def __init__(self, document: Document, base: Path, limits: Limits) -> None:
        """Paths are relative to the folder `base`; `limits` are the tournament's."""
        self._document = document
        self._finder = Finder(base)
        self._limits = limits
        self._taken: dict[str, tuple[BotEntry, KeyPath]] = {}

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
        name = bot_name(path) if given.name is None else nfc(given.name)
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
            self._taken[name.casefold()] = self._entry(name, given, path), key

    def _entry(self, name: str, given: BotKeys, path: Path) -> BotEntry:
        own = given.limits.given()
        return BotEntry(
            name,
            str(path),
            main_file(path) or path.name,
            tuple(str(word) for word in given.command) if given.command else None,
            given.params,
            given.env,
            msgspec.structs.replace(self._limits, **own),
            own,
        )

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


def check_long_forms(keys: ConfigKeys, document: Document) -> None:
    """Report what is wrong with long forms of bots whatever files there are."""
    for number, given in enumerate(keys.bots or ()):
        if isinstance(given, BotKeys):
            _check_long_form(given, ("bots", number), document)


def _check_long_form(given: BotKeys, key: KeyPath, document: Document) -> None:
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


def bot_name(path: Path) -> str:
    """Return the name of a bot that is given none: its file's without ending, or its folder's."""
    return nfc(path.name if path.is_dir() else path.stem)


def nfc(name: str) -> str:
    """Return the one spelling of a name whose letters can be written in several ways."""
    return unicodedata.normalize("NFC", name)


def is_bot_name(text: str) -> bool:
    """Whether `text` may be a bot's name (contracts, 2).

    Marks, which many scripts write vowels with, belong to the letter before them. Letters and
    marks that nobody can see are none: they would make names that look the same.
    """
    may_be_marked = False
    for c in text:
        is_mark = unicodedata.category(c) in ("Mn", "Mc")
        if _INVISIBLE.match(c) or not (may_be_marked if is_mark else _is_plain(c)):
            return False
        may_be_marked = is_mark or c.isalpha()
    return 0 < len(text) <= _NAME_LENGTH and text[0] not in _PUNCTUATION


def _is_plain(char: str) -> bool:
    return char.isalpha() or char.isdecimal() or char in _PUNCTUATION
