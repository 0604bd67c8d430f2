"""How many games a job gets, by what was measured before."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.store.rows import Match
from arena.tournament.pace import AIM_MS, FIRST_GAMES, JOB_MS, MOST_GAMES, SHORTEST_MS, Pace, guess

AB, AC, CD = ("a@1", "b@1"), ("a@1", "c@1"), ("c@1", "d@1")
PLENTY = 10**9


def paced(games: int, play_ms: int) -> Pace:
    """After one job of a against b."""
    pace = Pace()
    pace.measure(AB, games, play_ms)
    return pace


def test_before_anything_is_measured_a_job_gets_its_share_or_many_games() -> None:
    for pace in (Pace(), paced(0, 500)):
        assert pace.games_for(AB, PLENTY) == FIRST_GAMES
        assert pace.games_for(AB, 30) == 30


def test_a_job_is_as_long_as_wanted() -> None:
    assert 2_000 <= SHORTEST_MS <= AIM_MS < JOB_MS <= 10_000
    assert paced(10, 1_000).games_for(AB, PLENTY) == AIM_MS // 100
    assert paced(1, 60_000).games_for(AB, PLENTY) == 1
    assert paced(1_000, 0).games_for(AB, PLENTY) == MOST_GAMES


def test_near_the_end_all_workers_get_their_share_but_not_less_than_a_short_job() -> None:
    assert paced(10, 1_000).games_for(AB, 30) == 30
    assert paced(10, 1_000).games_for(AB, 3) == SHORTEST_MS // 100
    assert paced(1, 60_000).games_for(AB, 3) == 1


def test_the_last_measurement_counts() -> None:
    pace = paced(10, 100)
    pace.measure(AB, 10, 10_000)
    assert pace.games_for(AB, PLENTY) == AIM_MS // 1_000


def test_a_match_not_measured_yet_is_guessed_from_its_bots_else_from_all() -> None:
    pace = paced(10, 1_000)
    pace.measure(CD, 10, 10_000)
    assert pace.games_for(AC, PLENTY) == AIM_MS // 1_000  # the slower of what its bots did
    assert pace.games_for(("e@1", "f@1"), PLENTY) == AIM_MS // 1_000
    assert pace.games_for(AB, PLENTY) == AIM_MS // 100


def test_a_bot_is_not_held_to_be_as_slow_as_one_that_it_met() -> None:
    measured: dict[Match, float] = {
        ("a@1", "z@1"): 500.0,
        ("a@1", "b@1"): 2.0,
        ("c@1", "z@1"): 600.0,
    }
    assert guess(measured, ("a@1", "d@1")) == 2
    assert guess(measured, ("b@1", "z@1")) == 500
    assert guess(measured, ("d@1", "e@1")) == 600
    assert guess({}, AB) is None


@given(
    st.lists(
        st.tuples(st.sampled_from([AB, AC, CD]), st.integers(0, 9_999), st.integers(0, 10**7))
    ),
    st.integers(1, 10**6),
)
def test_always_one_game_at_least_and_never_too_many(
    measured: list[tuple[tuple[str, ...], int, int]], fair_share: int
) -> None:
    pace = Pace()
    for match, games, play_ms in measured:
        pace.measure(match, games, play_ms)
    assert 1 <= pace.games_for(AB, fair_share) <= MOST_GAMES
