"""What ended a tournament before its last board, or may yet: for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from arena.store.rows import Stop, match_key
from arena.text import count

_DIGITS = 4


class SprtRow(msgspec.Struct, frozen=True):
    """An SPRT in the JSON object: A minus B, boards as A sees them."""

    a: str
    b: str
    elo0: float
    elo1: float
    alpha: float
    beta: float
    model: str
    """The unit of `elo0` and `elo1`."""
    bounds: tuple[float, float]
    """Of `llr`: at the lower one H0 is accepted, at the upper one H1."""
    llr: float
    decision: str | None
    """``H0``, ``H1`` or null."""
    boards: int
    lost_both: int
    split: int
    won_both: int
    text: str
    """All of it as a sentence."""


class StopRow(msgspec.Struct, frozen=True):
    """A stop in the JSON object; what does not belong to its kind is null."""

    kind: str
    """``sprt`` or ``rating_error``."""
    match: str
    """With `board`: the last one that counts."""
    board: int
    reason: str
    decision: str | None = None
    llr: float | None = None
    bounds: tuple[float, float] | None = None
    model: str | None = None
    elo0: float | None = None
    elo1: float | None = None
    alpha: float | None = None
    beta: float | None = None
    rating_error: float | None = None
    """The error that was asked for, in Elo."""
    error: float | None = None
    """The largest one there was."""


@dataclass(frozen=True)
class Ending:
    """What ended a tournament before its last board, or may yet."""

    stop: StopRow | None = None
    sprt: SprtRow | None = None
    """As far as it is, or as it was decided."""
    not_needed: int | None = 0
    """Games after the stop: not played, or too late to count; None as in `Progress`."""


def sprt_row(figures: dict[str, Any], text: str) -> SprtRow:
    """Return the row of a test from its settings and figures, as a stop keeps them."""
    return msgspec.convert({**_rounded(figures), "text": text}, SprtRow)


def stop_row(stop: Stop) -> StopRow:
    """Return the row of a stop."""
    figures = {k: v for k, v in _rounded(stop.figures).items() if k in StopRow.__struct_fields__}
    place = {"kind": stop.kind, "match": match_key(stop.game.match), "board": stop.game.board}
    return msgspec.convert({**figures, **place, "reason": stop.reason}, StopRow)


def _rounded(figures: dict[str, Any]) -> dict[str, Any]:
    return {k: round(v, _DIGITS) if isinstance(v, float) else v for k, v in figures.items()}


def ending_notices(ending: Ending) -> Iterator[str]:
    """Yield what a person must know of it, one sentence each."""
    stop, sprt = ending.stop, ending.sprt
    if stop is not None:
        yield f"The tournament ended before its last board. {stop.reason}"
    if stop is not None and stop.kind == "rating_error":
        yield "The number of boards followed from the errors, so they are slightly optimistic."
    if sprt is not None and stop is not None and stop.kind == "sprt":
        yield (
            f"No intervals of {sprt.a} and {sprt.b} and no P({sprt.a} better): the number of their"
            " boards followed from their results."
        )
    elif sprt is not None:
        yield sprt.text
    if ending.not_needed:
        games = count(ending.not_needed, "game")
        yield f"Not needed, and so not played or too late to count: {games}."
