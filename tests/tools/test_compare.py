"""Two bots beside each other, from stored results."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from played import Played

from arena.errors import UserError
from arena.ratings.rate import rate
from arena.ratings.scores import MatchScore
from arena.ratings.sprt import Sprt
from arena.referee.record import GameId
from arena.report.comparison import Comparison, compared, text, verdict
from arena.store.rows import Stop
from arena.tools.compare import compare
from arena.tournament.stops import SprtRule

AB, AC, BC = ("a@1", "b@1"), ("a@1", "c@1"), ("b@1", "c@1")
BOARDS = 40


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    played = Played(tmp_path)
    played.configure("a", "b", "c", boards=BOARDS)
    played.enter("a", "b", "c")
    yield played
    played.store.close()


def fill(played: Played, match: tuple[str, ...], won_both: int, split: int) -> None:
    """Play a match: the first wins both games of so many boards, one of so many, else none."""
    a, b = (version[0] for version in match)
    for board in range(BOARDS):
        winners = (a, a) if board < won_both else (a, b) if board < won_both + split else (b, b)
        played.board(match, board, *winners)


def fill_all(played: Played) -> None:
    fill(played, AB, 12, 24)
    fill(played, AC, 14, 22)
    fill(played, BC, 10, 24)


def of(played: Played, a: str, b: str) -> Comparison:
    return compare(played.config, played.store, a, b)


def test_of_two_present_bots_it_says_what_the_table_says(played: Played) -> None:
    fill_all(played)
    found, standings = of(played, "a", "b"), played.standings()
    assert found.score == standings.scores[0] == MatchScore("a", "b", 12, 24, 4)
    assert found.ratings == standings.ratings.difference("a", "b")
    assert found.match == rate([found.score], "ab").difference("a", "b")
    assert (found.versions, found.complete) == (("a@1", "b@1"), True)


def test_the_other_way_round_all_is_turned(played: Played) -> None:
    fill_all(played)
    one, other = of(played, "a", "b"), of(played, "B", "a@1")
    assert other.score == MatchScore("b", "a", 4, 24, 12)
    assert one.ratings is not None
    assert other.ratings is not None
    assert other.ratings.elo == pytest.approx(-one.ratings.elo)
    assert other.ratings.error == pytest.approx(one.ratings.error)
    assert (one.ratings.better or 0) + (other.ratings.better or 0) == pytest.approx(1)


def test_points_are_those_of_the_match(played: Played) -> None:
    for board in range(4):
        for seating, margins in ((0, (2, 1)), (1, (0, board))):
            game = played.game(AB, board, seating)
            played.add(game, seating, dealers=(0, 1), margins=margins)
    found = of(played, "a", "b")
    # Ahead by 3 - board of 4 deals on each board.
    assert found.points.points.value == pytest.approx((3 + 2 + 1 + 0) / 16)
    assert (found.points.paired, found.points.boards) == (8, 4)
    assert found.points_better is not None
    assert 0.9 < found.points_better < 1
    turned = of(played, "b", "a")
    assert turned.points.points.value == pytest.approx(-6 / 16)
    assert turned.points_better == pytest.approx(1 - found.points_better)
    assert "points per deal" in text(found)


def test_an_old_version_is_compared_through_whom_both_met(played: Played) -> None:
    fill_all(played)
    played.enter("a", "b", "c", a="another content")
    fill(played, ("a@2", "c@1"), 20, 18)
    fill(played, ("a@2", "b@1"), 18, 20)
    found = of(played, "a@2", "a@1")
    assert (found.a, found.b) == ("a@2", "a@1")
    assert found.score.boards == 0
    assert found.ratings is not None
    assert found.ratings.elo > 20
    assert found.ratings.error is not None
    assert "no complete board against each other" in text(found)
    # Without its number the present version is meant.
    assert of(played, "a", "b").versions == ("a@2", "b@1")
    direct = of(played, "a@1", "b")
    assert direct.score == MatchScore("a@1", "b@1", 12, 24, 4)


def test_an_old_version_whose_match_was_stopped_by_its_results_has_no_naive_interval(
    played: Played,
) -> None:
    fill_all(played)
    rule = SprtRule("a@1", "b@1", Sprt(0, 100))
    stop = rule.stop(rule.test.state((0, 10, 12)), GameId(AB, 21, 1))
    assert stop is not None
    played.store.add(decisions=[stop])
    played.enter("a", "b", "c", b="another")
    found = of(played, "a", "b@1")
    assert found.score.boards == 22, "the boards after the stop do not count"
    assert found.ratings is not None
    assert found.match is not None
    assert (found.ratings.error, found.ratings.better, found.match.error) == (None, None, None)
    assert found.ratings.separated


def test_bots_without_a_common_scale(played: Played) -> None:
    found = of(played, "a", "c")
    assert (found.ratings, found.match) == (None, None)
    assert verdict(found).startswith("a and c have no common scale: no games link them")
    assert msgspec.json.decode(msgspec.json.encode(compared(found)))["ratings"]["elo"] is None


def test_one_that_won_all(played: Played) -> None:
    fill(played, AB, BOARDS, 0)
    found = of(played, "a", "b")
    assert found.bound == ">"
    assert ">+" in text(found)
    assert verdict(found) == "How sure the difference between a and b is cannot be told."


def test_what_is_settled_and_what_is_not(played: Played) -> None:
    fill(played, AB, 25, 10)
    assert verdict(of(played, "b", "a")).startswith("a is better than b, by ")
    fill(played, AC, 11, 20)
    said = verdict(of(played, "a", "c"))
    assert said.startswith("Which of a and c is better is not settled. About ")
    assert "more boards a match would settle it" in said


def test_the_json_object(played: Played) -> None:
    fill_all(played)
    shown = json.loads(msgspec.json.encode(compared(of(played, "a", "b"))))
    assert (shown["schema"], shown["versions"]) == ("arena.compare/1", ["a@1", "b@1"])
    match = shown["match"]
    assert (match["boards"], match["games"], match["won"], match["lost"]) == (40, 80, 48, 32)
    assert (match["won_both"], match["split"], match["lost_both"]) == (12, 24, 4)
    assert match["bound"] is None
    assert shown["ratings"]["settled"] == (shown["ratings"]["error"] < shown["ratings"]["elo"])
    assert shown["points"] == {"per_deal": None, "error": None, "better": None, "paired_deals": 0}
    assert shown["verdict"]


def test_what_was_lost_by_faults_is_told(played: Played) -> None:
    """Of complete boards that count, of whichever versions and from either side."""
    for board in range(3):
        for seating in (0, 1):  # b sits on seat 1, then 0
            kind = "crash" if board < 2 else "timeout"
            played.add(GameId(AB, board, seating), seating, fault=kind)
    played.add(GameId(AB, 3, 0), 0, fault="crash")  # half a board
    for seating in (0, 1):
        played.add(GameId(AC, 0, seating), seating, fault="crash")
        played.add(GameId(AB, BOARDS, seating), seating, fault="crash")
    found = of(played, "a", "b")
    assert found.faults == ({}, {"crash": 4, "timeout": 2})
    assert " b lost 6 of 6 games by a fault: 4 crash, 2 timeout" in text(found).splitlines()
    assert "a lost" not in text(found)
    shown = json.loads(msgspec.json.encode(compared(of(played, "b", "a"))))
    assert shown["match"]["faults"] == [{"crash": 4, "timeout": 2}, {}]
    played.enter("a", "b", "c", b="another content")
    assert of(played, "a", "b@1").faults == found.faults
    assert of(played, "b", "b@1").faults == ({}, {})


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("a", "a@1", "a@1 cannot be compared with itself"),
        ("a", "a@3", 'no bot "a@3" in these results; did you mean "a@1"?'),
        ("nobody", "a", 'no bot "nobody" in these results; there are a@1, b@1, c@1'),
        ("\x1b[2J", "a", r'no bot "\\x1b\[2J"'),
    ],
)
def test_who_cannot_be_compared(played: Played, a: str, b: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        of(played, a, b)


def test_after_an_sprt_no_interval_is_told(played: Played) -> None:
    fill_all(played)
    figures = {"a": "a", "b": "b", "decision": "H1", "elo0": 0, "elo1": 20, "alpha": 0.05}
    figures |= {"beta": 0.05, "model": "logistic", "bounds": (-2.9, 2.9), "llr": 3.1, "boards": 40}
    figures |= {"lost_both": 4, "split": 24, "won_both": 12}
    decided = GameId(AB, BOARDS - 1, 1)
    stop = Stop("sprt", AB, decided, "H1 accepted after 40 boards.", figures)
    played.store.add(decisions=[stop])
    found = of(played, "a", "b")
    assert found.stopped
    assert found.ratings is not None
    assert (found.ratings.error, found.ratings.better) == (None, None)
    assert (found.points.points.error, found.points_better) == (None, None)
    assert verdict(found) == "H1 accepted after 40 boards."
    assert found.notices == ()
    assert not of(played, "a", "c").stopped
