"""What a bot loses by its decisions, found in games at random."""

from __future__ import annotations

import random
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena import rules
from arena.ratings.points import Deals, PairedBoard
from arena.referee.record import GameId, GameRecord, Target
from arena.tools.why.deals import Pairs
from arena.tools.why.games import PairedGames

MATCH = ("a@1", "b@1")
OPTIONS: list[dict[str, object]] = [
    {},
    {"deck_size": 25, "joker_upcard": "redeal"},
    {"dealer_after_throw_in": "same", "throw_in_cap": 3},
    {"dealer_after_throw_in": "same", "throw_in_cap": 1},
]


def game(board: int, seating: int, dice: random.Random, options: dict[str, object]) -> GameRecord:
    """A game in which each bot mostly does the first thing that it may, and passes if it may."""
    state = rules.load("two_handed", options).start(sha256(b"%d" % board).digest())
    actions: list[str] = []
    while state.to_act is not None:
        legal = state.legal()
        actions.append(dice.choice(legal) if dice.random() < 0.1 else legal[-1])
        state = state.apply(actions[-1])
    assert state.outcome is not None
    deals = state.finished_deals()
    return GameRecord(
        GameId(MATCH, board, seating),
        state.points,
        state.outcome.winner,
        Target(),
        dealers=tuple(deal.dealer for deal in deals),
        margins=tuple(deal.points[0] - deal.points[1] for deal in deals),
        actions=tuple(actions),
    )


def boards(seed: int, number: int, options: dict[str, object]) -> list[PairedGames]:
    dice = random.Random(seed)
    return [
        PairedGames(
            game(n, 0, dice, options), game(n, 1, dice, options), sha256(b"%d" % n).digest()
        )
        for n in range(number)
    ]


def pairs(
    games: list[PairedGames], version: str, options: dict[str, object], most: int = 1_000
) -> Pairs:
    found = Pairs(version, rules.load("two_handed", options), most)
    for one in games:
        found.take(one)
    return found


def command(game: str, deal: int) -> str:
    return f"{game} {deal}"


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from(OPTIONS))
def test_deals_are_cut_out_whole(seed: int, options: dict[str, object]) -> None:
    (one,) = boards(seed, 1, options)
    known = rules.load("two_handed", options)
    for record, deals in zip(one.games, one.played(known) or (), strict=True):
        assert isinstance(record, GameRecord)
        assert tuple(action for deal in deals for action in deal.actions) == record.actions
        assert len(deals) == len(record.margins)
        for number, deal in enumerate(deals):
            if deal.actions:
                assert len(deal.begin.finished_deals()) == number


def test_a_game_whose_first_deal_was_over_with_its_upcard() -> None:
    options = OPTIONS[1]
    known = rules.load("two_handed", options)
    seeds = (sha256(b"%d" % n).digest() for n in range(1_000))
    seed = next(seed for seed in seeds if known.start(seed).finished_deals())
    state = start = known.start(seed)
    while len(state.finished_deals()) < 3:
        state = state.apply(state.legal()[0])
    margins, dealers = (0, 0, 0), (0, 0, 0)
    actions = tuple(action for deal in state.deals() for _, action in deal["actions"])
    ids = [GameId(MATCH, 0, seating) for seating in (0, 1)]
    one, other = (
        GameRecord(number, (0, 0), 0, Target(), dealers=dealers, margins=margins, actions=actions)
        for number in ids
    )
    played = PairedGames(one, other, seed).played(known)
    assert played is not None
    first, _ = played
    assert first[0].actions == ()
    assert (first[1].begin, first[1].actions[0]) == (start, actions[0])


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from(OPTIONS))
def test_what_is_lost_is_what_ratings_count(seed: int, options: dict[str, object]) -> None:
    games = boards(seed, 3, options)
    counted = [
        PairedBoard.of_games(*(Deals(game.dealers, game.margins) for game in one.games))
        for one in games
    ]
    first, second = pairs(games, "a@1", options), pairs(games, "b@1", options)
    assert first.paired == second.paired == sum(board.paired for board in counted)
    assert first.ahead == -second.ahead == sum(board.ahead for board in counted)
    assert first.alike == second.alike
    for found in (first, second):
        situations = found.situations()
        assert sum(one.deals for one in situations) == found.paired - found.alike - found.unlike
        if not found.unlike:
            assert sum(one.ahead for one in situations) == found.ahead
        costs = [one.ahead for one in situations]
        assert costs == sorted(costs)
    lost = [sum(deal.lost for deal in found.costliest(command)) for found in (first, second)]
    told = sum(one.ahead for one in first.situations())
    assert lost[1] - lost[0] == told  # what one of them loses the other one wins


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from(OPTIONS), st.sampled_from(MATCH))
def test_the_first_decision_that_differs(
    seed: int, options: dict[str, object], version: str
) -> None:
    games = boards(seed, 2, options)
    known = rules.load("two_handed", options)
    found = [one.played(known) for one in games]
    for costly in pairs(games, version, options).costliest(command):
        assert costly.decision is not None
        played = found[costly.board]
        assert played is not None
        mine = int(costly.game.rsplit("/", 1)[1])
        assert games[costly.board].games[mine].id.seats[costly.seat] == version
        assert costly.other_points - costly.points == costly.lost > 0
        own, other = (played[n][costly.deal].actions for n in (mine, 1 - mine))
        at = next(n for n, (a, b) in enumerate(zip(own, other, strict=False)) if a != b)
        assert (own[at], other[at]) == (costly.decision.action, costly.decision.other_action)
        states = [played[n][costly.deal].begin for n in (mine, 1 - mine)]
        for action in own[:at]:
            states = [state.apply(action) for state in states]
        assert {state.to_act for state in states} == {costly.seat}
        assert states[0].legal() == states[1].legal()
        assert costly.decision.told.startswith(f"{version[0]} ")
        assert costly.decision.other_told.startswith(f"{'ba'[version == 'b@1']} ")
        assert costly.decision.replay == f"{costly.game} {costly.deal}"


def test_a_dealer_who_is_stuck_in_one_game_only_is_counted_and_not_compared() -> None:
    options = OPTIONS[-1]
    games = boards(7, 20, options)
    first, second = pairs(games, "a@1", options), pairs(games, "b@1", options)
    assert first.unlike == second.unlike > 0
    assert (
        first.ahead
        == -second.ahead
        == sum(
            PairedBoard.of_games(*(Deals(game.dealers, game.margins) for game in one.games)).ahead
            for one in games
        )
    )


@pytest.mark.parametrize("most", [0, 1, 5])
def test_of_many_the_costliest_are_kept(most: int) -> None:
    games = boards(7, 8, {})
    every = pairs(games, "a@1", {}).costliest(command)
    assert len(every) > 5
    few = pairs(games, "a@1", {}, most).costliest(command)
    assert few == every[:most]
    keys = [(-deal.lost, deal.board, deal.deal) for deal in every]
    assert keys == sorted(keys)


def test_games_without_actions_tell_what_was_lost_but_not_by_what() -> None:
    games = boards(7, 8, {})
    bare = [replace(one, first=one.first.result, second=one.second.result) for one in games]
    whole, few = pairs(games, "a@1", {}), pairs(bare, "a@1", {})
    assert (few.paired, few.ahead) == (whole.paired, whole.ahead)
    assert (few.alike, few.situations()) == (0, ())
    told, bare_told = (
        {(deal.board, deal.deal, deal.lost) for deal in one.costliest(command)}
        for one in (whole, few)
    )
    assert told <= bare_told
    assert len(bare_told - told) <= whole.unlike
    assert all(deal.decision is None for deal in few.costliest(command))


def test_who_deals_otherwise_has_another_deal() -> None:
    (one,) = boards(7, 1, {})
    assert len(list(one.deals())) == min(len(game.margins) for game in one.games)
    dealers = tuple(1 - dealer for dealer in one.second.dealers)
    other = replace(one, second=replace(one.second, dealers=dealers))
    assert list(other.deals()) == []
