"""Exports as files of results: which games count, how bots are named, what is wrong with a line."""

from __future__ import annotations

import io
import json
import random
from typing import Any

import pytest

from arena.errors import UserError
from arena.ratings.critical import student
from arena.ratings.scores import MatchScore
from arena.tools.rate import limits
from arena.tools.rate.gathered import Gathered
from arena.tools.rate.lines import Lines
from arena.tools.rate.records import gather_records

Game = dict[str, Any]
HALF_WIDTH = student(0.95)


def game(
    winner: str,
    match: tuple[str, str] = ("a@1", "b@1"),
    board: int = 0,
    seating: int = 0,
    **more: Any,
) -> Game:
    """A game record, as far as ratings need it, and some of what they pass over."""
    seats = match if seating == 0 else match[::-1]
    return {
        "format": "arena-game/1",
        "id": f"{':'.join(match)}/{board}/{seating}",
        "variant": "two_handed",
        "options": {},
        "match": match,
        "board": board,
        "seating": seating,
        "seats": seats,
        "first_dealer": 1,
        "deals": [deal(0, 2, 0), deal(1, 0, 1), {"dealer": 0, "hands": []}],
        "points": [10, 7],
        "winner": seats.index(winner),
        "end": {"kind": "target"},
        **more,
    }


def deal(dealer: int, *points: int) -> Game:
    return {"dealer": dealer, "points": points, "hands": [["9C"], ["JS"]]}


def forfeit(loser_seat: int, fault: str) -> Game:
    return {"end": {"kind": "forfeit", "seat": loser_seat, "fault": fault, "detail": "so it was"}}


def end(games: int, *, complete: bool = True) -> Game:
    return {
        "format": "arena-end/1",
        "games": games,
        "complete": complete,
        "commitment": "ab",
        "secret": None,
        "isolation": ["none"],
        "bots": {"a@1": "00"},
    }


def board(number: int, *winners: str, match: tuple[str, str] = ("a@1", "b@1")) -> list[Game]:
    return [game(winner, match, number, seating) for seating, winner in enumerate(winners)]


def gathered(*lines: Game | str) -> Gathered:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return gather_records(Lines("g.jsonl", io.BytesIO(text.encode())))


def wrong(*lines: Game | str) -> str:
    with pytest.raises(UserError) as error:
        gathered(*lines)
    return str(error.value)


def test_only_boards_with_both_games_count() -> None:
    found = gathered(
        *board(0, "a@1", "a@1"), *board(1, "b@1", "a@1"), *board(2, "b@1", "b@1"), *board(3, "b@1")
    )
    assert found.scores == (MatchScore("a", "b", 1, 1, 1, half_boards=1),)
    assert (found.games, found.complete, found.notices) == (7, None, ())
    assert found.versions == {"a": "a@1", "b": "b@1"}


STOP: Game = {
    "kind": "sprt",
    "versions": ["a@1", "b@1"],
    "match": ["a@1", "b@1"],
    "board": 0,
    "seating": 1,
    "reason": "decided",
    "not_needed": 8,
    "figures": {
        "a": "b",
        "b": "a",
        "elo0": 0,
        "elo1": 100,
        "alpha": 0.05,
        "beta": 0.05,
        "model": "logistic",
        "bounds": [-2.9, 2.9],
        "llr": 3.0,
        "decision": "H1",
        "boards": 1,
        "lost_both": 0,
        "split": 0,
        "won_both": 1,
    },
}


def test_what_stopped_a_tournament_is_told() -> None:
    games = board(0, "b@1", "b@1")
    assert gathered(*games, end(2)).stop is None  # an older arena did not tell
    assert gathered(*games, end(2) | {"stop": None}).stop is None
    found = gathered(*games, end(2) | {"stop": STOP}).stop
    assert found is not None
    assert (found.kind, found.stop.game.board, found.not_needed) == ("sprt", 0, 8)


@pytest.mark.parametrize(
    ("wrongly", "said"),
    [
        ({"kind": "after"}, "Invalid enum value 'after'"),
        ({"reason": "x" * 1_001}, "length <= 1000"),
        ({"not_needed": -1}, ">= 0"),
        ({"figures": {}}, "this last line tells no stop of arena: "),
        ({"figures": {**STOP["figures"], "llr": "3"}}, "this last line tells no stop of arena: "),
        ({"versions": ["a@1"]}, "a test between bots that have no game here"),
        ({"versions": ["a@1", "b@2"]}, "a test between bots that have no game here"),
        ({"figures": {**STOP["figures"], "a": "c"}}, "a test between bots that have no game here"),
    ],
)
def test_stops_that_are_none(wrongly: Game, said: str) -> None:
    assert said in wrong(*board(0, "b@1", "b@1"), end(2) | {"stop": STOP | wrongly})


def test_the_order_of_lines_and_of_the_match_changes_nothing() -> None:
    games = [
        one for n in range(9) for one in board(n, *random.Random(n).choices(("a@1", "b@1"), k=2))
    ]
    for number, one in enumerate(games):
        one["deals"] = [deal(0, number % 3, 0), deal(number % 2, 1, 0), deal(0, 0, number % 5)]
    plain = gathered(*games)
    turned = [{**one, "match": one["match"][::-1], "seating": 1 - one["seating"]} for one in games]
    for others in (games[::-1], turned, sorted(games, key=lambda one: one["seating"])):
        found = gathered(*others)
        assert found.scores == plain.scores
        assert found.deals.points(HALF_WIDTH) == plain.deals.points(HALF_WIDTH)


def test_points_per_deal_come_from_the_deals_of_complete_boards() -> None:
    found = gathered(
        game("a@1", board=0, seating=0, deals=[deal(0, 2, 0), deal(1, 0, 1), {"dealer": 0}]),
        game("b@1", board=0, seating=1, deals=[deal(0, 0, 2), deal(1, 0, 1), deal(0, 1, 0)]),
        game("a@1", board=1, seating=0, deals=[deal(0, 9, 0)]),
    )
    points = found.deals.points(HALF_WIDTH).of_match("a", "b")
    # Deal 0: a won 2 points on either seat; deal 1: seat 1 won one, whoever sat there.
    assert (points.points.value, points.paired, points.unpaired) == ((2 + 2 - 1 + 1) / 4, 2, 1)


def test_points_of_deals_that_are_not_told_are_unknown() -> None:
    found = gathered(
        *({**one, "deals": []} for one in board(0, "a@1", "b@1")),
        game("a@1", board=1, seating=0, deals=[{"dealer": 0}], **forfeit(1, "crash")),
        game("a@1", board=1, seating=1, deals=[deal(0, 0, 2)]),
    )
    points = found.deals.points(HALF_WIDTH)
    assert points.unknown == 2
    assert points.of_match("a", "b").paired == 0
    assert points.of_match("a", "b").unpaired == 1


def test_boards_with_a_fault_are_told_apart() -> None:
    found = gathered(
        *board(0, "a@1", "b@1"),
        game("a@1", board=1, seating=0, **forfeit(1, "crash")),
        game("b@1", board=1, seating=1),
        game("b@1", board=2, seating=0, **forfeit(0, "crash")),
        game("b@1", board=2, seating=1, **forfeit(1, "crash")),
    )
    assert found.scores == (MatchScore("a", "b", 0, 2, 1, forfeited=(0, 1, 1)),)


def test_matches_are_in_order_of_names_not_of_versions() -> None:
    found = gathered(*board(0, "a@1", "a@1", match=("a@1", "a.b@1")))
    assert found.scores == (MatchScore("a", "a.b", 1, 0, 0),)


def test_faults_are_those_of_complete_boards() -> None:
    found = gathered(
        game("b@1", board=0, seating=0, **forfeit(0, "timeout")),
        game("b@1", board=0, seating=1, **forfeit(1, "crash")),
        game("a@1", board=1, seating=0, **forfeit(1, "timeout")),
        game("a@1", board=1, seating=1),
        game("b@1", board=2, seating=0, **forfeit(0, "timeout")),
    )
    assert found.faults == {"a": {"timeout": 1, "crash": 1}, "b": {"timeout": 1}}


def test_a_bot_is_named_by_its_version_where_several_are_there() -> None:
    found = gathered(
        *board(0, "a@1", "b@1"),
        *board(0, "a@2", "b@1", match=("a@2", "b@1")),
        *board(0, "a@1", "a@2", match=("a@1", "a@2")),
    )
    assert {(score.a, score.b) for score in found.scores} == {
        *(("a@1", "b"), ("a@2", "b"), ("a@1", "a@2")),
    }
    assert found.versions == {"a@1": "a@1", "a@2": "a@2", "b": "b@1"}


@pytest.mark.parametrize(
    ("match", "names"),
    [
        (("x", "y"), {"x", "y"}),  # names without a version
        (("x", "x@1"), {"x", "x@1"}),
        (("@1", "y"), {"@1", "y"}),
        (("x@1@1", "x@1"), {"x@1@1", "x"}),
    ],
)
def test_odd_versions_stay_apart(match: tuple[str, str], names: set[str]) -> None:
    assert set(gathered(*board(0, match[0], match[1], match=match)).names) == names


def test_the_last_line_says_whether_all_is_there() -> None:
    games = board(0, "a@1", "b@1")
    assert gathered(*games, end(2)).complete is True
    assert gathered(*games, end(2, complete=False)).complete is False


def test_games_that_do_not_count_are_left_out_and_said() -> None:
    old = [{**one, "counts": False} for one in board(0, "a@2", "b@1", match=("a@2", "b@1"))]
    found = gathered(*board(0, "a@1", "b@1"), *old, end(4))
    assert (found.games, found.names) == (2, ("a", "b"))
    assert found.notices == ("Left out, because they do not count: 2 games.",)


@pytest.mark.parametrize("more", [{"variant": "other"}, {"options": {"target_score": 5}}])
def test_games_of_different_rules_are_said(more: Game) -> None:
    games = board(0, "a@1", "b@1")
    assert gathered(games[0], {**games[1], **more}).notices == (
        "The games are not all of the same variant and options.",
    )


GOOD = game("a@1")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("a,b,winner", "is no line of `arena export`: JSON is malformed"),
        ("[]", "is no line of `arena export`: Expected `object`, got `array`"),
        ("{}", "is no line of `arena export`: Object missing required field `format`"),
        (
            '{"format": "arena-game/2"}',
            "is no line of `arena export`: Invalid value 'arena-game/2' - at `$.format`",
        ),
        ('{"format": "arena-game/1"', "is no line of `arena export`: Input data was truncated"),
        ("[" * 5000, "is no line of `arena export`: "),
        (
            {"format": "arena-void/1", "id": "a@1:b@1/0/0"},
            "is a void, not a game; export without --void",
        ),
        (
            {**GOOD, "deals": [deal(2, 0, 0)]},
            "is no line of `arena export`: Invalid enum value 2 - at `$.deals[0].dealer`",
        ),
        ({**GOOD, "deals": [deal(0, 1)]}, "is no line of `arena export`: Expected `array` of len"),
        ({**GOOD, "deals": [deal(0, 1, -1)]}, "is no line of `arena export`: Expected `int` >= 0"),
        (
            {**GOOD, "winner": 2},
            "is no line of `arena export`: Invalid enum value 2 - at `$.winner`",
        ),
        ({**GOOD, "winner": None}, "is no line of `arena export`: Expected `int`, got `null`"),
        ({**GOOD, "board": -1}, "is no line of `arena export`: Expected `int` >= 0"),
        ({**GOOD, "board": 1e30}, "is no line of `arena export`: Expected `int`"),
        ({**GOOD, "match": ["a@1"]}, "is no line of `arena export`: Expected `array` of length 2"),
        (
            {**GOOD, "match": ["a@1", "b" * 101]},
            "is no line of `arena export`: Expected `str` of length <= 100",
        ),
        (
            {**GOOD, "match": ["a@1", ""]},
            "is no line of `arena export`: Expected `str` of length >= 1",
        ),
        ({**GOOD, "match": ["a@1", "a@1"]}, "game a@1:b@1/0/0: a bot cannot play against itself"),
        (
            {**GOOD, "seats": ["b@1", "a@1"]},
            "game a@1:b@1/0/0: its seats are not those of seating 0",
        ),
        (
            {**GOOD, **forfeit(0, "timeout")},
            "game a@1:b@1/0/0: the seat that forfeited cannot have won",
        ),
        (
            {**GOOD, **forfeit(1, "laziness")},
            "is no line of `arena export`: Invalid enum value 'laziness'",
        ),
        (
            {**GOOD, "end": {"kind": "resigned"}},
            "is no line of `arena export`: Invalid value 'resigned'",
        ),
        ({**GOOD, "id": "\x1b[2J" + "x" * 500, "match": ["a@1", "a@1"]}, r"game \x1b[2Jxxx"),
        (game("b@1", board=7), "game a@1:b@1/7/0: this game stands in the file twice"),
        (end(8), "this last line speaks of 8 games, but there are 2; export again, or remove"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(line: Game | str, said: str) -> None:
    found = wrong(*board(7, "a@1", "b@1"), "", line)
    assert found.startswith(f"g.jsonl:4: {said}")
    assert len(found) < 600


def test_a_board_twice_is_found_although_it_is_complete() -> None:
    games = [*board(0, "a@1", "b@1"), *board(1, "a@1", "b@1")]
    assert ":5: game a@1:b@1/0/0: this game stands in the file twice" in wrong(*games, *games)


def test_nothing_comes_behind_the_last_line() -> None:
    games = board(0, "a@1", "b@1")
    assert wrong(*games, end(2), *games).startswith(
        "g.jsonl:4: a line behind the last line of an export"
    )


def test_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_NAMES", 2)
    monkeypatch.setattr(limits, "MOST_BOARDS", 2)
    assert "more than 2 boards" in wrong(*(game("a@1", board=n) for n in range(3)))
    assert "more than 2 different names" in wrong(GOOD, game("c@1", ("a@1", "c@1")))
