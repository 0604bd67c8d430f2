"""Where a function of one number is nothing: `scipy.optimize` tells too, but takes long to load."""

from __future__ import annotations

import math
from collections.abc import Callable


def root(
    rising: Callable[[float], float], low: float, high: float, *, within: float = 1e-12
) -> float:
    """Return where a continuous function goes from below 0 at `low` to above 0 at `high`.

    By the method of Ridders (1979), until two guesses in a row differ by at most `within`.
    """
    at_low, at_high = rising(low), rising(high)
    guess = math.inf
    while True:
        before, middle = guess, (low + high) / 2
        at_middle = rising(middle)
        scale = math.sqrt(at_middle * at_middle - at_low * at_high)
        if not scale:
            return middle
        guess = middle - (middle - low) * at_middle / scale
        if abs(guess - before) <= within or not low < middle < high:
            return guess
        at_guess = rising(guess)
        for point, value in ((middle, at_middle), (guess, at_guess)):
            if value < 0 and point > low:
                low, at_low = point, value
            elif value >= 0 and point < high:
                high, at_high = point, value
