"""Waits until a coordinator and all its workers have gone; then ends what they left behind.

They clear up after each other, so mostly nothing is left to do. But if all are killed together,
nobody else is there to find a bot's process that has run away. It is no child of theirs, so that
whoever kills a program with all its children leaves it alone.
"""

from __future__ import annotations

import os
import sys

from arena.runtime.folders import sweep


def main() -> None:
    """Wait for the end of the pipe that they all hold open, in a process without a parent."""
    if os.fork():
        os._exit(0)
    while os.read(int(sys.argv[1]), 1):
        pass
    sweep()


if __name__ == "__main__":
    main()
