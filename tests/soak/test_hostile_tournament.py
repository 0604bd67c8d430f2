"""The short form of hostile_tournament.py: one board of each match, and one fault is enough."""

from __future__ import annotations

import pytest

from tests.soak.hostile_tournament import survived
from tests.soak.playground import LEVELS


@pytest.mark.timeout(300)
def test_hostile_bots_hurt_nobody() -> None:
    assert survived("process", boards=1, withdraw_after=1).wrong == []


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("level", LEVELS)
def test_hostile_bots_hurt_nobody_for_long(level: str) -> None:
    assert survived(level, boards=20).wrong == []
