"""Cards, packs and the shuffle. No rule of any game may live here: no trump, no hands.

A card is a plain string of two characters, rank then suit (``JC`` is the jack of clubs); the joker
is ``XX``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import count
from struct import Struct
from typing import Any

SUITS = "CDHS"
"""Clubs, diamonds, hearts, spades."""
RANKS = "789TJQKA"
"""Low to high."""
JOKER = "XX"

_LOWEST_RANK = {24: "9", 32: "7"}
_WORD = 2**32
_BLOCK = Struct(">64I")


def _pack(size: int) -> tuple[str, ...]:
    """Build a pack; an odd size has the joker."""
    ranks = RANKS[RANKS.index(_LOWEST_RANK[size - size % 2]) :]
    return (*(rank + suit for suit in SUITS for rank in ranks), *[JOKER] * (size % 2))


_PACKS = {size: _pack(size) for size in (24, 25, 32, 33)}


def pack(size: int) -> tuple[str, ...]:
    """Return the pack of `size` cards in its fixed order: C D H S, low to high, joker last.

    24 is nine to ace, 32 is seven to ace, 25 and 33 have the joker too. Raises `KeyError` for any
    other size.
    """
    return _PACKS[size]


def shuffled(cards: Sequence[str], board_seed: bytes, deal: int) -> tuple[str, ...]:
    """Return the order of `cards` in deal number `deal` (from 0) of a board.

    Fisher-Yates from the top over a stream of words from SHAKE-256(board_seed + deal as 4 bytes
    big-endian); a pure function of its arguments.
    """
    seed = board_seed + deal.to_bytes(4, "big")
    order = list(cards)
    steps = _steps(len(order))
    first = _first_words(len(steps))
    words = first.unpack(_shake_256()(seed).digest(first.size))
    for (top, limit), word in zip(steps, words, strict=True):
        if word >= limit:  # one shuffle in 20 million: read on
            return _permuted(cards, _words(seed))
        chosen = word % (top + 1)
        order[top], order[chosen] = order[chosen], order[top]
    return tuple(order)


@cache
def _shake_256() -> Callable[[bytes], Any]:
    from hashlib import shake_256  # noqa: PLC0415 - a bot never shuffles

    return shake_256


@cache
def _first_words(number: int) -> Struct:
    return Struct(f">{number}I")


def _words(seed: bytes) -> Iterator[int]:
    """Yield the output of SHAKE-256 as 32-bit big-endian words, without end."""
    stream = _shake_256()(seed)
    for block in count():
        # A longer digest begins with the shorter one, so this reads on in one and the same stream.
        output = stream.digest(_BLOCK.size * (block + 1))
        yield from _BLOCK.unpack_from(output, _BLOCK.size * block)


def _permuted(cards: Sequence[str], words: Iterator[int]) -> tuple[str, ...]:
    """Shuffle by `words`, each order equally likely: a word that would favour some is skipped."""
    order = list(cards)
    for top, limit in _steps(len(order)):
        word = next(words)
        while word >= limit:
            word = next(words)
        chosen = word % (top + 1)
        order[top], order[chosen] = order[chosen], order[top]
    return tuple(order)


@cache
def _steps(cards: int) -> tuple[tuple[int, int], ...]:
    """(Place, first word that is skipped) of each step of a shuffle, from the top."""
    return tuple((top, _WORD - _WORD % (top + 1)) for top in range(cards - 1, 0, -1))
