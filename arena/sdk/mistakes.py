"""What an author gets wrong, told in the author's own terms: one line, and where it is.

What may live here: how a mistake is recognised and worded. What may not: the conversation with
the arena, and what a mistake costs.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from types import FunctionType
from typing import Any

_LONGEST_PLACE = 150
_SDK = __file__.rpartition(os.sep)[0]


def require_parameters(function: Callable[..., Any], name: str, *wanted: str) -> None:
    """Raise `TypeError` if `function`, known to its author as `name`, cannot be called so."""
    if isinstance(function, FunctionType):
        code = function.__code__
        if code.co_argcount == len(wanted) and not code.co_kwonlyargcount:
            return

    import inspect  # noqa: PLC0415 - takes long, and almost all functions are as they must be

    try:
        signature = inspect.signature(function)
    except ValueError:  # some functions written in C have none
        return
    try:
        signature.bind(*wanted)
    except TypeError:
        given = ", ".join(signature.parameters)
        text = f"{name} takes ({', '.join(wanted)}), but this one takes ({given})"
        raise TypeError(text) from None


def place_of(error: BaseException) -> str:
    """Return the author's line that raised: `` (mybot.py, line 12, in choose)``, or nothing.

    The innermost one in the folder of the code that the SDK called, so none of a library's. No
    folder is named, because that is another one in each run.
    """
    frames = [
        (*frame.f_code.co_filename.rpartition(os.sep)[::2], line, frame.f_code.co_name)
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    authors = [one for one in frames if one[0] != _SDK]
    if not authors:
        return ""
    home = authors[0][0]
    _, file, line, function = [one for one in authors if one[0] == home][-1]
    place = f"{file}, line {line}, in {function}"
    return f" ({place[:_LONGEST_PLACE]})"
