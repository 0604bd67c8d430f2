"""Why a bot lost: as one JSON object (``arena.why/1``), and as text.

Fields may be added, none changes its meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from arena.text import count, visible

SCHEMA: Literal["arena.why/1"] = "arena.why/1"
_MOST_FAULTS = 10


class FaultGroup(msgspec.Struct, frozen=True):
    """Faults of one kind that look alike, told by the first of them."""

    kind: str
    count: int
    game: str
    detail: str
    """What was expected."""
    got: str | None
    """What came instead; several lines."""
    replay: str | None
    """The command that shows it; null: the game was kept without its actions."""


class Situation(msgspec.Struct, frozen=True):
    """All deals in which the first decision that differed was of one kind."""

    situation: str
    deals: int
    ahead: int
    """Points of the bot minus those of the others in the same seat with the same cards."""


class Decision(msgspec.Struct, frozen=True):
    """The first decision of a deal that the two bots decided otherwise."""

    situation: str
    head: str
    """How the deal stood where the bot decided, in words."""
    sees: str
    """What it had before it, in words."""
    action: str
    told: str
    """The same in words."""
    other_action: str
    """What the other bot did there in the other game of the board."""
    other_told: str
    replay: str
    """The command that shows the deal as the bot played it."""


class CostlyDeal(msgspec.Struct, frozen=True):
    """A deal that was played twice with the same cards, the bots exchanged."""

    other: str
    """The version of the other bot."""
    lost: int
    """Points that the other made more in the seat of the bot with the same cards."""
    board: int
    deal: int
    """Number of the deal in both games, from 0."""
    dealer: int
    seat: int
    """The seat that decided otherwise first."""
    game: str
    """The game in which the bot had that seat."""
    other_game: str
    """The one in which the other had it."""
    points: int
    """Points of that seat minus those of the other seat, as the bot played the deal..."""
    other_points: int
    """...and as the other did."""
    decision: Decision | None
    """Null: the games were kept without their actions; then the seat is 0."""


class Why(msgspec.Struct, frozen=True):
    """All that is told of a bot."""

    schema: Literal["arena.why/1"]
    tournament: str
    bot: str
    version: str
    against: str | None
    """The only version whose games with it are looked at; null: of all."""
    games: int
    """Those that count."""
    won: int
    faults: tuple[FaultGroup, ...]
    """The most frequent first."""
    paired: int
    """Deals that both games of a board finished, dealt by the same seat; each counts once."""
    ahead: int
    """Points of the bot minus those of the others over both plays of these deals."""
    alike: int
    """How many of them were played alike."""
    unlike: int
    """How many parted where the bots might not do the same, as a dealer was stuck in one game only;
    they are neither in `situations` nor in `costliest`."""
    situations: tuple[Situation, ...]
    """The costliest first."""
    costliest: tuple[CostlyDeal, ...]
    """The costliest deals, as many as were asked for."""


def lines(why: Why) -> Iterator[str]:
    """Yield what is told, line by line."""
    bot = visible(why.version)
    against = "" if why.against is None else f" against {visible(why.against)}"
    lost = why.games - why.won
    yield f"{bot}{against}: {count(why.games, 'game')}, {why.won} won, {lost} lost"
    yield ""
    yield from _faults(why)
    yield ""
    yield from _situations(why)
    for deal in why.costliest:
        yield ""
        yield from _costly(deal)


def _faults(why: Why) -> Iterator[str]:
    number = sum(group.count for group in why.faults)
    if not number:
        yield "no game lost by a fault"
        return
    yield f"{count(number, 'game')} lost by faults"
    for group in why.faults[:_MOST_FAULTS]:
        yield f"{group.count:>5}  {group.kind}: {group.detail}"
        got = (group.got or "").split("\n")[-1]
        yield from [f"       got: {got}"] * bool(got)
        yield f"       {group.replay or f'game {visible(group.game)}'}"
    if len(why.faults) > _MOST_FAULTS:
        rest = sum(group.count for group in why.faults[_MOST_FAULTS:])
        yield f"{rest:>5}  others; --json has all"


def _situations(why: Why) -> Iterator[str]:
    if not why.paired:
        yield "no deal was played from both sides to its end"
        return
    each = f"{why.ahead / (2 * why.paired):+.3f} points a deal"
    yield f"{count(why.paired, 'deal')} played from both sides, {why.alike} of them alike: {each}"
    if why.unlike:
        yield f"in {why.unlike} of them the dealer was stuck in one game only: nothing to compare"
    if not why.situations:
        return
    yield "first decision that differed      deals  points"
    for one in why.situations:
        yield f"  {one.situation:<30}{one.deals:>7}  {one.ahead:+6}"


def _costly(deal: CostlyDeal) -> Iterator[str]:
    other, where = visible(deal.other), f"deal {deal.deal} of board {deal.board}"
    yield f"{count(deal.lost, 'point')} lost to {other}: {where}"
    first = deal.decision
    if first is None:
        yield "  the games were kept without their actions (output.records: results)"
        return
    yield f"  {first.head}"
    yield f"  {first.sees}"
    yield f"  {first.told}, and makes {deal.points:+}"
    yield f"  with the same cards {first.other_told}, and makes {deal.other_points:+}"
    yield f"  {first.replay}"
