"""What bots may be called."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

_NAME_LENGTH = 40
NAME_RULE = (
    f"a bot name has 1 to {_NAME_LENGTH} letters, digits, _ . or -"
    " and begins with a letter or digit"
)
_PUNCTUATION = "_.-"
_LIBRARIES = frozenset({"arena", "msgspec", "numpy", "typing_extensions", "zmq"})
"""What Python bots import beside Python's own modules, themselves or by the SDK."""
_INVISIBLE = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]"
)
"""The letters and marks among Unicode's default ignorable code points."""


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


def is_module_name(name: str) -> bool:
    """Whether a Python file of that name is imported in place of a module that bots need."""
    return name in sys.stdlib_module_names or name in _LIBRARIES


def in_place_of_modules(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the modules that bots in a folder need and do not find, and what is found instead."""
    for path in sorted(folder.iterdir()):
        is_package = (path / "__init__.py").exists()
        name = path.name if is_package else path.name.removesuffix(".py")
        if is_module_name(name) and (is_package or path.suffix == ".py"):
            yield name, path


def _is_plain(char: str) -> bool:
    return char.isalpha() or char.isdecimal() or char in _PUNCTUATION
