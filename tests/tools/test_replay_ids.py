"""Which game a person means."""

from __future__ import annotations

import pytest

from arena.errors import UserError
from arena.referee.record import GameId
from arena.tools.replay.ids import find

AB, AC, A2B = ("a@1", "b@1"), ("a@1", "c@1"), ("a@2", "b@1")
PRESENT = ["a@2", "b@1", "c@1"]


@pytest.mark.parametrize(
    ("text", "matches", "game"),
    [
        ("a@1:b@1/12/0", [AB, AC], GameId(AB, 12, 0)),
        ("a:b/12/1", [AB, AC], GameId(AB, 12, 1)),
        ("A:B/12/1", [AB, AC], GameId(AB, 12, 1)),
        ("a@1:b/0/0", [AB, A2B], GameId(AB, 0, 0)),
        ("a:b/0/0", [AB, A2B], GameId(A2B, 0, 0)),  # the present version
        ("a:c/0/0", [AB, AC, A2B], GameId(AC, 0, 0)),
        ("3/1", [AC], GameId(AC, 3, 1)),
    ],
)
def test_what_is_clear_may_be_left_out(
    text: str, matches: list[tuple[str, ...]], game: GameId
) -> None:
    assert find(text, matches, PRESENT) == game


@pytest.mark.parametrize(
    ("text", "matches", "told"),
    [
        ("x", [AB], '"x" is no id of a game; one is match/board/seating, such as a@1:b@1/12/0'),
        ("x", [AC, A2B], "such as a@1:c@1/12/0"),
        ("x", [], "such as a@1:b@1/12/0"),
        ("a:b/-1/0", [AB], "is no id of a game"),
        ("a:b/1/0/0", [AB], "is no id of a game"),
        (f"a:b/{'9' * 30}/0", [AB], "is no id of a game"),
        ("a:b/\u0661/0", [AB], "is no id of a game"),
        ("3/1", [AB, AC], '"3/1" may be of several matches: a@1:b@1, a@1:c@1'),
        ("a:b/0/0", [AB, ("a@1", "b@2")], "may be of several matches: a@1:b@1, a@1:b@2"),
        ("b:a/0/0", [AB], 'bots stand in the order of their names: "a:b"'),
        ("a:bb/0/0", [AB], 'did you mean "a:b"?'),
        ("nobody:knows/0/0", [AB, AC], "there are a@1:b@1, a@1:c@1"),
        ("nobody/0/0", [], "there are none"),
        ("\x1b[2J:b/0/0", [AB], r'no match "\x1b[2J:b" here'),
    ],
)
def test_what_is_not_clear_is_told(text: str, matches: list[tuple[str, ...]], told: str) -> None:
    with pytest.raises(UserError) as error:
        find(text, matches, ())
    assert told in str(error.value)


def test_of_many_matches_some_are_named() -> None:
    matches = [("a@1", f"b{n}@1") for n in range(9)]
    with pytest.raises(UserError, match=r"a@1:b4@1 and others$"):
        find("x:y/0/0", matches, ())
