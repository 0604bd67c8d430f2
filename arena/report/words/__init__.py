"""The game in words and cards, for people: what a variant's cards, actions and deals are called.

A variant is told by the module of its name in this package, which defines ``WORDS`` (a
`base.Words`): a new one is new files only.
"""

from __future__ import annotations

import importlib

from arena.report.words.base import YOU, Names, Words, does

__all__ = ["YOU", "Names", "Words", "does", "load"]


def load(variant: str) -> Words:
    """Return how the games of a registered variant are told."""
    found: Words = importlib.import_module(f"{__name__}.{variant}").WORDS
    return found
