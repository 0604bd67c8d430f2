"""Dice that are cheap to seed: a bot gets fresh ones for each decision."""

from __future__ import annotations

import random
from typing import Any

_WORD = (1 << 64) - 1


class Dice(random.Random):
    """A `random.Random` whose first 64 bits cost almost nothing.

    Setting a Mersenne twister up takes longer than most decisions. So the first bits are a hash of
    the seed (the finalizer of SplitMix64: Steele, Lea and Flood 2014), enough for some choices
    among a few actions; only who rolls more sets the twister up. The same seed always rolls the
    same.
    """

    __slots__ = ("_bits", "_left", "_seed")

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Begin anew from `a`, cheaply if it is a whole number, else as `random.Random` does.

        None is 0: dice without a seed do not exist.
        """
        if isinstance(a, int):
            z: int = (a * 0x9E3779B97F4A7C15 + (a >> 64)) & _WORD
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
            z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _WORD
            self._bits = z ^ (z >> 31)
            self._left = 64
            self._seed = a
            self.gauss_next = None
        elif a is None:
            self.seed(0)
        else:
            self._bits, self._left = 0, -1
            super().seed(a, version)

    def getrandbits(self, k: int, /) -> int:
        """Return `k` random bits."""
        if k <= self._left:
            self._left -= k
            bits = self._bits
            self._bits = bits >> k
            return bits & ((1 << k) - 1)
        self._set_up()
        return super().getrandbits(k)

    def _randbelow(self, n: int) -> int:
        """Return a whole number in [0, n), as `random.Random` takes it from `getrandbits`.

        Its hook for this; it is what a `choice` costs.
        """
        k = n.bit_length()
        mask = (1 << k) - 1
        bits, left = self._bits, self._left
        while left >= k:
            roll = bits & mask
            bits >>= k
            left -= k
            if roll < n:
                self._bits, self._left = bits, left
                return roll
        self._left = left
        return int(super()._randbelow(n))  # type: ignore[misc] # unknown to its stub

    def random(self) -> float:
        """Return a random number in [0, 1)."""
        self._set_up()
        return super().random()

    def getstate(self) -> tuple[Any, ...]:
        """Return all that determines the rolls to come."""
        self._set_up()
        return super().getstate()

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Go on from what `getstate` returned."""
        self._left = -1
        super().setstate(state)

    def _set_up(self) -> None:
        """Go over to the twister, for as long as this seed lasts."""
        if self._left >= 0:
            self._left = -1
            super().seed(self._seed)
