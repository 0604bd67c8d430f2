"""What the seats are worth, from both games of boards."""

from __future__ import annotations

import pytest

from arena.ratings.points import Deals
from arena.ratings.ratio import Estimate
from arena.ratings.seats import SeatBias, SeatBoard, SeatSums


def one(_boards: int) -> float:
    return 1.0


def board(won: int, first: Deals, second: Deals) -> SeatSums:
    return SeatSums.of_boards(SeatBoard.of_games(won, first, second))


def test_by_hand() -> None:
    """Seat 0 won 2 and 1 of 2: 3/4, off by 1/2 each; it is 2 and 0 points ahead in 2 and 3 deals.

    Then r = 2/5, residuals 6/5 and -6/5, variance 2 * 72/25 / 25.
    """
    swept = board(2, Deals((0,), (3,)), Deals((0,), (-1,)))
    split = board(1, Deals((1, 0), (-1, 2)), Deals((1,), (-1,)))
    games, points = swept.plus(split).bias(one)
    assert games == Estimate(0.25, 0.25)
    assert points == pytest.approx((0.4, (2 * 72 / 25 / 25) ** 0.5))


def test_a_seat_that_never_wins() -> None:
    """All boards alike, so how sure it is is not known."""
    none = Deals((), ())
    lost = board(0, none, none)
    assert lost.plus(lost).bias(one) == SeatBias(Estimate(-0.5, None), Estimate(None, None))
    assert SeatSums().bias(one) == SeatBias()


def test_the_strength_of_bots_falls_out() -> None:
    """One bot wins all its games and every deal: no seat is better."""
    even = board(1, Deals((0, 1), (2, 2)), Deals((0, 1), (-2, -2)))
    assert even.plus(even).bias(one) == SeatBias(Estimate(0.0, None), Estimate(0.0, None))


def test_many_boards_that_are_the_same_are_added_at_once() -> None:
    one = SeatBoard(2, 3, 20)
    assert SeatSums.of_boards(one, 3) == SeatSums.of_boards(one).plus(SeatSums.of_boards(one, 2))
