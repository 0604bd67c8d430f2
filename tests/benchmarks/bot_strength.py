"""How strong one bot is against another, without processes: a benchmark, not a test.

    python tests/benchmarks/bot_strength.py bots/rules_bot.py bots/random_bot.py

plays 1,000 boards of two_handed in both seatings and prints the first bot's score with a 95 %
interval. Boards are numbered and their seeds follow from the numbers, so the same command prints
the same score again; `--boards` takes fewer or more, `--first-board` others, `--option key=value`
changes the rules, and `--param-a key=value` gives the first bot a param. Both must be bots that use
the SDK: files, or folders with a `bot.py`. Nobody watches the clock here, and a fault ends it all.
"""

from __future__ import annotations

import argparse
import hashlib
import runpy
import sys
from pathlib import Path
from statistics import NormalDist, mean, stdev
from traceback import walk_tb
from typing import Any
from unittest.mock import patch

import msgspec
import yaml

from arena import rules
from arena.errors import UserError
from arena.protocol.messages import Decide, Fail, GameStart, WireLimits
from arena.sdk import Bot
from arena.sdk.bot import _Table, bot_class

LIMITS = WireLimits(1_000, 60_000)


def bot_in(path: str) -> type[Bot]:
    """Return the bot that a file, started as a program, would run; `UserError` if there is none.

    For a folder it is its `bot.py`, which may load other modules of the folder.
    """
    file = Path(path, "bot.py") if Path(path).is_dir() else Path(path)
    if not file.is_file():
        raise UserError(f"{file}: no such file; a bot is one file, or a folder with a bot.py")
    path = str(file)
    given: list[type[Bot]] = []
    try:
        # Two folders may have modules of the same names: what one loads is forgotten for the other.
        with (
            patch("arena.sdk.run", given.append),
            patch.object(sys, "path", [str(file.parent), *sys.path]),
            patch.dict(sys.modules),
        ):
            runpy.run_path(path, run_name="__main__")
        kind = bot_class(given[0]) if given else None
    except (Exception, SystemExit) as error:
        lines = [n for frame, n in walk_tb(error.__traceback__) if frame.f_code.co_filename == path]
        place = f" (line {lines[-1]})" if lines else ""
        text = f"{type(error).__name__}: {error}{place}"
        raise UserError(f"{path}: no bot that uses arena.sdk came of it: {text}") from error
    if kind is None:
        raise UserError(f"{path}: it does not call run of arena.sdk, so it cannot play here")
    return kind


def play(variant: rules.Rules, board: int, bots: tuple[type[Bot], type[Bot]]) -> int:
    """Play one game; return the seat that won. `UserError` if a bot is at fault."""
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
        if isinstance(answer, Fail):
            raise UserError(f"{told(bots[seat])} raised on board {board}: {answer.detail}")
        if answer.action not in state.legal():
            text = f"{answer.action!r} is not one of {state.legal()}"
            raise UserError(f"{told(bots[seat])} is at fault on board {board}: {text}")
        seqs[seat] += 1
        state = state.apply(answer.action)
    assert state.outcome is not None
    return state.outcome.winner


def with_params(kind: type[Bot], params: dict[str, Any]) -> type[Bot]:
    """Return the bot with the params that a config would give it."""

    class Given(kind):  # type: ignore[valid-type, misc]
        def __init__(self, game: GameStart, _: dict[str, Any]) -> None:
            super().__init__(game, params)

    Given.__name__ = kind.__name__
    return Given


def told(bot: type[Bot]) -> str:
    """Return the name of a bot's class, or what stands for a function."""
    return "the function" if bot.__name__ == "FunctionBot" else bot.__name__


def score(variant: rules.Rules, board: int, a: type[Bot], b: type[Bot]) -> float:
    """Return what `a` scores on a board: the share of its two seatings that it wins."""
    return ((play(variant, board, (a, b)) == 0) + (play(variant, board, (b, a)) == 1)) / 2


def interval(scores: list[float], confidence: float = 0.95) -> tuple[float, float]:
    """Return the mean and half its interval; a board is one observation, its seatings are not."""
    reach = NormalDist().inv_cdf((1 + confidence) / 2)
    return mean(scores), reach * stdev(scores) / len(scores) ** 0.5


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Measure one bot against another, without processes and limits."
    )
    parser.add_argument("a", help="file or folder of the bot whose score is printed")
    parser.add_argument("b", help="file or folder of the other one")
    parser.add_argument(
        "--boards",
        type=int,
        default=1_000,
        metavar="N",
        help="boards to play, 2 or more, each in both seatings (default: %(default)s)",
    )
    parser.add_argument(
        "--first-board",
        type=int,
        default=0,
        metavar="N",
        help="number of the first board; the number gives the cards (default: %(default)s)",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of the rules, such as target_score=5; may be given again",
    )
    for one in "ab":
        parser.add_argument(
            f"--param-{one}",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            help=f"a param of bot {one}, as in a config; may be given again",
        )
    try:
        print(measure(parser.parse_args()))
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)


def values(flag: str, pairs: list[str]) -> dict[str, Any]:
    """Return what a flag was given, as `key=value` with values of YAML."""
    try:
        parts = (pair.partition("=") for pair in pairs)
        return {key: yaml.safe_load(value) for key, _, value in parts}
    except yaml.YAMLError:
        raise UserError(f"{flag} {' '.join(pairs)}: no values of YAML") from None


def measure(given: argparse.Namespace) -> str:
    """Play what the command line asks for; return the line to print."""
    if given.boards < 2:
        raise UserError("--boards must be 2 or more: one board tells nothing of the error")
    variant = rules.load("two_handed", values("--option", given.option))
    a = with_params(bot_in(given.a), values("--param-a", given.param_a))
    b = with_params(bot_in(given.b), values("--param-b", given.param_b))
    boards = range(given.first_board, given.first_board + given.boards)
    found, error = interval([score(variant, board, a, b) for board in boards])
    return f"{2 * len(boards)} games on {len(boards)} boards: {found:.2%} +/- {error:.2%}"


if __name__ == "__main__":
    main()
