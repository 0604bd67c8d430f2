"""What a person at the table needs: what can be chosen, how it can be typed, the rules in short.

A variant's guide is in the module of its name in this package, which defines ``GUIDE`` (a
`base.Guide`): a new one is new files only.
"""

from __future__ import annotations

import importlib

from arena.report.guides.base import Choice, Guide

__all__ = ["Choice", "Guide", "load"]


def load(variant: str) -> Guide:
    """Return the guide to a registered variant."""
    found: Guide = importlib.import_module(f"{__name__}.{variant}").GUIDE
    return found
