"""What an author gets wrong, told in the author's own terms: one line, and where it is.

What may live here: how a mistake is recognised and worded. What may not: the conversation with
the arena, and what a mistake costs.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

_LONGEST_PLACE = 150
_SDK = Path(__file__).parent


def require_parameters(function: Callable[..., Any], name: str, *wanted: str) -> None:
    """Raise `TypeError` if `function`, known to its author as `name`, cannot be called so."""
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
        (Path(frame.f_code.co_filename), line, frame.f_code.co_name)
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    authors = [one for one in frames if one[0].parent != _SDK]
    if not authors:
        return ""
    home = authors[0][0].parent
    file, line, function = [one for one in authors if one[0].parent == home][-1]
    place = f"{file.name}, line {line}, in {function}"
    return f" ({place[:_LONGEST_PLACE]})"
