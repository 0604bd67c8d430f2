"""How often a game may be void, and who loses it then."""

from __future__ import annotations

from itertools import permutations
from typing import get_args

import pytest

from arena.referee.clock import Limits
from arena.referee.fault import FaultKind
from arena.referee.record import Forfeit, GameId
from arena.runtime.executor import Blame
from arena.tournament.voids import Voids, forfeited

GAME = GameId(("a@1", "b@1"), 3, 1)
LIMITS = (Limits(), Limits(memory_bytes=64_500_000))


def test_a_game_is_played_alone_after_three_voids_and_listed_after_four() -> None:
    voids = Voids()
    seen = []
    for _ in range(5):
        seen.append((voids.is_alone(GAME), voids.is_listed(GAME)))
        voids.add(GAME)
    assert seen == [(False, False)] * 3 + [(True, False), (False, True)]


@pytest.mark.parametrize(
    ("blamed", "seat", "kind"),
    [
        ([(0, "memory")], 0, "memory"),
        ([(1, "flood")], 1, "flood"),
        ([(0, "flood"), (1, "flood")], 0, "flood"),
        ([(0, "memory"), (1, "memory")], 0, "memory"),
        ([(0, "flood"), (1, "memory")], 1, "memory"),
    ],
)
def test_of_several_it_is_who_had_too_much_memory_and_then_the_lower_seat(
    blamed: list[Blame], seat: int, kind: str
) -> None:
    for order in permutations(blamed):
        record = forfeited(GAME, order, LIMITS)
        assert isinstance(record.end, Forfeit)
        assert (record.end.seat, record.end.fault, record.winner) == (seat, kind, 1 - seat)
        assert record.end.fault in get_args(FaultKind)


def test_the_limit_is_that_of_the_bot_to_blame() -> None:
    for seat, limit in enumerate(("512", "64.5")):
        end = forfeited(GAME, [(seat, "memory")], LIMITS).end
        assert end == Forfeit(seat, "memory", f"memory limit {limit} MB")
