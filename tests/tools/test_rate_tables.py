"""CSV files of results: what they say, and everything that can be wrong with one."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UserError
from arena.ratings.scores import Cluster, MatchScore
from arena.tools.rate import limits
from arena.tools.rate.gathered import Gathered
from arena.tools.rate.lines import LONGEST_LINE, Lines
from arena.tools.rate.tables import gather_table

HEADER = "the first line names the columns: a,b,winner or a,b,winner,board"


Clusters = dict[tuple[int, int], int]


def gathered(text: str | bytes) -> Gathered:
    raw = text if isinstance(text, bytes) else text.encode()
    return gather_table(Lines("r.csv", io.BytesIO(raw)))


def clusters(text: str | bytes) -> dict[tuple[str, str], Clusters]:
    """The clusters of each match."""
    return {(score.a, score.b): dict(score.clusters) for score in gathered(text).scores}


def wrong(text: str | bytes) -> str:
    with pytest.raises(UserError) as error:
        gathered(text)
    return str(error.value)


def test_without_boards_each_row_stands_alone() -> None:
    text = "a,b,winner\nx,y,x\ny,x,x\nx,y,y\nx,y,draw\nx,z,z\n"
    assert clusters(text) == {
        ("x", "y"): {(1, 2): 2, (1, 0): 1, (1, 1): 1},
        ("x", "z"): {(1, 0): 1},
    }
    found = gathered(text)
    assert found.games == 5
    assert [(score.won, score.lost, score.drawn) for score in found.scores] == [
        (2, 1, 1),
        (0, 1, 0),
    ]
    assert found.names == ("x", "y", "z")
    assert found.complete is None


def test_rows_of_the_same_names_and_board_are_a_cluster() -> None:
    text = (
        "a,b,winner,board\n"
        "x,y,x,1\ny,x,x,1\n"  # both won by x, from either side
        "x,y,y,2\nx,z,z,1\nx,y,draw,2\n"  # half a point of two games; another match's board 1
        "x,y,x,\n"  # on no board
        "x,y,x, 2 \n"
    )
    assert clusters(text) == {
        ("x", "y"): {(2, 4): 1, (3, 3): 1, (1, 2): 1},
        ("x", "z"): {(1, 0): 1},
    }


def test_boards_of_two_games_without_a_draw_are_those_of_the_arena() -> None:
    rows = ("x,y,x,1\nx,y,x,1", "x,y,x,2\nx,y,y,2", "x,y,y,3\nx,y,y,3", "x,y,draw,4\nx,y,draw,4")
    (score,) = gathered("\n".join(("a,b,winner,board", *rows))).scores
    assert score == MatchScore("x", "y", 1, 1, 1, others=((Cluster(2, 2), 1),), drawn=2)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffa,b,winner\nx,y,x\n",
        "a,b,winner\r\nx,y,x\r\n",
        "\n\na,b,winner\n\n  \nx,y,x\n\n",
        "a,b,winner\nx,y,x",
        " A , B ,Winner\n x ,\ty,  x \n",
        '"a","b","winner"\n"x", "y","x"\n',
        "date,winner,b,a,points\n2026-11-30,x,y,x,10\n",
        "b,a,winner\ny,x,x\n",
    ],
)
def test_what_programs_write_differently_means_the_same(text: str) -> None:
    assert clusters(text) == {("x", "y"): {(1, 2): 1}}


def test_names_can_be_any_text() -> None:
    names = ('say "hi", she said', "two\nlines")
    text = io.StringIO()
    csv.writer(text).writerows([("a", "b", "winner"), (*names, names[1])])
    assert clusters(text.getvalue()) == {names: {(1, 0): 1}}


names = (
    st.text(min_size=1, max_size=100)
    .map(str.strip)
    .filter(lambda t: t.isprintable() and t not in ("", "draw"))
)


@given(
    st.lists(names, min_size=2, max_size=4, unique=True).flatmap(
        lambda known: st.lists(
            st.tuples(
                st.permutations(known).map(lambda order: order[:2]),
                st.integers(0, 2),
                st.integers(0, 3),
            ),
            min_size=1,
        )
    )
)
def test_the_order_of_rows_and_of_the_two_names_changes_nothing(
    games: list[tuple[list[str], int, int]],
) -> None:
    def text(rows: list[tuple[list[str], int, int]], *, turned: bool) -> str:
        written = io.StringIO()
        writer = csv.writer(written)
        writer.writerow(("a", "b", "winner", "board"))
        for (a, b), winner, board in rows:
            pair = (b, a) if turned else (a, b)
            writer.writerow((*pair, (a, b, "draw")[winner], board))
        return written.getvalue()

    plain = gathered(text(games, turned=False))
    assert gathered(text(games[::-1], turned=True)).scores == plain.scores
    assert plain.games == len(games) == sum(score.games for score in plain.scores)
    drawn = Counter(tuple(sorted(pair)) for pair, winner, _ in games if winner == 2)
    assert {(score.a, score.b): score.drawn for score in plain.scores if score.drawn} == drawn


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\nx,y\n", "1: there is no column named winner; the first line names the columns:"),
        ("x,y,x\ny,x,y\n", "1: there is no column named a; the first line names the columns:"),
        (
            "a;b;winner\nx;y;x\n",
            f"1: there is no column named a; {HEADER}; columns are separated by commas",
        ),
        ("a,b,winner,A\n", "1: there are 2 columns named a"),
        ("a,b,winner,board,board\n", "1: there are 2 columns named board"),
        ("a,b,winner\nx,y\n", "2: 2 values, but the first line names 3 columns"),
        ("a,b,winner\nx,y,x,3\n", "2: 4 values, but the first line names 3 columns"),
        ("a,b,winner\n\nx,x,x\n", '3: "x" cannot play against itself: a and b are the same'),
        ("a,b,winner\nx, ,x\n", "2: a name is missing; each game needs a, b and winner"),
        ("a,b,winner\nx,y,\n", '2: the winner is missing; the winner is one of the two, or "draw"'),
        (
            "a,b,winner\nx,y,z\n",
            '2: the winner "z" did not play; the winner is one of the two, or "draw"',
        ),
        (
            "a,b,winner\nmonte,y,Monte\n",
            '2: the winner "Monte" did not play; did you mean "monte"?',
        ),
        ("a,b,winner\nx,y,Draw\n", '2: the winner "Draw" did not play; did you mean "draw"?'),
        (
            "a,b,winner\nx,draw,x\n",
            '2: a bot named "draw" cannot be told from a game without a winner; rename it',
        ),
        (f"a,b,winner\nx,{'y' * 101},x\n", "2: a name of 101 characters; it may have 100"),
        (f"a,b,winner,board\nx,y,x,{'1' * 101}\n", "2: a board named by 101 characters; it may be"),
        (
            'a,b,winner\nx,y,x\n"x,y,x\ny,x,x\n',
            "3: is no CSV: unexpected end of data; close every quote",
        ),
        ('a,b,winner\n"x" y,y,y\n', "2: is no CSV: ',' expected after '\"'; close every quote"),
        ("a,b,winner\rx,y,x\r", "1: holds a carriage return; end each line with LF or CRLF"),
        (b"a,b,winner\n\xe4,y,y\n", "2: is not UTF-8 text; save the file as UTF-8"),
        ("a,b,winner\nx,y,x\n".encode("utf-16"), "1: is not UTF-8 text; save the file as UTF-8"),
        ("a,b,winner\nx\x1b[2J,y,z\x1b[2J\n", r'2: the winner "z\x1b[2J" did not play; '),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str | bytes, said: str) -> None:
    assert wrong(text).startswith(f"r.csv:{said}")


def test_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_NAMES", 3)
    monkeypatch.setattr(limits, "MOST_BOARDS", 2)
    rows = "a,b,winner,board\nx,y,x,1\nx,z,x,1\n"
    assert gathered(f"{rows}y,x,x,1\n").games == 3
    assert "4: more than 3 different names; rate fewer at a time" in wrong(f"{rows}y,v,y,1\n")
    assert "4: more than 2 boards; rate fewer at a time" in wrong(f"{rows}y,z,y,1\n")
    assert gathered(f"{rows}y,z,y,\n").games == 3


def test_a_line_without_an_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    with file.open("wb") as written:
        written.truncate(100 * LONGEST_LINE)
    with file.open("rb") as stream, pytest.raises(UserError, match="1: is longer than 10000000"):
        gather_table(Lines("r.csv", stream))
