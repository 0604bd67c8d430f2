"""How strong one bot is against another, without processes: a benchmark, not a test.

    python tests/benchmarks/bot_strength.py bots/rules_bot.py bots/random_bot.py

plays 1,000 boards of two_handed in both seatings and prints the first bot's score with a 95 %
interval. Boards are numbered and their seeds follow from the numbers, so the same command prints
the same score again; `--first-board` chooses others, `--option key=value` changes the rules.
"""

from __future__ import annotations

import argparse
import hashlib
import runpy
from statistics import NormalDist, mean, stdev
from unittest.mock import patch

import msgspec
import yaml

from arena import rules
from arena.protocol.messages import Act, Decide, GameStart, WireLimits
from arena.sdk import Bot
from arena.sdk.bot import _kind, _Table

LIMITS = WireLimits(1_000, 60_000)


def bot_in(path: str) -> type[Bot]:
    """Return the bot that a file, started as a program, would run."""
    given: list[type[Bot]] = []
    with patch("arena.sdk.run", given.append):
        runpy.run_path(path, run_name="__main__")
    return _kind(given[0])


def play(variant: rules.Rules, board: int, bots: tuple[type[Bot], type[Bot]]) -> int:
    """Play one game; return the seat that won."""
    seed = hashlib.sha256(f"board {board}".encode()).digest()
    state = variant.start(seed)
    options = msgspec.to_builtins(variant.options)
    tables = [
        _Table(bot, GameStart(0, variant.name, options, seat, LIMITS, board * 2 + seat), {})
        for seat, bot in enumerate(bots)
    ]
    seqs = [0, 0]
    while (seat := state.to_act) is not None:
        view = msgspec.Raw(msgspec.json.encode(state.view(seat)))
        answer = tables[seat].answer(Decide(0, seqs[seat], state.legal(), 1_000, view))
        assert isinstance(answer, Act), answer
        seqs[seat] += 1
        state = state.apply(answer.action)
    assert state.outcome is not None
    return state.outcome.winner


def score(variant: rules.Rules, board: int, a: type[Bot], b: type[Bot]) -> float:
    """Return what `a` scores on a board: the share of its two seatings that it wins."""
    return ((play(variant, board, (a, b)) == 0) + (play(variant, board, (b, a)) == 1)) / 2


def interval(scores: list[float], confidence: float = 0.95) -> tuple[float, float]:
    """Return the mean and half its interval; a board is one observation, its seatings are not."""
    reach = NormalDist().inv_cdf((1 + confidence) / 2)
    return mean(scores), reach * stdev(scores) / len(scores) ** 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure one bot against another.")
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--boards", type=int, default=1_000)
    parser.add_argument("--first-board", type=int, default=0)
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    given = parser.parse_args()
    pairs = (pair.partition("=") for pair in given.option)
    options = {key: yaml.safe_load(value) for key, _, value in pairs}
    variant = rules.load("two_handed", options)
    a, b = bot_in(given.a), bot_in(given.b)
    boards = range(given.first_board, given.first_board + given.boards)
    found, error = interval([score(variant, board, a, b) for board in boards])
    print(f"{2 * len(boards)} games on {len(boards)} boards: {found:.2%} +/- {error:.2%}")


if __name__ == "__main__":
    main()
