"""How far and how fast a run is, by times that the test gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.report.progress.course import Course


def course(*steps: tuple[float, int], total: int = 100, settled: int = 0) -> Course:
    """A course after some steps: (seconds since the beginning, games settled)."""
    course = Course(settled=settled, total=total, now_s=5.0)
    for seconds, now in steps:
        course.advance(now, 5.0 + seconds)
    return course


def lines(total: int, *steps: tuple[float, int], settled: int = 0) -> list[str | None]:
    """What is said after each of `steps`."""
    it = course(total=total, settled=settled)
    said = []
    for seconds, now in steps:
        it.advance(now, 5.0 + seconds)
        said.append(it.line(5.0 + seconds))
    return said


# what is said


def test_how_far_how_fast_and_how_long() -> None:
    it = course((10, 3240), total=6000)
    assert it.text(15.0) == "3240/6000 games  54%  324 games/s  9 s left"
    assert it.share == 0.54


def test_time_goes_by_while_nothing_comes_in() -> None:
    assert course((10, 50)).text(5.0 + 20) == "50/100 games  50%  2.5 games/s  20 s left"


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (99, "99 s left"),
        (100, "2 min left"),
        (45 * 60, "45 min left"),
        (99 * 60, "99 min left"),
        (100 * 60, "1 h 40 min left"),
        (50 * 3600 + 59, "50 h 0 min left"),
    ],
)
def test_the_time_left_has_a_unit_that_fits(left: int, said: str) -> None:
    assert course((1, 1), total=1 + left).text(6.0).endswith(f"  {said}")


def test_only_a_finished_run_is_at_100_percent_and_has_no_time_left() -> None:
    assert course((1, 999), total=1000).text(6.0) == "999/1000 games  99%  999 games/s  0 s left"
    assert course((1, 1000), total=1000).text(6.0) == "1000/1000 games  100%  1000 games/s"


def test_nothing_is_known_at_the_beginning() -> None:
    assert course().text(5.0) == "0/100 games  0%  0 games/s"
    assert course().text(9.0) == "0/100 games  0%  0 games/s"
    assert course(total=0).text(5.0) == "0/0 games  100%  0 games/s"


def test_the_rate_counts_from_the_beginning_of_this_run() -> None:
    it = course((10, 600), total=1000, settled=500)
    assert it.text(15.0) == "600/1000 games  60%  10 games/s  40 s left"


def test_the_rate_is_that_of_the_last_minute() -> None:
    slow_then_quick = [(s, s) for s in range(1, 121)] + [(120 + s, 120 + 50 * s) for s in range(61)]
    it = course(*slow_then_quick, total=10_000)
    assert "  50 games/s  " in it.text(5.0 + 180)


def test_moments_close_together_do_not_pile_up() -> None:
    it = course(*((n / 1000, n) for n in range(120_000)), total=200_000)
    assert len(it._moments) < 70
    assert "  1000 games/s  " in it.text(5.0 + 120)


# when a line is due


def test_no_line_before_half_a_minute() -> None:
    said = lines(100, (29.9, 90), (30.0, 90))
    assert said == [None, "90/100 games  90%  3.0 games/s  3 s left"]


def test_no_line_before_a_tenth() -> None:
    none, line = lines(100, (600, 9), (601, 10))
    assert none is None
    assert line is not None
    assert line.startswith("10/100 games  10%")


def test_both_count_from_the_last_line() -> None:
    steps = ((30, 15), (59, 40), (60, 24), (60, 25), (500, 34))
    said = [line is not None for line in lines(100, *steps)]
    assert said == [True, False, False, True, False]


def test_a_tenth_counts_from_the_beginning_of_this_run() -> None:
    steps = ((40, 599), (40, 600), (50, 600))
    said = [line is not None for line in lines(1000, *steps, settled=500)]
    assert said == [False, True, False]


@given(st.lists(st.tuples(st.floats(0, 10), st.integers(0, 30))), st.integers(1, 1000))
def test_never_more_than_ten_lines_nor_two_in_half_a_minute(
    moves: list[tuple[float, int]], total: int
) -> None:
    it = Course(settled=0, total=total, now_s=0.0)
    now_s, settled, said = 0.0, 0, []
    for seconds, games in moves:
        now_s, settled = now_s + seconds, min(settled + games, total)
        it.advance(settled, now_s)
        if it.line(now_s) is not None:
            said.append(now_s)
    assert len(said) <= 10
    assert all(later - earlier >= 30 for earlier, later in zip([0.0, *said], said, strict=False))
