"""The short form of orphans.py: bots whose processes run away, at each level of isolation."""

from __future__ import annotations

import pytest

from tests.soak.orphans import WAYS, target_s
from tests.soak.playground import LEVELS

PROMISED = [(level, way) for level in LEVELS for way in WAYS if target_s(level, way) is not None]


@pytest.mark.parametrize(("level", "way"), PROMISED)
def test_no_runaway_outlives_its_arena(level: str, way: str) -> None:
    found = WAYS[way](level)
    assert found.runaways
    assert not found.left


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("level", "way"), PROMISED)
def test_no_runaway_outlives_its_arena_for_long(level: str, way: str) -> None:
    target = target_s(level, way)
    assert target is not None
    assert max(WAYS[way](level).seconds for _ in range(10)) <= target
