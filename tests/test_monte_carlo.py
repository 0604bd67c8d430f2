"""The parts of bots/monte_carlo: what it imagines, what that comes to, what it makes of it."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from calls import Bidding, likelihood
from chances import DEALER_SCORES, OTHER_SCORES, Scoring, stakes, winning
from decision import Decision
from worlds import Seen

from arena import rules
from arena.cards import SUITS, pack
from arena.protocol.messages import Decide, GameStart, WireLimits
from arena.rules.base import State
from arena.rules.euchre import View

ROOT = Path(__file__).parents[1]
STRENGTH = runpy.run_path(str(ROOT / "tests/benchmarks/bot_strength.py"))
MONTE_CARLO = STRENGTH["bot_in"](str(ROOT / "bots/monte_carlo"))
OPTIONS: dict[str, Any] = msgspec.to_builtins(rules.load("two_handed").options)
USUAL = Scoring(made=1, march=2, euchre=2)


def situations(options: dict[str, Any], games: int) -> Iterator[tuple[State, View, View]]:
    """Decisions of games played at random, with the views of who is asked and of the other.

    Only those in which there is something to decide.
    """
    variant, dice = rules.load("two_handed", options), Random(str(options))
    for game in range(games):
        state = variant.start(sha256(b"%d" % game).digest())
        while (seat := state.to_act) is not None:
            mine: Any = state.view(seat)
            other: Any = state.view(1 - seat)
            if len(state.legal()) > 1 and mine.proposed is not None:
                yield state, mine, other
            state = state.apply(dice.choice(state.legal()))


def bidding(view: View) -> Bidding:
    assert view.proposed is not None
    return Bidding(view.upcard, view.proposed, SUITS.replace(view.proposed, ""), stuck=False)


# what it imagines


@pytest.mark.parametrize("options", [{}, {"deck_size": 33}, {"may_discard_upcard": True}], ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_worlds_agree_with_all_that_was_seen(options: dict[str, Any], weighted: bool) -> None:
    dice = Random(1)
    for _, view, other in situations(options, 8):
        seen = Seen(view, pack(options.get("deck_size", 24)), bidding(view))
        taken = (other.seat, "discard") in view.history
        played = {action[5:] for _, action in view.history if action.startswith("play:")}
        for world in (seen.draw(dice, weighted=weighted) for _ in range(5)):
            assert len(set(world.other)) == len(other.hand)
            assert not set(world.other) & {*view.hand, *played}
            assert (0 < world.weight <= 1) if weighted else world.weight == 1
            if not options.get("may_discard_upcard"):
                assert (view.upcard in world.other) == (taken and view.upcard not in played)


@pytest.mark.parametrize("options", [{}, {"deck_size": 33}], ids=str)
def test_no_hand_that_the_other_holds_is_ruled_out(options: dict[str, Any]) -> None:
    known = 0
    for _, view, other in situations(options, 30):
        seen = Seen(view, pack(options.get("deck_size", 24)), bidding(view))
        assert set(other.hand) <= {*seen._surely, *seen._holdable}
        known += len(seen._holdable) < len(seen._pool)
    assert known > 50  # voids were shown


def test_what_might_have_been_laid_away_was_not_if_it_must_be_there() -> None:
    """With may_discard_upcard a dealer is held to have kept the upcard until a void shows it."""
    for _, view, other in situations({"may_discard_upcard": True}, 40):
        seen = Seen(view, pack(24), bidding(view))
        if view.upcard not in other.hand and seen._surely == ():
            assert set(other.hand) <= set(seen._holdable)


def test_hands_are_dealt_from_one_pile() -> None:
    _, view, _ = next(situations({}, 1))
    seen, dice = Seen(view, pack(24), bidding(view)), Random(2)
    three = [card for _ in range(3) for card in seen.draw(dice, weighted=False).other]
    assert len(set(three)) == 15


STRONG, WEAK = ("JC", "AC", "KC", "AD", "AH"), ("9D", "TD", "9H", "TH", "9S")
CLUBS = Bidding(upcard="QC", proposed="C", suits="DHS", stuck=False)


@pytest.mark.parametrize("dealing", [False, True])
def test_calls_tell_of_the_hand(dealing: bool) -> None:
    def likely(hand: tuple[str, ...], *calls: str, laid_away: str | None = None) -> float:
        return likelihood(calls, hand, laid_away, CLUBS, dealing=dealing)

    yes = "accept" if dealing else "order"
    assert likely(STRONG, yes) > 0.7
    assert likely(STRONG, "pass") < 0.3
    assert likely(WEAK, yes) < 0.1
    assert likely(WEAK, "pass") > 0.9
    assert likely(WEAK, "pass", "name:D") > likely(WEAK, "pass", "name:S")
    assert likely(STRONG, yes, laid_away="JC") < likely(STRONG, yes, laid_away="AD")


def test_a_stuck_dealer_tells_nothing_by_naming() -> None:
    stuck = CLUBS._replace(stuck=True)
    best = likelihood(["name:D"], STRONG, None, stuck, dealing=True)
    assert likelihood(["pass", "name:D"], WEAK, None, stuck, dealing=True) > 0.9
    assert 0 < best <= 1


# what that comes to


def by_trying(state: State, seat: int, deal: int) -> int:
    """What `seat` is ahead in points of a deal when nobody errs and all cards are open."""
    if len(state.finished_deals()) > deal:
        points = state.finished_deals()[deal].points
        return points[seat] - points[1 - seat]
    values = [by_trying(state.apply(action), seat, deal) for action in state.legal()]
    return max(values) if state.to_act == seat else min(values)


@pytest.mark.parametrize(
    "options", [{}, {"deck_size": 33, "points_march": 5, "points_euchre": 3}], ids=str
)
def test_plays_come_to_what_trying_everything_comes_to(options: dict[str, Any]) -> None:
    met = set()
    for state, view, other in situations(options, 8):
        if view.phase != "play" or len(view.hand) > 3:
            continue
        at_stake = stakes(view, OPTIONS | options, for_game=False)
        decision = Decision(view, bidding(view), at_stake)
        found = decision.worths(other.hand, state.legal())
        after = [state.apply(action) for action in state.legal()]
        tried = [by_trying(one, view.seat, view.deal) for one in after]
        assert found == tried, view
        met |= {*found}
    assert len(met) >= 4


def test_the_chance_to_win_follows_from_how_deals_end() -> None:
    assert sum(DEALER_SCORES.values()) + sum(OTHER_SCORES.values()) == pytest.approx(1)
    assert winning(1, 1, USUAL, deals=True) == pytest.approx(sum(DEALER_SCORES.values()))
    dealer, other = sum(DEALER_SCORES.values()), sum(OTHER_SCORES.values())
    assert winning(2, 1, Scoring(1, 1, 1), deals=True) == pytest.approx(dealer * other)
    for mine in range(1, 11):
        for others in range(1, 11):
            chance = winning(mine, others, USUAL, deals=True)
            assert chance + winning(others, mine, USUAL, deals=False) == pytest.approx(1)
            assert chance > winning(mine + 1, others, USUAL, deals=True)
    assert winning(0, 3, USUAL, deals=True) == 1
    assert winning(3, -1, USUAL, deals=True) == 0


SEEN = View(
    seat=1,
    phase="name",
    deal=0,
    dealer=1,
    points=(9, 9),
    target=10,
    hand=("AC", "KC", "9C", "AD", "AH"),
    upcard="QS",
    proposed="S",
    trump=None,
    maker=None,
    turned_down=True,
    throw_ins=0,
    trick=(),
    tricks=(0, 0),
    history=((0, "pass"), (1, "pass"), (0, "pass")),
)


THREE_TRICKS = (
    *((0, "pass"), (1, "accept"), (1, "discard:9D")),
    *((0, "play:AH"), (1, "play:TH"), (0, "play:KD"), (1, "play:QS")),
    *((1, "play:KS"), (0, "play:TS")),
)
MAKER: dict[str, Any] = {"trump": "S", "maker": 1}
LEADING = {**MAKER, "phase": "play", "tricks": (1, 2), "history": THREE_TRICKS}


def test_at_nine_all_a_march_is_worth_no_more_and_a_throw_in_passes_the_deal() -> None:
    found = stakes(SEEN, OPTIONS, for_game=True)
    assert (found.maker, found.defender) == ((0, 1, 1), (0, 0, 1))
    assert found.throw_in == pytest.approx(sum(OTHER_SCORES.values()))
    same = stakes(SEEN, OPTIONS | {"dealer_after_throw_in": "same"}, for_game=True)
    assert same.throw_in == pytest.approx(sum(DEALER_SCORES.values()))


def test_a_long_way_from_the_end_points_count() -> None:
    far = msgspec.structs.replace(SEEN, target=1000)
    for for_game in (False, True):
        assert stakes(far, OPTIONS, for_game=for_game).maker == (-2, 1, 2)


# what it makes of it


def answer(view: View, legal: tuple[str, ...], **params: Any) -> str:
    start = GameStart(0, "two_handed", OPTIONS, view.seat, WireLimits(1, None), 7)
    bot = MONTE_CARLO(start, params)
    bot.begin()
    bot._arena.decide = Decide(0, 0, legal, 1, None)
    action: str = bot.choose(view, legal)
    return action


@pytest.mark.parametrize(
    ("changes", "legal", "wanted"),
    [
        ({}, ("name:C", "name:D", "name:H", "pass"), "name:C"),
        (
            {"hand": ("9C", "TC", "9D", "TD", "9H"), "points": (0, 0)},
            ("name:C", "name:D", "name:H", "pass"),
            "pass",
        ),
        (
            {"phase": "order", "turned_down": False, "hand": ("JS", "JC", "AS", "KS", "AD")},
            ("accept", "pass"),
            "accept",
        ),
        (
            {
                "phase": "discard",
                "trump": "S",
                "maker": 1,
                "hand": ("QS", "JS", "JC", "AS", "KS", "9D"),
            },
            ("discard:9D", "discard:AS", "discard:JC", "discard:JS", "discard:KS"),
            "discard:9D",
        ),
        (  # wins as cheaply as is safe
            {
                "phase": "play",
                "trump": "S",
                "maker": 1,
                "trick": ((0, "9D"),),
                "hand": ("TD", "AD"),
            },
            ("play:AD", "play:TD"),
            "play:TD",
        ),
        (  # keeps the trump that makes it anyhow
            {**LEADING, "hand": ("JS", "AC")},
            ("play:AC", "play:JS"),
            "play:AC",
        ),
    ],
)
@pytest.mark.parametrize("params", [{}, {"worlds": 10, "weighted": False, "aim": "points"}])
def test_clear_cases(
    changes: dict[str, Any], legal: tuple[str, ...], wanted: str, params: dict[str, Any]
) -> None:
    played = (0, "play:9H"), (1, "play:TH"), (1, "play:9C"), (0, "play:TC"), (0, "play:9D")
    history = (*SEEN.history, *(played if changes.get("phase") == "play" else ()))
    view = msgspec.structs.replace(SEEN, **{"history": history, **changes})
    assert answer(view, legal, **params) == wanted


def test_the_same_decision_is_answered_the_same() -> None:
    asked = [(view, state.legal()) for state, view, _ in situations({}, 3)]
    answers = [answer(view, legal, worlds=5) for view, legal in asked]
    assert answers == [answer(view, legal, worlds=5) for view, legal in asked]
