"""What is shown of tournaments that were stopped, or may be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from played import AB, Played

from arena.ratings.sprt import Sprt
from arena.referee.record import GameId
from arena.report.rankings import Rankings, rankings
from arena.report.remarks import notices
from arena.store.rows import Stop
from arena.tournament.stops import SprtRule

KEYS: dict[str, Any] = {"a": "b", "b": "a", "elo0": 0, "elo1": 100}
RULE = SprtRule("b@1", "a@1", Sprt(0, 100))


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    played = Played(tmp_path)
    yield played
    played.store.close()


def shown(played: Played) -> Rankings:
    return rankings(played.standings())


def test_without_rules_there_is_nothing_to_say(played: Played) -> None:
    played.board(AB, 0, "a", "a")
    found = shown(played)
    assert (found.stop, found.sprt, found.not_needed) == (None, None, 0)


def test_how_a_test_stands_so_far(played: Played) -> None:
    """Up to the first board that is not settled; a void for good is."""
    played.configure("a", "b", boards=9, stop={"sprt": KEYS})
    played.board(AB, 0, "b", "b")
    played.board(AB, 1, "b")
    played.void(GameId(AB, 1, 1), 4)
    played.board(AB, 2, "a", "b")
    played.board(AB, 3, "a")
    played.board(AB, 4, "b", "b")
    sprt = shown(played).sprt
    assert sprt is not None
    assert (sprt.a, sprt.b, sprt.decision) == ("b", "a", None)
    assert (sprt.boards, sprt.lost_both, sprt.split, sprt.won_both) == (2, 0, 1, 1)
    state = RULE.test.state((0, 1, 1))
    assert sprt.llr == pytest.approx(state.llr, abs=1e-4)
    assert sprt.bounds == pytest.approx((state.test.lower, state.test.upper), abs=1e-4)
    assert state.sentence("b", "a") in notices(played.standings())
    assert "undecided after 2 boards" in sprt.text
    played.add(GameId(AB, 3, 1), 0)
    again = shown(played).sprt
    assert again is not None
    assert again.boards == 4


def test_a_test_waits_for_the_games_before_it(played: Played) -> None:
    """Those of another match may be missing yet."""
    played.configure("a", "b", "c", boards=99, stop={"sprt": KEYS})
    played.enter("a", "b", "c")
    for board in range(20):
        played.board(AB, board, "b", "b")
    found = shown(played)
    assert (found.stop, found.not_needed) == (None, 0)
    assert found.sprt is not None
    assert found.sprt.text.endswith("It counts when all games that come before it are settled.")


def test_a_test_stands_as_its_first_crossing_decides(played: Played) -> None:
    """Also if boards that were played since speak against it."""
    played.configure("a", "b", "c", boards=99, stop={"sprt": KEYS})
    played.enter("a", "b", "c")
    for board in range(60):
        played.board(AB, board, *("bb" if board < 30 else "aa"))
    needed = next(n for n in range(1, 30) if RULE.test.state((0, 0, n)).decision)
    assert RULE.test.state((30, 0, 30)).decision is None
    sprt = shown(played).sprt
    assert sprt is not None
    assert (sprt.decision, sprt.boards, sprt.won_both) == ("H1", needed, needed)
    assert f"H1 accepted after {needed} boards" in sprt.text


def test_a_test_of_a_bot_that_does_not_play_is_not_shown(played: Played) -> None:
    played.configure("a", "b", "c", boards=9, stop={"sprt": KEYS | {"a": "c"}})
    played.board(AB, 0, "b", "b")
    assert shown(played).sprt is None


@pytest.mark.parametrize(
    ("elo", "winner", "above"),
    [
        ((0, 100), "b", ("b", "a")),
        ((20, 100), "b", ("b", "a")),
        ((-50, 50), "b", None),  # not worse by 50
        ((0, 100), "a", None),  # not better by 100
        ((-100, 0), "a", ("a", "b")),
    ],
)
def test_a_decided_test_has_no_naive_intervals(
    played: Played, elo: tuple[float, float], winner: str, above: tuple[str, str] | None
) -> None:
    played.configure("a", "b", boards=99, stop={"sprt": KEYS | {"elo0": elo[0], "elo1": elo[1]}})
    other = "b" if winner == "a" else "a"
    for board in range(40):
        played.board(AB, board, winner, winner if board % 4 else other)
    rule = SprtRule("b@1", "a@1", Sprt(*elo))
    won = (30, 10) if winner == "b" else (0, 10)
    state = rule.test.state((40 - sum(won), won[1], won[0]))
    stop = rule.stop(state, GameId(AB, 39, 1))
    played.store.add(decisions=[stop])
    standings = played.standings()
    found = rankings(standings)
    assert {bot.name: bot.error for bot in found.bots} == {"a": None, "b": None}
    assert [bot.better_than_next for bot in found.bots] == [None, None]
    assert [(one.error, one.better) for one in found.differences] == [(None, None)]
    assert standings.ratings.above == (frozenset() if above is None else {above})
    ranks = {bot.name: bot.rank for bot in found.bots}
    assert ranks == (
        dict.fromkeys("ab", (1, 2)) if above is None else {above[0]: (1, 1), above[1]: (2, 2)}
    )
    assert found.stop is not None
    assert found.sprt is not None
    assert (found.stop.kind, found.stop.match, found.stop.board) == ("sprt", "a@1:b@1", 39)
    assert (found.stop.decision, found.stop.elo0, found.stop.elo1) == (state.decision, *elo)
    assert (found.stop.rating_error, found.stop.error) == (None, None)
    assert found.sprt.boards == 40
    assert (found.complete, found.not_needed) == (True, 2 * 59)
    said = notices(standings)
    assert said[0] == f"The tournament ended before its last board. {stop.reason}"
    assert "No intervals of b and a" in said[1]
    assert said[2] == "Not needed, and so not played or too late to count: 118 games."


def test_a_stop_beyond_the_boards_of_the_config_is_not_shown(played: Played) -> None:
    played.configure("a", "b", boards=99, stop={"sprt": KEYS})
    for board in range(40):
        played.board(AB, board, "b", "b" if board % 4 else "a")
    state = RULE.test.state((0, 10, 30))
    played.store.add(decisions=[RULE.stop(state, GameId(AB, 39, 1))])
    assert shown(played).stop is not None
    played.configure("a", "b", boards=2)
    found = shown(played)
    assert (found.stop, found.sprt, found.not_needed, found.complete) == (None, None, 0, True)
    assert all(bot.rank == (1, 2) for bot in found.bots)
    assert played.standings().ratings.sequential is None
    played.configure("a", "b", boards=40)
    assert shown(played).stop is not None


def test_known_errors_are_shown_with_a_warning(played: Played) -> None:
    played.configure("a", "b", boards=99)
    for board in range(40):
        played.board(AB, board, "a", "b" if board % 3 else "a")
    figures = {"rating_error": 50.0, "error": 41.23456}
    reason = "Each rating is known."
    played.store.add(decisions=[Stop("rating_error", AB, GameId(AB, 31, 1), reason, figures)])
    found = shown(played)
    assert (found.games, found.not_needed, found.complete) == (64, 134, True)
    assert all(bot.error is not None for bot in found.bots)
    assert found.sprt is None
    assert found.stop is not None
    assert (found.stop.rating_error, found.stop.error, found.stop.llr) == (50.0, 41.2346, None)
    assert found.notices[0] == f"The tournament ended before its last board. {reason}"
    assert "slightly optimistic" in found.notices[1]
