"""The short form of simulation.py: seconds, with bounds as wide as chance needs."""

from __future__ import annotations

import pytest

from arena.ratings.intervals import Dispersion
from arena.ratings.sprt import Sprt
from tests.ratings.simulation import (
    EQUAL,
    SETTINGS,
    SPREAD,
    SPRTS,
    Found,
    Setting,
    chances_of_boards,
    luck_of,
    simulate,
    stop,
)

SHORT = (Setting(SPREAD, 5, -0.4), Setting(SPREAD, 20, 0.0), Setting(EQUAL, 60, -0.6))


class TestWhatIsDrawn:
    @pytest.mark.parametrize("correlation", [0, -0.4, -0.6])
    def test_games_of_equal_bots_correlate_as_wanted(self, correlation: float) -> None:
        ((none, split, both),) = chances_of_boards(Setting((0, 0), 1, correlation))
        assert none == pytest.approx(both)
        # The variance of what two games score together is 1/2 (1 + correlation).
        assert none + both == pytest.approx((1 + correlation) / 2)
        assert none + split + both == pytest.approx(1)

    @pytest.mark.parametrize("correlation", [0, -0.4, -0.6])
    def test_luck_does_not_move_the_chance_to_win(self, correlation: float) -> None:
        ((_, split, both),) = chances_of_boards(Setting((200, 0), 1, correlation))
        assert both + split / 2 == pytest.approx(1 / (1 + 10 ** (-200 / 400)))

    def test_more_luck_more_split_boards(self) -> None:
        assert luck_of(0) == 0 < luck_of(-0.2) < luck_of(-0.4) < luck_of(-0.6)


def coverage_missed(found: Found, slack: float) -> list[str]:
    """Say which shares are further off than 1 % and `slack` times what chance explains."""
    shares = {"differences": found.covered, "rows": found.rows_covered}
    return [
        f"{found.setting}: {name} {share}"
        for name, share in shares.items()
        if not abs(share.value - 0.95) <= 0.01 + slack * share.error
    ]


def ranks_missed(found: Found) -> list[str]:
    """Say whether the ranks of all bots hold together less often than chance explains."""
    share = found.ranks_hold
    held = share.value >= 0.95 - 2 * share.error
    return [] if held else [f"{found.setting}: ranks {share}"]


@pytest.mark.parametrize("setting", SHORT, ids=str)
def test_intervals_hold_as_often_as_they_say(setting: Setting) -> None:
    found = simulate(setting, 300, seed=20261130)
    assert coverage_missed(found, slack=2) == []
    assert found.unknown == 0
    assert ranks_missed(found) == []
    assert found.said == pytest.approx(found.true, rel=0.08)


def test_intervals_of_independent_games_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the bounds above are narrow enough: split boards make games surer than they seem."""
    independent = Dispersion(phi=1.0, freedom=100.0)
    monkeypatch.setattr("arena.ratings.intervals._dispersion", lambda *_: independent)
    found = simulate(Setting(SPREAD, 5, -0.6), 300, seed=1)
    assert coverage_missed(found, slack=2) != []


def test_sequential_tests_err_as_seldom_as_they_promise() -> None:
    test = Sprt(0, 60)
    for elo in (test.elo0, test.elo1):
        found = stop(test, elo, -0.4, 300, seed=1)
        assert found.wrong.value <= 0.05 + 2 * found.wrong.error
        assert 30 < found.boards < 120


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_everything_holds_in_many_tournaments(setting: Setting) -> None:
    found = simulate(setting, 4000, seed=1)
    assert coverage_missed(found, slack=2) == []
    assert ranks_missed(found) == []


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("test", "correlation"), SPRTS, ids=str)
def test_sequential_tests_err_as_seldom_in_many_matches(test: Sprt, correlation: float) -> None:
    for elo in (test.elo0, test.elo1):
        found = stop(test, elo, correlation, 2000, seed=1)
        assert found.wrong.value <= 0.05 + 2 * found.wrong.error
