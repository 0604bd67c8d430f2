"""Targets 1 and 2: decisions per second of a whole tournament of two random bots, beside R."""

from __future__ import annotations

from collections.abc import Iterator

from tests.benchmarks.engine import play_in_process
from tests.benchmarks.figures import Bound, Reading
from tests.benchmarks.rounds import Round

_RULES_GAMES = 500
_TIMES_RAW = {64: Bound("least", 4.0), 1: Bound("least", 0.75)}
_TIMES_ONE_WORKER = Bound("least", 1.6)
_RATE = "decisions/s"


def measure(this: Round) -> Iterator[Reading]:
    """Measure R, the rules alone and the tournament with many tables and with one."""
    for tables, bound in _TIMES_RAW.items():
        speed, raw = found = this.two_bots(tables, workers=2)
        if tables > 1:
            yield Reading("1", "R: raw ping-pong, one core", raw, _RATE, 1.0, None)
            rules = play_in_process(this.scaled(_RULES_GAMES)).decisions_per_s
            yield Reading("1", "rules alone, one core: x R", rules, _RATE, rules / raw, None)
        row = f"2 random bots, 2 workers, {tables} table{'s' * (tables > 1)}: x R"
        yield Reading("1", row, speed.decisions_per_s, _RATE, found.times_raw, bound)


def measure_workers(this: Round) -> Iterator[Reading]:
    """Measure two workers as a multiple of one, each beside its own R."""
    two, one = (this.two_bots(64, workers) for workers in (2, 1))
    ratio = two.times_raw / one.times_raw
    row = "1 worker, 64 tables; 2 workers: x 1"
    yield Reading("2", row, one.speed.decisions_per_s, _RATE, ratio, _TIMES_ONE_WORKER)
