"""A bot's misdeeds, as data."""

from __future__ import annotations

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
