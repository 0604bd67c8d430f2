"""Games judged by scripted events, for the tests of the referee."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from arena import rules
from arena.referee.clock import Limits
from arena.referee.events import Ask, Effect, Finished, GameStarted, Inform, Replied
from arena.referee.record import GameId, GameRecord
from arena.referee.referee import Referee

GAME = GameId(("a@1", "b@1"), 12, 0)
SEED = sha256(b"a board").digest()

Choose = Callable[[Ask], str]


def first(ask: Ask) -> str:
    return ask.legal[0]


def referee(
    options: dict[str, Any] | None = None,
    limits: Sequence[Limits] = (Limits(), Limits()),
    seed: bytes = SEED,
    game: GameId = GAME,
) -> Referee:
    return Referee(game, rules.load("two_handed", options), seed, limits)


def asked(effects: Sequence[Effect]) -> Ask:
    (ask,) = effects
    assert isinstance(ask, Ask), ask
    return ask


def finished(effects: Sequence[Effect]) -> tuple[Inform, GameRecord]:
    inform, last = effects
    assert isinstance(inform, Inform), inform
    assert isinstance(last, Finished)
    assert isinstance(last.record, GameRecord), last.record
    return inform, last.record


def reply(ask: Ask, action: str, elapsed_us: int = 1, note: str | None = None) -> Replied:
    return Replied(ask.seat, ask.seq, action, elapsed_us, note)


def start(judge: Referee) -> Ask:
    return asked(judge.handle(GameStarted()))


def advance(judge: Referee, ask: Ask, decisions: int, choose: Choose = first) -> Ask:
    """Answer so many decisions; the game must not end meanwhile."""
    for _ in range(decisions):
        ask = asked(judge.handle(reply(ask, choose(ask))))
    return ask


def play(judge: Referee, choose: Choose = first) -> tuple[list[Ask], Inform, GameRecord]:
    """Play a whole game; return all decisions and how it ended."""
    asks = [start(judge)]
    while True:
        effects = judge.handle(reply(asks[-1], choose(asks[-1]), elapsed_us=len(asks)))
        if len(effects) > 1:
            return asks, *finished(effects)
        asks.append(asked(effects))
