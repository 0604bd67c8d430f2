"""The coordinator's side of a run, with workers that do what the test says.

Whole runs with real workers and bots are tested through the command line.
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from itertools import product
from pathlib import Path

import pytest
from crew import WORKERS, Crew, Rehearsal, Stopped, Work, play, won
from msgspec import structs

from arena.errors import ArenaError, SurroundingsError, UserError
from arena.referee.record import Forfeit, GameId, GameRecord, GameResult, Target, Void
from arena.runtime.executor import (
    Blame,
    Finding,
    Job,
    JobResult,
    StartFault,
    WorkerLostError,
    decode_job,
)
from arena.store.rows import Decision, Withdrawal
from arena.tournament import identity
from arena.tournament.entering import match_identity
from arena.tournament.runner import RunResult
from arena.tournament.schedule import boards_until, matches, order_key
from arena.tournament.stopping import Stopping
from arena.tournament.trials import Inspection, some_done

AB = ("a@1", "b@1")
LOST = WorkerLostError("a worker died")


@pytest.fixture
def rehearsal(tmp_path: Path) -> Iterator[Rehearsal]:
    rehearsal = Rehearsal(tmp_path)
    yield rehearsal
    rehearsal.store.close()


# jobs


def test_every_game_is_given_out_and_stored_once(rehearsal: Rehearsal) -> None:
    rehearsal.configure("c", "a", "b", boards=5)
    crew = Crew(play)
    assert rehearsal.run(crew) == RunResult(30, 30, None)
    pairs = (("a@1", "b@1"), ("a@1", "c@1"), ("b@1", "c@1"))
    scheduled = [GameId(*where) for where in product(pairs, range(5), (0, 1))]
    assert crew.asked == Counter(scheduled)
    assert rehearsal.stored() == sorted(scheduled)
    assert rehearsal.told.begins == [(0, 30)]
    assert rehearsal.told.steps == sorted(rehearsal.told.steps)
    assert rehearsal.told.steps[-1] == 30
    assert crew.killed == 0


def test_a_job_is_a_run_of_boards_in_one_seating(rehearsal: Rehearsal) -> None:
    rehearsal.configure("a", "b", boards=200)
    crew = Crew(play)
    rehearsal.run(crew)
    assert len(crew.jobs) > 3
    for job in crew.jobs:
        first = job.games[0].id
        boards = range(first.board, first.board + len(job.games))
        assert [game.id for game in job.games] == [
            GameId(AB, board, first.seating) for board in boards
        ]
        assert tuple(bot.version for bot in job.bots) == first.seats


def test_what_a_job_carries(rehearsal: Rehearsal) -> None:
    options = {"target_score": 3}
    rehearsal.configure("a", "b", boards=1, options=options, tables=5)
    crew = Crew(play)
    rehearsal.run(crew)
    hashes = match_identity(rehearsal.field.hashes, AB)
    for seating, job in enumerate(sorted(crew.jobs, key=lambda job: job.games[0].id)):
        assert (job.variant, job.options, job.tables) == ("two_handed", options, 5)
        assert job.stderr_folder == str(rehearsal.folder / "results" / "tour" / "bots")
        (game,) = job.games
        assert game.board_seed == identity.board_seed(b"1", hashes, 0)
        assert game.bot_seeds == tuple(
            identity.Seeds(b"1", hashes).bot(0, seating, seat) for seat in (0, 1)
        )


def test_games_that_come_back_unplayed_are_given_out_again(rehearsal: Rehearsal) -> None:
    def half(job: Job) -> JobResult:
        played = job.games[: max(1, len(job.games) // 2)]
        return JobResult(tuple(won(game.id) for game in played), play_ms=10)

    rehearsal.configure("a", "b", boards=8)
    crew = Crew(half)
    assert rehearsal.run(crew).settled == 16
    assert len(rehearsal.stored()) == 16


def test_a_game_that_comes_twice_is_stored_once(rehearsal: Rehearsal) -> None:
    rehearsal.run(Crew(play))
    rehearsal.configure("a", "b", boards=4)

    def all_again(job: Job) -> JobResult:
        old = tuple(won(GameId(AB, board, 0)) for board in range(3))
        return JobResult((*old, *play(job).records), play_ms=10)

    assert rehearsal.run(Crew(all_again)).settled == 8
    assert len(rehearsal.stored()) == 8


def test_a_finished_tournament_starts_nothing(rehearsal: Rehearsal) -> None:
    rehearsal.run(Crew(play))
    crew = Crew(play)
    assert rehearsal.run(crew) == RunResult(6, 6, None)
    assert (crew.jobs, crew.trials) == ([], [])
    assert rehearsal.told.begins == [(0, 6), (6, 6)]


# starts


def test_every_bot_is_started_once_before_the_first_game(rehearsal: Rehearsal) -> None:
    rehearsal.configure("c", "a", "b", boards=1)
    order: list[str] = []

    def work(job: Job) -> JobResult:
        order.append("game" if job.games else "start")
        return play(job)

    crew = Crew(work)
    rehearsal.run(crew)
    assert crew.trials == ["c@1", "a@1", "b@1"]
    assert order == ["start"] * 3 + ["game"] * 6


def fails_to_start(*names: str, otherwise: Callable[[Job], JobResult] = play) -> Work:
    """These bots cannot be started."""

    def work(job: Job) -> JobResult:
        broken = [bot for bot in job.bots if bot.name in names]
        if broken:
            return JobResult(start_faults=(StartFault(broken[0].version, "exited 1", "x\ny"),))
        return otherwise(job)

    return work


def test_bots_that_cannot_be_started_are_left_out(rehearsal: Rehearsal) -> None:
    rehearsal.configure("d", "a", "b", "c", boards=1)
    crew = Crew(fails_to_start("c", "d"))
    result = rehearsal.run(crew)
    assert result == RunResult(2, 12, None)
    assert {game.match for game in crew.asked} == {AB}
    assert rehearsal.told.notices == [
        f"{name} cannot be started and is left out of this run (no_start): exited 1\n    x\n    y"
        for name in ("d", "c")
    ]
    assert rehearsal.store.left_out() == {"c@1": "exited 1", "d@1": "exited 1"}


def test_fewer_than_two_bots_are_no_run(rehearsal: Rehearsal) -> None:
    crew = Crew(fails_to_start("a"))
    with pytest.raises(UserError, match="fewer than two bots can be started"):
        rehearsal.run(crew)
    assert (crew.jobs, crew.killed) == ([], 1)


def test_a_run_may_stop_for_a_bot_that_cannot_be_started(rehearsal: Rehearsal) -> None:
    rehearsal.configure("a", "b", "c", "d", faults={"no_start": "stop"})
    crew = Crew(fails_to_start("c", "b"))
    with pytest.raises(UserError, match=r"nothing is played, because faults\.no_start is stop"):
        rehearsal.run(crew)
    assert crew.jobs == []
    assert [text.split(" ")[0] for text in rehearsal.told.notices] == ["b", "c"]


def test_who_was_left_out_plays_in_the_next_run(rehearsal: Rehearsal) -> None:
    rehearsal.configure("a", "b", "c", boards=2)
    assert rehearsal.run(Crew(fails_to_start("c"))).settled == 4
    assert rehearsal.run(Crew(play)).settled == 12
    assert rehearsal.store.left_out() == {}


def test_a_worker_lost_while_a_bot_starts_is_no_fault_of_the_bot(rehearsal: Rehearsal) -> None:
    rehearsal.configure("a", "b", boards=1)
    losses = iter([LOST, LOST])

    def work(job: Job) -> JobResult | Exception:
        return play(job) if job.games else next(losses, JobResult())

    crew = Crew(work)
    assert rehearsal.run(crew) == RunResult(2, 2, None)
    assert sorted(crew.trials) == ["a@1", "a@1", "b@1", "b@1"]
    assert sorted(rehearsal.told.notices) == [
        "a worker died; a is started again",
        "a worker died; b is started again",
    ]


def test_a_bot_whose_workers_always_die_is_left_out(rehearsal: Rehearsal) -> None:
    rehearsal.configure("a", "b", "c", boards=1)

    def work(job: Job) -> JobResult | Exception:
        return LOST if job.bots[0].name == "c" else play(job)

    crew = Crew(work)
    assert rehearsal.run(crew) == RunResult(2, 6, None)
    assert Counter(crew.trials) == {"a@1": 1, "b@1": 1, "c@1": 3}
    detail = "its worker died 3 times while it was started"
    assert rehearsal.store.left_out() == {"c@1": detail}
    assert rehearsal.told.notices == [
        *["a worker died; c is started again"] * 2,
        f"c cannot be started and is left out of this run (no_start): {detail}",
    ]


def test_a_machine_that_kills_every_worker_ends_the_run(rehearsal: Rehearsal) -> None:
    with pytest.raises(ArenaError, match="workers die as soon as they begin"):
        rehearsal.run(Crew(lambda _: LOST))
    assert rehearsal.store.left_out() == {}


# the level of isolation

HELD = Finding("signal the arena", "held", "in vain")
OPEN = Finding("reach a listener", "OPEN", "connected to 127.0.0.1:4711")


def test_the_level_is_looked_at_before_any_bot_is_started(rehearsal: Rehearsal) -> None:
    rehearsal.configure("a", "b", boards=1, isolation="sandbox")
    crew = Crew(lambda job: play(job) if crew.inspections else LOST)
    crew.inspection = [LOST, JobResult(findings=(HELD,), isolation="sandbox")]
    assert rehearsal.run(crew).settled == 2
    assert [job.isolation for job in (*crew.inspections, *crew.jobs)] == ["sandbox"] * 4
    assert rehearsal.told.notices == ["a worker died; the level is looked at again"]
    (level,) = rehearsal.told.levels
    (kept,) = rehearsal.store.inspections()
    assert level == f"isolation: sandbox, 1 attack held (inspection {kept.digest[:12]})"
    assert kept.isolation == "sandbox"


def test_the_strongest_level_is_the_one_that_is_played_at(rehearsal: Rehearsal) -> None:
    rehearsal.configure("a", "b", boards=1, isolation="auto")
    crew = Crew(play)
    crew.inspection = [JobResult(findings=(HELD,), isolation="process", passed_over="no bwrap")]
    rehearsal.run(crew)
    assert rehearsal.told.levels[1:] == ["isolation: auto chose process, because no bwrap"]
    assert [job.isolation for job in crew.inspections] == ["auto"]
    assert {job.isolation for job in crew.jobs} == {"process"}


def test_a_level_that_does_not_hold_ends_the_run_before_any_game(rehearsal: Rehearsal) -> None:
    crew = Crew(play)
    crew.inspection = [JobResult(findings=(HELD, OPEN), isolation="process")]
    with pytest.raises(SurroundingsError, match="process does not hold on this machine") as caught:
        rehearsal.run(crew)
    assert "reach a listener: connected to 127.0.0.1:4711" in str(caught.value)
    assert "arena doctor" in str(caught.value)
    assert (crew.trials, crew.jobs, crew.killed) == ([], [], 1)
    assert len(rehearsal.store.inspections()) == 1


def test_the_digest_of_an_inspection_tells_verdicts_apart_and_nothing_else() -> None:
    said_otherwise = structs.replace(HELD, text="process 4712 is out of reach")
    digests = {
        name: Inspection("process", findings).digest
        for name, findings in {
            "held": (HELD,),
            "otherwise": (said_otherwise,),
            "open": (structs.replace(HELD, verdict="OPEN"),),
            "both": (HELD, OPEN),
            "turned": (OPEN, HELD),
        }.items()
    }
    assert digests["held"] == digests["otherwise"]
    assert digests["both"] == digests["turned"]
    assert len(set(digests.values())) == 3
    assert Inspection("none", (HELD,)).digest != digests["held"]


# losses and voids


def test_games_of_a_lost_worker_are_played_again(rehearsal: Rehearsal) -> None:
    turns = iter(range(100))

    def work(job: Job) -> JobResult | Exception:
        return LOST if job.games and next(turns) % 2 == 0 else play(job)

    rehearsal.configure("a", "b", boards=50)
    crew = Crew(work)
    assert rehearsal.run(crew).settled == 100
    assert max(crew.asked.values()) > 1
    assert len(rehearsal.stored()) == 100


def test_a_machine_that_begins_to_kill_every_worker_ends_the_run(rehearsal: Rehearsal) -> None:
    """Before a game is void for good."""
    rehearsal.configure("a", "b", "c", boards=50)
    turns = iter(range(2))

    def work(job: Job) -> JobResult | Exception:
        return play(job) if not job.games or next(turns, None) is not None else LOST

    crew = Crew(work)
    crew.inspection = [JobResult(isolation="none"), LOST, LOST, LOST]
    with pytest.raises(ArenaError, match="workers die as soon as they begin"):
        rehearsal.run(crew)
    assert crew.killed == 1
    assert len(rehearsal.stored()) > 0
    assert max(Counter(void.id for void in rehearsal.store.voids()).values()) < 4


def test_bots_that_kill_every_worker_do_not_end_the_run(rehearsal: Rehearsal) -> None:
    """As long as workers live that have no bots."""
    rehearsal.configure("a", "b", boards=10)
    crew = Crew(lambda job: LOST if job.games else JobResult())
    assert rehearsal.run(crew) == RunResult(20, 20, None)
    assert set(Counter(void.id for void in rehearsal.store.voids()).values()) == {4}
    assert len(crew.inspections) == 1 + 80 // 5
    assert len(rehearsal.told.levels) == 1, "the first look only is told"


def void(job: Job, *ids: GameId) -> JobResult:
    """Play a job but for some games, which are void."""
    records = tuple(won(game.id) for game in job.games if game.id not in ids)
    voids = tuple(Void(game.id, "arena_stall") for game in job.games if game.id in ids)
    return JobResult(records, voids, play_ms=10)


@pytest.mark.parametrize("before", [0, 1, 2, 3, 4])
def test_a_void_is_played_again_then_alone_and_then_listed(
    rehearsal: Rehearsal, before: int
) -> None:
    lost = GameId(AB, 1, 1)
    rehearsal.store.add(voids=[Void(lost, "arena_stall")] * before)
    crew = Crew(lambda job: void(job, lost))
    result = rehearsal.run(crew)
    assert (result.settled, result.total) == (6, 6)
    assert crew.asked[lost] == 4 - before
    assert lost not in rehearsal.stored()
    assert [v.id for v in rehearsal.store.voids()] == [lost] * 4


def test_a_void_that_is_played_at_last_counts(rehearsal: Rehearsal) -> None:
    lost = GameId(AB, 1, 1)
    turns = iter([True, True, False])

    def work(job: Job) -> JobResult:
        has_it = any(game.id == lost for game in job.games)
        return void(job, lost) if has_it and next(turns) else play(job)

    assert rehearsal.run(Crew(work)).settled == 6
    assert lost in rehearsal.stored()


def test_a_game_that_is_played_alone_has_the_arena_for_itself(rehearsal: Rehearsal) -> None:
    """While it is played, nothing else is, and no other table is open."""
    rehearsal.configure("a", "b", "c", boards=60, tables=64)
    lost = GameId(AB, 0, 1)
    rehearsal.store.add(voids=[Void(lost, "arena_stall")] * 3)
    crew = Crew(play)
    submit = crew.submit
    open_jobs: list[tuple[Job, Future[bytes]]] = []

    def watch(function: object, payload: bytes) -> Future[bytes]:
        future = submit(function, payload)
        open_jobs.append((decode_job(payload), future))
        return future

    crew.submit = watch  # type: ignore[method-assign]
    assert rehearsal.run(crew).settled == 360
    (alone,) = [job for job in crew.jobs if job.games[0].id == lost]
    assert ([game.id for game in alone.games], alone.tables) == ([lost], 1)
    assert crew.jobs.index(alone) == 0
    assert all(job.tables == 64 for job in crew.jobs if job is not alone)


def test_games_that_ran_when_their_worker_died_are_void(rehearsal: Rehearsal) -> None:
    rehearsal.configure("a", "b", boards=6)
    losses = iter(range(1))

    def work(job: Job) -> JobResult | Exception:
        if job.games and next(losses, None) is not None:
            lost = WorkerLostError("a worker died")
            lost.running = (1, 3)
            return lost
        return play(job)

    crew = Crew(work)
    assert rehearsal.run(crew).settled == 12
    voids = [(void.id.board, void.cause) for void in rehearsal.store.voids()]
    assert voids == [(1, "worker_died"), (3, "worker_died")]
    assert any("2 games void" in text for text in rehearsal.told.notices)
    assert len(rehearsal.stored()) == 12


def test_a_bot_that_always_kills_its_worker_does_not_end_the_run(rehearsal: Rehearsal) -> None:
    """Each loss brings one of its games nearer to its end as a void."""
    rehearsal.configure("a", "b", "c", boards=2)

    def work(job: Job) -> JobResult | Exception:
        if job.games and "c@1" in job.games[0].id.match:
            lost = WorkerLostError("a worker died")
            lost.running = (0,)
            return lost
        return play(job)

    assert rehearsal.run(Crew(work)) == RunResult(12, 12, None)
    assert {game.match for game in rehearsal.stored()} == {AB}
    counts = Counter(void.id for void in rehearsal.store.voids())
    assert len(counts) == 8
    assert set(counts.values()) == {4}


def lost_with(*blamed: Blame) -> WorkerLostError:
    return WorkerLostError("a worker died", (0,), blamed)


BLAMED = [
    ([(1, "memory")], Forfeit(1, "memory", "memory limit 300 MB")),
    ([(0, "memory")], Forfeit(0, "memory", "memory limit 512 MB")),
    (
        [(0, "flood")],
        Forfeit(
            0,
            "flood",
            "kept more than one core busy in a game, played alone, that could not be finished",
        ),
    ),
]
"""What stands on the page when a worker dies, and how the game ends."""


@pytest.mark.parametrize("dies", [True, False])
@pytest.mark.parametrize(("blamed", "end"), BLAMED)
def test_a_game_void_when_played_alone_is_lost_by_the_bot_to_blame(
    rehearsal: Rehearsal, blamed: list[Blame], end: Forfeit, dies: bool
) -> None:
    limits = {"path": "b.py", "limits": {"memory": "300MB"}}
    rehearsal.configure("a", "b", isolation="process", bots=["a.py", limits])
    lost = GameId(AB, 1, 0)
    rehearsal.store.add(voids=[Void(lost, "worker_died")] * 3)

    def work(job: Job) -> JobResult | Exception:
        if job.games and job.games[0].id == lost:
            assert len(job.games) == 1
            stalled = JobResult(voids=(Void(lost, "arena_stall"),), blamed=tuple(blamed))
            return lost_with(*blamed) if dies else stalled
        return play(job)

    assert rehearsal.run(Crew(work)) == RunResult(6, 6, None)
    (record,) = [one for one in rehearsal.store.records(AB) if one.id == lost]
    assert record.end == end
    assert isinstance(record, GameRecord)
    assert (record.winner, record.points, record.actions) == (1 - end.seat, (0, 0), ())
    assert (record.isolation, record.tables) == ("process", 1)
    assert len(list(rehearsal.store.voids())) == 3, "it is a fault now, and no void"
    assert record.packed in rehearsal.told.records
    told = [text for text in rehearsal.told.notices if "a worker died" in text]
    assert told == ["a worker died of a and b; a@1:b@1/1/0 is not played again"] * dies


def test_nobody_is_blamed_for_a_game_that_was_not_played_alone(rehearsal: Rehearsal) -> None:
    rehearsal.configure("a", "b", boards=1)
    losses = iter([lost_with((0, "memory"))] * 3)

    def work(job: Job) -> JobResult | Exception:
        return next(losses, play(job)) if job.games else JobResult()

    assert rehearsal.run(Crew(work)).settled == 2
    assert {record.end for record in rehearsal.store.records(AB)} == {Target()}
    assert len(list(rehearsal.store.voids())) == 3


def test_who_is_blamed_often_enough_is_withdrawn_with_the_game_that_decides(
    rehearsal: Rehearsal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The forfeit and what follows from it are stored together, as of any other fault."""
    rehearsal.configure("a", "b", boards=9, faults={"withdraw_after": 2})
    add = rehearsal.store.add
    together: list[tuple[list[GameId], list[GameId]]] = []

    def watch(
        records: Sequence[GameResult] = (),
        voids: Sequence[Void] = (),
        decisions: Sequence[Decision] = (),
    ) -> None:
        together.append(([one.id for one in records], [one.game for one in decisions]))
        add(records, voids, decisions)

    monkeypatch.setattr(rehearsal.store, "add", watch)

    def work(job: Job) -> JobResult | Exception:
        if not job.games:
            return JobResult()
        return lost_with((job.games[0].id.seats.index("b@1"), "flood"))

    assert rehearsal.run(Crew(work)) == RunResult(18, 18, None)
    decided = [step for step in together if step[1]]
    assert decided == [([GameId(AB, 0, 1)], [GameId(AB, 0, 1)])]
    assert [one.reason for one in rehearsal.store.withdrawals()] == [
        "2 faults (faults.withdraw_after)"
    ]


# withdrawals


def faults_of_b(job: Job) -> JobResult:
    """The bot b crashes in every game."""
    records = tuple(
        won(g.id, loser=g.id.seats.index("b@1"), fault="crash")
        if "b@1" in g.id.match
        else won(g.id)
        for g in job.games
    )
    return JobResult(records, play_ms=100 * len(records))


def test_a_bot_is_withdrawn_after_its_faults(rehearsal: Rehearsal) -> None:
    rehearsal.configure("a", "b", "c", boards=300, faults={"withdraw_after": 7})
    crew = Crew(faults_of_b)
    result = rehearsal.run(crew)
    assert result == RunResult(1_800, 1_800, None)
    (one,) = rehearsal.store.withdrawals()
    # In order: a:b/0/0, a:b/0/1, b:c/0/0, b:c/0/1, a:b/1/0, a:b/1/1, b:c/1/0.
    assert one == Withdrawal(
        "b@1", GameId(("b@1", "c@1"), 1, 0), "7 faults (faults.withdraw_after)"
    )
    assert len([game for game in rehearsal.stored() if "b@1" in game.match]) < 1_200
    assert [text for text in rehearsal.told.notices if "withdrawn" in text] == [
        "b is withdrawn and plays no more games: 7 faults (faults.withdraw_after), last b@1:c@1/1/0"
    ]


def test_a_withdrawal_is_stored_together_with_the_games_it_follows_from(
    rehearsal: Rehearsal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else what counts would depend on whether a kill falls between the two."""
    rehearsal.configure("a", "b", boards=6, faults={"withdraw_after": 3})
    add = rehearsal.store.add
    steps: list[tuple[set[GameId], list[GameId]]] = []

    def watch(
        records: Sequence[GameResult] = (),
        voids: Sequence[Void] = (),
        decisions: Sequence[Decision] = (),
    ) -> None:
        steps.append(({record.id for record in records}, [one.game for one in decisions]))
        add(records, voids, decisions)

    monkeypatch.setattr(rehearsal.store, "add", watch)
    rehearsal.run(Crew(faults_of_b))
    stored: set[GameId] = set()
    for records, decided in steps:
        stored |= records
        first = {GameId(AB, 0, 0), GameId(AB, 0, 1), GameId(AB, 1, 0)}
        assert bool(decided) == (first <= stored and bool(first & records))
    assert sum(len(decided) for _, decided in steps) == 1


def test_what_is_decided_stands_and_is_told_once(rehearsal: Rehearsal) -> None:
    rehearsal.configure("a", "b", "c", boards=30, faults={"withdraw_after": 7})
    rehearsal.run(Crew(faults_of_b))
    told = len(rehearsal.told.notices)
    rehearsal.configure("a", "b", "c", "d", boards=60, faults={"withdraw_after": 7})
    crew = Crew(play)
    result = rehearsal.run(crew)
    assert result.settled == result.total
    assert crew.trials == ["a@1", "c@1", "d@1"]
    assert not [game for game in crew.asked if "b@1" in game.match]
    assert len(rehearsal.store.withdrawals()) == 1
    assert len(rehearsal.told.notices) == told


def test_what_a_killed_run_did_not_decide_any_more_is_decided_by_the_next(
    rehearsal: Rehearsal,
) -> None:
    rehearsal.configure("a", "b", boards=30, faults={"withdraw_after": 3})
    rehearsal.store.add(
        won(GameId(AB, board, seating), loser=1 - seating, fault="crash")
        for board in range(2)
        for seating in (0, 1)
    )
    crew = Crew(play)
    assert rehearsal.run(crew) == RunResult(60, 60, None)
    assert crew.jobs == []
    (one,) = rehearsal.store.withdrawals()
    assert (one.version, one.game) == ("b@1", GameId(AB, 1, 0))


def test_a_withdrawn_bot_that_changes_plays_again(rehearsal: Rehearsal) -> None:
    rehearsal.configure("a", "b", boards=30, faults={"withdraw_after": 3})
    rehearsal.run(Crew(faults_of_b))
    (rehearsal.folder / "b.py").write_text("mended")
    crew = Crew(play)
    assert rehearsal.run(crew) == RunResult(60, 60, None)
    assert len([game for game in rehearsal.stored() if game.match == ("a@1", "b@2")]) == 60


def test_a_game_of_a_withdrawn_bot_is_not_played_alone(rehearsal: Rehearsal) -> None:
    """Even if it was void three times before the game that decided, which it then never meets."""
    rehearsal.configure("a", "b", boards=30)
    rehearsal.run(Crew(play))
    before = len(rehearsal.stored())
    rehearsal.store.add(
        voids=[Void(GameId(("b@1", "c@1"), 0, 0), "arena_stall")] * 3,
        decisions=[Withdrawal("b@1", GameId(("b@1", "c@1"), 2, 0), "20 faults")],
    )
    rehearsal.configure("a", "b", "c", boards=30)
    crew = Crew(play)
    assert rehearsal.run(crew) == RunResult(180, 180, None)
    assert not [game for game in crew.asked if "b@1" in game.match]
    assert len(rehearsal.stored()) == before + 60


# a closed tournament


def test_nothing_is_played_once_the_secret_is_revealed(rehearsal: Rehearsal) -> None:
    rehearsal.run(Crew(play))
    rehearsal.store.reveal()
    assert rehearsal.run(Crew(play)) == RunResult(6, 6, None)
    rehearsal.configure("a", "b", boards=4)
    crew = Crew(play)
    with pytest.raises(UserError, match="tour is closed: its secret is revealed"):
        rehearsal.run(crew)
    assert crew.trials == []
    rehearsal.configure("a", "b", "c")
    with pytest.raises(UserError, match="tour is closed"):
        rehearsal.run(crew)
    assert [bot.name for bot in rehearsal.store.bots()] == ["a", "b"]


# what ends a tournament, or a run, before its last board

SPRT = {"sprt": {"a": "b", "b": "a", "elo0": 0, "elo1": 200}}


def won_by_b(job: Job) -> JobResult:
    """Who is named last wins every game: b against a."""
    records = (won(g.id, loser=g.id.seats.index(g.id.match[0])) for g in job.games)
    return JobResult(tuple(records), play_ms=100)


def test_a_decided_sprt_ends_the_tournament(rehearsal: Rehearsal) -> None:
    rehearsal.configure("a", "b", boards=400, stop=SPRT)
    assert rehearsal.run(Crew(won_by_b)) == RunResult(800, 800, None)
    (stop,) = rehearsal.store.stops()
    assert rehearsal.told.notices == [f"the tournament ends: {stop.reason}"]
    assert stop.figures["decision"] == "H1"
    assert (stop.game.board, stop.game.seating) == (stop.figures["boards"] - 1, 1)
    assert len(rehearsal.stored()) < 800
    # It stands, and nothing more is played.
    crew = Crew(won_by_b)
    assert rehearsal.run(crew) == RunResult(800, 800, None)
    assert not crew.jobs
    assert rehearsal.store.stops() == (stop,)
    assert len(rehearsal.told.notices) == 1


def test_a_stop_for_old_versions_does_not_concern_new_ones(rehearsal: Rehearsal) -> None:
    rehearsal.configure("a", "b", boards=400, stop=SPRT)
    rehearsal.run(Crew(won_by_b))
    (rehearsal.folder / "b.py").write_text("changed")
    crew = Crew(won_by_b)
    assert rehearsal.run(crew) == RunResult(800, 800, None)
    assert {version for game in crew.asked for version in game.match} == {"a@1", "b@2"}
    first, second = rehearsal.store.stops()
    assert [stop.versions for stop in (first, second)] == [AB, ("a@1", "b@2")]
    assert first.figures == second.figures
    # Changed back it is over as it was.
    (rehearsal.folder / "b.py").write_text("b")
    assert rehearsal.run(crew := Crew(won_by_b)) == RunResult(800, 800, None)
    assert not crew.jobs


def lose_first(job: Job, crew: Crew) -> JobResult | Exception:
    """The worker of the first job dies."""
    return LOST if job.games and len(crew.jobs) == 1 else won_by_b(job)


def void_first(job: Job, crew: Crew) -> JobResult:
    """The first game of each of the first jobs is void."""
    is_void = job.games and len(crew.jobs) <= WORKERS
    return void(job, job.games[0].id) if is_void else won_by_b(job)


@pytest.mark.parametrize("work", [lambda job, _: won_by_b(job), lose_first, void_first])
@pytest.mark.parametrize("change", ["added", "changed", "mended"])
def test_who_comes_in_after_a_stop_plays_all_games_before_it(
    rehearsal: Rehearsal,
    monkeypatch: pytest.MonkeyPatch,
    change: str,
    work: Callable[[Job, Crew], JobResult | Exception],
) -> None:
    monkeypatch.setattr(  # so that the last jobs still run when the others have ended
        "arena.tournament.runner.some_done", lambda jobs: list(some_done(jobs))[:1]
    )
    before = ("a", "b") if change == "added" else ("a", "b", "c")
    rehearsal.configure(*before, boards=400, stop=SPRT)
    broken = ("c",) if change == "mended" else ()
    rehearsal.run(Crew(fails_to_start(*broken, otherwise=won_by_b)))
    (stop,) = rehearsal.store.stops()
    rehearsal.configure("a", "b", "c", boards=400, stop=SPRT)
    if change == "changed":
        (rehearsal.folder / "c.py").write_text("changed")
    crew: Crew = Crew(lambda job: work(job, crew))
    assert rehearsal.run(crew) == RunResult(2_400, 2_400, None)
    assert crew.dropped == 0, "none of the games that were running was one too many"
    version = "c@2" if change == "changed" else "c@1"
    new = matches(("a@1", "b@1", version))[1:]
    expected = {
        GameId(match, board, seating)
        for match in new
        for board in range(boards_until(order_key(stop.game), match))
        for seating in (0, 1)
    }
    assert expected
    assert set(crew.asked) == expected
    assert expected <= set(rehearsal.stored())
    assert rehearsal.store.stops() == (stop,)
    assert rehearsal.run(again := Crew(won_by_b)) == RunResult(2_400, 2_400, None)
    assert not again.jobs


def test_games_that_run_when_the_tournament_ends_are_dropped(
    rehearsal: Rehearsal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would not count, so nobody waits for them."""
    monkeypatch.setattr("arena.tournament.runner._DROP_S", 0.0)
    crew = Crew(lambda job: None if job.games and job.games[0].id.board > 15 else won_by_b(job))
    rehearsal.configure("a", "b", boards=400, stop=SPRT)
    assert rehearsal.run(crew) == RunResult(800, 800, None)
    assert crew.jobs[-1].games[0].id.board > 15
    assert (crew.dropped, crew.killed) == (1, 1)
    assert [text for text in rehearsal.told.notices if "finish" in text] == []


def test_a_run_ends_after_its_time_and_the_next_one_goes_on(
    rehearsal: Rehearsal, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 0.0
    monkeypatch.setattr("arena.tournament.runner.monotonic", lambda: now_s)

    def work(job: Job) -> JobResult:
        nonlocal now_s
        now_s += 10 if job.games else 1_000  # starts do not count
        return play(job)

    rehearsal.configure("a", "b", "c", boards=200, stop={"after": "25s"})
    result = rehearsal.run(Crew(work))
    assert (result.total, result.signal, result.out_of_time) == (1_200, None, True)
    assert 0 < result.settled == len(rehearsal.stored()) < 1_200
    assert rehearsal.told.notices == []
    rehearsal.configure("a", "b", "c", boards=200, stop={"after": "1h"})
    assert rehearsal.run(Crew(work)) == RunResult(1_200, 1_200, None)
    assert rehearsal.run(Crew(work)) == RunResult(1_200, 1_200, None), "nothing is left to cut off"


# what is told of games


def test_games_are_told_once_they_are_stored(rehearsal: Rehearsal) -> None:
    rehearsal.run(Crew(lambda job: JobResult(tuple(won(g.id, fault="crash") for g in job.games))))
    assert sorted(record.id for record in rehearsal.told.records) == rehearsal.stored()
    assert {record.end for record in rehearsal.told.records} == {
        Forfeit(1, "crash", "so it was", "one\ntwo")
    }


# stops and failures


def test_a_stop_lets_running_games_finish_and_begins_no_more(rehearsal: Rehearsal) -> None:
    rehearsal.configure("a", "b", "c", boards=9)
    stopped = Stopped(rehearsal.stopping, [signal.SIGINT])
    result = rehearsal.run(stopped.crew)
    assert result == RunResult(WORKERS, 54, signal.SIGINT)
    assert len(rehearsal.stored()) == WORKERS
    assert len(stopped.crew.jobs) == WORKERS + 1
    assert stopped.running[-1][1].cancelled()
    assert (stopped.crew.finished, stopped.crew.dropped, stopped.crew.killed) == (1, 0, 0)
    assert rehearsal.told.notices == ["stopping: running games finish; once more to stop at once"]


AT_ONCE = [
    ("1h", [signal.SIGINT, signal.SIGTERM]),
    ("0s", [signal.SIGINT]),
]
"""Asked twice, or it takes too long: how long games may take to finish, and what is asked."""


@pytest.mark.parametrize(("finish", "requests"), AT_ONCE)
def test_when_running_games_are_dropped_those_that_are_over_are_kept(
    finish: str, requests: list[signal.Signals], rehearsal: Rehearsal
) -> None:
    rehearsal.configure("a", "b", "c", boards=9, run={"finish": finish})
    stopped = Stopped(rehearsal.stopping, requests, slow=True)
    assert rehearsal.run(stopped.crew) == RunResult(WORKERS, 54, signal.SIGINT)
    assert len(rehearsal.stored()) == WORKERS
    assert (stopped.crew.dropped, stopped.crew.killed) == (1, 0)


@pytest.mark.parametrize(("finish", "requests"), AT_ONCE)
def test_workers_that_do_not_even_drop_their_games_are_killed(
    finish: str,
    requests: list[signal.Signals],
    rehearsal: Rehearsal,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("arena.tournament.runner._DROP_S", 0.2)
    rehearsal.configure("a", "b", "c", boards=9, run={"finish": finish})
    stopped = Stopped(rehearsal.stopping, requests, stuck=True)
    assert rehearsal.run(stopped.crew) == RunResult(0, 54, signal.SIGINT)
    assert (stopped.crew.dropped, stopped.crew.killed) == (1, 1)


def test_a_stop_before_the_first_game_plays_none(rehearsal: Rehearsal) -> None:
    rehearsal.stopping.request(signal.SIGINT)
    crew = Crew(lambda _: None)
    assert rehearsal.run(crew) == RunResult(0, 6, signal.SIGINT)
    assert crew.jobs == []
    assert crew.killed == 1


def test_workers_are_killed_when_results_cannot_be_stored(
    rehearsal: Rehearsal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise SurroundingsError("the disk is full")

    monkeypatch.setattr(rehearsal.store, "add", full)
    crew = Crew(play)
    with pytest.raises(SurroundingsError, match="the disk is full"):
        rehearsal.run(crew)
    assert crew.killed == 1


def test_stopping() -> None:
    stopping = Stopping()
    assert (stopping.signal, stopping.at_once) == (None, False)
    stopping.request(15)
    assert (stopping.signal, stopping.at_once) == (15, False)
    stopping.request(2)
    assert (stopping.signal, stopping.at_once) == (15, True)
