"""Bots that may be copies: what of their games must be the same, and what is not looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.ratings.scores import MatchScore
from arena.referee.record import Forfeit, GameId, GameRecord, Target
from arena.report.standings import Alike
from arena.store.rows import Entrant, Tournament, Withdrawal
from arena.store.store import Store
from arena.tools.copies import find_alike
from arena.tools.counted import CountedGames

AB, AC = ("a@1", "b@1"), ("a@1", "c@1")
BOARDS = 2_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path) as store:
        store.begin(
            Tournament("/x.yaml", "x", {}, b"secret", drawn=False),
            [Entrant(bot, f"hash of {bot}", {}) for bot in "abc"],
        )
        yield store


def board(
    match: tuple[str, ...], number: int, *plays: str, fault: str | None = None
) -> list[GameRecord]:
    """A board won by seat 0 in each game; each of `plays` is one, a letter an action."""
    end = Target() if fault is None else Forfeit(1, fault, "so it was")
    return [
        GameRecord(GameId(match, number, seating), (10, 0), 0, end, actions=tuple(play))
        for seating, play in enumerate(plays)
    ]


def found(store: Store, *scores: MatchScore) -> list[Alike]:
    return list(find_alike(store, CountedGames(store, BOARDS), scores))


def split(boards: int, b: str = "b") -> MatchScore:
    return MatchScore("a", b, 0, boards, 0)


def test_most_boards_must_be_the_same_game_twice(store: Store) -> None:
    store.add(board(AB, 0, "xyz", "xyz") + board(AB, 1, "xy", "xyz"))
    assert found(store, split(2)) == [], "one of two is not most"
    store.add(board(AB, 3, "y", "y") + board(AB, 4, "z"))
    assert found(store, split(3)) == [Alike("a", "b", 2, 3, 3)]


def test_the_same_game_on_two_boards_means_nothing(store: Store) -> None:
    store.add(board(AB, 0, "x", "y") + board(AB, 1, "x", "y") + board(AC, 0, "x", "y"))
    assert found(store, split(2)) == []


def test_games_lost_by_a_fault_are_not_the_same(store: Store) -> None:
    """Both fail at their first decision on seat 1."""
    for number in range(3):
        store.add(board(AB, number, "x", "x", fault="crash"))
    assert found(store, split(3)) == []


def test_each_match_is_looked_at_by_itself(store: Store) -> None:
    for number in range(2):
        store.add(board(AB, number, "x", "y") + board(AC, number, "y", "y"))
    assert found(store, split(2), split(2, "c")) == [Alike("a", "c", 2, 2, 2)]


@pytest.mark.parametrize(
    "score",
    [MatchScore("a", "b", 1, 98, 1), MatchScore("a", "b", 0, 1, 0), MatchScore("a", "b", 0, 0, 0)],
)
def test_nothing_is_read_of_other_matches(
    store: Store, monkeypatch: pytest.MonkeyPatch, score: MatchScore
) -> None:
    monkeypatch.setattr(Store, "sameness", None)
    assert found(store, score) == []


def test_only_boards_that_count(store: Store) -> None:
    """Boards beyond the schedule do not, nor do those after a withdrawal."""
    for number in range(3):
        store.add(board(AB, number, "x", "y"))
    for number in (*range(3, 9), BOARDS, BOARDS + 1):
        store.add(board(AB, number, "x", "x"))
    assert found(store, split(9)) == [Alike("a", "b", 6, 9, 9)]
    store.add(decisions=[Withdrawal("b@1", GameId(AB, 4, 0), "20 faults")])
    assert found(store, split(4)) == []


def test_of_very_many_boards_the_first_are_looked_at(store: Store) -> None:
    store.add(game for number in range(1_002) for game in board(AB, number, "x", "x"))
    assert found(store, split(1_002)) == [Alike("a", "b", 1_000, 1_000, 1_002)]
