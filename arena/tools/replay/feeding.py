"""Behind `arena replay --to`: the decisions of a game that was played, put to a bot again.

The bot sees what the bot on that seat saw, with the same dice. Of one in the foreground nobody's
clock is running; one that is isolated has the limits of the bot on that seat.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from arena.protocol.messages import Act, Decide, Fail
from arena.referee.clock import Clock, Limits
from arena.referee.fault import Fault
from arena.referee.record import Forfeit
from arena.report.answers import Answer
from arena.report.mistakes import load as load_mistakes
from arena.report.words import load
from arena.runtime import asking
from arena.runtime.asking import AskedBot, asked_bots
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
    """What that bot might take, and this one is told too."""
    level: str | None = None
    """Of isolation, with those limits; None: it is in the foreground, without any."""
    deal: int | None = None
    """The only deal whose decisions are asked; None: all."""

    def moments(self) -> tuple[Moment, ...]:
        """Return the decisions, in order."""
        return moments_of(self.game, self.seat, self.deal)


def moments_of(game: PlayedGame, seat: int, deal: int | None) -> tuple[Moment, ...]:
    """Return the decisions of a seat in a game, or in one deal of it, in order."""
    return tuple(
        moment for moment in moments(game) if moment.seat == seat and deal in (None, moment.deal)
    )


def answers(feed: Feed) -> Iterator[Answer]:
    """Start the bot, ask it, and yield each answer; one by which its process ended is the last.

    A bot that cannot be started answers the first decision by that.
    """
    budgets = _budgets_ms(feed)
    with _prepared(feed) as bot:
        fault = bot.start()
        table = None
        for moment in feed.moments():
            if fault is None:
                if table is None:  # the first decision, or the bot gave the game up
                    table = bot.begin(feed.game.rules, feed.seat, feed.bot_seed)
                view = moment.state.view(feed.seat)
                decide = Decide[object](
                    table, moment.decision, moment.state.legal(), budgets[moment.number], view
                )
                heard = _heard(bot, decide)
            else:
                heard = fault
            yield _answer(feed.game, moment, heard)
            if isinstance(heard, Fault):
                return
            table = None if isinstance(heard, Fail) else table


@contextmanager
def _prepared(feed: Feed) -> Iterator[AskedBot | ForegroundBot]:
    """Yield the bot, not yet started; at the end nothing is left of it."""
    spec = replace(feed.bot, limits=feed.limits)
    if feed.level is None:
        with ForegroundBot(spec) as bot:
            yield bot
    else:
        with asked_bots([spec], level=feed.level, clock_ns=time.monotonic_ns) as (asked,):
            yield asked


def _heard(bot: AskedBot | ForegroundBot, decide: Decide[Any]) -> Act | Fail | Fault:
    """Put a decision and return the answer as it came; a fault is the end of the bot."""
    if isinstance(bot, ForegroundBot):
        return bot.ask(decide)
    match bot.ask(decide):
        case asking.Answer(action, _, note):
            return Act(decide.table, decide.seq, action, note)
        case Fault(got=got) if bot.is_alive:
            return Fail(decide.table, decide.seq, got)
        case fault:
            return fault


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
