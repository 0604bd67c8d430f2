"""What a person types: numbers, cards, words and their beginnings, commands, and mistakes."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import rules
from arena.cards import pack
from arena.report import guides
from arena.rules.base import State
from arena.tools.play.commands import COMMANDS, Typed, understand

HANDS = (["9C", "TC", "JD", "AH", "KD"], ["JC", "AC", "9D", "QH", "AD"])
"""Seat 0 deals; KH is turned up."""


def at(*actions: str) -> State:
    stock = [card for card in pack(24) if card not in {*HANDS[0], *HANDS[1], "KH"}]
    deal = {"hands": HANDS, "upcard": "KH", "stock": stock}
    state: State = rules.load("two_handed").start_from([deal], 0)
    for action in actions:
        state = state.apply(action)
    return state


def typed(line: str, after: str = "") -> Typed:
    state = at(*after.split())
    assert state.to_act is not None
    return understand(line, "two_handed", state.view(state.to_act), state.legal())


KEYS = "   ? help   u undo   q quit"
LED = "order decline play:AC"
"""Seat 0 sees J♦ A♥ 10♣ 9♣ K♦ and must follow clubs."""


@pytest.mark.parametrize(
    ("line", "after", "action"),
    [
        ("1", "", "order"),
        ("2", "", "pass"),
        ("order", "", "order"),
        ("ORDER UP", "", "order"),
        ("o", "", "order"),
        ("p", "", "pass"),
        (" pass ", "", "pass"),
        ("ac", "pass", "accept"),
        ("pick up", "order", "pick_up"),
        ("pick_up", "order", "pick_up"),
        ("d", "order", "decline"),
        ("spades", "pass pass", "name:S"),
        ("sp", "pass pass", "name:S"),
        ("♠", "pass pass", "name:S"),
        ("name s", "pass pass", "name:S"),
        ("name:S", "pass pass", "name:S"),
        ("3", LED, "play:TC"),
        ("TC", LED, "play:TC"),
        ("10c", LED, "play:TC"),
        ("10♣", LED, "play:TC"),
        ("10♣\ufe0e", LED, "play:TC"),
        ("10", LED, "play:TC"),
        ("t", LED, "play:TC"),
        ("9", LED, "play:9C"),
        ("play 9c", LED, "play:9C"),
        ("play:9C", LED, "play:9C"),
        ("9d", "pass accept discard:9C", "play:9D"),
        ("lead 9d", "pass accept discard:9C", "play:9D"),
        ("9c", "pass accept", "discard:9C"),
        ("discard 9c", "pass accept", "discard:9C"),
    ],
)
def test_an_action(line: str, after: str, action: str) -> None:
    assert typed(line, after) == Typed("action", action)


@pytest.mark.parametrize(
    ("line", "after", "text"),
    [
        (
            *("1", LED),
            "J♦ is the left bower, so it is a heart: you must follow ♣. Legal: 3, 4 (10♣, 9♣).",
        ),
        ("kd", LED, "You must follow ♣. Legal: 3, 4 (10♣, 9♣)."),
        ("as", LED, "A♠ is not in hand. Legal: 3, 4 (10♣, 9♣)."),
        (
            *("pass", LED),
            "You cannot pass now: it is time to play a card. Legal: 3, 4 (10♣, 9♣).",
        ),
        (
            *("hearts", "pass pass"),
            (
                "♥ was turned down: you must name another suit."
                " Legal: 1, 2, 3, 4 (name ♣, name ♦, name ♠, pass)."
            ),
        ),
        (
            *("7", ""),
            '"7" is no action of this game. Legal: 1, 2 (order up, pass).',
        ),
        ("a", "order decline", '"a" can be A♣ or A♦: type more of it.'),
        ("name", "pass pass", '"name" can be name ♣ or name ♦ or name ♠: type more of it.'),
    ],
)
def test_what_cannot_be_done_has_its_reason(line: str, after: str, text: str) -> None:
    assert typed(line, after) in [Typed("refused", text), Typed("refused", f"{text}{KEYS}")]


def test_what_steers_a_terminal_is_written_out_and_cut() -> None:
    found = typed("\x1b[31m" + "x" * 1_000)
    assert r"\x1b[31m" in found.text
    assert len(found.text) < 200


@pytest.mark.parametrize(("line", "kind"), COMMANDS.items())
def test_commands(line: str, kind: str) -> None:
    assert typed(line) == typed(f" {line.upper()} ") == Typed(kind, "")  # type: ignore[arg-type]


def test_a_file_to_save_to() -> None:
    assert typed("s my game.json") == Typed("save", "my game.json")
    assert typed("").kind == typed("  \t").kind == "nothing"


def states(variant: str, number: int, options: dict[str, object]) -> Iterator[State]:
    dice, state = random.Random(number), rules.load(variant, options).start(bytes(32))
    while state.to_act is not None:
        yield state
        state = state.apply(dice.choice(state.legal()))


JOKER = {"deck_size": 33, "joker_upcard": "dealer_declares", "target_score": 3}


@pytest.mark.parametrize("variant", rules.names())
@pytest.mark.parametrize("options", [{}, JOKER])
def test_whatever_is_shown_can_be_typed(variant: str, options: dict[str, object]) -> None:
    guide = guides.load(variant)
    for state in states(variant, 5, options):
        assert state.to_act is not None
        view, legal = state.view(state.to_act), state.legal()
        choices = guide.choices(view, legal)
        assert sorted(one.action for one in choices if one.is_legal) == list(legal)
        assert guide.help(view, rules.load(variant, options).options)
        for number, one in enumerate(choices, 1):
            for line in (str(number), one.text, one.action):
                found = understand(line, variant, view, legal)
                assert found.kind == ("action" if one.is_legal else "refused")
                assert not one.is_legal or found.text == one.action


@given(line=st.text(max_size=80), number=st.integers(0, 30))
def test_no_line_is_without_an_answer(line: str, number: int) -> None:
    state = next(
        one for place, one in enumerate(states("two_handed", number, {})) if place == number
    )
    assert state.to_act is not None
    found = understand(line, "two_handed", state.view(state.to_act), state.legal())
    assert found.kind != "action" or found.text in state.legal()
    assert found.kind != "refused" or found.text.isprintable()
