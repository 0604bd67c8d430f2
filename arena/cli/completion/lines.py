"""A line that is not finished yet, as a shell reads it. Pure."""

from __future__ import annotations

from typing import NamedTuple

from click.shell_completion import split_arg_string

_END = "\0"
"""Cannot be in a line, so that it marks where it ends."""
_QUOTES = "\"'"
_PREFIXES = "@$"
"""With these bash begins a word, while all others at which it breaks stand before one."""


class Unfinished(NamedTuple):
    """The words of a line up to the cursor."""

    words: list[str]
    """Those that are finished, without the program itself."""
    last: str
    """The one that is to be completed, as the program would get it."""
    kept: str
    """The beginning of `last` that bash leaves as it is, because it takes words apart."""


def unfinished(line: str, breaks: str = "") -> Unfinished:
    """Take a line apart; `breaks` are the characters at which bash breaks a word."""
    *words, last = split_arg_string(f"{line}{_END}")
    last = last.removesuffix(_END)
    return Unfinished(words[1:], last, last[: len(last) - len(_replaced(_raw_last(line), breaks))])


def _replaced(raw: str, breaks: str) -> str:
    """Return what bash replaces of the last word, which is written so."""
    if raw[:1] in _QUOTES:  # in quotes nothing is taken apart
        breaks = ""
    begin, is_escaped = 0, False
    for place, character in enumerate(raw):
        if character in breaks and not is_escaped:
            begin = place if character in _PREFIXES else place + 1
        is_escaped = character == "\\" and not is_escaped
    return "".join(split_arg_string(f"{raw[begin:]}{_END}")).removesuffix(_END)


def _raw_last(line: str) -> str:
    """Return the last word as it is written; empty after a blank."""
    begin, quote, is_escaped = 0, "", False
    for place, character in enumerate(line):
        if is_escaped:
            is_escaped = False
        elif character == "\\" and quote != "'":
            is_escaped = True
        elif quote:
            quote = "" if character == quote else quote
        elif character in _QUOTES:
            quote = character
        elif character.isspace():
            begin = place + 1
    return line[begin:]
