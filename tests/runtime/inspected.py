"""Levels of isolation attacked with one protection less, as a program: prints JSON.

``inspected.py LEVEL...`` prints by level and protection which attacks were found OPEN.
"""

from __future__ import annotations

import json
import sys

from arena.runtime.inspection import inspect, outliving, probing
from arena.runtime.isolation import Isolation, isolation

SLOW = {"death", "environment"}
"""Protections whose attacks only the full form makes."""


def opened(level: Isolation, protection: str) -> list[str]:
    """Return the attacks that succeed without one of the protections of a level."""
    found = inspect(level.without(protection), short=protection not in SLOW)
    return [finding.attack for finding in found if finding.verdict == "OPEN"]


def without_each(level: Isolation) -> dict[str, list[str]]:
    outliving._LOOKS = 20  # what is to be found does not go
    probing.PATIENCE_S = 120.0  # the machine may be busy
    return {protection: opened(level, protection) for protection in level.protections}


if __name__ == "__main__":
    print(json.dumps({name: without_each(isolation(name)) for name in sys.argv[1:]}))
