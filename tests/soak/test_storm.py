"""The short form of storm.py: a hundred games, a third of which a bot spoils."""

from __future__ import annotations

import pytest

from tests.soak.playground import LEVELS
from tests.soak.storm import storm


@pytest.mark.timeout(300)
def test_every_game_of_a_storm_ends_as_it_must() -> None:
    found = storm(120, "process", share=300)
    assert found.wrong == []
    assert len(found.committed) >= 15


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("level", LEVELS)
def test_a_long_storm_leaves_the_arena_as_it_was(level: str) -> None:
    found = storm(10_000, level)
    assert found.wrong == []
    assert len(found.committed) >= 15
