"""Behind `arena replay --to`: the decisions of a game that was played, put to a bot again.

The bot sees what the bot on that seat saw, with the same dice, but nobody's clock is running.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from arena.protocol.messages import Act, Decide, Fail, GameStart, WireLimits
from arena.referee.clock import Clock, Limits
from arena.referee.fault import Fault
from arena.referee.record import Forfeit
from arena.report.answers import Answer
from arena.report.mistakes import load as load_mistakes
from arena.report.words import load
from arena.runtime.foreground import ForegroundBot
from arena.runtime.job import BotSpec
from arena.text import visible
from arena.tools.replay.games import PlayedGame
from arena.tools.replay.told import Moment, moments

_IT = "it"


class Feed(msgspec.Struct, frozen=True):
    """What a bot is asked: the decisions of one seat of a game."""

    game: PlayedGame
    seat: int
    bot: BotSpec
    bot_seed: int
    """What the dice of the bot on that seat began with."""
    limits: Limits
    """What that bot was told it may take; nobody holds this one to them."""
    deal: int | None = None
    """The only deal whose decisions are asked; None: all."""

    def moments(self) -> tuple[Moment, ...]:
        """Return the decisions, in order."""
        return tuple(
            moment
            for moment in moments(self.game)
            if moment.seat == self.seat and self.deal in (None, moment.deal)
        )


def answers(feed: Feed) -> Iterator[Answer]:
    """Start the bot, ask it, and yield each answer; one by which its process ended is the last.

    A bot that cannot be started answers the first decision by that.
    """
    budgets = _budgets_ms(feed)
    with ForegroundBot(feed.bot) as bot:
        fault = bot.start()
        table = None
        for moment in feed.moments():
            if fault is None:
                start = None
                if table is None:  # the first decision, or the bot gave the game up
                    table = bot.new_table()
                    start = _start(feed, table)
                view = moment.state.view(feed.seat)
                decide = Decide[object](
                    table, moment.decision, moment.state.legal(), budgets[moment.number], view
                )
                heard = bot.ask(decide, start)
            else:
                heard = fault
            yield _answer(feed.game, moment, heard)
            if isinstance(heard, Fault):
                return
            table = None if isinstance(heard, Fail) else table


def _start(feed: Feed, table: int) -> GameStart:
    limits, known = feed.limits, feed.game.rules
    told = WireLimits(limits.move_ms, limits.game_ms)
    return GameStart(table, known.name, known.options, feed.seat, told, feed.bot_seed)


def _budgets_ms(feed: Feed) -> dict[int, int]:
    """Return what each decision was told that it may take, by the number of its action."""
    clock, budgets = Clock(feed.limits), {}
    times_us = feed.game.times_us or ()
    for moment in moments(feed.game):
        if moment.seat == feed.seat:
            budgets[moment.number] = clock.budget_ms
            if moment.number < len(times_us):
                clock = clock.charge(times_us[moment.number])
    return budgets


def _answer(game: PlayedGame, moment: Moment, heard: Act | Fail | Fault) -> Answer:
    state = moment.state
    view, legal, words = state.view(moment.seat), state.legal(), load(game.rules.name)
    recorded = moment.action
    answer = Answer(
        number=moment.number,
        decision=moment.decision,
        deal=moment.deal,
        head=words.head(view, game.names),
        sees=words.sees(view, game.names),
        legal=legal,
        recorded=recorded,
        recorded_told=_fault(game, moment)
        if recorded is None
        else words.told(view, recorded, game.names[moment.seat]),
        now=None,
        now_told="",
        verdict="fault",
        note=None,
    )
    match heard:
        case Fault(kind, detail, got):
            text = f"{_IT} is at fault ({kind}): {visible(detail)}"
            return replace(answer, now_told=f"{text}; got: {visible(got)}" if got else text)
        case Fail():
            return replace(answer, now_told=f"{_IT} gives the game up: {visible(heard.detail)}")
        case Act(_, _, action, note) if action in legal:
            verdict: Literal["same", "other"] = "same" if action == recorded else "other"
            told = words.told(view, action, _IT)
            return replace(answer, now=action, now_told=told, verdict=verdict, note=note)
        case Act(_, _, action, note):
            why = load_mistakes(game.rules.name)(view, legal, action, _IT).text
            told = f"{_IT} answers {action!a}, which is not legal: {why}"
            return replace(answer, now=visible(action), now_told=told, note=note)


def _fault(game: PlayedGame, moment: Moment) -> str:
    """Say what fault the game ended with, at this decision."""
    end = game.end
    if not isinstance(end, Forfeit) or end.seat != moment.seat:
        return "it was not answered: the other bot was at fault"
    return f"{game.names[moment.seat]} is at fault ({end.fault}): {visible(end.detail)}"
