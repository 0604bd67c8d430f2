"""Which bots take part: from paths, globs and the submissions folder to named entries.

Looks at files, but does not read what is in them.
"""

from __future__ import annotations

import glob
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
from arena.text import closest
from arena.tournament.document import Document, KeyPath
from arena.tournament.keys import BotKeys, ConfigKeys

FOLDER_ENTRY = "bot.py"
"""What is run in a folder that has no command of its own."""

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
        self._base = base
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
                    for path in self._expand(given, key):
                        self._enter(BotKeys(str(path)), path, key)
                elif given is not UNSET:
                    self._read_long(given, key)
        with self._reporting(("submissions",)):
            for path in self._submitted(keys.submissions):
                self._enter(BotKeys(str(path)), path, ("submissions",))
        return tuple(entry for entry, _ in self._taken.values())

    @contextmanager
    def _reporting(self, key: KeyPath) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._document.report_value(key, f"cannot be read: {error.strerror}")

    def _read_long(self, given: BotKeys, key: KeyPath) -> None:
        if given.path is UNSET:
            return
        path = self._absolute(given.path)
        problem = _file_problem(path, given)
        if problem:
            self._document.report_value((*key, "path"), problem)
        self._enter(given, path, key)

    def _expand(self, given: str, key: KeyPath) -> Iterator[Path]:
        """Return the file of a short form, or all bots that its glob matches."""
        path = self._absolute(given)
        if not glob.has_magic(given) or path.exists():
            problem = _file_problem(path, None)
            if problem:
                self._document.report_value(key, problem)
            yield path
            return
        matched = glob.glob(given, root_dir=self._base, recursive=True)  # noqa: PTH207 - no root_dir
        found = sorted(path for path in map(self._absolute, matched) if _is_bot_file(path))
        if not found:
            self._document.report_value(key, "matches no Python or executable file")
        yield from found

    def _submitted(self, given: str | None) -> Iterator[Path]:
        """Return the bots in the submissions folder; one that does not exist yet is empty."""
        if given is None:
            return
        folder = self._absolute(given)
        if folder.is_dir():
            yield from (path for path in _list(folder) if _is_submission(path))
        elif os.path.lexists(folder):
            self._document.report_value(("submissions",), "is no folder")

    def _absolute(self, given: str) -> Path:
        return Path(os.path.abspath(self._base / given))  # noqa: PTH100 - keep links as they are

    def _enter(self, given: BotKeys, path: Path, key: KeyPath) -> None:
        """Check a bot's name and take it in."""
        named = given.name is not None
        name = bot_name(path) if given.name is None else nfc(given.name)
        at = (*key, "name") if named else key
        if not is_text(path):
            self._document.report_value(key, "leads to a path that is not UTF-8 text")
            return
        if not is_bot_name(name):
            if not named:
                hint = "; give it one: {name: ..., path: ...}"
                self._document.report_value(at, f'"{name}" is no bot name: {NAME_RULE}{hint}')
            return
        other = self._taken.get(name.casefold())
        if other is not None:
            self._document.report_value(at, self._clash(name, *other))
            return
        own = given.limits.given()
        entry = BotEntry(
            name,
            str(path),
            main_file(path) or path.name,
            tuple(str(word) for word in given.command) if given.command else None,
            given.params,
            given.env,
            msgspec.structs.replace(self._limits, **own),
            own,
        )
        self._taken[name.casefold()] = entry, key

    def _clash(self, name: str, other: BotEntry, key: KeyPath) -> str:
        place = f"{Path(other.path).name}, {self._document.show(key)}"
        if name == other.name:
            return f'"{name}" is already the name of {place}'
        return f'"{name}" differs only by case from "{other.name}", the name of {place}'


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
            document.report_key(at, "is no name of an environment variable")
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


def main_file(path: Path) -> str | None:
    """Return what is run of a Python bot that is just there: itself, or ``bot.py`` of a folder.

    None: it is neither.
    """
    if path.is_dir():
        return FOLDER_ENTRY if (path / FOLDER_ENTRY).is_file() else None
    return path.name if path.suffix == ".py" and path.is_file() else None


def is_text(path: Path) -> bool:
    """Whether a path can be told to others: files may have names that are no text."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def _file_problem(path: Path, long: BotKeys | None) -> str | None:
    """Say why a bot cannot be what `path` is; `long` is its long form if it has one."""
    has_command = long is not None and long.command is not None
    if path.is_dir():
        if long is None:
            return f"is a folder; write {{path: ...}}, with a command if it has no {FOLDER_ENTRY}"
        if not has_command and main_file(path) is None:
            return f"has no {FOLDER_ENTRY}; say how it is run: command: [...]"
    elif not path.exists():
        return _missing(path)
    elif not path.is_file():
        return "is neither a file nor a folder"
    elif not has_command and not _can_run(path):
        return "is neither a Python file nor executable; make it so, or give a command"
    return None


def _missing(path: Path) -> str:
    """Say that there is no such file and, if one is named much like it, which."""
    beside = {other.stem: other.name for other in _list(path.parent)}
    guess = closest(path.stem, beside)
    hint = f'did you mean "{beside[guess]}"?' if guess else "paths are relative to the config"
    return f"no such file; {hint}"


def _list(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _can_run(path: Path) -> bool:
    return main_file(path) is not None or os.access(path, os.X_OK)


def _is_bot_file(path: Path) -> bool:
    return path.name[0] not in "._" and path.is_file() and _can_run(path)


def _is_submission(path: Path) -> bool:
    """Whether a submission is a bot; links could lead out of the folder and are passed over."""
    is_hidden = path.name[0] in "._"
    return not is_hidden and not path.is_symlink() and main_file(path) is not None
