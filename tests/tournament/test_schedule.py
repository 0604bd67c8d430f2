"""The order of games and the choice of the next job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.record import GameId
from arena.store.rows import Match
from arena.tournament.schedule import (
    Fate,
    Schedule,
    blocks,
    boards_until,
    matches,
    number_of_games,
    number_of_matches,
    order_key,
)

AB, AC, BC = ("a@1", "b@1"), ("a@1", "c@1"), ("b@1", "c@1")


def games(all_matches: Sequence[Match], boards: int) -> Iterator[GameId]:
    """All games in the order of the schedule, by listing them."""
    for block in blocks(boards):
        for match, board, seating in product(all_matches, block, (0, 1)):
            yield GameId(match, board, seating)


def play_all(schedule: Schedule, most: int) -> list[tuple[GameId, ...]]:
    """Take and settle jobs until nothing is open."""
    jobs = []
    while job := schedule.take(most):
        jobs.append(job)
        for game in job:
            schedule.settle(game.match, [(game.board, game.seating, Fate.WON_0)])
    return jobs


def test_blocks_double_until_512() -> None:
    sizes = [len(block) for block in blocks(3_000)]
    assert sizes == [1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 512, 512, 512, 440]


@settings(deadline=None)
@given(st.integers(0, 5_000))
def test_blocks_hold_each_board_once_and_are_cut_at_the_end(boards: int) -> None:
    assert [board for block in blocks(boards) for board in block] == list(range(boards))


@given(st.integers(0, 7), st.integers(0, 9))
def test_games_are_counted_without_listing_them(bots: int, boards: int) -> None:
    pairs = matches(f"{letter}@1" for letter in "abcdefg"[:bots])
    assert number_of_matches(bots) == len(pairs)
    assert number_of_games(bots, boards) == len(list(games(pairs, boards)))
    assert Schedule(pairs, boards).total == number_of_games(bots, boards)


def test_matches_are_in_order_of_names_by_code_points() -> None:
    assert matches(["b@1", "ä@1", "B@2", "a.b@1", "a@10"]) == (
        *(("B@2", "a@10"), ("B@2", "a.b@1"), ("B@2", "b@1"), ("B@2", "ä@1")),
        *(("a@10", "a.b@1"), ("a@10", "b@1"), ("a@10", "ä@1")),
        *(("a.b@1", "b@1"), ("a.b@1", "ä@1")),
        ("b@1", "ä@1"),
    )


def test_the_order_is_block_match_board_seating() -> None:
    order = [str(game) for (game,) in play_all(Schedule(matches(["b@1", "a@1", "c@1"]), 4), most=1)]
    assert order[:6] == [f"{m}/0/{s}" for m in ("a@1:b@1", "a@1:c@1", "b@1:c@1") for s in (0, 1)]
    assert order[12:18] == [
        *("a@1:b@1/2/0", "a@1:b@1/2/1", "a@1:b@1/3/0", "a@1:b@1/3/1"),
        *("a@1:c@1/2/0", "a@1:c@1/2/1"),
    ]
    assert len(order) == 24


@settings(deadline=None)
@given(st.integers(2, 5), st.integers(1, 80), st.integers(1, 80))
def test_games_are_each_there_once_and_more_boards_keep_all_of_them(
    bots: int, boards: int, more: int
) -> None:
    pairs = matches(f"bot{n}@1" for n in range(bots))
    order = list(games(pairs, boards))
    assert len(order) == len(set(order)) == bots * (bots - 1) * boards
    raised = list(games(pairs, boards + more))
    kept = set(order)
    assert [game for game in raised if game in kept] == order


@settings(deadline=None)
@given(st.integers(2, 4), st.integers(0, 10))
def test_whole_blocks_are_a_prefix_of_any_longer_order(bots: int, doublings: int) -> None:
    boards = 1 << doublings
    pairs = matches(f"bot{n}@1" for n in range(bots))
    order = list(games(pairs, boards))
    assert order == list(islice(games(pairs, 3 * boards), len(order)))


@settings(deadline=None)
@given(st.integers(2, 4), st.integers(1, 70), st.integers(0))
def test_jobs_play_each_game_once_in_runs_of_one_match_and_seating(
    bots: int, boards: int, luck: int
) -> None:
    dice = Random(luck)
    pairs = matches(f"bot{n}@1" for n in range(bots))
    schedule = Schedule(pairs, boards)
    every = set(games(pairs, boards))
    settled: set[GameId] = set()
    in_flight: list[tuple[GameId, ...]] = []
    while len(settled) < len(every):
        if schedule.first_open() and dice.random() < 0.5:
            job = schedule.take(dice.randint(1, 9))
            assert 1 <= len(job) <= 9
            assert not set(job) & (settled | {game for other in in_flight for game in other})
            first = job[0]
            assert job == tuple(
                GameId(first.match, first.board + n, first.seating) for n in range(len(job))
            )
            in_flight.append(job)
        elif in_flight:
            job = in_flight.pop(dice.randrange(len(in_flight)))
            played = job[: dice.randint(0, len(job))]
            schedule.settle(
                job[0].match, [(game.board, game.seating, Fate.WON_0) for game in played]
            )
            schedule.release(job)
            settled |= set(played)
        assert schedule.settled == len(settled)
        assert schedule.total == len(every)
    assert settled == every
    assert schedule.take(1) == ()


@settings(deadline=None)
@given(st.integers(2, 4), st.integers(1, 40), st.data())
def test_the_next_job_begins_with_the_first_open_game_of_the_order(
    bots: int, boards: int, data: st.DataObject
) -> None:
    pairs = matches(f"bot{n}@1" for n in range(bots))
    order = list(games(pairs, boards))
    stored = data.draw(st.sets(st.sampled_from(order)))
    schedule = Schedule(pairs, boards)
    for game in stored:
        schedule.settle(game.match, [(game.board, game.seating, Fate.WON_0)])
    expected = next((game for game in order if game not in stored), None)
    assert schedule.first_open() == expected
    job = schedule.take(boards)
    assert job[:1] == ((expected,) if expected else ())
    assert not set(job) & stored


def test_a_run_crosses_blocks_and_stops_at_a_gap() -> None:
    schedule = Schedule([AB], 16)
    schedule.settle(AB, [(9, 0, Fate.FAULT_1)])
    assert [game.board for game in schedule.take(100)] == list(range(9))
    assert {game.seating for game in schedule.take(100)} == {1}
    assert [game.board for game in schedule.take(3)] == [10, 11, 12]


def test_the_mirrored_games_go_into_jobs_of_their_own() -> None:
    jobs = play_all(Schedule([AB, AC], 2), 10)
    assert [(job[0].match, job[0].seating, len(job)) for job in jobs] == [
        *((AB, 0, 2), (AB, 1, 2), (AC, 0, 2), (AC, 1, 2))
    ]


def test_a_bot_left_out_gets_no_games_and_the_rest_goes_on() -> None:
    schedule = Schedule([AB, AC, BC], 3)
    held = schedule.take(2)
    schedule.leave_out("a@1")
    schedule.release(held)
    jobs = play_all(schedule, 5)
    assert {game.match for job in jobs for game in job} == {BC}
    assert (schedule.settled, schedule.total) == (6, 18)


def test_a_settled_game_stays_settled() -> None:
    schedule = Schedule([AB], 1)
    job = schedule.take(1)
    schedule.settle(AB, [(0, 0, Fate.WON_0), (0, 0, Fate.VOID)])
    schedule.release(job)
    assert schedule.settled == 1
    assert schedule.fate(GameId(AB, 0, 0)) == Fate.WON_0
    assert schedule.first_open() == GameId(AB, 0, 1)


def test_a_withdrawn_bot_has_its_open_games_settled_and_may_end_those_in_flight() -> None:
    schedule = Schedule([AB, AC, BC], 3)
    schedule.settle(AB, [(0, 0, Fate.FAULT_0), (0, 1, Fate.WON_0)])
    done, back = schedule.take(1) + schedule.take(1)
    assert {done.match, back.match} == {AC}
    schedule.withdraw("a@1")
    assert schedule.settled == 2 * 6 - 2
    schedule.settle(done.match, [(done.board, done.seating, Fate.WON_0)])
    schedule.release([done, back])
    assert (schedule.settled, schedule.total) == (12, 18)
    assert (schedule.fate(done), schedule.fate(back)) == (Fate.WON_0, Fate.DROPPED)
    assert {game.match for job in play_all(schedule, 5) for game in job} == {BC}
    assert schedule.settled == schedule.total


def test_a_held_game_is_not_offered_until_it_is_released() -> None:
    schedule = Schedule([AB], 2)
    held = GameId(AB, 0, 0)
    schedule.hold(held)
    assert held not in {game for job in play_all(schedule, 5) for game in job}
    schedule.release([held])
    assert schedule.take(9) == (held,)


@given(st.sampled_from([0, 1]), st.sampled_from(["no_start", "crash", "timeout"]))
def test_a_lost_game_keeps_whose_fault_it_was(seat: int, fault: str) -> None:
    fate = Fate.of(1 - seat, seat, fault)
    assert (fate.fault_seat, fate.winner, fate.is_settled) == (seat, 1 - seat, True)
    assert not fate.is_played
    assert (fate in (Fate.NO_START_0, Fate.NO_START_1)) == (fault == "no_start")


def test_a_played_game_was_nobodys_fault() -> None:
    for winner in (0, 1):
        fate = Fate.of(winner, None, None)
        assert (fate.winner, fate.fault_seat, fate.is_settled) == (winner, None, True)
        assert fate.is_played
    for fate in (Fate.OPEN, Fate.IN_FLIGHT, Fate.VOID, Fate.DROPPED):
        assert (fate.winner, fate.fault_seat, fate.is_played) == (None, None, False)
        assert fate.is_settled == (fate not in (Fate.OPEN, Fate.IN_FLIGHT))


@given(st.permutations(list(Fate)))
def test_what_a_board_comes_to(fates: list[Fate]) -> None:
    """The match's first bot sits on seat 0 of its first game and on seat 1 of its second."""
    schedule = Schedule([AB], 1)
    schedule.settle(AB, [(0, seating, fates[seating]) for seating in (0, 1)])
    first, second = (schedule.fate(GameId(AB, 0, seating)).winner for seating in (0, 1))
    (score,) = schedule.scores(AB, range(1))
    if first is None or second is None:
        assert score is None
    else:
        assert score == (first == 0) + (second == 1)
        seats = [GameId(AB, 0, seating).seats for seating in (0, 1)]
        assert score == [seats[0][first], seats[1][second]].count("a@1")


@settings(deadline=None)
@given(st.integers(2, 4), st.integers(1, 600), st.integers(0))
def test_boards_that_lie_before_a_place_of_the_order(bots: int, boards: int, luck: int) -> None:
    pairs = matches(f"bot{n}@{n}" for n in range(bots))
    order = list(games(pairs, boards))
    last = order[luck % len(order)]
    before = order[: order.index(last) + 1]
    for match in pairs:
        whole = {game.board for game in before if game.match == match and game.seating == 1}
        assert min(boards, boards_until(order_key(last), match)) == len(whole)


@settings(deadline=None)
@given(st.integers(2, 4), st.integers(1, 1_100))
def test_the_order_key_sorts_as_the_order_is(bots: int, boards: int) -> None:
    order = list(games(matches(f"bot{n}@{n}" for n in range(bots)), boards))
    assert sorted(order, key=order_key) == order
    assert len({order_key(game) for game in order}) == len(order)


def test_games_outside_the_schedule_are_ignored() -> None:
    schedule = Schedule([AB], 2)
    schedule.settle(AB, [(2, 0, Fate.WON_0), (10**9, 1, Fate.WON_0)])
    schedule.settle(AC, [(0, 0, Fate.WON_0)])
    assert schedule.settled == 0


def test_twenty_bots_with_100000_boards_are_no_burden() -> None:
    pairs = matches(f"bot{n}@1" for n in range(20))
    schedule = Schedule(pairs, 100_000)
    assert schedule.total == 38_000_000
    for seating in (0, 1):
        schedule.settle(pairs[0], ((board, seating, Fate.WON_0) for board in range(50_000)))
    jobs = [schedule.take(1_000) for _ in range(190 * 2)]
    assert jobs[0][0] == GameId(pairs[1], 0, 0)
    assert jobs[-1][-1] == GameId(pairs[1], 1_999, 1)
