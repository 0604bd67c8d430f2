"""A replayed game: as one JSON object (``arena.replay/1``), and as text.

Fields may be added, none changes its meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import msgspec

from arena.report.words import Names, does, load

SCHEMA: Literal["arena.replay/1"] = "arena.replay/1"


class Step(msgspec.Struct, frozen=True):
    """One action."""

    number: int
    """Of the action in the game, from 0."""
    decision: int
    """Of the decision among those of its seat, from 0: faults name it."""
    seat: int
    action: str
    told: str
    """The same in words."""
    legal: tuple[str, ...]
    forced: str | None
    """What rule left only some of the cards; null if any could be played."""
    takes: int | None
    """The seat that takes the trick which is complete now."""
    time_us: int | None
    """What was charged for it; null: not known."""
    note: str | None


class ReplayedDeal(msgspec.Struct, frozen=True):
    """One deal."""

    number: int
    """From 0."""
    head: str
    """How it stood at its first decision, in words; empty if there was none."""
    dealer: int
    hands: tuple[tuple[str, ...], ...]
    """As they were dealt, by seat."""
    upcard: str
    trump: str | None
    maker: int | None
    tricks: tuple[int, ...] | None
    points: tuple[int, ...] | None
    reason: str | None
    """How it ended; null with `tricks` and `points` if it was broken off."""
    ended: str | None
    """The same in words."""
    steps: tuple[Step, ...]


class ReplayedEnd(msgspec.Struct, frozen=True):
    """How the game ended."""

    kind: Literal["target", "forfeit"]
    seat: int | None = None
    """The seat at fault."""
    fault: str | None = None
    detail: str | None = None
    explained: str | None = None
    """Why an action was not legal, in a sentence."""
    got: str | None = None
    """What came instead."""
    log: str | None = None
    """The file with what the bot printed; null if it printed nothing."""


class Replayed(msgspec.Struct, frozen=True):
    """A whole game, or one deal of it."""

    schema: Literal["arena.replay/1"]
    id: str
    variant: str
    options: dict[str, Any]
    """Those that are not the default."""
    seats: tuple[str, ...]
    """The bot version on each seat."""
    names: Names
    """What they are called in words."""
    points: tuple[int, ...]
    winner: int
    end: ReplayedEnd
    deals: tuple[ReplayedDeal, ...]
    number_of_deals: int
    """Of the game, also if only one is told."""


class Line(NamedTuple):
    """A line of the text."""

    text: str
    is_step: bool = False
    """Whether somebody who steps through the game stops before it."""


def lines(game: Replayed) -> Iterator[Line]:
    """Yield a game line by line."""
    one, other = (f"{name} (seat {seat})" for seat, name in enumerate(game.names))
    yield Line(f"game {game.id}: {one} {game.points[0]} - {game.points[1]} {other}")
    for deal in game.deals:
        yield Line("")
        yield from _deal(game, deal)
    if game.deals[-1].number == game.number_of_deals - 1:
        yield Line("")
        yield from _end(game)


def _deal(game: Replayed, deal: ReplayedDeal) -> Iterator[Line]:
    words = load(game.variant)
    yield Line(deal.head or f"Deal {deal.number}")
    width = max(map(len, game.names))
    for seat, hand in enumerate(deal.hands):
        dealt = " ".join(map(words.card, words.hand(hand, deal.trump)))
        deals = "   dealer" if seat == deal.dealer else ""
        yield Line(f"  {game.names[seat]:<{width}}   {dealt}{deals}")
    width = max((len(step.told) for step in deal.steps), default=0)
    for step in deal.steps:
        yield Line(
            f"  {step.number:>4}  {step.told:<{width}}{_remarks(game, step)}".rstrip(), is_step=True
        )
    if deal.ended is not None:
        yield Line(f"  {deal.ended}")


def _remarks(game: Replayed, step: Step) -> str:
    """Return what stands behind an action; where there are times, they stand below each other."""
    remarks = [] if step.time_us is None else [f"{step.time_us / 1000:8.2f} ms"]
    remarks += [] if step.forced is None else [step.forced]
    remarks += [] if step.takes is None else [f"{does(game.names[step.takes], 'take')} the trick"]
    remarks += [] if step.note is None else [f'note "{step.note}"']
    return "".join(f"   {remark}" for remark in remarks)


def _end(game: Replayed) -> Iterator[Line]:
    end = game.end
    one, other = game.points
    if end.seat is not None:
        loser = does(game.names[end.seat], "are", "is")
        yield Line(f"{loser} at fault ({end.fault}): {end.detail}", is_step=True)
        yield from [Line(f"    {end.explained}")] * (end.explained is not None)
        got = (end.got or "").split("\n")
        yield from (Line(f"    {text}") for text in (["got:", *got] if end.got else []))
        if end.log is not None:
            yield Line(f"    what it printed: {end.log}")
    best, least = max(one, other), min(one, other)
    by = f"{best} - {least}" if end.seat is None else "by this fault"
    yield Line(f"{does(game.names[game.winner], 'win')} the game {by}")
