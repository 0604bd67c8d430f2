"""A game that was played, told action by action."""

from __future__ import annotations

import random
from hashlib import sha256

import pytest
from msgspec.structs import replace

from arena import rules
from arena.errors import UserError
from arena.referee.record import Forfeit, Target
from arena.report.replay import lines
from arena.tools.replay.games import PlayedGame
from arena.tools.replay.told import moments, told

Options = dict[str, object]


def played(seed: int, *, cut: int | None = None, options: Options | None = None) -> PlayedGame:
    """A game at random; cut after so many actions, by a fault of whoever is asked then."""
    known = rules.load("two_handed", options)
    state = start = known.start(sha256(b"%d" % seed).digest())
    dice = random.Random(seed)
    actions: list[str] = []
    while state.to_act is not None and len(actions) != cut:
        actions.append(dice.choice(state.legal()))
        state = state.apply(actions[-1])
    loser = state.to_act
    end = Target() if loser is None else Forfeit(loser, "crash", "so it \x1b[2J was", "one\ntwo")
    winner = state.outcome.winner if state.outcome is not None else 1 - (loser or 0)
    return PlayedGame(
        id="a@1:b@1/0/0",
        seats=("a@1", "b@1"),
        rules=known,
        start=start,
        actions=tuple(actions),
        times_us=tuple(range(1_000, 1_000 + len(actions))),
        notes={1: "a \x1b note"},
        points=state.points,
        winner=winner,
        end=end,
        log="/results/bots/a.stderr.log",
    )


def text(game: PlayedGame, deal: int | None = None) -> str:
    return "\n".join(line.text for line in lines(told(game, deal)))


@pytest.mark.parametrize("options", [{}, {"deck_size": 33, "joker_upcard": "redeal"}])
def test_every_action_is_told_once_in_its_deal(options: Options) -> None:
    game = played(3, options=options)
    found = told(game)
    steps = [step for deal in found.deals for step in deal.steps]
    assert [step.number for step in steps] == list(range(len(game.actions)))
    assert tuple(step.action for step in steps) == game.actions
    for seat in (0, 1):
        own = [step.decision for step in steps if step.seat == seat]
        assert own == list(range(len(own)))
    assert all(step.action in step.legal for step in steps)
    assert [deal.number for deal in found.deals] == list(range(found.number_of_deals))
    for deal in found.deals:
        assert deal.tricks is not None
        taken = [step.takes for step in deal.steps if step.takes is not None]
        assert (taken.count(0), taken.count(1)) == deal.tricks


def test_a_deal_without_an_action_is_told_too() -> None:
    options: Options = {"deck_size": 25, "joker_upcard": "redeal"}
    games = (played(seed, options=options) for seed in range(99))
    game = next(g for g in games if any(not deal.steps for deal in told(g).deals))
    (deal, *_) = [deal for deal in told(game).deals if not deal.steps]
    assert (deal.reason, deal.head, deal.upcard) == ("joker_redeal", "", "XX")
    assert f"Deal {deal.number}\n" in text(game)


def test_one_deal_alone() -> None:
    game = played(3)
    (deal,) = told(game, 1).deals
    assert deal == told(game).deals[1]
    assert "wins the game" not in text(game, 1)
    last = told(game).number_of_deals - 1
    assert text(game, last).endswith("a wins the game 11 - 2")
    with pytest.raises(UserError, match=f"deal 99: this game has {last + 1} deals, from 0"):
        told(game, 99)


def test_how_it_reads() -> None:
    said = text(played(3)).splitlines()
    assert said[:9] == [
        "game a@1:b@1/0/0: a (seat 0) 11 - 2 b (seat 1)",
        "",
        "Deal 0   a 0 - 0 b   upcard 9♥",
        "  a   J♥ J♠ J♣ A♦ 10♦   dealer",
        "  b   K♥ 10♠ 9♠ 9♣ 9♦",
        "     0  b orders up       1.00 ms",
        r'     1  a declines        1.00 ms   note "a \x1b note"',
        "     2  b leads 9♠        1.00 ms",
        "     3  a plays J♠        1.00 ms   ♠ must be followed   a takes the trick",
    ]
    assert said[17] == "  b is euchred, 0 - 5 tricks: 2 points for a"


def test_a_fault_is_told_where_it_came() -> None:
    game = played(3, cut=20)
    *_, last = moments(game)
    assert (last.number, last.action) == (20, None)
    loser = "ab"[last.seat]
    assert text(game).split("\n\n")[-1].splitlines() == [
        rf"{loser} is at fault (crash): so it \x1b[2J was",
        "    got:",
        "    one",
        "    two",
        "    what it printed: /results/bots/a.stderr.log",
        f"{'ba'[last.seat]} wins the game by this fault",
    ]
    (deal,) = [deal for deal in told(game).deals if deal.ended is None]
    assert (deal.tricks, deal.points, deal.reason) == (None, None, None)


@pytest.mark.parametrize(
    ("detail", "explained"),
    [
        ("'play:ZZ' at decision 9 is not legal", '"play:ZZ" is no action of this game'),
        ("so it was", None),
        ("'pass' at decision 0 is not legal", None),  # it is, whatever an export says
    ],
)
def test_why_an_action_was_not_legal(detail: str, explained: str | None) -> None:
    game = played(3, cut=0)
    assert isinstance(game.end, Forfeit)
    end = replace(game.end, fault="illegal", detail=detail)
    found = told(replace(game, end=end)).end.explained
    assert (found or "")[:30] == (explained or "")[:30]
    assert (found is None) == (explained is None)


def test_a_fault_at_the_first_decision() -> None:
    game = played(3, cut=0)
    assert "is at fault" in text(game)
    assert told(game).number_of_deals == 1


def test_bots_of_one_name_are_called_by_their_versions() -> None:
    game = replace(played(3), seats=("a@1", "a@2"))
    assert game.names == ("a@1", "a@2")


def test_a_game_of_the_reader_s_own_agrees() -> None:
    game = replace(played(3), seats=("you@1", "b@1"))
    said = text(game)
    assert "you take the trick" in said
    assert said.endswith("you win the game 11 - 2")
    lost = replace(game, actions=game.actions[:20], end=Forfeit(0, "crash", "so it was"))
    assert "you are at fault (crash)" in text(lost)
