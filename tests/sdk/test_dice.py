"""Dice that are cheap to seed are still dice."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from arena.sdk.dice import Dice

SEEDS = st.integers(0, 2**85 - 1) | st.integers(-(2**200), 2**200) | st.booleans()
OTHER_SEEDS = st.text() | st.binary() | st.floats(allow_nan=False) | st.binary().map(bytearray)


def rolls(dice: random.Random) -> list[object]:
    """Roll in every way."""
    cards = list(range(24))
    dice.shuffle(cards)
    return [
        dice.choice("abc"),
        dice.getrandbits(3),
        dice.getrandbits(200),
        dice.random(),
        dice.gauss(0, 1),
        dice.randrange(10**30),
        cards,
        dice.sample(range(100), 5),
    ]


class ByTheLibrary(Dice):
    """Rolls below a number as `random.Random` itself does, from the same bits."""

    _randbelow = random.Random._randbelow  # type: ignore[attr-defined] # the hook that is replaced


WAYS = st.one_of(
    st.tuples(st.just("choice"), st.binary(min_size=1, max_size=9)),
    st.tuples(st.just("randrange"), st.integers(1, 40) | st.integers(1, 2**70)),
    st.tuples(st.just("getrandbits"), st.integers(0, 70)),
    st.tuples(st.just("choices"), st.just("abc")),
    st.tuples(st.sampled_from(("sample", "shuffle", "random", "gauss")), st.none()),
)


def roll(dice: random.Random, way: str, what: Any) -> object:
    match way:
        case "sample":
            return dice.sample(range(30), 5)
        case "shuffle":
            cards = list("9TJQKA")
            dice.shuffle(cards)
            return cards
        case "random" | "gauss":
            return getattr(dice, way)()
        case _:
            return getattr(dice, way)(what)


@given(SEEDS | OTHER_SEEDS, st.lists(WAYS, max_size=40))
def test_whatever_is_rolled_is_what_the_library_makes_of_the_same_bits(
    seed: Any, ways: list[tuple[str, Any]]
) -> None:
    ours, plain = Dice(seed), ByTheLibrary(seed)
    for way, what in ways:
        assert roll(ours, way, what) == roll(plain, way, what)


@pytest.mark.parametrize(
    ("seed", "wanted"),
    [
        (0, ["a", 0, "TJQKA9", [0, 49, 97], 227, 0.420572]),
        (1, ["e", 15, "J9TQKA", [32, 5, 34], 34, 0.569204]),
        (987654321 << 32 | 7, ["b", 9, "K9QJAT", [8, 47, 20], 172, 0.970136]),
        (2**85 - 1, ["d", 11, "J9AKTQ", [81, 11, 33], 217, 0.424937]),
    ],
)
def test_a_seed_rolls_the_same_for_good(seed: int, wanted: list[object]) -> None:
    dice, cards = Dice(seed), list("9TJQKA")
    dice.shuffle(cards)
    first = [Dice(seed).choice("abcde"), Dice(seed).randrange(24), "".join(cards)]
    then = [dice.sample(range(100), 3), dice.getrandbits(8), round(dice.random(), 6)]
    assert first + then == wanted


@given(SEEDS | OTHER_SEEDS)
def test_the_same_seed_rolls_the_same_whatever_was_rolled_before(seed: Any) -> None:
    used = Dice(0)
    rolls(used)
    used.seed(seed)
    assert rolls(used) == rolls(Dice(seed))


@given(OTHER_SEEDS)
def test_any_other_seed_is_that_of_the_twister(seed: Any) -> None:
    dice, twister = Dice(1), random.Random(1)
    dice.getrandbits(3)
    dice.seed(seed)
    twister.seed(seed)
    assert rolls(dice) == rolls(twister)


def test_what_is_no_seed_is_refused_as_by_the_twister() -> None:
    for wrong in ([1], 1j, object()):
        with pytest.raises(TypeError):
            Dice(0).seed(wrong)


def test_no_seed_is_a_seed() -> None:
    assert rolls(Dice(None)) == rolls(Dice()) == rolls(Dice(0))


@given(SEEDS)
def test_past_the_first_bits_it_is_the_twister_of_the_same_seed(seed: int) -> None:
    dice = Dice(seed)
    dice.getrandbits(64)
    assert dice.random() == random.Random(seed).random()


@given(SEEDS, st.integers(0, 100))
def test_bits_are_within_their_number(seed: int, k: int) -> None:
    dice = Dice(seed)
    assert all(0 <= dice.getrandbits(k) < 2**k for _ in range(5))


@given(SEEDS)
def test_a_copy_and_a_kept_state_go_on_alike(seed: int) -> None:
    dice = Dice(seed)
    dice.random()
    other, state = copy.copy(dice), dice.getstate()
    wanted = rolls(dice)
    assert rolls(other) == wanted
    dice.setstate(state)
    assert rolls(dice) == wanted


def test_the_first_rolls_of_neighbouring_seeds_are_even() -> None:
    for sides in (2, 3, 5, 6):
        for step in (1, 1 << 32):
            seen = Counter(Dice(12345 + n * step).randrange(sides) for n in range(6000))
            assert chisquare([seen[side] for side in range(sides)]).pvalue > 1e-4
