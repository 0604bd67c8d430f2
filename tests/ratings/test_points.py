"""Points per deal: which deals find a partner, and what the pairs come to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.points import Deals, PairedBoard, PairedDeals, PointsPerDeal
from arena.ratings.ratio import Estimate, Ratio

NONE = Deals((), ())

finished = st.lists(st.tuples(st.integers(0, 1), st.integers(-4, 4)), max_size=16).map(
    lambda deals: Deals([dealer for dealer, _ in deals], [margin for _, margin in deals])
)
games = st.lists(st.tuples(finished, finished), max_size=8)


def one(_boards: int) -> float:
    return 1.0


def paired(first: Deals, second: Deals) -> PairedDeals:
    return PairedDeals.of_boards(PairedBoard.of_games(first, second))


def all_paired(boards: Sequence[tuple[Deals, Deals]]) -> PairedDeals:
    return reduce(PairedDeals.plus, (paired(*board) for board in boards))


def test_a_board_by_hand() -> None:
    """The bot scores 2 and loses 1 on seat 0; on seat 1 the same cards give 1 and 2 to seat 0."""
    pairs = paired(Deals((0, 1), (2, -1)), Deals((0, 1), (1, 2)))
    assert pairs == PairedDeals(Ratio.of_boards(2 - 1 - 1 - 2, 4), 0)
    assert pairs.per_deal(one)[:3] == (Estimate(-0.5, None), 2, 0)


def test_two_boards_by_hand() -> None:
    """+4 and 0 in 2 and 2 deals: 1 a deal; each board is 2 off, so the error is sqrt(2 * 8) / 4."""
    good = paired(Deals((0,), (2,)), Deals((0,), (-2,)))
    even = paired(Deals((1,), (1,)), Deals((1,), (1,)))
    assert good.plus(even).per_deal(one)[:3] == (Estimate(1.0, 1.0), 2, 0)


def test_the_longer_game_has_deals_without_a_partner() -> None:
    pairs = paired(Deals((0, 1, 0), (1, 2, 4)), Deals((0,), (3,)))
    assert pairs.per_deal(one)[:3] == (Estimate(-1.0, None), 1, 2)


def test_deals_of_different_dealers_are_no_pair() -> None:
    """Dealer 0 dealt again after a throw-in in one of the games."""
    pairs = paired(Deals((0, 0, 1), (0, 2, 1)), Deals((0, 1, 1), (2, 2, 2)))
    assert pairs.per_deal(one)[:3] == (Estimate(-0.75, None), 2, 2)


@pytest.mark.parametrize("board", [(NONE, NONE), (NONE, Deals((0,), (1,)))])
def test_without_a_pair_nothing_is_known(board: tuple[Deals, Deals]) -> None:
    pairs = paired(*board)
    unpaired = len(board[1].margins)
    assert pairs.per_deal(one)[:3] == (Estimate(None, None), 0, unpaired)
    assert PairedDeals().per_deal(one) == PointsPerDeal()


def test_copies_are_not_falsely_exact() -> None:
    same = Deals((0, 1), (2, -1))
    pairs = all_paired([(same, same)] * 50)
    assert pairs.per_deal(one)[:3] == (Estimate(0.0, None), 100, 0)


@given(games.filter(bool))
def test_what_one_bot_gains_the_other_loses(boards: list[tuple[Deals, Deals]]) -> None:
    """The other bot has seat 0 in the second game."""
    ours = all_paired(boards)
    assert ours.turned() == all_paired([(second, first) for first, second in boards])
    assert ours.turned().turned() == ours


@given(games.filter(bool))
def test_every_finished_deal_is_in_a_pair_or_not(boards: list[tuple[Deals, Deals]]) -> None:
    found = all_paired(boards).per_deal(one)
    deals = sum(len(game.margins) for board in boards for game in board)
    assert 2 * found.paired + found.unpaired == deals


@given(games.filter(bool))
def test_seats_exchanged_in_all_games_are_the_same_bots(
    boards: list[tuple[Deals, Deals]],
) -> None:
    """With seats 0 and 1 renamed, margins and dealers turn and the bot starts on the other seat."""

    def renamed(game: Deals) -> Deals:
        return Deals([1 - dealer for dealer in game.dealers], [-m for m in game.margins])

    turned = [(renamed(second), renamed(first)) for first, second in boards]
    assert all_paired(turned) == all_paired(boards)


@given(finished, finished, st.integers(1, 9))
def test_many_boards_that_are_the_same_are_added_at_once(
    first: Deals, second: Deals, boards: int
) -> None:
    one = PairedBoard.of_games(first, second)
    assert PairedDeals.of_boards(one, boards) == all_paired([(first, second)] * boards)
