"""Faults that look alike."""

from __future__ import annotations

import pytest

from arena.referee.record import Forfeit, GameId, GameRecord, GameResult, Target
from arena.tools.why.faults import FaultGroups, look_of

MATCH = ("a@1", "b@1")
PLACE = "(bot.py, line 7, in choose)"


def fault(kind: str, detail: str, got: str = "") -> Forfeit:
    return Forfeit(0, kind, detail, got)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            fault("illegal", "'play:9S' at decision 3 is not legal; legal: play:AH play:TH"),
            fault("illegal", "'play:AH' at decision 12 is not legal; legal: play:9S"),
        ),
        (
            fault("timeout", "no answer in 1000 ms (+50) at decision 1"),
            fault("timeout", "no answer in 1000 ms (+50) at decision 20"),
        ),
        (
            fault("crash", "the bot gave the game up at decision 1", f"KeyError: 'a' {PLACE}"),
            fault("crash", "the bot gave the game up at decision 2", f"KeyError: (1, 'b') {PLACE}"),
        ),
        (
            fault("crash", "exited 1 at decision 1", "Traceback\n  x\nValueError: 3"),
            fault("crash", "exited 1 at decision 1", "other\nValueError: 4"),
        ),
        (
            fault("malformed", "JSON is malformed", 'b"x"'),
            fault("malformed", "JSON is malformed", 'b"y"'),
        ),
    ],
)
def test_what_looks_alike(one: Forfeit, other: Forfeit) -> None:
    assert look_of(one) == look_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (fault("illegal", "'play:9S' at decision 3"), fault("illegal", "'pass' at decision 3")),
        (fault("crash", "x", f"KeyError: 1 {PLACE}"), fault("crash", "x", f"TypeError: 1 {PLACE}")),
        (
            fault("crash", "x", f"KeyError: 1 {PLACE}"),
            fault("crash", "x", "KeyError: 1 (bot.py, line 8, in choose)"),
        ),
        (fault("timeout", "no answer"), fault("crash", "no answer")),
        (fault("crash", "exited 1"), fault("crash", "killed by SIGSEGV")),
    ],
)
def test_what_does_not(one: Forfeit, other: Forfeit) -> None:
    assert look_of(one) != look_of(other)


def game(board: int, end: Forfeit | Target, *, seating: int = 0, whole: bool = True) -> GameResult:
    record = GameRecord(
        GameId(MATCH, board, seating), (2, 0), 1, end, margins=(1, 1), dealers=(0, 1)
    )
    return record if whole else record.result


def test_faults_are_counted_and_told_by_the_first() -> None:
    groups = FaultGroups("a@1", lambda game, deal: f"{game} {deal}")
    late = fault("timeout", "no answer")
    for board in (4, 5):
        groups.take(game(board, late, whole=board != 4))
    groups.take(game(0, Target()))
    groups.take(game(1, late, seating=1))  # of the other bot, on seat 0
    for board, card in enumerate(("9S", "AH", "KC"), start=7):
        detail = f"'play:{card}' at decision {board} is \x1b[2J not legal"
        groups.take(game(board, fault("illegal", detail, "one\n\x1b two\n")))
    illegal, timeout = groups.groups()
    assert (illegal.kind, illegal.count, illegal.game) == ("illegal", 3, "a@1:b@1/7/0")
    assert illegal.detail == r"'play:9S' at decision 7 is \x1b[2J not legal"
    assert illegal.got == "one\n\\x1b two"
    assert illegal.replay == "a@1:b@1/7/0 2"
    assert (timeout.count, timeout.got, timeout.replay) == (2, None, None)
