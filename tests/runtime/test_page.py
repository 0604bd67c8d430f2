"""The page on which a coordinator sees which games its worker plays."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from simulated import SimulatedBot, Simulation

from arena.runtime.page import OVER, RUNNING, Page, marks_on


@pytest.fixture(params=["in memory", "in a file"])
def page(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    if request.param == "in a file":
        monkeypatch.delattr(os, "memfd_create", raising=False)
    page = Page()
    yield page
    page.close()


def test_a_page_shows_which_games_are_running(page: Page) -> None:
    assert page.running() == ()
    with marks_on(page.fileno(), 5, 2) as marks:
        assert page.running() == ()
        for place in (4, 1, 2):
            marks[place] = RUNNING
        marks[2] = OVER
        assert page.running() == (1, 4)
    assert page.running() == (1, 4), "whoever dies leaves it as it is"


@pytest.mark.parametrize("sizes", [(3, 70_000), (70_000, 3), (3, 0, 2)])
def test_each_job_has_a_page_of_its_size(page: Page, sizes: tuple[int, ...]) -> None:
    for size in sizes:
        page.clear()
        assert page.running() == ()
        with marks_on(page.fileno(), size, 2) as marks:
            assert page.running() == ()
            for place in range(size):
                marks[place] = RUNNING
            assert page.running() == tuple(range(size))


@pytest.mark.parametrize("seats", [2, 4])
def test_a_page_shows_what_each_bot_may_be_blamed_for_now(page: Page, seats: int) -> None:
    assert page.blamed() == ()
    with marks_on(page.fileno(), 3, seats) as marks:
        marks[0] = RUNNING
        marks.blame(0, "memory")
        marks.blame(seats - 1, "flood")
        assert page.blamed() == marks.blamed() == ((0, "memory"), (seats - 1, "flood"))
        assert page.running() == (0,)
        marks.blame(0, None)
        marks.blame(seats - 1, "memory")
        assert page.blamed() == ((seats - 1, "memory"),)
    page.clear()
    assert page.blamed() == ()
    with marks_on(page.fileno(), 3, seats):
        assert page.blamed() == ()


WRITES = (
    "import os, signal, sys\n"
    "from arena.runtime.page import RUNNING, marks_on\n"
    "with marks_on(int(sys.argv[1]), 3, 2) as marks:\n"
    "    marks[1] = RUNNING\n"
    "    marks.blame(1, 'flood')\n"
    "    os.kill(os.getpid(), signal.SIGKILL)\n"
)


def test_what_a_killed_process_noted_is_seen(page: Page) -> None:
    number = page.fileno()
    done = subprocess.run(
        [sys.executable, "-c", WRITES, str(number)], pass_fds=[number], check=False
    )
    assert done.returncode < 0
    assert page.running() == (1,)
    assert page.blamed() == ((1, "flood"),)


def test_without_a_page_a_job_is_played_too() -> None:
    with marks_on(None, 2, 2) as marks:
        marks[1] = RUNNING
        marks.blame(1, "memory")
        assert marks.blamed() == ((1, "memory"),)


def test_a_page_without_room_is_found_before_a_game_is_played() -> None:
    with (
        Path("/dev/full").open("wb") as full,
        pytest.raises(OSError, match=os.strerror(errno.ENOSPC)),
        marks_on(full.fileno(), 2, 2),
    ):
        pass


def test_a_game_is_marked_from_its_first_decision_to_its_end() -> None:
    job = Simulation([SimulatedBot(), SimulatedBot()], 12, 4)
    seen = set()

    def look(job: Simulation) -> None:
        opened = {table.place for table in job.tables._open}
        running = {place for place, mark in enumerate(job.marks) if mark == RUNNING}
        assert running == opened
        assert job.marks.count(OVER) == len(job.tables.records)
        seen.add(len(running))

    job.before_turn = look
    job.play()
    assert max(seen) == 4
    assert job.marks == bytes([OVER]) * 12
