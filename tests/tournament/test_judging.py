"""What the completed prefix decides, whatever came in when."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.ratings.scores import MatchScore
from arena.ratings.sprt import Sprt
from arena.referee.record import GameId, name_of
from arena.store.rows import Match, Stop, Withdrawal
from arena.tournament.counting import Counting, standing_stop
from arena.tournament.judging import Judge
from arena.tournament.schedule import Fate, Schedule, matches
from arena.tournament.stops import ErrorRule, SprtRule, StopRules

AB, AC, BC = ("a@1", "b@1"), ("a@1", "c@1"), ("b@1", "c@1")
FAULTS = [Fate.VOID, Fate.FAULT_0, Fate.FAULT_1, Fate.NO_START_0, Fate.NO_START_1]
FATES = [Fate.WON_0, Fate.WON_1] * 2 + FAULTS
NO_RULES = StopRules()
LOOSE = SprtRule("b@1", "a@1", Sprt(-80, 80, 0.2, 0.2))
"""Decided after some boards, most often."""
LAST_FULL_BLOCK = 31
MANY_BOARDS = 1_000
FEWER_BOARDS = 3
"""After so few boards errors are looked at, so that several blocks of a short match count."""


def errors(scores: Sequence[MatchScore]) -> Mapping[str, float | None]:
    """Errors that are smaller the more games a bot won; not known of one that won none."""
    won = Counter[str]()
    for score in scores:
        won.update({score.a: 2 * score.won_both + score.split})
        won.update({score.b: 2 * score.lost_both + score.split})
    return {name: 400 / math.sqrt(n) if n else None for name, n in won.items()}


RULES = st.builds(
    StopRules,
    sprt=st.sampled_from([None, None, LOOSE]),
    error=st.sampled_from([None, *(ErrorRule(most, errors) for most in (40, 60, 90, 130, 200))]),
)


def order_of(schedule: Schedule) -> Iterator[GameId]:
    """All games in the order of the schedule, by listing them."""
    for block in schedule.blocks():
        for match in schedule.matches:
            for board in block:
                yield from (GameId(match, board, seating) for seating in (0, 1))


def judge_of(
    schedule: Schedule,
    withdraw_after: int | None,
    decided: Sequence[Withdrawal | Stop] = (),
    rules: StopRules = NO_RULES,
) -> Judge:
    withdrawals = [one for one in decided if isinstance(one, Withdrawal)]
    stops = [one for one in decided if isinstance(one, Stop)]
    return Judge(schedule, withdraw_after, rules, withdrawals=withdrawals, stops=stops)


class Plain:
    """Judges by going through all games one by one: the rules as they are written."""

    def __init__(
        self, order: list[GameId], withdraw_after: int | None, rules: StopRules, boards: int
    ) -> None:
        self.gone: dict[str, tuple[GameId, str]] = {}
        self.last: tuple[str, GameId] | None = None
        """What ended it all, and at which game."""
        self.counted: set[GameId] = set()
        self._order = order
        self._last_of_board = {game.board: game for game in order}
        self._withdraw_after = withdraw_after
        self._rules = rules
        self._boards = boards
        self._won: dict[GameId, str] = {}
        self._faults: Counter[str] = Counter()
        self._row: Counter[str] = Counter()

    def judge(self, fates: Mapping[GameId, Fate]) -> None:
        for game in self._order:
            if not set(game.match) & self.gone.keys():
                self.counted.add(game)
                self._take(game, fates[game])
            if self._is_over(game):
                return

    def _take(self, game: GameId, fate: Fate) -> None:
        failed = fate in (Fate.NO_START_0, Fate.NO_START_1)
        if fate.winner is not None:
            self._won[game] = game.seats[fate.winner]
        for seat, version in enumerate(game.seats):
            if fate.fault_seat == seat:
                self._faults[version] += 1
                self._row[version] = self._row[version] + 1 if failed else 0
                if self._withdraw_after is not None and (
                    self._faults[version] >= self._withdraw_after
                ):
                    text = f"{self._faults[version]} faults (faults.withdraw_after)"
                    self.gone[version] = game, text
                elif self._row[version] == 3:
                    self.gone[version] = game, "3 failed starts in a row"
            elif fate != Fate.VOID and not failed:
                self._row[version] = 0

    def _is_over(self, game: GameId) -> bool:
        sprt, error = self._rules.sprt, self._rules.error
        if sprt is not None and game.match == sprt.match and game.seating == 1:
            won = Counter(self._boards_won(sprt.match, sprt.a))
            if game in self._won and sprt.test.state((won[0], won[1], won[2])).decision:
                self.last = "sprt", game
        is_last = game == self._last_of_board[game.board]
        ends_block = is_last and game.board & (game.board + 1) == 0
        if error is not None and self.last is None and ends_block:
            self._look_at_errors(error, game)
        return self.last is not None

    def _look_at_errors(self, error: ErrorRule, game: GameId) -> None:
        scores = []
        for match in dict.fromkeys(one.match for one in self._order):
            won = Counter(self._boards_won(match, match[0]))
            first, second = map(name_of, match)
            scores.append(MatchScore(first, second, won[2], won[1], won[0]))
        field = {version for one in self._order for version in one.match}
        playing = {name_of(version) for version in field - self.gone.keys()}
        boards = [score.boards for score in scores if {score.a, score.b} <= playing]
        found = errors(scores)
        known = [largest for name in playing if (largest := found[name]) is not None]
        if not boards or min(boards) < FEWER_BOARDS or len(known) < len(playing):
            return
        if max(known) <= error.most:
            self.last = "rating_error", game

    def _boards_won(self, match: Match, version: str) -> Iterator[int]:
        """How many games a version won of each complete board of a match."""
        for board in range(self._boards):
            both = [self._won.get(GameId(match, board, seating)) for seating in (0, 1)]
            if None not in both:
                yield both.count(version)


def settle(schedule: Schedule, game: GameId, fate: Fate) -> None:
    schedule.settle(game.match, [(game.board, game.seating, fate)])


def counted(
    order: list[GameId], played: Mapping[GameId, Fate], decided: list[Withdrawal | Stop]
) -> set[GameId]:
    """The games that count of those which have a fate."""
    versions = {version for game in order for version in game.match}
    stop = standing_stop([one for one in decided if isinstance(one, Stop)], versions, MANY_BOARDS)
    counting = Counting([one for one in decided if isinstance(one, Withdrawal)], stop)
    return {game for game in order if game in played and counting.counts(game)}


def lost_by(seat: int) -> list[Fate]:
    """What may become of a game that a seat cannot win: once in a while there is a fault."""
    return [Fate.of(1 - seat, None, None)] * 2 + [
        Fate.VOID,
        Fate.of(1 - seat, seat, "illegal"),
        Fate.of(1 - seat, seat, "no_start"),
    ]


def fate_of(game: GameId, weak: str, faulty: float, dice: Random) -> Fate:
    """What becomes of a game; the weak version wins none."""
    can = lost_by(game.seats.index(weak)) if weak in game.match else FATES
    return dice.choice(can if dice.random() < faulty else can[:2])


@pytest.fixture
def fewer_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let errors be looked at sooner, once for all examples."""
    monkeypatch.setattr("arena.ratings.intervals.FEW_BOARDS", FEWER_BOARDS)


@settings(
    deadline=None,
    max_examples=200,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    bots=st.integers(2, 4),
    boards=st.integers(1, 12) | st.integers(30, 64),
    withdraw_after=st.sampled_from([None, 1, 3, 6, 12]),
    rules=RULES,
    weak=st.sampled_from(["nobody", "a@1", "b@1", "c@1"]),
    faulty=st.sampled_from([0.0, 0.05, 0.1, 0.2, 0.5, 1.0]),
    luck=st.integers(0, 1_000_000),
)
@pytest.mark.usefixtures("fewer_boards")
def test_any_order_of_finishing_and_any_kills_decide_the_same_at_the_same_games(
    bots: int,
    boards: int,
    withdraw_after: int | None,
    rules: StopRules,
    weak: str,
    faulty: float,
    luck: int,
) -> None:
    dice = Random(luck)
    pairs = matches(f"{letter}@1" for letter in "abcd"[:bots])
    order = list(order_of(Schedule(pairs, boards)))
    fates = {game: fate_of(game, weak, faulty, dice) for game in order}
    plain = Plain(order, withdraw_after, rules, boards)
    plain.judge(fates)
    stored: dict[GameId, Fate] = {}
    decided: list[Withdrawal | Stop] = []
    killed = True
    schedule = Schedule(pairs, boards)
    while killed:
        schedule = Schedule(pairs, boards)
        for game, fate in stored.items():
            settle(schedule, game, fate)
        judge = judge_of(schedule, withdraw_after, decided, rules)
        flying: list[GameId] = []
        decided += judge.advance()
        killed = False
        while (schedule.first_open() or flying) and not killed:
            flying += schedule.take(dice.randint(1, 5)) if dice.random() < 0.5 else ()
            if flying:
                game = flying.pop(dice.randrange(len(flying)))
                settle(schedule, game, fates[game])
                stored[game] = fates[game]
            killed = dice.random() < 0.02
            if not killed:  # else before what follows was decided
                decided += judge.advance()
    withdrawals = [one for one in decided if isinstance(one, Withdrawal)]
    assert {one.version: (one.game, one.reason) for one in withdrawals} == plain.gone
    assert len(withdrawals) == len(plain.gone)
    stops = [one for one in decided if isinstance(one, Stop)]
    assert [(one.kind, one.game) for one in stops] == ([plain.last] if plain.last else [])
    assert schedule.settled == schedule.total
    # Whatever else was played too: the same games count.
    assert counted(order, fates, decided) == plain.counted
    assert counted(order, stored, decided) == plain.counted


def wins(schedule: Schedule, match: Match, boards: range, version: str) -> None:
    """Let a version win both games of these boards."""
    for board in boards:
        for seating in (0, 1):
            game = GameId(match, board, seating)
            settle(schedule, game, Fate.of(game.seats.index(version), None, None))


def boards_to(decision: str) -> int:
    """How many boards won in a row by the better bot decide the loose test."""
    for boards in range(1, 100):
        counts = (0, 0, boards) if decision == "H1" else (boards, 0, 0)
        if LOOSE.test.state(counts).decision == decision:
            return boards
    raise AssertionError


@pytest.mark.parametrize(("better", "decision"), [("b@1", "H1"), ("a@1", "H0")])
def test_an_sprt_ends_all_matches_at_the_same_place(better: str, decision: str) -> None:
    pairs = [AB, AC, BC]
    schedule = Schedule(pairs, 40)
    judge = judge_of(schedule, None, (), StopRules(LOOSE))
    needed = boards_to(decision)
    for match in pairs:
        wins(schedule, match, range(31), better if better in match else "c@1")
    (stop,) = judge.advance()
    assert isinstance(stop, Stop)
    assert (stop.kind, stop.game) == ("sprt", GameId(AB, needed - 1, 1))
    assert (stop.figures["a"], stop.figures["b"]) == ("b", "a")
    assert (stop.figures["decision"], stop.figures["boards"]) == (decision, needed)
    assert "SPRT of b minus a, H0: -80 logistic Elo, H1: 80 logistic Elo" in stop.reason
    assert schedule.settled == schedule.total
    assert schedule.first_open() is None
    counting = Counting((), stop)
    assert counting.counts(GameId(AB, needed - 1, 1))
    assert not counting.counts(GameId(AB, needed, 0))
    # a:c and b:c come after a:b in each block, so none of their boards of that block counts.
    block = next(block for block in schedule.blocks() if needed - 1 in block)
    for match in (AC, BC):
        assert counting.boards_needed(match) == block.start
        assert counting.counts(GameId(match, block.start - 1, 1))


def test_a_board_without_both_games_is_no_part_of_an_sprt() -> None:
    """A void for good, so that the boards beyond it are judged all the same."""
    schedule = Schedule([AB], 40)
    judge = judge_of(schedule, None, (), StopRules(LOOSE))
    settle(schedule, GameId(AB, 0, 1), Fate.VOID)
    wins(schedule, AB, range(20), "b@1")
    (stop,) = judge.advance()
    assert stop.game == GameId(AB, boards_to("H1"), 1)


def test_an_sprt_waits_for_its_match_but_not_for_bots_that_are_left_out() -> None:
    for out, is_decided in (("c@1", True), ("a@1", False)):
        schedule = Schedule([AB, AC, BC], 40)
        judge = judge_of(schedule, None, (), StopRules(LOOSE))
        wins(schedule, AB, range(1, 31), "b@1")
        wins(schedule, BC, range(31), "b@1")
        assert judge.advance() == ()
        schedule.leave_out(out)
        if is_decided:
            wins(schedule, AB, range(1), "b@1")
        assert bool(judge.advance()) == is_decided
        assert schedule.settled < schedule.total


def evenly(schedule: Schedule, boards: range) -> None:
    """Let seat 0 win all games."""
    for match in schedule.matches:
        for board, seating in ((board, seating) for board in boards for seating in (0, 1)):
            settle(schedule, GameId(match, board, seating), Fate.WON_0)


def test_errors_are_looked_at_after_whole_blocks_of_all_that_play() -> None:
    schedule = Schedule([AB, AC, BC], 100)
    judge = judge_of(schedule, None, (), StopRules(error=ErrorRule(1000, errors)))
    evenly(schedule, range(31))
    assert judge.advance() == (), "the block of boards 16 to 31 is not whole"
    for match in (AB, BC):
        wins(schedule, match, range(31, 32), match[0])
    assert judge.advance() == ()
    wins(schedule, AC, range(31, 32), "a@1")
    (stop,) = judge.advance()
    assert isinstance(stop, Stop)
    assert (stop.kind, stop.game) == ("rating_error", GameId(BC, LAST_FULL_BLOCK, 1))
    assert stop.versions == ("a@1", "b@1", "c@1")
    assert stop.figures["rating_error"] == 1000
    assert schedule.settled == schedule.total


def test_errors_wait_for_bots_that_are_left_out_of_the_run() -> None:
    schedule = Schedule([AB, AC, BC], 100)
    judge = judge_of(schedule, None, (), StopRules(error=ErrorRule(1000, errors)))
    evenly(schedule, range(31))
    wins(schedule, AB, range(31, 64), "a@1")
    schedule.leave_out("c@1")
    assert judge.advance() == ()


def test_who_is_withdrawn_later_still_plays_at_the_end_of_a_block() -> None:
    """A resume knows of it beforehand, and must decide as if it did not."""

    def known(scores: Sequence[MatchScore]) -> Mapping[str, float | None]:
        return {"a": 1.0, "b": 1.0, "c": None}

    def played() -> Schedule:
        schedule = Schedule([AB, AC, BC], 128)
        for seating, fate in enumerate((Fate.FAULT_1, Fate.FAULT_0)):
            settle(schedule, GameId(BC, 63, seating), fate)
        evenly(schedule, range(128))
        return schedule

    rules = StopRules(error=ErrorRule(5, known))
    withdrawal, stop = judge_of(played(), 2, (), rules).advance()
    assert isinstance(withdrawal, Withdrawal)
    assert isinstance(stop, Stop)
    # The block ends with this very game, so c plays no more then, but did at board 31.
    assert withdrawal.game == stop.game == GameId(BC, 63, 1)
    assert judge_of(played(), 2, [withdrawal], rules).advance() == (stop,)


def test_errors_come_from_the_games_that_count() -> None:
    """What a withdrawn bot had still played when it was withdrawn does not."""
    seen: list[Sequence[MatchScore]] = []

    def known(scores: Sequence[MatchScore]) -> Mapping[str, float | None]:
        seen.append(scores)
        return {"a": 1.0, "b": 1.0}

    schedule = Schedule([AB, AC, BC], 32)
    judge = judge_of(schedule, 2, (), StopRules(error=ErrorRule(5, known)))
    for seating, fate in enumerate((Fate.FAULT_1, Fate.FAULT_0)):
        settle(schedule, GameId(AC, 2, seating), fate)
    evenly(schedule, range(32))
    withdrawal, stop = judge.advance()
    assert withdrawal == Withdrawal("c@1", GameId(AC, 2, 1), "2 faults (faults.withdraw_after)")
    assert isinstance(stop, Stop)
    assert [score.boards for score in seen[0]] == [32, 3, 2]


def test_an_error_that_is_not_known_stops_nothing() -> None:
    schedule = Schedule([AB], 64)
    judge = judge_of(
        schedule, None, (), StopRules(error=ErrorRule(1000, lambda _: {"a": 1.0, "b": None}))
    )
    evenly(schedule, range(64))
    assert judge.advance() == ()


SPRT_STOP = Stop("sprt", AB, GameId(AB, 9, 1), "decided", {})
ERROR_STOP = Stop("rating_error", ("a@1", "b@1", "c@1"), GameId(BC, 31, 1), "known", {})


@pytest.mark.parametrize(
    ("versions", "holding"),
    [
        (("a@1", "b@1"), SPRT_STOP),
        (("a@1", "b@1", "d@1"), SPRT_STOP),  # nothing new about a and b
        (("a@1", "b@1", "c@1"), SPRT_STOP),  # the first of the two
        (("a@2", "b@1", "c@1"), None),
        (("a@1", "b@2"), None),
        (("b@1", "c@1"), None),
    ],
)
def test_a_stop_holds_for_whom_it_was_decided(
    versions: tuple[str, ...], holding: Stop | None
) -> None:
    assert standing_stop([ERROR_STOP, SPRT_STOP], versions, MANY_BOARDS) == holding


@pytest.mark.parametrize("field", list(combinations(["a@1", "b@1", "c@1", "d@1"], 3)))
def test_known_errors_hold_for_exactly_that_field(field: tuple[str, ...]) -> None:
    held = standing_stop([ERROR_STOP], field, MANY_BOARDS)
    assert held == (ERROR_STOP if field == ("a@1", "b@1", "c@1") else None)
    assert standing_stop([ERROR_STOP], ["a@1", "b@1", "c@1", "d@1"], MANY_BOARDS) is None


def test_a_stop_holds_where_its_board_is_one_of_the_tournament() -> None:
    field = ("a@1", "b@1", "c@1")
    assert standing_stop([SPRT_STOP], field, 10) == SPRT_STOP
    assert standing_stop([SPRT_STOP], field, 9) is None
    earlier = Stop("rating_error", field, GameId(BC, 7, 1), "known", {})
    assert standing_stop([SPRT_STOP, earlier], field, 9) == earlier
    judge = judge_of(Schedule([AB], 9), None, [SPRT_STOP])
    judge.advance()
    assert judge.counting.stop is None


def test_what_was_decided_stands_whatever_the_rules_say_now() -> None:
    schedule = Schedule([AB], 40)
    judge = judge_of(schedule, None, [SPRT_STOP], StopRules(LOOSE))
    wins(schedule, AB, range(10), "b@1")
    assert judge.advance() == ()
    assert judge.counting.stop == SPRT_STOP
    assert schedule.settled == schedule.total
    # With a new version it is another match, whose boards are all to be played and judged.
    after = Schedule([("a@2", "b@1")], 40)
    rule = SprtRule("b@1", "a@2", LOOSE.test)
    judge = judge_of(after, None, [SPRT_STOP], StopRules(rule))
    assert after.settled == 0
    wins(after, ("a@2", "b@1"), range(20), "b@1")
    (stop,) = judge.advance()
    assert isinstance(stop, Stop)
    assert stop.versions == ("a@2", "b@1")


def test_bots_are_withdrawn_up_to_a_stop_and_not_after_it() -> None:
    schedule = Schedule([AB], 40)
    judge = judge_of(schedule, 2, [SPRT_STOP])
    wins(schedule, AB, range(8), "b@1")
    for board in range(8, 12):
        settle(schedule, GameId(AB, board, 0), Fate.WON_0)
        settle(schedule, GameId(AB, board, 1), Fate.FAULT_0)
    (one,) = judge.advance()
    assert one == Withdrawal("b@1", GameId(AB, 9, 1), "2 faults (faults.withdraw_after)")
    later = judge_of(Schedule([AB], 40), 3, [SPRT_STOP])
    assert later.advance() == ()


@pytest.mark.parametrize(("seat", "fate"), [(0, Fate.FAULT_0), (1, Fate.FAULT_1)])
def test_the_game_that_decides_is_the_last_one_that_counts(seat: int, fate: Fate) -> None:
    schedule = Schedule([AB], 8)
    judge = judge_of(schedule, 2)
    for board in range(2):
        settle(schedule, GameId(AB, board, 0), fate)
        settle(schedule, GameId(AB, board, 1), Fate.WON_0)
    (one,) = judge.advance()
    assert isinstance(one, Withdrawal)
    assert (one.version, one.game) == (AB[seat], GameId(AB, 1, 0))
    counting = Counting([one])
    assert counting.counts(GameId(AB, 1, 0))
    assert not counting.counts(GameId(AB, 1, 1))
    assert counting.counts(GameId(AC if one.version == "b@1" else BC, 99, 1))
    assert schedule.settled == schedule.total


def test_nothing_is_judged_beyond_the_first_game_that_is_missing() -> None:
    schedule = Schedule([AB], 8)
    judge = judge_of(schedule, 1)
    settle(schedule, GameId(AB, 0, 1), Fate.FAULT_0)
    assert judge.advance() == ()
    settle(schedule, GameId(AB, 0, 0), Fate.WON_0)
    assert [one.game for one in judge.advance()] == [GameId(AB, 0, 1)]


def test_games_of_a_bot_that_is_left_out_of_the_run_are_not_waited_for() -> None:
    schedule = Schedule([AB, AC, BC], 2)
    judge = judge_of(schedule, 1)
    schedule.leave_out("a@1")
    settle(schedule, GameId(BC, 0, 0), Fate.FAULT_1)
    (one,) = judge.advance()
    assert one == Withdrawal("c@1", GameId(BC, 0, 0), "1 faults (faults.withdraw_after)")


def test_three_failed_starts_in_a_row_withdraw_whatever_the_faults_allow() -> None:
    schedule = Schedule([AB], 8)
    judge = judge_of(schedule, None)
    row = [Fate.NO_START_1, Fate.NO_START_0, Fate.NO_START_1, Fate.NO_START_0]
    for number, fate in enumerate(row):  # the bot of seat 1, then the same bot on seat 0: b
        settle(schedule, GameId(AB, number // 2, number % 2), fate)
    (one,) = judge.advance()
    assert one == Withdrawal("b@1", GameId(AB, 1, 0), "3 failed starts in a row")


@pytest.mark.parametrize("between", [Fate.WON_0, Fate.FAULT_0, Fate.FAULT_1])
def test_a_game_with_the_bot_there_ends_the_row_of_failed_starts(between: Fate) -> None:
    schedule = Schedule([AB], 8)
    judge = judge_of(schedule, None)
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
    judge = judge_of(schedule, None)
    for seating, fate in ((0, Fate.NO_START_1), (1, Fate.NO_START_0)):
        settle(schedule, GameId(AB, 0, seating), fate)
    settle(schedule, GameId(AB, 1, 0), between)
    settle(schedule, GameId(AB, 1, 1), Fate.NO_START_0)
    (one,) = judge.advance()
    assert one == Withdrawal("b@1", GameId(AB, 1, 1), "3 failed starts in a row")


def test_whole_pieces_of_the_order_end_rows_too() -> None:
    schedule = Schedule([AB], 8)
    judge = judge_of(schedule, None)
    for board, fates in enumerate([(Fate.NO_START_1, Fate.NO_START_0), (Fate.WON_0, Fate.WON_1)]):
        for seating, fate in enumerate(fates):
            settle(schedule, GameId(AB, board, seating), fate)
    settle(schedule, GameId(AB, 2, 0), Fate.NO_START_1)
    settle(schedule, GameId(AB, 2, 1), Fate.WON_0)
    assert judge.advance() == ()


def test_a_bot_withdrawn_earlier_plays_against_nobody_new() -> None:
    before = Withdrawal("b@1", GameId(AB, 4, 0), "20 faults")
    schedule = Schedule([AB, BC], 8)
    for match in (AB, BC):
        schedule.settle(match, [])
    judge = judge_of(schedule, 20, [before])
    assert judge.advance() == ()
    assert schedule.first_open() is None
    assert judge.counting.is_withdrawn("b@1")
    assert judge.counting.has_withdrawn(BC)
    assert not judge.counting.has_withdrawn(AC)
