"""The laws of `arena.rules.base`, for every registered variant with options and play at random."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import inspect
from playing import actions_of, apply_all, at_random, play

from arena import rules
from arena.errors import IllegalActionError

JUNK: tuple[Any, ...] = (
    "",
    " ",
    "play",
    "PASS",
    "pass ",
    "play:ZZ",
    "name:X",
    None,
    0,
    ("pass",),
    b"",
)

variants = pytest.mark.parametrize("name", rules.names())
seeds = st.integers(0, 2**32 - 1)
calm = st.sampled_from([0.0, 0.5, 0.9, 1.0])
few = settings(max_examples=25, deadline=None)


def options_of(name: str) -> st.SearchStrategy[dict[str, object]]:
    """Draw options of a variant; numbers stay small so that games stay short."""

    def values(info: inspect.Type) -> st.SearchStrategy[object]:
        match info:
            case inspect.Metadata(type=inner):
                return values(inner)
            case inspect.LiteralType(values=allowed):
                return st.sampled_from(allowed)
            case inspect.IntType(ge=lowest):
                assert lowest is not None
                return st.integers(lowest, lowest + 3)
            case inspect.BoolType():
                return st.booleans()
        raise TypeError(info)

    options_type = inspect.type_info(type(rules.load(name).options))
    assert isinstance(options_type, inspect.StructType)
    drawn = st.fixed_dictionaries(
        {}, optional={field.name: values(field.type) for field in options_type.fields}
    )
    return drawn.map(
        lambda options: {
            key: value
            for key, value in options.items()
            if key not in {problem.key for problem in rules.check(name, options)}
        }
    )


def drawn_rules(data: st.DataObject, name: str) -> rules.Rules:
    return rules.load(name, data.draw(options_of(name), "options"))


def drawn_game(data: st.DataObject, name: str) -> tuple[rules.Rules, list[rules.State]]:
    """Play a whole game of a variant with everything drawn."""
    variant = drawn_rules(data, name)
    start = variant.start(random.Random(data.draw(seeds, "board seed")).randbytes(32))
    return variant, play(start, at_random(data.draw(seeds, "play"), data.draw(calm, "calm")))


def fingerprint(variant: rules.Rules, state: rules.State) -> bytes:
    """Everything a state tells."""
    views = [state.view(seat) for seat in range(variant.seats)]
    told = (state.to_act, state.points, state.outcome, state.legal(), views, state.deals())
    places = [(place.name, place.cards, sorted(place.seen_by)) for place in state.places()]
    return msgspec.json.encode((told, places))


@variants
@given(data=st.data())
@few
def test_legal_is_sorted_and_empty_only_when_nobody_is_to_act(
    name: str, data: st.DataObject
) -> None:
    variant, states = drawn_game(data, name)
    for state in states:
        legal = state.legal()
        assert list(legal) == sorted(set(legal))
        assert bool(legal) == (state.to_act in range(variant.seats))
        assert (state.outcome is None) == (state.to_act is not None)


@variants
@given(data=st.data())
@few
def test_apply_accepts_exactly_what_is_legal(name: str, data: st.DataObject) -> None:
    variant, states = drawn_game(data, name)
    known = sorted({action for state in states for action in state.legal()})
    for state in data.draw(st.lists(st.sampled_from(states), max_size=10)) + states[-1:]:
        before = fingerprint(variant, state)
        for action in (*known, *JUNK):
            if action in state.legal():
                state.apply(action)
            else:
                with pytest.raises(IllegalActionError):
                    state.apply(action)
        assert fingerprint(variant, state) == before


@variants
@given(data=st.data())
@few
def test_old_states_never_change_and_the_start_is_a_pure_function(
    name: str, data: st.DataObject
) -> None:
    variant = drawn_rules(data, name)
    board_seed = data.draw(st.binary(min_size=32, max_size=32))
    choose = at_random(data.draw(seeds))
    states = [variant.start(board_seed)]
    told = [fingerprint(variant, states[0])]
    while states[-1].to_act is not None:
        states.append(states[-1].apply(choose(states[-1].legal())))
        told.append(fingerprint(variant, states[-1]))
    assert [fingerprint(variant, state) for state in states] == told
    again = rules.load(name, msgspec.to_builtins(variant.options)).start(board_seed)
    assert apply_all(again, actions_of(states[-1].deals())) == states[-1]
    assert hash(states[0]) == hash(variant.start(board_seed))


@variants
@given(data=st.data())
@few
def test_a_game_ends_with_one_winner_at_most_points(name: str, data: st.DataObject) -> None:
    variant, states = drawn_game(data, name)
    for earlier, later in pairwise(states):
        assert all(a <= b for a, b in zip(earlier.points, later.points, strict=True))
    outcome = states[-1].outcome
    assert outcome is not None
    assert outcome.points == states[-1].points
    assert len(outcome.points) == variant.seats
    assert outcome.points[outcome.winner] == max(outcome.points)


@variants
@given(data=st.data())
@few
def test_finished_deals_are_those_of_the_record_in_short(name: str, data: st.DataObject) -> None:
    _, states = drawn_game(data, name)
    for state in states:
        assert [(deal.dealer, list(deal.points)) for deal in state.finished_deals()] == [
            (deal["dealer"], deal["points"]) for deal in state.deals() if "points" in deal
        ]


@variants
@given(data=st.data())
@few
def test_every_card_of_the_pack_is_in_exactly_one_place(name: str, data: st.DataObject) -> None:
    variant, states = drawn_game(data, name)
    for state in states:
        deal = state.deals()[-1]
        pack = [*(c for hand in deal["hands"] for c in hand), deal["upcard"], *deal["stock"]]
        places = state.places()
        assert sorted(card for place in places for card in place.cards) == sorted(pack)
        assert len({place.name for place in places}) == len(places)
        assert all(place.seen_by <= set(range(variant.seats)) for place in places)


@variants
@given(data=st.data())
@few
def test_a_view_travels_as_json(name: str, data: st.DataObject) -> None:
    variant, states = drawn_game(data, name)
    for state in states:
        for seat in range(variant.seats):
            view = state.view(seat)
            assert type(view) is variant.view_type
            assert msgspec.json.decode(msgspec.json.encode(view), type=type(view)) == view


@variants
@given(data=st.data())
@few
def test_a_game_is_replayed_from_its_own_deals(name: str, data: st.DataObject) -> None:
    variant, states = drawn_game(data, name)
    deals = json.loads(json.dumps(states[-1].deals()))
    assert deals == list(states[-1].deals())
    replayed = variant.start_from(deals, deals[0]["dealer"])
    for state, action in zip(states, [*actions_of(deals), None], strict=True):
        assert fingerprint(variant, replayed) == fingerprint(variant, state)
        if action is not None:
            replayed = replayed.apply(action)


@variants
@given(data=st.data())
@few
def test_a_game_stops_when_its_given_deals_run_out(name: str, data: st.DataObject) -> None:
    variant, states = drawn_game(data, name)
    deals = states[-1].deals()
    assume(len(deals) > 1)
    some = deals[: data.draw(st.integers(1, len(deals) - 1))]
    stopped = apply_all(variant.start_from(some, deals[0]["dealer"]), actions_of(some))
    assert (stopped.to_act, stopped.outcome, stopped.legal()) == (None, None, ())
    assert stopped.deals() == some
    assert len(stopped.view(0).__struct_fields__) > 0


@variants
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_a_view_does_not_change_when_unseen_cards_are_swapped(
    name: str, data: st.DataObject
) -> None:
    """In the deal being played, swap two cards a seat has not seen and play the same line again."""
    variant, states = drawn_game(data, name)
    at = data.draw(st.integers(0, len(states) - 2), "step")
    seat = data.draw(st.integers(0, variant.seats - 1), "seat")
    state, deals = states[at], states[at].deals()
    unseen = _unseen(states[: at + 1], seat)
    assume(len(unseen) >= 2)
    swapped = 0
    for _ in range(8):
        pair = data.draw(st.permutations(unseen), "swapped")[:2]
        other = [*deals[:-1], _swapped(deals[-1], *pair)]
        try:
            twin = apply_all(variant.start_from(other, deals[0]["dealer"]), actions_of(other))
        except IllegalActionError:
            continue  # with these cards the game would have gone another way
        swapped += 1
        assert twin.to_act == state.to_act
        assert twin.view(seat) == state.view(seat)
        if state.to_act == seat:
            assert twin.legal() == state.legal()
    assume(swapped)


def _unseen(states: Sequence[rules.State], seat: int) -> list[str]:
    """Return the cards of the current deal that `seat` may not know: those of `places`."""
    places = states[-1].places()
    return sorted(c for place in places if seat not in place.seen_by for c in place.cards)


def _swapped(deal: dict[str, Any], one: str, other: str) -> dict[str, Any]:
    """Exchange two cards wherever they stand in a deal: in hands, stock and hidden actions."""
    text = json.dumps(deal)
    text = text.replace(one, "**").replace(other, one).replace("**", other)
    swapped: dict[str, Any] = json.loads(text)
    return swapped
