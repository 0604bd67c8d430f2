"""What goes into the store comes out again, once, in order, and for readers beside the writer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.errors import ArenaError, UserError
from arena.referee.record import Forfeit, GameId, GameRecord, GameResult, Target, Void
from arena.store.reader import Reader
from arena.store.rows import (
    BotVersion,
    Entrant,
    Result,
    Settled,
    Stop,
    Tournament,
    Withdrawal,
)
from arena.store.store import Store

AB = ("a@1", "b@1")
AC = ("a@1", "c@12")
TOURNAMENT = Tournament("/x/autumn.yaml", "autumn", {"options": {"x": [1, None]}}, b"\0\xff", True)

FAULTS = st.builds(
    Forfeit, st.integers(0, 1), st.sampled_from(["crash", "illegal"]), st.text(), st.text()
)
RECORDS = st.builds(
    GameRecord,
    id=st.builds(
        GameId,
        st.sampled_from([AB, AC, ("ä.x@3", "名@1")]),
        st.integers(0, 20) | st.just(2**62),
        st.integers(0, 1),
    ),
    actions=st.lists(st.text()).map(tuple),
    points=st.tuples(st.integers(0, 100), st.integers(0, 100)),
    winner=st.integers(0, 1),
    end=st.just(Target()) | FAULTS,
    times_us=st.lists(st.integers(0, 2**40)).map(tuple),
    notes=st.lists(st.tuples(st.integers(0, 99), st.text())).map(tuple),
    decisions=st.tuples(st.integers(0, 99), st.integers(0, 99)),
    spent_us=st.tuples(st.integers(0, 2**40), st.integers(0, 2**40)),
    isolation=st.sampled_from(["none", "sandbox"]),
    pondering=st.sampled_from(["allow", "suspend"]),
    cpu_us=st.just(()) | st.tuples(st.integers(0, 2**40), st.integers(0, 2**40)),
    lag_us=st.integers(0, 2**40),
)
DEALS = st.lists(st.tuples(st.integers(0, 1), st.integers(-9, 9)))
RECORDS_WITH_DEALS = st.builds(
    lambda record, deals: replace(
        record,
        dealers=tuple(dealer for dealer, _ in deals),
        margins=tuple(margin for _, margin in deals),
    ),
    RECORDS,
    DEALS,
)


def fault_of(record: GameResult) -> tuple[int, str] | None:
    """(Seat, kind) if the game was lost by a fault."""
    return (record.end.seat, record.end.fault) if isinstance(record.end, Forfeit) else None


def played(match: tuple[str, ...], board: int, seating: int, winner: int = 0) -> GameRecord:
    """A game played to its end."""
    return GameRecord(GameId(match, board, seating), (10, 3), winner, Target(), actions=("pass",))


def forfeited(match: tuple[str, ...], board: int, seating: int, seat: int, kind: str) -> GameRecord:
    """A game lost by a fault of `seat`."""
    game = GameId(match, board, seating)
    return GameRecord(game, (0, 0), 1 - seat, Forfeit(seat, kind, "why"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "results" / "autumn"


@settings(max_examples=25, deadline=None)
@given(st.lists(RECORDS_WITH_DEALS, unique_by=lambda record: record.id))
def test_records_come_out_as_they_went_in(
    tmp_path_factory: pytest.TempPathFactory, records: list[GameRecord]
) -> None:
    folder = tmp_path_factory.mktemp("store")
    with Store.open(folder) as store:
        store.add(records)
    with Reader.open(folder) as reader:
        stored = [record for match in reader.matches() for record in reader.records(match)]
        assert sorted(stored, key=lambda r: r.id) == sorted(records, key=lambda r: r.id)
        for match in reader.matches():
            ids = [record.id for record in reader.records(match)]
            for board in {game.board for game in ids}:
                found = [record.id for record in reader.records(match, range(board, board + 1))]
                assert found == [game for game in ids if game.board == board]
            assert ids == sorted(ids)
            assert list(reader.settled(match)) == [
                Settled(r.id.board, r.id.seating, r.winner, *(fault_of(r) or (None, None)))
                for r in reader.records(match)
            ]
            assert list(reader.results(match)) == [
                Result(
                    *(r.id, r.winner, fault_of(r), r.decisions, r.spent_us),
                    *(r.isolation, r.pondering, r.cpu_us, r.lag_us),
                    *(r.dealers, r.margins),
                )
                for r in reader.records(match)
            ]


def test_a_game_already_there_stays(folder: Path) -> None:
    with Store.open(folder) as store:
        first = played(AB, 0, 0, winner=0)
        store.add([first])
        store.add([played(AB, 0, 0, winner=1), played(AB, 0, 1)])
        store.add([first])
        assert next(store.records(AB)) == first


def test_results_without_actions_and_packed_records_come_out_too(folder: Path) -> None:
    whole, bare = played(AB, 0, 0), played(AB, 0, 1)
    with Store.open(folder) as store:
        store.add([whole.packed, bare.result])
        assert list(store.records(AB)) == [whole, bare.result]
        store.add([played(AB, 0, 1, winner=1)])
        assert list(store.records(AB)) == [whole, bare.result], "what is stored stays as it is"
    assert whole.packed.record == whole


def test_nothing_of_a_job_is_kept_if_its_end_fails(folder: Path) -> None:
    with Store.open(folder) as store:
        wrong = GameRecord(GameId(AB, 2**70, 0), (0, 0), 0, Target())
        with pytest.raises(OverflowError):
            store.add([played(AB, 0, 0), wrong], [Void(GameId(AB, 1, 0), "x")])
        assert list(store.settled(AB)) == []
        assert store.voids() == ()
        store.add([played(AB, 0, 0)])


def test_inspections_in_the_order_of_runs(folder: Path) -> None:
    held = {"attack": "fork", "verdict": "held"}
    with Store.open(folder) as store:
        assert store.inspections() == ()
        store.inspected("sandbox", "all held", [held])
        store.inspected("none", "ä", [])
    with Reader.open(folder) as reader:
        first, second = reader.inspections()
    assert (first.isolation, first.digest, first.findings) == ("sandbox", "all held", (held,))
    assert (second.isolation, second.digest, second.findings) == ("none", "ä", ())
    now = datetime.now(UTC)
    assert now - timedelta(hours=1) < datetime.fromisoformat(first.time) <= now


def test_unknown_games_and_matches(folder: Path) -> None:
    with Store.open(folder) as store:
        store.add([played(AB, 0, 0)])
        assert [*store.records(AB, range(1, 5)), *store.records(AB, range(0))] == []
        assert [*store.settled(AC), *store.records(AC), *store.results(AC)] == []


def test_games_are_counted_by_match(folder: Path) -> None:
    with Store.open(folder) as store:
        store.add([played(AB, board, seating) for board in range(5) for seating in range(2)])
        store.add([played(AC, 3, 0), played(AC, 4, 0)])
        assert [store.games_of(AB, boards) for boards in (0, 3, 4, 2**62)] == [0, 6, 8, 10]
        assert [store.games_of(AC, boards) for boards in (0, 3, 4, 2**62)] == [0, 0, 1, 2]
        assert store.games_of(("x@1", "y@1"), 9) == 0


def test_the_tournament_is_kept_once(folder: Path) -> None:
    with Store.open(folder) as store:
        assert store.tournament() is None
        store.begin(TOURNAMENT, ())
        assert store.tournament() == TOURNAMENT
        with pytest.raises(ArenaError, match="already belongs"):
            store.begin(TOURNAMENT, ())
    with Reader.open(folder) as reader:
        assert reader.tournament() == TOURNAMENT


def test_a_tournament_and_its_first_bots_are_kept_together_or_not_at_all(folder: Path) -> None:
    """Else a kill in between would leave an empty tournament, with nothing left to play in it."""
    twice = [Entrant("a", "h1", {}), Entrant("a", "h2", {})]
    with Store.open(folder) as store:
        with pytest.raises(ArenaError):
            store.begin(TOURNAMENT, twice)
        assert (store.tournament(), store.bots()) == (None, ())
        assert [str(bot) for bot in store.begin(TOURNAMENT, twice[:1])] == ["a@1"]
        assert store.tournament() == TOURNAMENT


def test_a_steady_look_sees_nothing_of_what_is_written_meanwhile(folder: Path) -> None:
    with Store.open(folder) as store, Reader.open(folder) as reader:
        store.add([played(AB, 0, 0)])
        with reader.steady():
            assert len(list(reader.settled(AB))) == 1
            store.add([played(AB, 1, 0)], decisions=[Withdrawal("a@1", GameId(AB, 1, 0), "x")])
            assert len(list(reader.settled(AB))) == 1
            assert reader.withdrawals() == ()
        assert len(list(reader.settled(AB))) == 2
        assert len(reader.withdrawals()) == 1


def test_versions_are_numbered_in_order_of_entering(folder: Path) -> None:
    a1, a2, b1 = Entrant("a", "h1", {"v": 1}), Entrant("a", "h2", {"v": 2}), Entrant("b", "h1", {})
    with Store.open(folder) as store:
        assert [str(bot) for bot in store.enter([b1, a1])] == ["b@1", "a@1"]
        assert [str(bot) for bot in store.enter([a2, b1])] == ["a@2", "b@1"]
        assert store.bots() == (
            BotVersion("b", 1, "h1", {}, True),
            BotVersion("a", 1, "h1", {"v": 1}, False),
            BotVersion("a", 2, "h2", {"v": 2}, True),
        )
        assert [str(bot) for bot in store.enter([a1])] == ["a@1"]
        assert [(str(bot), bot.current) for bot in store.bots()] == [
            *(("b@1", False), ("a@1", True), ("a@2", False))
        ]
        assert [str(bot) for bot in store.enter([Entrant("a", "h3", {})])] == ["a@3"]


def test_a_field_with_one_name_twice_changes_nothing(folder: Path) -> None:
    with Store.open(folder) as store:
        store.enter([Entrant("a", "h1", {})])
        with pytest.raises(ArenaError):
            store.enter([Entrant("b", "h1", {}), Entrant("b", "h2", {})])
        assert [(str(bot), bot.current) for bot in store.bots()] == [("a@1", True)]


def test_voids_are_kept_in_order(folder: Path) -> None:
    game, other = GameId(AB, 3, 1), GameId(AC, 0, 0)
    voids = (Void(game, "worker died"), Void(other, "stall"), Void(game, "worker died"))
    with Store.open(folder) as store:
        store.add(voids=voids[:2])
        store.add(voids=voids[2:])
        assert store.voids() == voids


def test_a_bot_is_left_out_until_the_next_run_begins(folder: Path) -> None:
    with Store.open(folder) as store:
        store.enter([Entrant("a", "h1", {}), Entrant("b", "h1", {})])
        store.leave_out("b@1", "no hello")
        store.leave_out("a@1", "exited 1")
        assert store.left_out() == {"a@1": "exited 1", "b@1": "no hello"}
        store.enter([Entrant("a", "h1", {})])
        assert store.left_out() == {}


def test_a_withdrawal_is_kept_once_and_stands(folder: Path) -> None:
    first = Withdrawal("b@1", GameId(AB, 3, 1), "20 faults")
    other = Withdrawal("a@1", GameId(AC, 0, 0), "three failed starts in a row")
    with Store.open(folder) as store:
        store.add(decisions=[first, other])
        with pytest.raises(ArenaError):
            store.add(decisions=[Withdrawal("b@1", GameId(AC, 0, 0), "again")])
        store.enter([Entrant("a", "h1", {})])
    with Reader.open(folder) as reader:
        assert reader.withdrawals() == (other, first)


def test_stops_are_kept_in_order(folder: Path) -> None:
    first = Stop("sprt", AB, GameId(AB, 3, 1), "decided", {"llr": 3.25, "bounds": [-2.5, 2.5]})
    other = Stop("rating_error", ("a@1", "b@1", "c@1"), GameId(AC, 31, 1), "known", {})
    with Store.open(folder) as store:
        store.add([played(AB, 3, 1)], decisions=[first])
        store.add(decisions=[other])
    with Reader.open(folder) as reader:
        assert reader.stops() == (first, other)
        assert reader.withdrawals() == ()


def test_a_secret_is_revealed_for_good(folder: Path) -> None:
    with Store.open(folder) as store:
        store.begin(TOURNAMENT, ())
        assert TOURNAMENT.public_secret is None
        store.reveal()
    with Reader.open(folder) as reader:
        revealed = reader.tournament()
    assert revealed is not None
    assert revealed == replace(TOURNAMENT, revealed=True)
    assert revealed.public_secret == TOURNAMENT.secret
    assert replace(TOURNAMENT, drawn=False).public_secret == TOURNAMENT.secret


def test_a_reader_sees_what_is_written_beside_it(folder: Path) -> None:
    with Store.open(folder) as store, Reader.open(folder) as reader:
        store.begin(TOURNAMENT, ())
        assert reader.tournament() == TOURNAMENT
        for board in range(3):
            store.add([played(AB, board, 0)])
            assert len(list(reader.settled(AB))) == board + 1


def test_reading_in_a_stream_while_more_is_added(folder: Path) -> None:
    with Store.open(folder) as store, Reader.open(folder) as reader:
        store.add([played(AB, board, 0) for board in range(5)])
        stream = reader.records(AB)
        first = next(stream)
        store.add([played(AB, board, 1) for board in range(5)])
        assert [first, *stream] == [played(AB, board, 0) for board in range(5)]
        assert len(list(reader.records(AB))) == 10


def test_no_results_yet(folder: Path) -> None:
    with pytest.raises(UserError, match=r"no results in .*autumn: run the tournament first"):
        Reader.open(folder)
    assert not folder.exists()


def test_a_reader_cannot_write(folder: Path) -> None:
    Store.open(folder).close()
    with Reader.open(folder) as reader:
        assert not hasattr(reader, "add")
