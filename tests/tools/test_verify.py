"""Exports that are right, and everything that can be wrong with one."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import rules
from arena.errors import UserError
from arena.referee.record import GameId, GameRecord, Target
from arena.referee.replay import exported
from arena.rules.base import State
from arena.rules.euchre import SeededCards
from arena.tools.verify import Finding, Verified, find_end, verify
from arena.tournament.identity import board_seed

DATA = Path(__file__).parents[1] / "data/rules"
SPOILED = [json.loads(line) for line in (DATA / "spoiled_games.jsonl").read_text().splitlines()]

SECRET = b"20261129"
BOTS = {"a@1": "0a" * 32, "b@2": "0b" * 32}
MATCH = tuple(BOTS)
IDENTITY = [("a", BOTS["a@1"]), ("b", BOTS["b@2"])]
OPTIONS = {"target_score": 4}
KNOWN = rules.load("two_handed", OPTIONS)

Game = dict[str, Any]


def finished(state: State) -> tuple[State, list[str]]:
    """Play at random, but always the same, to the end."""
    dice = random.Random(11)
    actions = []
    while state.to_act is not None:
        actions.append(dice.choice(state.legal()))
        state = state.apply(actions[-1])
    return state, actions


def played(board: int, seating: int) -> Game:
    """One game as an export has it."""
    seed = board_seed(SECRET, IDENTITY, board)
    state, actions = finished(KNOWN.start(seed))
    assert state.outcome is not None
    record = GameRecord(
        GameId(MATCH, board, seating),
        state.points,
        state.outcome.winner,
        Target(),
        actions=tuple(actions),
    )
    game: Game = msgspec.to_builtins(exported(record, KNOWN, seed))
    return game


GAMES = [played(board, seating) for board in range(2) for seating in range(2)]
END = {
    "format": "arena-end/1",
    "games": len(GAMES),
    "complete": True,
    "commitment": hashlib.sha256(SECRET).hexdigest(),
    "secret": SECRET.hex(),
    "isolation": ["none"],
    "bots": BOTS,
}


def verified(*lines: object, seed: bool = False) -> Verified:
    """Verify lines given as JSON values."""
    export = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    return verify(export, end=find_end(export) if seed else None)


def the_finding(*lines: object, seed: bool = False) -> Finding:
    """The one thing that is wrong."""
    (finding,) = verified(*lines, seed=seed).findings
    return finding


# what is right


def without_deals(**changes: object) -> Game:
    return {key: value for key, value in GAMES[0].items() if key != "deals"} | changes


def test_a_game_without_deals_is_compared_with_itself() -> None:
    found = verified(without_deals(), {**END, "games": 1}, seed=True)
    assert (found.findings, found.not_replayed, found.derived) == ((), 1, False)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"winner": 1 - GAMES[0]["winner"]}, "but the points are"),
        ({"winner": 2}, "but the points are"),
        ({"points": [10, 10]}, "but the points are"),
        ({"points": [10]}, "but there are 2 seats"),
        ({"points": []}, "but there are 2 seats"),
        ({"points": [10, -1]}, "but there are 2 seats"),
        ({"end": {"kind": "forfeit", "seat": GAMES[0]["winner"], "fault": "crash"}}, "forfeited"),
        ({"end": {"kind": "forfeit", "seat": 0, "fault": "bad luck"}}, "needs the seat at fault"),
    ],
)
def test_a_game_without_deals_that_contradicts_itself(changes: Game, text: str) -> None:
    assert text in the_finding(without_deals(**changes)).text


def test_a_right_export() -> None:
    found = verified(*GAMES, END, seed=True)
    deals = sum(len(game["deals"]) for game in GAMES)
    assert found == Verified("arena.verify/1", 4, deals, True, True, ())


def test_without_the_last_line_only_the_seed_is_missed() -> None:
    found = verified(*GAMES)
    assert (found.games, found.complete, found.derived, found.findings) == (4, None, False, ())
    with pytest.raises(UserError, match="the last line is not an arena-end/1 line"):
        verified(*GAMES, seed=True)


def test_a_cut_off_export_says_so_itself() -> None:
    assert verified(*GAMES, {**END, "complete": False}).complete is False


def test_a_secret_that_is_still_kept() -> None:
    kept = {**END, "secret": None}
    assert verified(*GAMES, kept).findings == ()
    with pytest.raises(UserError, match="a seed does, and `arena export --reveal`"):
        verified(*GAMES, kept, seed=True)


def test_empty_lines_are_nothing() -> None:
    assert verified(b"\n", GAMES[0], b"  \r\n", {**END, "games": 1}, b"\n").findings == ()


def test_games_of_other_programs_are_accepted() -> None:
    found = verify((DATA / "games.jsonl").read_bytes().splitlines())
    assert (found.games, found.findings) == (60, ())


def test_more_fields_are_accepted_in_a_game() -> None:
    assert verified({**GAMES[0], "weather": "fine"}).findings == ()


@pytest.mark.parametrize("lines", [(), (b"\n", b" "), ({**END, "games": 0},)])
def test_a_file_without_a_game(lines: tuple[object, ...]) -> None:
    with pytest.raises(UserError, match="no game in this file"):
        verified(*lines)


@pytest.mark.parametrize(
    "line", [b"?", b"{}", b'{"format": "arena-game/2"}', b"\xff", b"[" * 20000]
)
def test_a_file_that_is_no_export_at_all(line: bytes) -> None:
    with pytest.raises(UserError, match="no export of arena: no line of it has the format arena-"):
        verified(line, b"", line)


def test_a_damaged_export_is_an_export() -> None:
    assert len(verified(b'{"format": "arena-game/1"}', b"?").findings) == 2


# what is wrong with a game


@pytest.mark.parametrize("case", SPOILED, ids=[f"{c['spoiled']}-{c['deal']}" for c in SPOILED])
def test_a_spoiled_game_is_refused_by_game_and_deal(case: Any) -> None:
    found = the_finding(GAMES[0], case["game"])
    assert (found.line, found.game, found.deal) == (2, case["game"]["id"], case["deal"])
    assert str(found).startswith(f"line 2: game {case['game']['id']}: ")
    assert str(found).count("deal ") == (case["deal"] is not None)


def test_each_wrong_game_is_named_and_the_others_are_checked() -> None:
    wrong = {**GAMES[1], "winner": 1 - GAMES[1]["winner"]}
    found = verified(GAMES[0], wrong, b"?", GAMES[2], {**END, "games": 3})
    assert [finding.line for finding in found.findings] == [2, 3]


def test_an_illegal_action_is_named_once_by_all_its_places() -> None:
    game = copy.deepcopy(GAMES[0])
    game["deals"][0]["actions"][1][1] = "play:XX"
    found = the_finding(game)
    assert (found.deal, found.action) == (0, 1)
    assert str(found).startswith("line 1: game a@1:b@2/0/0: deal 0: action 1: 'play:XX'")


def test_cards_that_are_not_the_pack_are_named_once_by_deal() -> None:
    game = copy.deepcopy(GAMES[0])
    game["deals"][0]["stock"][0] = "7C"
    found = str(the_finding(game))
    assert found == "line 1: game a@1:b@2/0/0: deal 0: its cards are not the pack of 24 cards"


def test_a_game_that_stands_there_twice() -> None:
    found = the_finding(*GAMES, GAMES[1], {**END, "games": 5})
    assert str(found) == "line 5: game a@1:b@2/0/1: this game stands in the file twice"


@pytest.mark.parametrize(
    "change", [{"id": "\x1b[2J", "winner": 5}, {"id": "x" * 10**6, "winner": 5}]
)
def test_what_stands_in_a_game_cannot_steer_a_terminal(change: Game) -> None:
    text = str(the_finding({**GAMES[0], **change}))
    assert text.isprintable()
    assert len(text) < 1100


def test_an_id_that_is_not_its_own() -> None:
    assert "the id should be a@1:b@2/3/0" in the_finding({**GAMES[0], "board": 3}).text


@pytest.mark.parametrize(
    "change",
    [
        {"seating": 2, "id": "a@1:b@2/0/2"},
        {"seating": -2, "id": "a@1:b@2/0/-2"},
        {"board": -1, "id": "a@1:b@2/-1/0"},
        {"match": ["a@1"], "seats": ["a@1"], "id": "a@1/0/0"},
        {"match": ["a@1", "b@2", "c@1"], "seats": ["a@1", "b@2", "c@1"], "id": "a@1:b@2:c@1/0/0"},
    ],
)
def test_a_game_that_no_schedule_has(change: Game) -> None:
    """Else one game could stand in an export as several."""
    assert the_finding({**GAMES[0], **change}).text == (
        "no schedule has such a game: 2 bots, a board from 0, seating 0 to 1"
    )


@pytest.mark.parametrize(
    "change",
    [
        {"variant": "chess"},
        {"options": {"deck_size": 52}},
        {"options": {"target": 3}},
        {"options": {"target_score": 3}},
        {"options": {"deck_size": [[]]}},
    ],
)
def test_rules_that_are_not_known_or_not_these(change: Game) -> None:
    found = the_finding({**GAMES[0], **change})
    assert (found.line, found.game) == (1, "a@1:b@2/0/0")


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[]",
        b"null",
        b"3",
        b"{}",
        b"hello",
        b'{"format": 3}',
        b'{"format": "arena-game/2"}',
        b'{"format": "\x1b[2J"}',
        b'{"format": "arena-game/1"}',
        b'{"format": "arena-end/1", "games": "4"}',
        b'{"format": "arena-game/1", "id": NaN}',
        b'\xff{"format": "arena-game/1"}',
        b'{"format": "arena-game/1", "id": "\xff"}',
        json.dumps(GAMES[0]).encode("utf-16"),
        b"[" * 200_000,
        b'{"format":' * 100_000,
        b'{"format": "arena-game/1", "deals": ' + b"[" * 200_000,
        json.dumps({**GAMES[0], "board": 2**80}).encode(),
        json.dumps({**GAMES[0], "deals": []}).encode(),
        json.dumps({**GAMES[0], "deals": [{}]}).encode(),
        json.dumps({**GAMES[0], "deals": [None]}).encode(),
        json.dumps({**GAMES[0], "match": []}).encode(),
        json.dumps({**GAMES[0], "first_dealer": 7}).encode(),
        json.dumps({**GAMES[0], "points": []}).encode(),
        json.dumps({**GAMES[0], "winner": 9}).encode(),
    ],
)
def test_lines_that_are_no_game_are_findings(line: bytes) -> None:
    text = str(the_finding(GAMES[0], line))
    assert text.startswith("line 2: ")
    assert text.isprintable()
    assert len(text) < 1000


# what is wrong with the whole


@pytest.mark.parametrize("seed", [False, True])
def test_a_missing_game(seed: bool) -> None:
    found = the_finding(*GAMES[1:], END, seed=seed)
    assert str(found) == "line 4: the last line speaks of 4 games, the file has 3"


def test_a_line_after_the_last() -> None:
    found = the_finding(GAMES[0], {**END, "games": 1}, GAMES[1])
    assert str(found) == "line 3: a line after the last line of an export"


@pytest.mark.parametrize("seed", [False, True])
@pytest.mark.parametrize(
    "change", [{"secret": "00"}, {"secret": "x"}, {"secret": ""}, {"commitment": "00" * 32}]
)
def test_a_secret_that_was_not_committed_to(change: Game, seed: bool) -> None:
    found = verified(*GAMES, {**END, **change}, seed=seed)
    (finding,) = found.findings
    assert str(finding) == "line 5: the secret is not the one that was committed to"
    assert not found.derived


# what only the secret tells


def refused_by_seed(game: Game, end: Game = END) -> Finding:
    """The finding in a game that the rules alone accept."""
    assert verified(game).findings == ()
    return the_finding(game, {**end, "games": 1}, seed=True)


def test_another_secret() -> None:
    end = {**END, "secret": b"1".hex(), "commitment": hashlib.sha256(b"1").hexdigest()}
    found = refused_by_seed(GAMES[0], end)
    assert (found.game, found.deal) == ("a@1:b@2/0/0", 0)
    assert found.text.endswith("differs from what the secret gives")


def test_another_bot_by_its_hash() -> None:
    end = {**END, "bots": {**BOTS, "b@2": "0c" * 32}}
    assert refused_by_seed(GAMES[0], end).text.endswith("differs from what the secret gives")


def test_a_bot_that_the_last_line_does_not_know() -> None:
    end = {**END, "bots": {"a@1": BOTS["a@1"]}}
    assert refused_by_seed(GAMES[0], end).text == "the last line has no hash of b@2"


def test_cards_exchanged_where_nobody_sees_them() -> None:
    game = copy.deepcopy(GAMES[2])
    last = len(game["deals"]) - 1
    stock = game["deals"][last]["stock"]
    stock[0], stock[1] = stock[1], stock[0]
    found = refused_by_seed(game)
    assert (found.game, found.deal) == ("a@1:b@2/1/0", last)
    assert found.text == "stock differs from what the secret gives"


def test_the_other_first_dealer() -> None:
    game = GAMES[0]
    source = SeededCards(24, 2, board_seed(SECRET, IDENTITY, 0))
    cards = [msgspec.to_builtins(source.of(number)) for number in range(50)]
    state, _ = finished(KNOWN.start_from(cards, 1 - game["first_dealer"]))
    assert state.outcome is not None
    forged = {
        **game,
        "first_dealer": 1 - game["first_dealer"],
        "deals": msgspec.to_builtins(state.deals()),
        "points": state.points,
        "winner": state.outcome.winner,
    }
    found = refused_by_seed(forged)
    assert (found.deal, found.text) == (0, "dealer differs from what the secret gives")


def test_a_board_played_on_the_cards_of_another() -> None:
    forged = {**GAMES[0], "board": 1, "id": "a@1:b@2/1/0"}
    assert refused_by_seed(forged).deal == 0


# whatever is wrong


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_any_value_in_any_place_is_accepted_or_a_finding(data: st.DataObject) -> None:
    line: Any = copy.deepcopy(data.draw(st.sampled_from([*GAMES[:2], END])))
    place: Any = line
    while True:
        key = data.draw(
            st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place)))
        )
        if not place[key] or not isinstance(place[key], (dict, list)) or data.draw(st.booleans()):
            break
        place = place[key]
    place[key] = data.draw(JSON | st.just(place[key]))
    for lines in ((line, END), (*GAMES, line)):
        found = verified(*lines)
        assert all(str(finding).isprintable() for finding in found.findings)
        try:
            verified(*lines, seed=True)
        except UserError:
            assert lines[-1] is line
