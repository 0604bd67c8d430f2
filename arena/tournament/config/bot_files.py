"""Files of bots: which of them are bots, and what to say of a path that leads to none.

Looks at files, but does not read what is in them.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from arena.text import closest, count

FOLDER_ENTRY = "bot.py"
"""What is run in a folder that has no command of its own."""

BOT_YAML = "bot.yaml"
"""What a bot's folder says of it."""

NO_ENTRY = f"has no {FOLDER_ENTRY} and no {BOT_YAML}"

MOST_MATCHES = 1_000
"""So many names a glob may match; a tournament has fewer bots by far."""


def main_file(path: Path) -> str | None:
    """Return what is run of a Python bot that is just there: itself, or ``bot.py`` of a folder.

    None: it is neither.
    """
    if path.is_dir():
        return FOLDER_ENTRY if (path / FOLDER_ENTRY).is_file() else None
    return path.name if path.suffix == ".py" and path.is_file() else None


def is_bot(path: Path) -> bool:
    """Whether nothing more has to be said: a Python file, or a folder that tells how it is run."""
    return main_file(path) is not None or (path / BOT_YAML).is_file()


def is_text(path: Path) -> bool:
    """Whether a path can be told to others: files may have names that are no text."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def is_bot_file(path: Path) -> bool:
    """Whether a glob takes a file: one that can be run, unless its name says it is no bot."""
    return path.name[0] not in "._" and path.is_file() and _can_run(path)


def is_submission(path: Path) -> bool:
    """Whether a submission is a bot; links could lead out of the folder and are passed over."""
    is_hidden = path.name[0] in "._"
    return not is_hidden and not path.is_symlink() and is_bot(path)


def listed(folder: Path) -> list[Path]:
    """Return what is in a folder, sorted; nothing if there is no such folder."""
    return sorted(folder.iterdir()) if folder.is_dir() else []


class Finder:
    """Leads from paths as they are written to files, and says why there are none."""

    def __init__(self, base: Path) -> None:
        """Paths are relative to the folder `base`."""
        self._base = base

    def absolute(self, given: str) -> Path:
        """Return where a path leads."""
        return Path(os.path.abspath(self._base / given))  # noqa: PTH100 - keep links as they are

    def matches(self, given: str) -> list[Path] | None:
        """Return what a glob matches, sorted; None if it is just a path.

        It stops beyond `MOST_MATCHES`: whole disks are not walked through.
        """
        if not glob.has_magic(given) or self.absolute(given).exists():
            return None
        found = glob.iglob(given, root_dir=self._base, recursive=True)  # noqa: PTH207 - no root_dir
        return sorted(map(self.absolute, islice(found, MOST_MATCHES + 1)))

    def short_problem(self, given: str) -> str | None:
        """Say why a path alone cannot stand for a bot; None: it can."""
        path = self.absolute(given)
        if path.is_dir():
            command = "" if is_bot(path) else ", command: [...]"
            return f"is a folder; write {{path: {given}{command}}}"
        if path.is_file() and not _can_run(path):
            long = f"{{path: {given}, command: [...]}}"
            return f"is neither a Python file nor executable; make it so, or write {long}"
        return self._no_file(given, path)

    def long_problem(self, given: str, *, has_command: bool) -> str | None:
        """Say why a path cannot be that of a bot; None: it can."""
        path = self.absolute(given)
        if path.is_dir():
            is_right = has_command or is_bot(path)
            return None if is_right else f"{NO_ENTRY}; say how it is run: command: [...]"
        if path.is_file() and not has_command and not _can_run(path):
            return "is neither a Python file nor executable; make it so, or give a command"
        return self._no_file(given, path)

    def glob_problem(self, given: str, matched: Sequence[Path]) -> str:
        """Say why a glob has found no bots that could be taken."""
        if len(matched) > MOST_MATCHES:
            return f"matches more than {MOST_MATCHES} names; say more narrowly which"
        if matched:
            kinds = "Python and executable files, but none whose name begins with _ or ."
            return f"matches {count(len(matched), 'name')}, but no bot: globs take {kinds}"
        parts = Path(given).parts
        plain = next(number for number, part in enumerate(parts) if glob.has_magic(part))
        folder = str(Path(*parts[:plain])) if plain else ""
        return f"matches nothing{self._no_folder(self.absolute(folder)) or ''}"

    def _no_file(self, given: str, path: Path) -> str | None:
        if path.exists():
            return None if path.is_file() else "is neither a file nor a folder"
        if path.is_symlink():
            return f"is a link to {path.readlink()}, which does not exist"
        if given.startswith("~") or "$" in given:
            return "no such file; neither ~ nor $ has a meaning here, so write the whole path"
        if "\\" in given:
            return "no such file; write / between folders"
        return f"no such file{self._no_folder(path.parent) or self._like(path)}"

    def _no_folder(self, folder: Path) -> str | None:
        """Name the first folder on the way that does not exist; None: all do."""
        missing = None
        for part in (folder, *folder.parents):
            if part.is_dir():
                break
            missing = part
        if missing is None:
            return None
        guess = closest(missing.name, [one.name for one in listed(missing.parent) if one.is_dir()])
        hint = f'; did you mean "{self._shown(missing.with_name(guess))}"?' if guess else ""
        return f": there is no folder {self._shown(missing)}{hint}"

    def _like(self, path: Path) -> str:
        beside = {one.stem: one for one in listed(path.parent) if one.is_dir() or is_bot_file(one)}
        guess = closest(path.stem, beside)
        if guess is None:
            return "; paths are relative to the config"
        return f'; did you mean "{self._shown(beside[guess])}"?'

    def _shown(self, path: Path) -> str:
        """Show a path as it could be written."""
        return os.path.relpath(path, self._base)


def _can_run(path: Path) -> bool:
    return is_bot(path) or os.access(path, os.X_OK)
