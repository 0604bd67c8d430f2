"""The rules alone: whole games of random play in this process, a view built for each decision."""

from __future__ import annotations

import random
import time

from arena import rules
from tests.benchmarks.tournament import TournamentSpeed


def play_in_process(games: int) -> TournamentSpeed:
    """Play so many games of two_handed with random actions."""
    known = rules.load("two_handed")
    dice = random.Random(1)
    decisions = 0
    began_s, began_cpu_s = time.perf_counter(), time.process_time()
    for number in range(games):
        state = known.start(number.to_bytes(32, "big"))
        while (seat := state.to_act) is not None:
            state.view(seat)
            state = state.apply(dice.choice(state.legal()))
            decisions += 1
    elapsed_s = time.perf_counter() - began_s
    cpu_s = time.process_time() - began_cpu_s
    return TournamentSpeed(decisions / elapsed_s, games / elapsed_s, decisions / cpu_s)
