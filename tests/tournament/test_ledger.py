"""What is settled and what comes next, whatever jobs bring: pure, so a whole run is a loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from crew import won
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.record import Forfeit, GameId, GameResult, Void
from arena.store.rows import Match, Settled, Stop, Withdrawal
from arena.tournament.ledger import Ledger
from arena.tournament.schedule import matches
from arena.tournament.stops import StopRules
from arena.tournament.voids import VOIDS_BEFORE_ALONE, VOIDS_BEFORE_LISTED

ALL = matches(("a@1", "b@1", "c@1"))
BOARDS = 3
MOST_JOBS = 3
GAMES = [
    GameId(match, board, seating) for match in ALL for board in range(BOARDS) for seating in (0, 1)
]


class Run:
    """A run of jobs that end as the dice say; it may be killed and go on from what was stored."""

    def __init__(
        self,
        dice: Random,
        withdraw_after: int | None,
        fates: dict[GameId, str],
        stops: tuple[Stop, ...] = (),
    ) -> None:
        self.records: dict[GameId, GameResult] = {}
        self.voids: list[Void] = []
        self.withdrawals: list[Withdrawal] = []
        self.alone: Counter[GameId] = Counter()
        """How often each game was played alone."""
        self._dice = dice
        self._withdraw_after = withdraw_after
        self._fates = fates
        self._stops = stops
        self._begin()

    def _begin(self) -> None:
        """Go on from what is stored: whatever was being played is played again."""
        self._jobs: list[tuple[GameId, ...]] = []
        self.ledger = Ledger(
            ALL,
            BOARDS,
            self._withdraw_after,
            StopRules(),
            played=self._settled,
            voids=self.voids,
            withdrawals=self.withdrawals,
            stops=self._stops,
        )
        self._decide()

    def _decide(self) -> None:
        for one in self.ledger.decide():
            assert isinstance(one, Withdrawal)
            self.withdrawals.append(one)

    def _settled(self, match: Match) -> Iterable[Settled]:
        for record in self.records.values():
            if record.id.match == match:
                fault = (
                    (record.end.seat, record.end.fault)
                    if isinstance(record.end, Forfeit)
                    else (None, None)
                )
                yield Settled(record.id.board, record.id.seating, record.winner, *fault)

    def play(self) -> None:
        for _ in range(10_000):
            if self.ledger.is_stopped:
                for games in self._jobs:
                    self.ledger.release(games)
                return
            self._give_out()
            if not self._jobs:
                return
            if self._dice.random() < 0.03:
                self._begin()
            else:
                self._take(self._jobs.pop(self._dice.randrange(len(self._jobs))))
        raise AssertionError("the run does not end")

    def _give_out(self) -> None:
        while len(self._jobs) < MOST_JOBS:
            alone = self.ledger.next_is_alone
            if alone and self._jobs:
                return
            games = self.ledger.take_alone() if alone else self.ledger.take_next(lambda _: 3)
            if not games:
                return
            in_flight = [game for job in self._jobs for game in job]
            assert not set(games) & {*in_flight, *self.records}, "each is played once at a time"
            self._jobs.append(games)

    def _take(self, games: tuple[GameId, ...]) -> None:
        before = Counter(void.id for void in self.voids)
        was_alone = self.ledger.was_alone(games)
        assert was_alone == (before[games[0]] == VOIDS_BEFORE_ALONE)
        assert not was_alone or not self._jobs, "nothing else is being played"
        self.alone.update(games if was_alone else ())
        records, voids = [], []
        for game in games[: self._dice.randint(0, len(games))]:
            fate = self._fates[game]
            breaks_off = {"void": True, "guilty": not was_alone, "shaky": self._dice.random() < 0.5}
            if breaks_off.get(fate, False):
                voids.append(Void(game, "worker_died"))
            else:
                fault = "flood" if fate in {"guilty", "fault"} else None
                records.append(won(game, fault=fault))
        self.ledger.take(games, records, voids)
        self.voids += voids
        self.records |= {record.id: record for record in records}
        self._decide()


FATES = st.lists(
    st.sampled_from(["played", "played", "shaky", "void", "guilty", "fault"]),
    min_size=len(GAMES),
    max_size=len(GAMES),
)


@settings(max_examples=150, deadline=None)
@given(FATES, st.integers(), st.sampled_from([None, 2, 5]))
def test_every_game_comes_to_an_end_whatever_jobs_bring(
    fates: list[str], seed: int, withdraw_after: int | None
) -> None:
    run = Run(Random(seed), withdraw_after, dict(zip(GAMES, fates, strict=True)))
    run.play()
    assert run.ledger.settled == run.ledger.total == len(GAMES)
    counts = Counter(void.id for void in run.voids)
    assert max(counts.values(), default=0) <= VOIDS_BEFORE_LISTED
    gone = {one.version for one in run.withdrawals}
    for game, fate in zip(GAMES, fates, strict=True):
        if gone & set(game.match):
            continue
        listed = counts[game] == VOIDS_BEFORE_LISTED
        assert listed != (game in run.records)
        if fate in {"void", "guilty"}:
            assert run.alone[game] >= 1
            assert listed == (fate == "void")
        if fate in {"played", "fault"}:
            assert counts[game] == 0


@settings(max_examples=150, deadline=None)
@given(FATES, st.integers(), st.sampled_from([None, 2]), st.integers(0, BOARDS - 1))
def test_a_stop_that_stands_leaves_no_game_before_it_unplayed(
    fates: list[str], seed: int, withdraw_after: int | None, board: int
) -> None:
    """Of an earlier run with other bots: the run is not over while such a game is being played."""
    stop = Stop("sprt", ALL[0], GameId(ALL[0], board, 1), "decided", {})
    run = Run(Random(seed), withdraw_after, dict(zip(GAMES, fates, strict=True)), (stop,))
    run.play()
    counts = Counter(void.id for void in run.voids)
    gone = {one.version for one in run.withdrawals}
    for game in GAMES:
        # Blocks of these few boards are single boards.
        if (game.board, game.match) > (board, ALL[0]):
            assert game not in run.records
        elif not gone & set(game.match):
            assert (game in run.records) != (counts[game] == VOIDS_BEFORE_LISTED)
    assert run.ledger.settled == run.ledger.total


@settings(max_examples=50, deadline=None)
@given(FATES, st.tuples(st.integers(), st.integers()), st.sampled_from([None, 2, 5]))
def test_who_is_withdrawn_by_blame_hangs_on_no_order(
    fates: list[str], seeds: tuple[int, int], withdraw_after: int | None
) -> None:
    """Whatever is void and when, in which jobs, and however often the run is killed."""
    certain = {game: "void" if f == "shaky" else f for game, f in zip(GAMES, fates, strict=True)}
    runs = [Run(Random(seed), withdraw_after, certain) for seed in seeds]
    for run in runs:
        run.play()
    assert runs[0].withdrawals == runs[1].withdrawals
