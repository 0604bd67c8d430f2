"""Counting games in SQL comes to the same as looking at each."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.referee.record import GameId, GameRecord, Target, Void
from arena.store.rows import Entrant, Stop, Withdrawal
from arena.store.store import Store
from arena.tools.counted import CountedGames, Totals, count_games

BOTS = "abcd"
BOARDS = 5


def played(game: GameId) -> GameRecord:
    return GameRecord(game, (10, 3), 0, Target(), actions=("pass",))


def one_by_one(store: Store, boards: int) -> Totals:
    counted = CountedGames(store, boards)
    for match in counted.matches:
        for game in store.settled(match):
            counted.take(GameId(match, game.board, game.seating))
    return counted.totals()


@pytest.mark.parametrize("boards", [1, 3, BOARDS, 8])
@pytest.mark.parametrize("withdrawn", [(), ("b",), ("b", "d")])
@pytest.mark.parametrize("end", [None, ("a@1", 2), ("b@1", 4)])
def test_counts(
    tmp_path: Path, boards: int, withdrawn: tuple[str, ...], end: tuple[str, int] | None
) -> None:
    with Store.open(tmp_path) as store:
        versions = [str(bot) for bot in store.enter(Entrant(name, "h", {}) for name in BOTS)]
        store.enter([Entrant("a", "another", {}), *(Entrant(name, "h", {}) for name in BOTS[1:])])
        store.enter(Entrant(name, "h", {}) for name in BOTS)
        matches = [(a, b) for a in versions for b in versions if a < b] + [("a@2", "b@1")]
        for match in matches[:-2]:
            ids = [GameId(match, board, n) for board in range(BOARDS) for n in range(2)]
            store.add(map(played, ids[:7]), [Void(ids[8], "arena_stall")] * 4)
        store.add(
            decisions=[
                Withdrawal(f"{name}@1", GameId(("b@1", "d@1"), 1, 0), "faults")
                for name in withdrawn
            ]
        )
        if end is not None:
            match = (end[0], "d@1")
            store.add(decisions=[Stop("sprt", match, GameId(match, end[1], 1), "decided", {})])
        totals = count_games(store, boards)
        assert totals == one_by_one(store, boards)
        parts = totals.games + totals.void + totals.dropped + totals.not_needed
        assert totals.settled == parts > 0
        if end is None:
            assert totals.not_needed == 0
        elif boards > end[1] + 4:
            assert totals.not_needed > 0


def test_a_schedule_without_games_is_not_complete() -> None:
    assert not Totals(scheduled=0, games=0, void=0, dropped=0).complete
    assert Totals(scheduled=2, games=1, void=1, dropped=0).complete
