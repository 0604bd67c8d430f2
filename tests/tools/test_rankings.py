"""From stored results to standings: what counts, what is summed, what is still missing."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from played import Played

from arena.errors import UserError
from arena.ratings.points import PointsPerDeal
from arena.ratings.scores import MatchScore
from arena.referee.record import GameId
from arena.report.circumstances import Circumstances, Lag
from arena.report.rankings import rankings
from arena.store.rows import Withdrawal

AB, AC = ("a@1", "b@1"), ("a@1", "c@1")


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    played = Played(tmp_path)
    yield played
    played.store.close()


def test_half_a_board_is_a_game_but_no_score(played: Played) -> None:
    played.board(AB, 0, "a", "b")
    played.board(AB, 1, "a")
    standings = played.standings()
    assert standings.progress.games == 3
    assert standings.scores == (
        MatchScore("a", "b", won_both=0, split=1, lost_both=0, half_boards=1),
    )
    rows = rankings(standings).bots
    assert [(row.games, row.won, row.lost) for row in rows] == [(2, 1, 1)] * 2
    assert "Half played, so not counted: 1 board." in rankings(standings).notices


def test_it_is_complete_with_its_last_game(played: Played) -> None:
    played.board(AB, 0, "a", "b")
    played.board(AB, 1, "a", "a")
    played.board(AB, 2, "b")
    assert not played.standings().progress.complete
    played.add(GameId(AB, 2, 1), 0)
    progress = played.standings().progress
    assert (progress.games, progress.scheduled, progress.complete) == (6, 6, True)


def test_faults_by_bot_and_kind_on_complete_boards(played: Played) -> None:
    played.add(GameId(AB, 0, 0), 0, fault="timeout")
    played.add(GameId(AB, 0, 1), 0, fault="crash")
    played.add(GameId(AB, 1, 0), 0, fault="timeout")
    played.add(GameId(AB, 2, 1), 0, fault="timeout")
    faults = {tally.bot: tally.faults for tally in played.standings().tallies}
    assert faults == {"a": {"crash": 1}, "b": {"timeout": 1}}
    played.add(GameId(AB, 1, 1), 1)
    faults = {tally.bot: tally.faults for tally in played.standings().tallies}
    assert faults == {"a": {"crash": 1}, "b": {"timeout": 2}}


def test_time_by_bot_over_its_own_decisions_on_complete_boards(played: Played) -> None:
    played.board(AB, 0, "a")
    times = [tally.ms_per_decision for tally in played.standings().tallies]
    assert times == [None, None]
    played.add(GameId(AB, 0, 1), 0, took=(30, 10, 10_000, 1_000))
    played.add(GameId(AB, 1, 1), 0, took=(1, 1, 10**9, 10**9))
    spent = {tally.bot: tally.ms_per_decision for tally in played.standings().tallies}
    assert spent == {"a": pytest.approx(6 / 20), "b": pytest.approx(50 / 50)}


def test_cpu_time_over_the_decisions_of_games_that_measured_it(played: Played) -> None:
    played.board(AB, 0, "a", "a")
    assert {tally.cpu_ms_per_decision for tally in played.standings().tallies} == {None}
    for seating in range(2):
        played.add(GameId(AB, 1, seating), 0, took=(10, 10, 1, 1), cpu_us=(3_000, 5_000))
    spent = [tally.cpu_ms_per_decision for tally in played.standings().tallies]
    assert spent == [pytest.approx(8 / 20)] * 2


def test_how_games_that_count_were_played(played: Played) -> None:
    assert played.standings().circumstances == Circumstances()
    played.store.inspected("process", "before", [])
    played.store.inspected("process", "all held", [])
    played.add(GameId(AB, 0, 0), 0, cpu_us=(1, 1), lag_us=1_239, isolation="process")
    played.add(GameId(AB, 9, 0), 0, cpu_us=(1, 1), lag_us=9_000, isolation="sandbox")
    assert played.standings().circumstances == Circumstances(
        {"process": 1}, {"allow": 1}, Lag(1.23, 1.23), "all held"
    )
    played.add(GameId(AB, 0, 1), 0, isolation="none", pondering="suspend")
    found = played.standings().circumstances
    assert (found.isolation, found.pondering) == (
        {"none": 1, "process": 1},
        {"allow": 1, "suspend": 1},
    )
    assert found.lag == Lag(1.23, 1.23), "of the other game nobody measured it"


def test_points_per_deal_from_both_games_of_complete_boards(played: Played) -> None:
    """By hand: on board 0 a is 2 + 1 ahead in 2 deals, on board 1 1 behind in 1, of 4 and 2."""
    played.add(GameId(AB, 0, 0), 0, dealers=(0, 1), margins=(2, 1))
    played.add(GameId(AB, 0, 1), 0, dealers=(0, 1, 0), margins=(1, -1, 4))
    played.add(GameId(AB, 1, 0), 0, dealers=(1,), margins=(0,))
    played.add(GameId(AB, 1, 1), 0, fault="crash", dealers=(1,), margins=(1,))
    played.add(GameId(AB, 2, 0), 0, dealers=(1,), margins=(4,))
    points = played.standings().points
    of_a = points.of_match("a", "b")
    assert (of_a.points.value, of_a.paired, of_a.unpaired) == (2 / 6, 3, 1)
    # Residuals 3 - 4/3 and -1 - 2/3; Student's t with one degree of freedom.
    error = 12.7062 * math.sqrt(2 * (25 / 9 + 25 / 9)) / 6
    assert of_a.points.error == pytest.approx(error, rel=1e-5)
    assert points.of_bot("a") == of_a
    assert points.of_bot("b").points == (-2 / 6, of_a.points.error)
    assert points.unknown == 0
    shown = rankings(played.standings())
    assert [bot.paired_deals for bot in shown.bots] == [3, 3]
    assert shown.matches[0].points_per_deal == pytest.approx(0.3333)


def test_points_per_deal_of_a_bot_over_all_its_matches(played: Played) -> None:
    played.configure("a", "b", "c")
    played.enter("a", "b", "c")
    for match, margin in ((AB, 2), (AC, -1)):
        played.add(GameId(match, 0, 0), 0, dealers=(0,), margins=(margin,))
        played.add(GameId(match, 0, 1), 0, dealers=(0,), margins=(0,))
    points = played.standings().points
    values = [points.of_bot(bot).points.value for bot in "abcd"]
    assert values == [0.25, -1.0, 0.5, None]
    assert points.of_match("a", "c").points.value == -0.5


def test_what_the_seats_are_worth(played: Played) -> None:
    """Seat 0 wins both games of board 0 and one of board 1, 4 points in 3 deals, then -1 in 2."""
    played.add(GameId(AB, 0, 0), 0, dealers=(0, 1), margins=(2, 1))
    played.add(GameId(AB, 0, 1), 0, dealers=(0,), margins=(1,))
    played.add(GameId(AB, 1, 0), 0, dealers=(1,), margins=(-1,))
    played.add(GameId(AB, 1, 1), 1, dealers=(1,), margins=(0,))
    played.add(GameId(AB, 2, 1), 1, dealers=(1,), margins=(-4,))
    seats = played.standings().points.seats
    assert (seats.games.value, seats.points.value) == (0.25, 3 / 5)
    assert seats.games.error == pytest.approx(12.7062 / 4, rel=1e-5)


def test_boards_with_a_game_of_an_older_file_have_no_points_per_deal(played: Played) -> None:
    """A game that is lost before its first deal is finished has none either, but says so."""
    played.add(GameId(AB, 0, 0), 0)
    played.add(GameId(AB, 0, 1), 0, dealers=(0,), margins=(2,))
    played.add(GameId(AB, 1, 0), 0, fault="crash")
    played.add(GameId(AB, 1, 1), 0, dealers=(0,), margins=(2,))
    standings = played.standings()
    assert standings.points.unknown == 1
    assert standings.points.of_bot("a") == PointsPerDeal(unpaired=1)
    assert standings.points.seats.games.value == 0.5
    assert standings.points.seats.points.value == 2
    notice = "Without points per deal, because they are without deals: 1 game."
    assert notice in rankings(standings).notices


GAMES = st.sets(st.tuples(st.sampled_from([AB, AC]), st.integers(0, 3), st.integers(0, 1)))


@settings(deadline=None, max_examples=30)
@given(GAMES)
def test_all_that_is_shown_of_a_bot_is_of_the_same_games(
    tmp_path_factory: pytest.TempPathFactory, games: set[tuple[tuple[str, ...], int, int]]
) -> None:
    """With every game lost by a fault of seat 1, won, lost and faults say the same."""
    played = Played(tmp_path_factory.mktemp("any"))
    played.configure("a", "b", "c", boards=3)
    played.enter("a", "b", "c")
    for match, board, seating in games:
        played.add(GameId(match, board, seating), 0, fault="crash")
    rows = rankings(played.standings()).bots
    played.store.close()
    assert [sum((row.faults or {}).values()) for row in rows] == [row.lost for row in rows]
    assert [row.ms_per_decision is None for row in rows] == [row.games == 0 for row in rows]


def test_boards_beyond_the_schedule_do_not_count(played: Played) -> None:
    played.board(AB, 0, "a", "b")
    played.board(AB, 2, "b", "b")
    played.configure("a", "b", boards=2)
    standings = played.standings()
    assert (standings.progress.games, standings.scores[0].boards) == (2, 1)
    played.configure("a", "b", boards=3)
    assert played.standings().scores[0].boards == 2


def test_versions_that_are_not_current_do_not_count(played: Played) -> None:
    played.board(AB, 0, "a", "a")
    played.enter("a", "b", b="another")
    played.board(("a@1", "b@2"), 0, "b", "b")
    standings = played.standings()
    assert (standings.progress.games, standings.progress.scheduled) == (2, 6)
    assert [tally.version for tally in standings.tallies] == ["a@1", "b@2"]
    assert standings.scores == (
        MatchScore("a", "b", won_both=0, split=0, lost_both=1, half_boards=0),
    )
    played.enter("a", "b")
    assert played.standings().scores[0].won_both == 1


def test_games_of_a_withdrawn_bot_count_up_to_the_one_that_decided(played: Played) -> None:
    """Its later ones are neither won nor lost by anybody, whether they were played or not."""
    played.configure("a", "b", "c", boards=4)
    played.enter("a", "b", "c")
    for board in range(3):
        for seating in (0, 1):
            played.add(GameId(AB, board, seating), seating, fault="crash")
    played.board(AC, 0, "a", "c")
    played.store.add(decisions=[Withdrawal("b@1", GameId(AB, 1, 1), "4 faults")])
    standings = played.standings()
    ab, ac = standings.scores
    assert (ab.boards, ab.won_both, ac.boards, ac.split) == (2, 2, 1, 1)
    tallies = {tally.bot: tally for tally in standings.tallies}
    assert tallies["b"].faults == {"crash": 4}
    assert (tallies["b"].withdrawn, tallies["a"].withdrawn) == ("4 faults", None)
    progress = standings.progress
    # Of 24 games: 4 + 2 count; a:b has 4 more that do not, b:c 8; a:c has 6 open ones.
    assert (progress.scheduled, progress.games, progress.dropped) == (24, 6, 12)
    assert not progress.complete
    for board in range(1, 4):
        played.board(AC, board, "a", "a")
    progress = played.standings().progress
    assert (progress.games, progress.dropped, progress.complete) == (12, 12, True)


def test_a_void_of_a_withdrawn_bot_is_dropped_and_no_void(played: Played) -> None:
    played.configure("a", "b", boards=2)
    played.add(GameId(AB, 0, 0), 0, fault="crash")
    played.void(GameId(AB, 0, 1), 4)
    played.void(GameId(AB, 1, 1), 4)
    played.store.add(decisions=[Withdrawal("b@1", GameId(AB, 1, 0), "2 faults")])
    played.add(GameId(AB, 1, 0), 0, fault="crash")
    progress = played.standings().progress
    assert (progress.games, progress.void, progress.dropped) == (2, 1, 1)
    assert progress.complete


def test_a_bot_that_was_left_out_is_named_and_leaves_it_incomplete(played: Played) -> None:
    played.board(AB, 0, "a", "a")
    played.store.leave_out("b@1", "exited 1 before hello")
    standings = played.standings()
    assert [tally.withdrawn for tally in standings.tallies] == [
        None,
        "the last run could not start it: exited 1 before hello",
    ]
    assert (standings.progress.dropped, standings.progress.complete) == (0, False)


def test_the_commitment_and_whether_it_is_closed(played: Played) -> None:
    found = rankings(played.standings())
    assert (found.commitment, found.closed) == (hashlib.sha256(b"secret").hexdigest(), False)
    played.store.reveal()
    assert rankings(played.standings()).closed


@pytest.mark.parametrize(("times", "void"), [(2, 0), (3, 0), (4, 1), (5, 1)])
def test_the_fourth_void_of_a_game_settles_it(played: Played, times: int, void: int) -> None:
    played.configure("a", "b", boards=1)
    played.add(GameId(AB, 0, 0), 0)
    played.void(GameId(AB, 0, 1), times)
    progress = played.standings().progress
    assert (progress.games, progress.void, progress.complete) == (1, void, bool(void))


def test_voids_outside_the_schedule_do_not_count(played: Played) -> None:
    played.void(GameId(AB, 3, 0), 3)
    played.void(GameId(AC, 0, 0), 3)
    assert played.standings().progress.void == 0


def test_a_bot_that_has_not_entered_is_not_missed(played: Played) -> None:
    """It enters with the next run; even an anchor does not need it before."""
    played.board(AB, 0, "a", "b")
    played.configure("a", "b", "c", rating={"anchor": {"c": 1000}})
    standings = played.standings()
    assert [tally.bot for tally in standings.tallies] == ["a", "b"]


def numbers_in(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from numbers_in(inner)
    elif isinstance(value, float):
        yield value


@pytest.mark.parametrize(
    "boards",
    [
        [],
        [(AB, 0, "a")],
        [(AB, 0, "a", "a")],
        [(AB, 0, "a", "b")],
        [(AB, 0, "a", "a"), (AC, 0, "a", "a")],
        [(AB, 0, "a", "b"), (("c@1", "d@1"), 0, "c", "c")],
        [(AB, n, "a", "a") for n in range(3)] + [(AC, n, "c", "c") for n in range(3)],
    ],
)
def test_the_json_object_has_all_fields_and_finite_numbers(
    played: Played, boards: list[tuple[Any, ...]]
) -> None:
    played.configure("a", "b", "c", "d")
    played.enter("a", "b", "c", "d")
    for board in boards:
        played.board(*board)
    shown = json.loads(msgspec.json.encode(rankings(played.standings())))
    wanted = {"schema", "tournament", "complete", "games", "scheduled", "confidence", "void"}
    assert wanted <= set(shown)
    assert shown["schema"] == "arena.rankings/1"
    assert shown["scheduled"] == 36
    for bot in shown["bots"]:
        assert {"name", "version", "rank", "elo", "error", "bound", "games"} <= set(bot)
        assert {"won", "lost", "score", "faults", "withdrawn"} <= set(bot)
        assert bot["bound"] in (None, ">", "<")
    for match in shown["matches"]:
        assert {"a", "b", "boards", "won_both", "split", "lost_both"} <= set(match)
    assert all(map(math.isfinite, numbers_in(shown)))


def test_other_conditions_or_no_results_are_refused(played: Played) -> None:
    played.configure("a", "b", seed=2)
    with pytest.raises(UserError, match='seed was "1", is now "2"'):
        played.standings()
