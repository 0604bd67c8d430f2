"""Why an action is not legal, in a sentence for people: one home for all who have to say it.

A variant's mistakes are told by the module of its name in this package, which defines ``mistake``
(a `base.Tell`): a new one is new files only.
"""

from __future__ import annotations

import importlib

from arena.report.mistakes.base import Mistake, Tell

__all__ = ["Mistake", "Tell", "load"]


def load(variant: str) -> Tell:
    """Return what tells the mistakes made in games of a registered variant."""
    found: Tell = importlib.import_module(f"{__name__}.{variant}").mistake
    return found
