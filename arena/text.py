"""Small things about text that people read, for every layer; nothing of ours may be imported here.

Text that comes from outside (a bot, a file, a name) is shown through `visible`.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable

_REMEDIES = {
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some space",
    errno.EROFS: "make it writable",
    errno.EACCES: "make it readable and writable",
    errno.EMFILE: "raise the limit of open files (ulimit -n)",
}
_MOST_SHOWN = 300


def visible(text: str) -> str:
    r"""Write control characters and the like out, as in ``\x1b``: no text may steer a terminal."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def brief(text: str) -> str:
    """Make text visible, and cut what no line has room for, such as a name of any length."""
    shown = visible(text)
    return shown if len(shown) <= _MOST_SHOWN else f"{shown[:_MOST_SHOWN]}..."


def visible_lines(text: str) -> str:
    """Return text of several lines as `visible` makes each; its lines and tabs stay."""
    lines = ("\t".join(map(visible, line.split("\t"))) for line in text.split("\n"))
    return "\n".join(lines)


def count(number: int, one: str, many: str | None = None) -> str:
    """Say how many, such as ``1 match`` or ``3 matches``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that `word` is most like, None if it is like none."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for what is misspelt

    return next(iter(get_close_matches(word, list(known), n=1)), None)


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """Return the hint for a misspelt word, None if no known one is like it."""
    guess = closest(word, known)
    return None if guess is None else f'did you mean "{guess}"?'


def refusal(error: OSError) -> str:
    """Say what the machine refused and, where that is plain, what to do about it."""
    remedy = _REMEDIES.get(error.errno or 0)
    return "; ".join(filter(None, (error.strerror or str(error), remedy)))
