"""A bot's misdeeds, as data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

FaultKind = Literal["no_start", "crash", "timeout", "illegal", "malformed", "flood", "memory"]


class Fault(msgspec.Struct, frozen=True):
    """One misdeed of one bot. It costs its bot exactly one game."""

    kind: FaultKind
    detail: str
    """What was expected, in words fit for the author; no pid, time or address."""
    got: str = ""
    """What came instead, printable and bounded."""


_ESCAPE = r"""\\(?:[\\'"nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|U00(?:0[0-9a-f]|10)[0-9a-f]{4})"""
_ILLEGAL = re.compile(
    rf"""('(?:[ -&(-[\]-~]|{_ESCAPE})*'|"(?:[ !#-[\]-~]|{_ESCAPE})*") at decision """
)
"""An action as `ascii` writes it, and nothing else that might stand there."""


def illegal(action: str, decision: int, legal: Sequence[str]) -> Fault:
    """Return the fault of a bot that answered a decision by what is not legal."""
    detail = f"{action!a} at decision {decision} is not legal; legal: {' '.join(legal)}"
    return Fault("illegal", detail)


def action_of(detail: str) -> str | None:
    """Return the action that the detail of `illegal` tells; None: it is another detail."""
    found = _ILLEGAL.match(detail)
    return None if found is None else found[1][1:-1].encode().decode("unicode_escape")
