"""Which mistake an illegal answer is: pure, by examples and for whatever is answered."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import rules
from arena.cards import SUITS, pack
from arena.rules.euchre import View
from arena.tools.check.asked import Asked, option_sets, positions
from arena.tools.check.codes import CODES
from arena.tools.check.diagnosis import diagnose

EVERY = (
    *("pass", "order", "accept", "pick_up", "decline"),
    *(f"{word}:{suit}" for word in ("name", "declare") for suit in SUITS),
    *(f"{word}:{card}" for word in ("play", "discard") for card in pack(33)),
)


@cache
def asked(name: str) -> Asked:
    """The decision of the position with that name."""
    numbers = [n for n, one in enumerate(positions(), 1) if one.name == name]
    return positions()[numbers[0] - 1].decisions(numbers[0])[-1]


def code(name: str, action: str, *earlier: str) -> str | None:
    one = asked(name)
    found = diagnose(one.view, one.legal, action, frozenset(earlier))
    return None if found is None else found.code


@pytest.mark.parametrize(
    ("name", "action", "expected"),
    [
        ("first lead", "9D", "A101"),
        ("first lead", "play:9d", "A101"),
        ("first lead", "play:1S", "A101"),
        ("first lead", "", "A101"),
        ("first lead", "pass", "A102"),
        ("ordered up", "accept", "A102"),
        ("discard from a hand of trumps", "play:JS", "A102"),
        ("the suit of a joker is to be declared", "name:S", "A102"),
        ("the left bower is led", "play:9C", "A103"),
        ("the left bower is led, on seat 1", "play:KD", "A103"),
        ("the left bower is led to a single small trump", "play:TD", "A103"),
        ("the left bower may not follow its printed suit", "play:JC", "A104"),
        ("the left bower is the only trump", "play:AH", "A104"),
        ("the left bower is the only trump, on seat 1", "play:AC", "A104"),
        ("the joker is led", "play:AS", "A105"),
        ("the joker is the only trump", "play:AS", "A105"),
        ("the joker may not be played to another suit", "play:XX", "A105"),
        ("suit must be followed though a trump would win", "play:KH", "A106"),
        ("the right bower is led", "play:AD", "A106"),
        ("the lead of the second trick, after the dealer took it", "play:JS", "A107"),
        ("the lead of the second trick, after the dealer took it", "play:9D", "A107"),
        ("the upcard was declined and is trump", "play:JS", "A108"),
        ("the upcard was turned down and its suit is led", "play:JS", "A108"),
        ("first lead", "play:JC", "A109"),
        ("discard from a hand of trumps", "discard:AH", "A109"),
        ("first call", "accept", "A110"),
        ("the dealer's answer to a pass on seat 1", "order", "A110"),
        ("the left bower is led", "play:JC", "A110"),
        ("discard when the upcard is the weakest card", "discard:9H", "A111"),
        ("the suit turned down is the best one", "name:H", "A112"),
        ("a joker's suit was turned down", "name:H", "A112"),
        ("stuck with nothing", "pass", "A113"),
        ("stuck after a throw-in", "pass", "A113"),
    ],
)
def test_each_mistake_has_its_code(name: str, action: str, expected: str) -> None:
    assert code(name, action) == expected


def test_cards_of_an_earlier_deal_are_known_for_what_they_are() -> None:
    assert code("first lead", "play:JC", "JC", "QC") == "A114"
    assert code("first lead", "play:9C", "JC", "QC") == "A109"


def test_what_the_options_allow_is_no_mistake() -> None:
    assert code("discard where the upcard may go", "discard:9H") is None
    assert code("the suit turned down may be named", "name:H") is None


@pytest.mark.parametrize("number", range(1, len(positions()) + 1))
def test_a_legal_action_has_no_code_and_any_other_one_has(number: int) -> None:
    one = positions()[number - 1].decisions(number)[-1]
    for action in EVERY:
        found = diagnose(one.view, one.legal, action)
        assert (found is None) == (action in one.legal)
        assert found is None or (found.code in CODES and found.text)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(option_sets()), st.binary(min_size=1, max_size=4), st.randoms())
def test_so_it_is_in_every_game(options: dict[str, object], seed: bytes, dice: object) -> None:
    state = rules.load("two_handed", options).start(sha256(seed).digest())
    for _ in range(40):
        if state.to_act is None:
            return
        view, legal = state.view(state.to_act), state.legal()
        assert isinstance(view, View)
        for action in EVERY:
            found = diagnose(view, legal, action)
            assert (found is None) == (action in legal)
            assert found is None or found.code in CODES
        state = state.apply(dice.choice(legal))  # type: ignore[attr-defined]


@given(st.text(max_size=64))
def test_whatever_is_answered_has_a_code(action: str) -> None:
    one = asked("first lead")
    found = diagnose(one.view, one.legal, action)
    assert (found is None) == (action in one.legal)
    assert found is None or found.text.isprintable()
