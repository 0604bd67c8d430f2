from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.scores import GameRow, MatchScore, match_scores

AB = ("a@1", "b@1")
CD = ("c@1", "d@1")


def board(
    match: tuple[str, str], number: int, first_winner: str, second_winner: str
) -> list[GameRow]:
    return [GameRow(match, number, 0, first_winner), GameRow(match, number, 1, second_winner)]


def test_boards_are_counted_from_the_first_bots_view() -> None:
    rows = [
        *board(AB, 0, "a@1", "a@1"),
        *board(AB, 1, "a@1", "b@1"),
        *board(AB, 2, "b@1", "a@1"),
        *board(AB, 3, "b@1", "b@1"),
        *board(AB, 4, "a@1", "a@1"),
    ]
    (score,) = match_scores(rows)
    assert score == MatchScore("a@1", "b@1", won_both=2, split=2, lost_both=1)
    assert (score.boards, score.won, score.lost) == (5, 6, 4)


def test_half_boards_do_not_count_but_are_counted() -> None:
    rows = [GameRow(CD, 7, 1, "d@1"), *board(AB, 0, "a@1", "a@1"), GameRow(AB, 1, 0, "a@1")]
    assert match_scores(rows) == (
        MatchScore("a@1", "b@1", 1, 0, 0, half_boards=1),
        MatchScore("c@1", "d@1", 0, 0, 0, half_boards=1),
    )


def test_nothing_comes_of_nothing() -> None:
    assert match_scores([]) == ()


@pytest.mark.parametrize(
    "row",
    [
        GameRow(AB, 0, 0, "c@1"),
        GameRow(AB, 0, 2, "a@1"),
        GameRow(("a@1", "a@1"), 0, 0, "a@1"),
    ],
)
def test_a_row_that_is_no_game_of_its_match_is_refused(row: GameRow) -> None:
    with pytest.raises(ValueError, match="not a game of its match"):
        match_scores([row])


def test_a_game_that_comes_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="came twice"):
        match_scores([GameRow(AB, 0, 0, "a@1"), GameRow(AB, 0, 0, "a@1")])


games = st.builds(
    lambda match, number, seating, won: GameRow(match, number, seating, match[won]),
    st.sampled_from([AB, CD]),
    st.integers(0, 20),
    st.integers(0, 1),
    st.integers(0, 1),
)


@given(st.lists(games, unique_by=lambda row: row[:3]), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(rows: list[GameRow], random: object) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    scores = match_scores(rows)
    assert match_scores(shuffled) == scores
    assert sum(2 * score.boards + score.half_boards for score in scores) == len(rows)


def test_rows_in_schedule_order_are_not_kept() -> None:
    def rows() -> Iterator[GameRow]:
        for number in range(50_000):
            yield GameRow(AB, number, 0, "a@1")
            yield GameRow(AB, number, 1, AB[number % 2])

    tracemalloc.start()
    try:
        (score,) = match_scores(rows())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert score == MatchScore(*AB, 25_000, 25_000, 0)
    assert peak < 100_000


def test_boards_with_a_fault_are_counted_apart() -> None:
    rows = [
        *board(AB, 0, "a@1", "a@1"),
        GameRow(AB, 1, 0, "a@1", forfeit=True),
        GameRow(AB, 1, 1, "b@1"),
        GameRow(AB, 2, 0, "a@1", forfeit=True),
        GameRow(AB, 2, 1, "a@1", forfeit=True),
        GameRow(AB, 3, 0, "a@1", forfeit=True),
    ]
    (score,) = match_scores(rows)
    assert score == MatchScore(*AB, 2, 1, 0, half_boards=1, forfeited=(1, 1, 0))
    assert score.without_faults == MatchScore(*AB, 1, 0, 0, half_boards=1)
