"""Waits until whoever started bots has gone, and all workers; then ends what they left behind.

They clear up after each other, so mostly nothing is left to do. But if all are killed together,
nobody else is there to find a bot's process that has run away. It is no child of theirs, so that
whoever kills a program with all its children leaves it alone.
"""

from __future__ import annotations

import os
import select
import sys

from arena.runtime.folders import sweep

DISMISSAL = b"."
"""What stands in the pipe if they have left in good order."""
_DYING_S = 1.0
"""A process that is killed lets go of its files a moment before it counts as dead."""


def main() -> None:
    """Wait for the end of the pipe that they all hold open, then sweep."""
    is_dismissed = False
    while os.read(int(sys.argv[1]), 1):
        is_dismissed = True
    sweep()
    if not is_dismissed:
        select.select([], [], [], _DYING_S)
        sweep()


if __name__ == "__main__":
    main()
