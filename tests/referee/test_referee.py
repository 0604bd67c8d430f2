"""One game being judged: every event, every effect, every way to end and every misuse."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging import (
    GAME,
    SEED,
    advance,
    asked,
    finished,
    play,
    referee,
    reply,
    start,
)

from arena import rules
from arena.errors import ArenaError
from arena.referee.clock import Limits
from arena.referee.events import (
    Ask,
    Cancelled,
    DeadlinePassed,
    Event,
    Finished,
    GameStarted,
    Inform,
    Replied,
    SeatLost,
)
from arena.referee.fault import Fault
from arena.referee.record import Forfeit, GameId, GameRecord, Target, Void

CRASH = Fault("crash", "killed by SIGSEGV at decision 2", "Segmentation fault")
SHORT = {"target_score": 1}


# a game that is played to its end


def test_the_first_decision_is_that_of_the_board() -> None:
    state = rules.load("two_handed").start(SEED)
    ask = start(referee())
    assert ask == Ask(state.to_act or 0, 0, state.legal(), 1_000, state.view(ask.seat))


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_asks_what_the_rules_say_and_records_what_was_answered(seed: int) -> None:
    dice = random.Random(seed)
    asks, inform, record = play(referee(), lambda ask: dice.choice(ask.legal))
    state = rules.load("two_handed").start(SEED)
    seqs = [0, 0]
    for ask, action in zip(asks, record.actions, strict=True):
        assert ask.seat == state.to_act
        assert (ask.seq, ask.legal) == (seqs[ask.seat], state.legal())
        assert ask.view == state.view(ask.seat)
        seqs[ask.seat] += 1
        state = state.apply(action)
    assert state.outcome is not None
    assert record.id == GAME
    assert (record.points, record.winner) == (state.outcome.points, state.outcome.winner)
    assert record.end == Target()
    assert record.times_us == tuple(range(1, len(asks) + 1))
    assert record.decisions == tuple(seqs)
    for seat in (0, 1):
        own = [n for n, ask in enumerate(asks, start=1) if ask.seat == seat]
        assert record.spent_us[seat] == sum(own)
    assert inform == Inform(record.points, record.winner)


def deals_by_actions(record: GameRecord) -> list[tuple[int, int]]:
    """(Dealer, margin) of the finished deals, played again."""
    state = rules.load("two_handed").start(SEED)
    for action in record.actions:
        state = state.apply(action)
    deals = [deal for deal in state.deals() if "points" in deal]
    return [(deal["dealer"], deal["points"][0] - deal["points"][1]) for deal in deals]


@pytest.mark.parametrize("seed", range(3))
def test_a_record_says_of_each_deal_who_dealt_and_what_it_came_to(seed: int) -> None:
    dice = random.Random(seed)
    _, _, record = play(referee(), lambda ask: dice.choice(ask.legal))
    assert list(zip(record.dealers, record.margins, strict=True)) == deals_by_actions(record)
    assert len(record.margins) > 5
    assert sum(record.margins) == record.points[0] - record.points[1]
    assert set(record.dealers) == {0, 1}


def test_a_deal_that_a_forfeit_broke_off_is_not_in_the_record() -> None:
    judge = referee()
    ask = advance(judge, start(judge), 90)
    _, record = finished(judge.handle(SeatLost(ask.seat, CRASH)))
    assert ask.view.deal == len(record.margins) > 0  # type: ignore[attr-defined]
    assert list(zip(record.dealers, record.margins, strict=True)) == deals_by_actions(record)


def test_notes_are_kept_beside_the_number_of_their_action() -> None:
    judge = referee()
    ask = start(judge)
    ask = asked(judge.handle(reply(ask, ask.legal[0], note="bold")))
    ask = asked(judge.handle(reply(ask, ask.legal[0], note="")))
    ask = asked(judge.handle(reply(ask, ask.legal[0])))
    ask = asked(judge.handle(reply(ask, ask.legal[0], note="calm")))
    _, record = finished(judge.handle(SeatLost(ask.seat, CRASH)))
    assert record.notes == ((0, "bold"), (3, "calm"))


def test_the_bank_runs_for_each_seat_by_itself() -> None:
    limits = (Limits(move_ms=100, game_ms=1_000), Limits(move_ms=200, game_ms=None))
    judge = referee(limits=limits)
    ask = start(judge)
    budgets: dict[int, list[int]] = {0: [], 1: []}
    while len(budgets[0]) < 10:
        budgets[ask.seat].append(ask.budget_ms)
        ask = asked(judge.handle(reply(ask, ask.legal[-1], elapsed_us=98_000)))
    while ask.seat == 1:
        ask = asked(judge.handle(reply(ask, ask.legal[-1])))
    assert ask.budget_ms == 20
    assert budgets == {0: [100] * 10, 1: [200] * len(budgets[1])}
    assert len(budgets[1]) > 5


# faults

decisions = pytest.mark.parametrize("before", [0, 1, 2, 7, 15, 40])


@decisions
def test_an_illegal_action_loses_the_game_at_any_decision(before: int) -> None:
    judge = referee()
    ask = advance(judge, start(judge), before)
    assert "play:\x1bZ" not in ask.legal
    inform, record = finished(judge.handle(reply(ask, "play:\x1bZ")))
    detail = f"'play:\\x1bZ' at decision {ask.seq} is not legal; legal: {' '.join(ask.legal)}"
    assert record.end == Forfeit(ask.seat, "illegal", detail)
    assert record.winner == inform.winner == 1 - ask.seat
    assert inform == Inform(
        record.points,
        record.winner,
        fault_seat=ask.seat,
        fault=Fault("illegal", detail),
    )
    assert (len(record.actions), len(record.times_us)) == (before, before)


def test_what_was_legal_a_decision_ago_may_be_illegal_now() -> None:
    judge = referee()
    ask = start(judge)
    later = advance(judge, ask, 8)
    assert ask.legal[0] not in later.legal
    _, record = finished(judge.handle(reply(later, ask.legal[0])))
    assert isinstance(record.end, Forfeit)
    assert record.end.fault == "illegal"


@decisions
def test_an_answer_that_never_came_is_a_timeout(before: int) -> None:
    judge = referee()
    ask = advance(judge, start(judge), before)
    inform, record = finished(judge.handle(DeadlinePassed(ask.seat)))
    detail = f"no answer in 1000 ms (+50) at decision {ask.seq}"
    assert record.end == Forfeit(ask.seat, "timeout", detail)
    assert record.winner == 1 - ask.seat
    assert inform.fault == Fault("timeout", detail)


def test_an_answer_in_time_by_a_microsecond_counts_and_one_late_by_one_does_not() -> None:
    in_time = referee()
    ask = start(in_time)
    asked(in_time.handle(reply(ask, ask.legal[0], elapsed_us=1_050_000)))
    late = referee()
    ask = start(late)
    _, record = finished(late.handle(reply(ask, ask.legal[0], elapsed_us=1_050_001)))
    assert record.end == Forfeit(ask.seat, "timeout", "no answer in 1000 ms (+50) at decision 0")
    assert record.actions == ()


def test_a_late_answer_is_a_timeout_even_if_it_is_illegal_too() -> None:
    judge = referee()
    ask = start(judge)
    _, record = finished(judge.handle(reply(ask, "nonsense", elapsed_us=10**9)))
    assert isinstance(record.end, Forfeit)
    assert record.end.fault == "timeout"


def test_a_bank_that_ran_out_is_named() -> None:
    limits = Limits(move_ms=1_000, game_ms=1_500)
    judge = referee(limits=(limits, limits))
    ask = start(judge)
    while ask.seq == 0:
        ask = asked(judge.handle(reply(ask, ask.legal[-1], elapsed_us=1_000_000)))
    assert ask.budget_ms == 500
    _, record = finished(judge.handle(DeadlinePassed(ask.seat)))
    assert isinstance(record.end, Forfeit)
    assert record.end.detail == "the game's 1500 ms (+50) ran out at decision 1"


@pytest.mark.parametrize("loser", [0, 1])
def test_a_seat_may_be_lost_before_the_first_decision(loser: int) -> None:
    fault = Fault("no_start", "exited 1 before hello", "ImportError")
    inform, record = finished(referee().handle(SeatLost(loser, fault)))
    assert record.end == Forfeit(loser, "no_start", "exited 1 before hello", "ImportError")
    assert (record.actions, record.points, record.winner) == ((), (0, 0), 1 - loser)
    assert (inform.fault_seat, inform.fault) == (loser, fault)


@pytest.mark.parametrize("loser", [0, 1])
def test_a_seat_may_be_lost_whoever_is_to_act_and_however_far_ahead_it_is(loser: int) -> None:
    judge = referee()
    ask = advance(judge, start(judge), 90)
    assert max(rules_points(ask)) > 0
    _, record = finished(judge.handle(SeatLost(loser, CRASH)))
    assert record.winner == 1 - loser
    assert record.points == rules_points(ask)
    assert len(record.actions) == sum(record.decisions) == 90


def rules_points(ask: Ask) -> tuple[int, ...]:
    points: tuple[int, ...] = ask.view.points  # type: ignore[attr-defined]
    return points


# the arena's own failures


@decisions
def test_a_cancelled_game_is_void_and_nobody_wins(before: int) -> None:
    judge = referee()
    advance(judge, start(judge), before)
    inform, last = judge.handle(Cancelled("arena_stall"))
    assert last == Finished(Void(GAME, "arena_stall"))
    assert isinstance(inform, Inform)
    assert (inform.winner, inform.fault, inform.fault_seat) == (None, None, None)


def test_a_game_may_be_cancelled_before_it_starts() -> None:
    _, last = referee().handle(Cancelled("worker lost"))
    assert last == Finished(Void(GAME, "worker lost"))


# misuse by our own code

EVENTS: tuple[Event, ...] = (
    GameStarted(),
    Replied(0, 0, "pass", 1),
    DeadlinePassed(0),
    SeatLost(0, CRASH),
    Cancelled("why"),
)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_nothing_may_follow_the_end(event: Event) -> None:
    for end in (SeatLost(1, CRASH), Cancelled("why")):
        judge = referee()
        start(judge)
        judge.handle(end)
        with pytest.raises(ArenaError, match=r"a@1:b@1/12/0: .* after the end"):
            judge.handle(event)


@pytest.mark.parametrize(
    "event", [Replied(0, 0, "pass", 1), Replied(1, 0, "pass", 1), DeadlinePassed(0)]
)
def test_nobody_answers_or_is_late_before_the_start(event: Event) -> None:
    with pytest.raises(ArenaError, match="a@1:b@1/12/0"):
        referee().handle(event)


def test_a_game_starts_once() -> None:
    judge = referee()
    start(judge)
    with pytest.raises(ArenaError, match="started twice"):
        judge.handle(GameStarted())


def test_only_the_open_decision_can_be_answered_or_late() -> None:
    judge = referee()
    ask = advance(judge, start(judge), 3)
    for wrong in (
        Replied(1 - ask.seat, ask.seq, ask.legal[0], 1),
        Replied(ask.seat, ask.seq + 1, ask.legal[0], 1),
        Replied(ask.seat, ask.seq - 1, ask.legal[0], 1),
        DeadlinePassed(1 - ask.seat),
    ):
        with pytest.raises(ArenaError, match="a@1:b@1/12/0"):
            judge.handle(wrong)
    asked(judge.handle(reply(ask, ask.legal[0])))


# properties


@settings(deadline=None, max_examples=50)
@given(st.binary(min_size=32, max_size=32), st.integers(0, 60), st.randoms(), st.data())
def test_every_game_ends_in_exactly_one_way(
    seed: bytes, broken_at: int, dice: random.Random, data: st.DataObject
) -> None:
    """Whatever happens at whatever decision: one Inform, one Finished, and they agree."""
    judge = referee(SHORT, seed=seed)
    ask = start(judge)
    for _ in range(broken_at):
        effects = judge.handle(reply(ask, dice.choice(ask.legal)))
        if len(effects) > 1:
            inform, record = finished(effects)
            assert record.end == Target()
            assert max(record.points) >= 1
            assert (inform.points, inform.winner) == (record.points, record.winner)
            return
        ask = asked(effects)
    ends: list[Event] = [DeadlinePassed(ask.seat), SeatLost(0, CRASH), reply(ask, "no such")]
    event = data.draw(st.sampled_from(ends))
    inform, record = finished(judge.handle(event))
    assert isinstance(record.end, Forfeit)
    assert record.winner != record.end.seat == inform.fault_seat
    assert len(record.actions) == broken_at


# identity


def test_a_game_id_says_match_board_and_seating() -> None:
    assert str(GameId(("a@1", "\u00e9l\u00e8ve@12"), 3, 1)) == "a@1:\u00e9l\u00e8ve@12/3/1"


def test_each_seating_moves_the_bots_on_by_one_seat() -> None:
    match = ("a@1", "b@1")
    assert GameId(match, 0, 0).seats == ("a@1", "b@1")
    assert GameId(match, 0, 1).seats == ("b@1", "a@1")
    assert GameId(("a", "b", "c"), 0, 2).seats == ("c", "a", "b")
