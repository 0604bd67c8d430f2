"""A game that was played, action by action, as it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from arena.errors import UserError
from arena.referee.fault import action_of
from arena.referee.record import Forfeit, Target
from arena.referee.replay import changed_options
from arena.report.mistakes import load as load_mistakes
from arena.report.replay import SCHEMA, Replayed, ReplayedDeal, ReplayedEnd, Step
from arena.report.words import load
from arena.rules.base import State
from arena.text import count, visible
from arena.tools.replay.games import PlayedGame


class Moment(NamedTuple):
    """A decision of a game."""

    number: int
    """Of the action that was chosen, in the game."""
    decision: int
    """Among those of its seat."""
    deal: int
    seat: int
    state: State
    action: str | None
    """None: the bot was at fault."""


def moments(game: PlayedGame) -> Iterator[Moment]:
    """Yield each decision; the last one of a forfeit is that at which the fault came."""
    state = game.start
    asked = [0] * game.rules.seats
    for number, action in enumerate((*game.actions, None)):
        seat = state.to_act
        if seat is None:
            return
        yield Moment(number, asked[seat], len(state.finished_deals()), seat, state, action)
        asked[seat] += 1
        state = state if action is None else state.apply(action)


def require_deal(game: PlayedGame, deal: int | None) -> None:
    """Raise `UserError` if a game has no such deal; None is all of them."""
    number = len(game.last.deals())
    if deal is not None and deal >= number:
        raise UserError(f"deal {deal}: this game has {count(number, 'deal')}, from 0")


def told(game: PlayedGame, deal: int | None = None) -> Replayed:
    """Return a game as it is shown, or only one `deal` of it; `UserError` if it has no such."""
    require_deal(game, deal)
    steps, state = [], game.start
    heads: dict[int, str] = {}
    words = load(game.rules.name)
    for moment in moments(game):
        state = moment.state
        heads.setdefault(moment.deal, words.head(state.view(moment.seat), game.names))
        if moment.action is not None:
            steps.append((moment.deal, _step(game, moment, moment.action)))
            state = state.apply(moment.action)
    by_deal = {number: tuple(s for _, s in one) for number, one in groupby(steps, lambda s: s[0])}
    records = state.deals()
    return Replayed(
        schema=SCHEMA,
        id=visible(game.id),
        variant=game.rules.name,
        options=changed_options(game.rules.options),
        seats=game.seats,
        names=game.names,
        points=game.points,
        winner=game.winner,
        end=_end(game),
        deals=tuple(
            _deal(game, number, record, heads.get(number, ""), by_deal.get(number, ()))
            for number, record in enumerate(records)
            if deal in (None, number)
        ),
        number_of_deals=len(records),
    )


def _step(game: PlayedGame, moment: Moment, action: str) -> Step:
    view, legal = moment.state.view(moment.seat), moment.state.legal()
    words = load(game.rules.name)
    note = game.notes.get(moment.number)
    return Step(
        moment.number,
        moment.decision,
        moment.seat,
        action,
        words.told(view, action, game.names[moment.seat]),
        legal,
        words.forced(view, legal),
        words.taken_by(view, action),
        None if game.times_us is None else game.times_us[moment.number],
        None if note is None else visible(note),
    )


def _deal(
    game: PlayedGame, number: int, record: dict[str, Any], head: str, steps: tuple[Step, ...]
) -> ReplayedDeal:
    reason = record.get("reason")
    ended = None if reason is None else load(game.rules.name).ended(record, game.names)
    return ReplayedDeal(
        number,
        head,
        record["dealer"],
        tuple(map(tuple, record["hands"])),
        record["upcard"],
        record["trump"],
        record["maker"],
        None if reason is None else tuple(record["tricks"]),
        None if reason is None else tuple(record["points"]),
        reason,
        ended,
        steps,
    )


def _end(game: PlayedGame) -> ReplayedEnd:
    match game.end:
        case Target():
            return ReplayedEnd("target")
        case Forfeit(seat, fault, detail, got):
            shown = "\n".join(map(visible, got.strip().split("\n"))) or None
            explained = _explained(game, detail) if fault == "illegal" else None
            return ReplayedEnd("forfeit", seat, fault, visible(detail), explained, shown, game.log)


def _explained(game: PlayedGame, detail: str) -> str | None:
    """Say why the action that ended the game was not legal; None if nobody can know."""
    action = action_of(detail)
    for last in (moment for moment in moments(game) if moment.action is None):
        legal, view = last.state.legal(), last.state.view(last.seat)
        if action is not None and action not in legal:
            mistake = load_mistakes(game.rules.name)
            return mistake(view, legal, action, game.names[last.seat]).text
    return None
