"""Who is withdrawn by the completed prefix, whatever came in when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.record import GameId
from arena.store.rows import Withdrawal
from arena.tournament.judging import Counting, Judge
from arena.tournament.schedule import Fate, Schedule, matches

AB, AC, BC = ("a@1", "b@1"), ("a@1", "c@1"), ("b@1", "c@1")
FATES = [Fate.PLAYED] * 4 + [
    Fate.VOID,
    Fate.FAULT_0,
    Fate.FAULT_1,
    Fate.NO_START_0,
    Fate.NO_START_1,
]


def order_of(schedule: Schedule) -> Iterator[GameId]:
    """All games in the order of the schedule, by listing them."""
    for match, boards in schedule.pieces():
        for board in boards:
            yield from (GameId(match, board, seating) for seating in (0, 1))


def plainly(
    order: list[GameId], fates: Mapping[GameId, Fate], withdraw_after: int | None
) -> dict[str, tuple[GameId, str]]:
    """Judge by going through all games one by one: the rule as it is written."""
    gone: dict[str, tuple[GameId, str]] = {}
    faults: Counter[str] = Counter()
    row: Counter[str] = Counter()
    for game in order:
        if set(game.match) & gone.keys():
            continue
        fate = fates[game]
        failed = fate in (Fate.NO_START_0, Fate.NO_START_1)
        for seat, version in enumerate(game.seats):
            if fate.fault_seat == seat:
                faults[version] += 1
                row[version] = row[version] + 1 if failed else 0
                if withdraw_after is not None and faults[version] >= withdraw_after:
                    gone[version] = game, f"{faults[version]} faults (faults.withdraw_after)"
                elif row[version] == 3:
                    gone[version] = game, "3 failed starts in a row"
            elif fate != Fate.VOID and not failed:
                row[version] = 0
    return gone


def settle(schedule: Schedule, game: GameId, fate: Fate) -> None:
    schedule.settle(game.match, [(game.board, game.seating, fate)])


def counted(
    order: list[GameId], fates: Mapping[GameId, Fate], withdrawals: list[Withdrawal]
) -> set[GameId]:
    """The games that count of those which have a fate."""
    counting = Counting(withdrawals)
    return {game for game in order if game in fates and counting.counts(game)}


@settings(deadline=None, max_examples=300)
@given(
    bots=st.integers(2, 4),
    boards=st.integers(1, 12),
    withdraw_after=st.none() | st.integers(1, 12),
    luck=st.integers(0),
)
def test_any_order_of_finishing_and_any_kills_withdraw_the_same_bots_at_the_same_games(
    bots: int, boards: int, withdraw_after: int | None, luck: int
) -> None:
    dice = Random(luck)
    pairs = matches(f"{letter}@1" for letter in "abcd"[:bots])
    order = list(order_of(Schedule(pairs, boards)))
    fates = {game: dice.choice(FATES) for game in order}
    expected = plainly(order, fates, withdraw_after)
    stored: dict[GameId, Fate] = {}
    decided: list[Withdrawal] = []
    killed = True
    schedule = Schedule(pairs, boards)
    while killed:
        schedule = Schedule(pairs, boards)
        for game, fate in stored.items():
            settle(schedule, game, fate)
        judge = Judge(schedule, withdraw_after, decided)
        flying: list[GameId] = []
        decided += judge.advance()
        killed = False
        while (schedule.first_open() or flying) and not killed:
            flying += schedule.take(dice.randint(1, 5)) if dice.random() < 0.5 else ()
            if flying:
                game = flying.pop(dice.randrange(len(flying)))
                settle(schedule, game, fates[game])
                stored[game] = fates[game]
            killed = dice.random() < 0.05
            if not killed:  # else before what follows was decided
                decided += judge.advance()
    assert {one.version: (one.game, one.reason) for one in decided} == expected
    assert len(decided) == len(expected)
    assert schedule.settled == schedule.total
    # Whatever else was played too: the same games count.
    everything = counted(order, fates, decided)
    assert counted(order, stored, decided) == everything
    limits = {version: order.index(game) for version, (game, _) in expected.items()}
    assert everything == {
        game
        for place, game in enumerate(order)
        if all(place <= limits.get(version, place) for version in game.match)
    }


@pytest.mark.parametrize(("seat", "fate"), [(0, Fate.FAULT_0), (1, Fate.FAULT_1)])
def test_the_game_that_decides_is_the_last_one_that_counts(seat: int, fate: Fate) -> None:
    schedule = Schedule([AB], 8)
    judge = Judge(schedule, 2, ())
    for board in range(2):
        settle(schedule, GameId(AB, board, 0), fate)
        settle(schedule, GameId(AB, board, 1), Fate.PLAYED)
    (one,) = judge.advance()
    assert (one.version, one.game) == (AB[seat], GameId(AB, 1, 0))
    counting = Counting([one])
    assert counting.counts(GameId(AB, 1, 0))
    assert not counting.counts(GameId(AB, 1, 1))
    assert counting.counts(GameId(AC if one.version == "b@1" else BC, 99, 1))
    assert schedule.settled == schedule.total


def test_nothing_is_judged_beyond_the_first_game_that_is_missing() -> None:
    schedule = Schedule([AB], 8)
    judge = Judge(schedule, 1, ())
    settle(schedule, GameId(AB, 0, 1), Fate.FAULT_0)
    assert judge.advance() == ()
    settle(schedule, GameId(AB, 0, 0), Fate.PLAYED)
    assert [one.game for one in judge.advance()] == [GameId(AB, 0, 1)]


def test_games_of_a_bot_that_is_left_out_of_the_run_are_not_waited_for() -> None:
    schedule = Schedule([AB, AC, BC], 2)
    judge = Judge(schedule, 1, ())
    schedule.leave_out("a@1")
    settle(schedule, GameId(BC, 0, 0), Fate.FAULT_1)
    (one,) = judge.advance()
    assert one == Withdrawal("c@1", GameId(BC, 0, 0), "1 faults (faults.withdraw_after)")


def test_three_failed_starts_in_a_row_withdraw_whatever_the_faults_allow() -> None:
    schedule = Schedule([AB], 8)
    judge = Judge(schedule, None, ())
    row = [Fate.NO_START_1, Fate.NO_START_0, Fate.NO_START_1, Fate.NO_START_0]
    for number, fate in enumerate(row):  # the bot of seat 1, then the same bot on seat 0: b
        settle(schedule, GameId(AB, number // 2, number % 2), fate)
    (one,) = judge.advance()
    assert one == Withdrawal("b@1", GameId(AB, 1, 0), "3 failed starts in a row")


@pytest.mark.parametrize("between", [Fate.PLAYED, Fate.FAULT_0, Fate.FAULT_1])
def test_a_game_with_the_bot_there_ends_the_row_of_failed_starts(between: Fate) -> None:
    schedule = Schedule([AB], 8)
    judge = Judge(schedule, None, ())
    for seating, fate in ((0, Fate.NO_START_1), (1, Fate.NO_START_0)):
        settle(schedule, GameId(AB, 0, seating), fate)
    settle(schedule, GameId(AB, 1, 0), between)
    for seating, fate in ((1, Fate.NO_START_0),):
        settle(schedule, GameId(AB, 1, seating), fate)
    settle(schedule, GameId(AB, 2, 0), Fate.NO_START_1)
    assert judge.advance() == ()


@pytest.mark.parametrize("between", [Fate.VOID, Fate.NO_START_0])
def test_a_game_that_does_not_show_whether_the_bot_was_there_ends_no_row(between: Fate) -> None:
    """A void, or one that the other bot lost because it could not be started either."""
    schedule = Schedule([AB], 8)
    judge = Judge(schedule, None, ())
    for seating, fate in ((0, Fate.NO_START_1), (1, Fate.NO_START_0)):
        settle(schedule, GameId(AB, 0, seating), fate)
    settle(schedule, GameId(AB, 1, 0), between)
    settle(schedule, GameId(AB, 1, 1), Fate.NO_START_0)
    assert [one.version for one in judge.advance()] == ["b@1"]


def test_whole_pieces_of_the_order_end_rows_too() -> None:
    schedule = Schedule([AB], 8)
    judge = Judge(schedule, None, ())
    for board, fates in enumerate([(Fate.NO_START_1, Fate.NO_START_0), (Fate.PLAYED,) * 2]):
        for seating, fate in enumerate(fates):
            settle(schedule, GameId(AB, board, seating), fate)
    settle(schedule, GameId(AB, 2, 0), Fate.NO_START_1)
    settle(schedule, GameId(AB, 2, 1), Fate.PLAYED)
    assert judge.advance() == ()


def test_a_bot_withdrawn_earlier_plays_against_nobody_new() -> None:
    before = Withdrawal("b@1", GameId(AB, 4, 0), "20 faults")
    schedule = Schedule([AB, BC], 8)
    for match in (AB, BC):
        schedule.settle(match, [])
    judge = Judge(schedule, 20, [before])
    assert judge.advance() == ()
    assert schedule.first_open() is None
    assert judge.counting.is_withdrawn("b@1")
    assert judge.counting.touches(BC)
    assert not judge.counting.touches(AC)
