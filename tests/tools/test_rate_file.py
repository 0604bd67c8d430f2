"""From a file of results to standings: sane for whatever was played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.errors import UserError
from arena.report.rankings import rankings
from arena.report.remarks import notices, verdict
from arena.report.standings import Standings
from arena.report.table import table
from arena.tools.rate import rate_file
from arena.tournament.config import Rating

Row = dict[str, Any]


class Rated:
    """A CSV file of results, rated."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "r.csv"

    def __call__(self, *rows: str, header: str = "a,b,winner", **scale: Any) -> Standings:
        self._file.write_text("\n".join((header, *rows)))
        return rate_file(str(self._file), Rating(**scale))

    def rows(self, *rows: str, **more: Any) -> dict[str, Row]:
        """The rows of the JSON object by name."""
        shown = json.loads(msgspec.json.encode(rankings(self(*rows, **more))))
        return {row["name"]: row for row in shown["bots"]}


@pytest.fixture
def rated(tmp_path: Path) -> Rated:
    return Rated(tmp_path)


EVEN = ("x,y,x", "x,y,y") * 20


def test_won_all_and_lost_all_are_bounds(rated: Rated) -> None:
    games = (*EVEN, *("w,x,w", "y,w,w", "x,z,x", "y,z,y") * 5)
    rows = rated.rows(*games)
    assert {name: row["bound"] for name, row in rows.items()} == {
        "w": ">",
        "z": "<",
        "x": None,
        "y": None,
    }
    assert rows["w"]["elo"] > rows["x"]["elo"] > rows["z"]["elo"]
    first, *_, last = rows
    assert (first, last) == ("w", "z")
    assert (rows["w"]["won"], rows["w"]["lost"], rows["w"]["score"]) == (10, 0, 1.0)


def test_groups_that_never_met_have_no_common_scale(rated: Rated) -> None:
    shown = rated(*EVEN, "u,v,u", "u,v,v")
    assert "Group 2 of 2" in table(shown)
    assert "Never met, not even through others" in notices(shown)[0]


def test_groups_that_met_one_way_only(rated: Rated) -> None:
    shown = rated(*EVEN, "u,v,u", "u,v,v", "x,u,x")
    assert "All games between them went one way" in notices(shown)[0]


def test_all_split_says_that_nothing_is_known(rated: Rated) -> None:
    games = (f"x,y,{winner},{board}" for board in range(30) for winner in "xy")
    rows = rated.rows(*games, header="a,b,winner,board")
    found = [(row["elo"], row["error"], row["rank"]) for row in rows.values()]
    assert found == [(1500, None, [1, 2])] * 2


def test_the_same_games_without_boards_are_thirty_times_two(rated: Rated) -> None:
    rows = rated.rows(*(f"x,y,{winner}" for _ in range(30) for winner in "xy"))
    assert all(row["error"] > 30 for row in rows.values())


@pytest.mark.parametrize("games", [("x,y,x,1", "y,x,x,1"), ("x,y,x,",), ("x,y,x,1",)])
def test_next_to_nothing(rated: Rated, games: tuple[str, ...]) -> None:
    rows = rated.rows(*games, header="a,b,winner,board")
    assert {name: row["bound"] for name, row in rows.items()} == {"x": ">", "y": "<"}
    assert all(row["rank"] == [1, 2] for row in rows.values())


def test_a_single_draw(rated: Rated) -> None:
    shown = rated("x,y,draw")
    found = [line.split()[-3:] for line in table(shown).splitlines()[1:]]
    assert found == [["0-0-1", "50", "%"]] * 2
    assert verdict(shown).startswith("No bot is first")


def test_a_three_cycle_rates_all_alike(rated: Rated) -> None:
    games = [*("x,y,x", "y,z,y", "z,x,z") * 7, *("x,y,y", "y,z,z", "z,x,x") * 3]
    rows = rated.rows(*games)
    assert {row["elo"] for row in rows.values()} == {1500}
    assert rankings(rated(*games)).misfits


def test_a_draw_is_half_a_win_each(rated: Rated) -> None:
    drawn = rated.rows(*("x,y,draw",) * 10, *("x,y,x",) * 10, *("x,y,y",) * 4)
    decided = rated.rows(*("x,y,x",) * 15, *("x,y,y",) * 9)
    assert drawn["x"]["elo"] == decided["x"]["elo"] > 1500
    assert (drawn["x"]["score"], drawn["x"]["drawn"]) == (0.625, 10)
    assert drawn["x"]["error"] < decided["x"]["error"], "draws vary less"


def test_a_board_of_copied_games_tells_as_much_as_one(rated: Rated) -> None:
    header = "a,b,winner,board"
    winners = "xyxxyxyxxyxxyyxxyxxyxyxxyyxx"
    single = rated.rows(*(f"x,y,{one},{n}" for n, one in enumerate(winners)), header=header)
    copied = rated.rows(
        *(f"x,y,{one},{n}" for n, one in enumerate(winners) for _ in range(3)), header=header
    )
    assert copied["x"]["elo"] == single["x"]["elo"]
    assert copied["x"]["error"] == pytest.approx(single["x"]["error"], rel=0.01)


def test_scale(rated: Rated) -> None:
    games = ("x,y,x",) * 15 + ("x,y,y",) * 5
    assert sum(row["elo"] for row in rated.rows(*games, mean=0).values()) == pytest.approx(0)
    anchored = rated.rows(*games, anchor={"y": 1000.0})
    assert (anchored["y"]["elo"], anchored["y"]["error"]) == (1000, 0)
    assert rankings(rated(*games, confidence=0.9)).confidence == 0.9
    prior = rated.rows(*games, prior=50.0)
    assert 1500 < prior["x"]["elo"] < rated.rows(*games)["x"]["elo"]


@pytest.mark.parametrize(
    ("anchor", "said"),
    [
        ({"X": 1000.0}, '--anchor: no bot is named "X"; '),
        ({"monte": 1.0}, '--anchor: no bot is named "monte"; names are: x, y'),
        ({"x": 0.0, "y": 5001.0}, "--anchor: anchors may be 5000 apart at most"),
    ],
)
def test_wrong_anchors(rated: Rated, anchor: dict[str, float], said: str) -> None:
    with pytest.raises(UserError) as error:
        rated(*EVEN, anchor=anchor)
    assert str(error.value).startswith(said)


def test_what_a_file_cannot_know_is_null(rated: Rated) -> None:
    shown = rankings(rated(*EVEN))
    assert (shown.schema, shown.games) == ("arena.rankings/1", 40)
    unknown = (
        "tournament",
        "complete",
        "scheduled",
        "void",
        "dropped",
        "commitment",
        "closed",
        "lag_ms",
        "inspection",
    )
    assert all(getattr(shown, name) is None for name in unknown)
    assert (shown.isolation, shown.pondering) == ({}, {})
    row = shown.bots[0]
    assert (row.version, row.faults, row.ms_per_decision, row.withdrawn) == (None,) * 4
    assert table(rated(*EVEN)).splitlines()[0].split()[-2:] == ["won-lost", "score"]


def test_names_cannot_steer_a_terminal(rated: Rated) -> None:
    shown = rated("\x1b[2J,y,y", "\x1b[2J,y,\x1b[2J")
    assert r"\x1b[2J" in table(shown)
    assert "\x1b" not in table(shown) + verdict(shown) + "".join(notices(shown))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("\ufeff\n \n", "is empty"),
        ("a,b,winner\n", "there is no game in it that counts"),
        (
            '{"format":"arena-end/1","games":0,"complete":false}',
            "there is no game in it that counts",
        ),
        ('[{"format":"arena-game/1"}]', "1: a JSON list; write one record a line"),
    ],
)
def test_files_without_a_game(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "r"
    file.write_text(text)
    with pytest.raises(UserError) as error:
        rate_file(str(file), Rating())
    assert str(error.value) in (f"{file}: {said}", f"{file}:{said}")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="No such file or directory"):
        rate_file(str(tmp_path / "none"), Rating())
    with pytest.raises(UserError, match="Is a directory"):
        rate_file(str(tmp_path), Rating())
