"""The short form of timing.py: two boards on a machine that is wanted by others too."""

from __future__ import annotations

import pytest

from tests.soak.timing import ANSWERED_MS, timed

TRIES = 3
"""Where still more wants the machine, a bot may now and then wake up too late by itself."""


@pytest.mark.timeout(300)
def test_nobody_loses_by_a_busy_machine() -> None:
    tried = (timed(40, "process") for _ in range(TRIES))
    found = next(one for number, one in enumerate(tried, 1) if not one.forfeits or number == TRIES)
    assert found.forfeits == []
    assert len(found.charged_us) >= 40
    assert max(found.charged_us) >= ANSWERED_MS * 1000  # less where the arena was late


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_nobody_loses_by_a_busy_machine_for_long() -> None:
    found = timed(2000, "process")
    assert found.forfeits == []
    assert len(found.charged_us) >= 2000
