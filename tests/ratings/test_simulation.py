"""The short form of simulation.py: seconds, with bounds as wide as chance needs."""

from __future__ import annotations

import pytest

from tests.ratings.simulation import (
    EQUAL,
    SPREAD,
    Found,
    Setting,
    chances_of_boards,
    luck_of,
    simulate,
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


@pytest.mark.parametrize("setting", SHORT, ids=str)
def test_intervals_hold_as_often_as_they_say(setting: Setting) -> None:
    found = simulate(setting, 300, seed=20261130)
    assert coverage_missed(found, slack=2) == []
    assert found.unknown == 0
    assert found.said == pytest.approx(found.true, rel=0.08)


def test_intervals_of_independent_games_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the bounds above are narrow enough: split boards make games surer than they seem."""
    monkeypatch.setattr("arena.ratings.rate.pooled_phi", lambda _: 1.0)
    found = simulate(Setting(SPREAD, 5, -0.6), 300, seed=1)
    assert coverage_missed(found, slack=2) != []
