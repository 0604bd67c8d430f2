"""What a bot is asked when a game is put to it again."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

import pytest

from arena import rules
from arena.referee.clock import Limits
from arena.referee.record import Forfeit, Target
from arena.runtime.job import BotSpec
from arena.tools.replay.feeding import Feed, answers
from arena.tools.replay.games import PlayedGame

TELLS = """
from arena.sdk import Bot, run
class Tells(Bot):
    def choose(self, view, legal):
        self.note(f"{self.budget_ms} {self.game.bot_seed} {self.game.seat} {self.params}")
        return legal[0]
run(Tells)
"""
NO_SPEC = BotSpec("a@1", ("no_such_program",), "/", Limits())


def game(*, cut: int | None = None) -> PlayedGame:
    """Both do the first thing that they may, in 100 ms; cut by a fault of whoever is asked then."""
    known = rules.load("two_handed", {"target_score": 2})
    state = start = known.start(sha256(b"feeding").digest())
    actions: list[str] = []
    while state.to_act is not None and len(actions) != cut:
        actions.append(state.legal()[0])
        state = state.apply(actions[-1])
    loser = state.to_act
    return PlayedGame(
        id="a@1:b@1/0/0",
        seats=("a@1", "b@1"),
        rules=known,
        start=start,
        actions=tuple(actions),
        times_us=(100_000,) * len(actions),
        notes={},
        points=state.points,
        winner=0,
        end=Target() if loser is None else Forfeit(loser, "timeout", "too late"),
    )


def bot(folder: Path) -> BotSpec:
    (folder / "tells.py").write_text(TELLS)
    argv = (sys.executable, "-u", "tells.py")
    return BotSpec("a@1", argv, str(folder), Limits(), params={"depth": 3})


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_is_asked_what_it_was_asked(seat: int) -> None:
    whole = game()
    asked = [Feed(whole, one, NO_SPEC, 1, Limits()).moments() for one in (0, 1)]
    assert sorted(one.number for some in asked for one in some) == list(range(len(whole.actions)))
    for moment in asked[seat]:
        assert moment.state.to_act == seat
        assert moment.action == whole.actions[moment.number]
    assert [moment.decision for moment in asked[seat]] == list(range(len(asked[seat])))


def test_the_decision_that_was_a_fault_is_asked_too() -> None:
    cut = game(cut=5)
    loser = cut.end.seat if isinstance(cut.end, Forfeit) else -1
    *_, last = Feed(cut, loser, NO_SPEC, 1, Limits()).moments()
    assert (last.number, last.action) == (5, None)
    assert all(one.action for one in Feed(cut, 1 - loser, NO_SPEC, 1, Limits()).moments())


def test_one_deal_alone_is_asked() -> None:
    feed = Feed(game(), 0, NO_SPEC, 1, Limits(), deal=0)
    assert {moment.deal for moment in feed.moments()} == {0}


def test_a_bot_is_told_what_the_other_was_told(tmp_path: Path) -> None:
    """Its budget is what was left of the bank in the game, not what is left now."""
    limits = Limits(move_ms=300, game_ms=450)
    found = list(answers(Feed(game(), 1, bot(tmp_path), 77, limits)))
    assert len(found) > 5
    budgets = [300, 300, 250, 150, 50, *[0] * len(found)]
    for answer, budget in zip(found, budgets, strict=False):
        assert answer.verdict == "same"
        assert answer.note == f"{budget} 77 1 {{'depth': 3}}"


def test_a_timeout_is_asked_again_without_a_clock(tmp_path: Path) -> None:
    cut = game(cut=5)
    seat = cut.end.seat if isinstance(cut.end, Forfeit) else -1
    *same, last = answers(Feed(cut, seat, bot(tmp_path), 1, Limits()))
    assert {answer.verdict for answer in same} <= {"same"}
    assert (last.verdict, last.recorded) == ("other", None)
    assert last.recorded_told == f"{'ab'[seat]} is at fault (timeout): too late"


def test_a_bot_that_cannot_be_started_answers_by_that() -> None:
    (answer,) = answers(Feed(game(), 0, NO_SPEC, 1, Limits()))
    assert (answer.verdict, answer.now) == ("fault", None)
    assert answer.now_told == (
        "it is at fault (no_start): cannot run 'no_such_program': no such program"
    )
