"""Records replayed, exported and checked: the round trip, and records by others."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging import SEED, first, play, referee

from arena import rules
from arena.errors import ReplayError
from arena.referee.events import Ask, Finished, SeatLost
from arena.referee.fault import Fault
from arena.referee.record import Forfeit, GameId, GameRecord
from arena.referee.replay import ExportedGame, check, exported, replay

DATA = Path(__file__).parents[1] / "data/rules"
CRASH = Fault("crash", "exited 1 at decision 3", "Traceback")


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


GAMES = lines("games.jsonl")
SPOILED = lines("spoiled_games.jsonl")
BY_HAND = [
    case for case in json.loads((DATA / "two_handed.json").read_text()) if case["kind"] == "game"
]


def game_of(line: Any) -> ExportedGame:
    return msgspec.convert(line, ExportedGame)


def checked(line: Any) -> None:
    game = game_of(line)
    check(game, rules.load(game.variant, game.options))


def refused(line: Any) -> ReplayError:
    with pytest.raises(ReplayError) as caught:
        checked(line)
    return caught.value


# records by others


def test_all_cases_are_there() -> None:
    assert (len(GAMES), len(SPOILED), len(BY_HAND)) == (60, 36, 4)


@pytest.mark.parametrize("line", GAMES, ids=[game["id"] for game in GAMES])
def test_a_right_game_is_accepted(line: Any) -> None:
    checked(line)


@pytest.mark.parametrize("case", SPOILED, ids=[f"{c['spoiled']}-{c['deal']}" for c in SPOILED])
def test_a_spoiled_game_is_refused_at_the_deal_named(case: Any) -> None:
    assert refused(case["game"]).deal == case["deal"]


@pytest.mark.parametrize("case", BY_HAND, ids=[case["id"] for case in BY_HAND])
def test_a_game_made_by_hand(case: Any) -> None:
    if case["expect"]["ok"]:
        checked(case["record"])
    else:
        refused(case["record"])


# our own records


def played(options: dict[str, Any], seed: bytes, dice: random.Random, seating: int) -> GameRecord:
    judge = referee(options, seed=seed, game=GameId(("a@1", "b@1"), 3, seating))
    _, _, record = play(judge, lambda ask: dice.choice(ask.legal))
    return record


def broken_off(record: GameRecord, options: dict[str, Any], seed: bytes, at: int) -> GameRecord:
    """Replay the first `at` actions of a game, then lose its seat to act by a fault."""
    judge = referee(options, seed=seed, game=record.id)
    actions = iter(record.actions[:at])

    def choose(ask: Ask) -> str:
        action = next(actions, None)
        if action is not None:
            return action
        raise StopAsking(ask)

    try:
        play(judge, choose)
    except StopAsking as stop:
        _, last = judge.handle(SeatLost(stop.ask.seat, CRASH))
        assert isinstance(last, Finished)
        assert isinstance(last.record, GameRecord)
        return last.record
    pytest.fail("the whole game was played")


class StopAsking(Exception):  # noqa: N818 - a signal within a test, not an error
    def __init__(self, ask: Ask) -> None:
        self.ask = ask


JOKERS = st.sampled_from(["H", "C", "dealer_declares", "dealer_makes", "redeal"])
PACKS = st.one_of(
    st.fixed_dictionaries({}, optional={"deck_size": st.just(32)}),
    st.fixed_dictionaries({"deck_size": st.sampled_from([25, 33]), "joker_upcard": JOKERS}),
)
OTHERS = st.fixed_dictionaries(
    {"target_score": st.integers(1, 5)},
    optional={
        "stick_the_dealer": st.booleans(),
        "play_out": st.booleans(),
        "throw_in_cap": st.integers(1, 3),
        "dealer_after_throw_in": st.sampled_from(["next", "same"]),
        "points_euchre": st.integers(1, 3),
    },
)
OPTIONS = st.builds(lambda pack, others: pack | others, PACKS, OTHERS)


@settings(deadline=None, max_examples=60)
@given(OPTIONS, st.binary(min_size=32, max_size=32), st.randoms(), st.integers(0, 1), st.data())
def test_a_record_is_replayed_exported_written_read_and_accepted(
    options: dict[str, Any], seed: bytes, dice: random.Random, seating: int, data: st.DataObject
) -> None:
    loaded = rules.load("two_handed", options)
    record = played(options, seed, dice, seating)
    at = data.draw(st.integers(0, len(record.actions)))
    if at < len(record.actions):
        record = broken_off(record, options, seed, at)
    assert replay(record, loaded, seed).points == record.points
    game = exported(record, loaded, seed)
    line = msgspec.json.encode(game, order="deterministic")
    again = msgspec.json.decode(line, type=ExportedGame)
    check(again, loaded)
    assert msgspec.json.encode(again, order="deterministic") == line
    assert game.deals is not None
    assert [action for deal in game.deals for _, action in deal["actions"]] == list(record.actions)


@settings(deadline=None, max_examples=40)
@given(OPTIONS, st.binary(min_size=32, max_size=32), st.randoms(), st.data())
def test_a_record_with_another_action_or_other_points_is_refused(
    options: dict[str, Any], seed: bytes, dice: random.Random, data: st.DataObject
) -> None:
    loaded = rules.load("two_handed", options)
    record = played(options, seed, dice, 0)
    at = data.draw(st.integers(0, len(record.actions) - 1))
    cut = msgspec.structs.replace(record, actions=record.actions[:at])
    with pytest.raises(ReplayError) as caught:
        replay(
            msgspec.structs.replace(record, actions=(*record.actions[:at], "play:ZZ")), loaded, seed
        )
    assert caught.value.action == at
    ends_without_scoring = replay_points(cut, seed, options) == record.points
    if not ends_without_scoring:
        with pytest.raises(ReplayError, match="recorded, the actions give"):
            replay(cut, loaded, seed)


def replay_points(record: GameRecord, seed: bytes, options: dict[str, Any]) -> tuple[int, ...]:
    state = rules.load("two_handed", options).start(seed)
    for action in record.actions:
        state = state.apply(action)
    return state.points


def test_an_action_after_the_end_is_refused() -> None:
    _, _, record = play(referee({"target_score": 1}), first)
    more = msgspec.structs.replace(record, actions=(*record.actions, "pass"))
    with pytest.raises(ReplayError) as caught:
        replay(more, rules.load("two_handed", {"target_score": 1}), SEED)
    assert caught.value.action == len(record.actions)


# what an export holds


def test_an_exported_game_is_the_contracts() -> None:
    options = {"target_score": 1, "deck_size": 24}
    _, _, record = play(referee(options), first)
    loaded = rules.load("two_handed", options)
    line = json.loads(msgspec.json.encode(exported(record, loaded, SEED)))
    assert sorted(line) == sorted(GAMES[0])
    assert line["format"] == "arena-game/1"
    assert line["id"] == "a@1:b@1/12/0"
    assert line["options"] == {"target_score": 1}, "only what differs from the defaults"
    assert line["first_dealer"] == SEED[-1] & 1 == line["deals"][0]["dealer"]
    assert line["end"] == {"kind": "target"}
    assert sorted(line["deals"][-1]) == sorted(GAMES[0]["deals"][0])


def test_times_and_notes_are_exported_when_asked_for() -> None:
    _, _, record = play(referee({"target_score": 1}), first)
    record = msgspec.structs.replace(record, notes=((1, "bold"),), cpu_us=(5, 6), lag_us=7)
    loaded = rules.load("two_handed", {"target_score": 1})
    game = exported(record, loaded, SEED, times=True, notes=True)
    assert game.times_us == record.times_us
    assert (game.cpu_us, game.lag_us) == ((5, 6), 7)
    assert game.notes == ((1, "bold"),)
    check(game, loaded)


def test_what_a_faulty_bot_sent_is_not_exported() -> None:
    _, last = referee().handle(SeatLost(1, CRASH))
    assert isinstance(last, Finished)
    assert isinstance(last.record, GameRecord)
    game = exported(last.record, rules.load("two_handed"), SEED)
    line = json.loads(msgspec.json.encode(game))
    assert line["end"] == {
        "kind": "forfeit",
        "seat": 1,
        "fault": "crash",
        "detail": "exited 1 at decision 3",
    }
    deal = line["deals"][0]
    assert deal["actions"] == []
    assert not {"tricks", "points", "reason"} & deal.keys()
    assert (deal["trump"], deal["maker"]) == (None, None)


# what a checker must see


def valid() -> Any:
    """A short right game to be changed in one place."""
    options = {"target_score": 3}
    _, _, record = play(referee(options), first)
    loaded = rules.load("two_handed", options)
    line = json.loads(msgspec.json.encode(exported(record, loaded, SEED)))
    checked(line)
    assert len(line["deals"]) > 1
    return line


def forfeited() -> Any:
    """The same game, its last action gone with a forfeit."""
    line = valid()
    deal = line["deals"][-1]
    del deal["actions"][-1]
    for key in ("tricks", "points", "reason"):
        del deal[key]
    scored = [sum(d["points"][seat] for d in line["deals"][:-1]) for seat in (0, 1)]
    end = {"kind": "forfeit", "seat": 0, "fault": "crash", "detail": ""}
    line |= {"points": scored, "winner": 1, "end": end}
    checked(line)
    return line


def test_a_discrepancy_is_named_by_deal_and_action() -> None:
    line = valid()
    line["deals"][1]["actions"][2][1] = "play:ZZ"
    error = refused(line)
    assert (error.deal, error.action) == (1, 2)


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("trump", "X", "trump is X, but the actions give"),
        ("maker", 7, "maker is 7, but"),
        ("dealer", 5, "dealer is 5, but"),
        ("tricks", [5, 5], "tricks is [5, 5], but"),
        ("points", [9, 9], "points is [9, 9], but"),
        ("reason", "luck", "reason is luck, but"),
        ("weather", "fine", "weather is given, though"),
    ],
)
def test_everything_of_a_deal_is_compared(key: str, value: object, text: str) -> None:
    line = valid()
    line["deals"][1][key] = value
    error = refused(line)
    assert error.deal == 1
    assert text in str(error)


@pytest.mark.parametrize("key", ["trump", "maker", "dealer", "tricks", "points", "reason"])
def test_nothing_of_a_deal_may_be_missing(key: str) -> None:
    line = valid()
    del line["deals"][1][key]
    error = refused(line)
    assert error.deal == 1
    assert str(error).startswith(f"{key} is missing; it should be ")


@pytest.mark.parametrize("actions", [None, 5, [[0]], [["0", "pass"]], ["pass"], [[0, 1]]])
def test_actions_that_cannot_be_read_are_refused(actions: object) -> None:
    line = valid()
    line["deals"][1]["actions"] = actions
    error = refused(line)
    assert error.deal == 1
    assert "actions must be a list of [seat, action]" in str(error)


@pytest.mark.parametrize("key", ["hands", "upcard", "stock"])
def test_cards_that_are_not_the_pack_are_refused(key: str) -> None:
    line = valid()
    line["deals"][1][key] = line["deals"][1][key][:-1]
    assert refused(line).deal == 1


def test_a_game_has_deals_and_none_after_its_end() -> None:
    empty = valid() | {"deals": []}
    assert refused(empty).deal == 0
    longer = valid()
    longer["deals"].append(longer["deals"][0])
    assert refused(longer).deal == len(longer["deals"]) - 1
    shorter = valid()
    del shorter["deals"][-1]
    assert refused(shorter).deal is None


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"points": [3, 3]}, "points [3, 3], but the deals give"),
        ({"winner": 5}, "winner 5, but seat"),
        ({"id": "a@1:b@1/12/1"}, "the id should be a@1:b@1/12/0"),
        ({"id": "a@1:b@1/11/0"}, "the id should be a@1:b@1/12/0"),
        ({"board": 11}, "the id should be a@1:b@1/11/0"),
        ({"seating": 1}, "the id should be a@1:b@1/12/1"),
        ({"match": ["b@1", "a@1"]}, "the id should be b@1:a@1/12/0"),
        ({"seats": ["b@1", "a@1"]}, "seating 0 of the match puts ['a@1', 'b@1'] there"),
        ({"first_dealer": 2}, "the first dealer is seat 0 or 1"),
        ({"end": {"kind": "forfeit"}}, "a forfeit needs the seat at fault and its fault"),
        (
            {"end": {"kind": "forfeit", "seat": 0, "fault": "crash"}},
            "a forfeit after the end of the game",
        ),
    ],
)
def test_everything_of_a_game_is_compared(change: dict[str, Any], text: str) -> None:
    assert text in str(refused(valid() | change))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"winner": 0}, "seat 0 forfeited, so it cannot be that seat 0 won"),
        ({"winner": 2}, "seat 0 forfeited, so it cannot be that seat 2 won"),
        ({"end": {"kind": "target"}}, "the game is not over"),
        ({"end": {"kind": "forfeit", "seat": 2, "fault": "crash"}}, "a forfeit needs the seat"),
        ({"end": {"kind": "forfeit", "seat": 0}}, "a forfeit needs the seat"),
    ],
)
def test_a_forfeit_names_its_seat_its_fault_and_another_winner(
    change: dict[str, Any], text: str
) -> None:
    assert text in str(refused(forfeited() | change))


def test_another_programs_id_is_left_alone() -> None:
    checked(valid() | {"id": "G02", "match": ["x", "y"], "seats": ["who", "ever"]})


def test_the_end_of_a_forfeit_holds_the_kind_of_its_fault() -> None:
    end = Forfeit(1, "timeout", "no answer in 1000 ms (+50) at decision 3")
    assert msgspec.json.decode(msgspec.json.encode(end)) == {
        "kind": "forfeit",
        "seat": 1,
        "fault": "timeout",
        "detail": "no answer in 1000 ms (+50) at decision 3",
        "got": "",
    }


@pytest.mark.parametrize("value", [True, 1.0])
def test_what_python_takes_for_the_same_number_is_another_value(value: object) -> None:
    deals = [dict(deal) for deal in valid()["deals"]]
    at = next(n for n, deal in enumerate(deals) if deal.get("maker") == 1)
    deals[at]["maker"] = value
    assert f"maker is {value}" in str(refused(valid() | {"deals": deals}))
