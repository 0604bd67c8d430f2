"""Games of other people's runners, each for some seconds: run by the environment of peers.py.

``python peer_games.py connectx 3`` prints JSON: decisions, and what they took. Nothing of
the arena is here.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable


def _connectx() -> Callable[[], int]:
    from kaggle_environments import make  # noqa: PLC0415 - only what is measured is installed

    def play() -> int:
        environment = make("connectx")
        environment.run(["random", "random"])
        return len(environment.steps) - 1  # one of the two decides at each step

    return play


def _rps() -> Callable[[], int]:
    from kaggle_environments import make  # noqa: PLC0415

    def play() -> int:
        environment = make("rps", configuration={"episodeSteps": 200})
        environment.run(["rock", "paper"])
        return 2 * (len(environment.steps) - 1)  # both decide at each step

    return play


def _poker() -> Callable[[], int]:
    from pypokerengine.api.game import setup_config, start_poker  # noqa: PLC0415
    from pypokerengine.players import BasePokerPlayer  # noqa: PLC0415

    asked = 0

    def call(_: object, actions: list[dict[str, object]], *__: object) -> tuple[object, object]:
        nonlocal asked
        asked += 1
        return actions[1]["action"], actions[1]["amount"]

    told = ("game_start", "round_start", "street_start", "game_update", "round_result")
    silent = {f"receive_{what}_message": lambda *_: None for what in told}
    caller = type("Caller", (BasePokerPlayer,), {"declare_action": call, **silent})

    def play() -> int:
        before = asked
        config = setup_config(max_round=50, initial_stack=10_000, small_blind_amount=10)
        for name in ("a", "b"):
            config.register_player(name=name, algorithm=caller())
        start_poker(config, verbose=0)
        return asked - before

    return play


def _axelrod() -> Callable[[], int]:
    import axelrod  # noqa: PLC0415

    turns, repetitions = 200, 5
    players = [axelrod.TitForTat(), axelrod.Random(), axelrod.Cooperator(), axelrod.Alternator()]
    matches = len(players) * (len(players) + 1) // 2  # each meets itself, too

    def play() -> int:
        tournament = axelrod.Tournament(players, turns=turns, repetitions=repetitions, seed=1)
        tournament.play(progress_bar=False)
        return 2 * turns * repetitions * matches

    return play


_GAMES = {"connectx": _connectx, "rps": _rps, "poker": _poker, "axelrod": _axelrod}


def main(game: str, seconds: str) -> None:
    play = _GAMES[game]()
    play()  # what happens only once is not timed
    decisions = 0
    began_s, began_cpu_s = time.perf_counter(), time.process_time()
    while (elapsed_s := time.perf_counter() - began_s) < float(seconds):
        decisions += play()
    cpu_s = time.process_time() - began_cpu_s
    print(json.dumps({"decisions": decisions, "seconds": elapsed_s, "cpu_seconds": cpu_s}))


if __name__ == "__main__":
    main(*sys.argv[1:])
