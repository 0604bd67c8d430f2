"""The environment that a bot is started with; its own variables come last (`Cell.variables`)."""

from __future__ import annotations

import os

_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ")
_THREADS_OF_LIBRARIES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Else numpy and the like would start a thread a core, each with a stack of its own."""


def scrubbed_environment(*, endpoint: str, token: str, home: str) -> dict[str, str]:
    """Return what a bot process is started with: an allow-list, never the arena's own environment.

    What confines the bot has it too, so nothing that a bot wants may be in it: a variable like
    LD_PRELOAD would let the bot's code run before it is confined.

    String hashing is fixed, so that a Python bot that goes through a set does not change its mind
    from run to run.
    """
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return {
        **kept,
        **dict.fromkeys(_THREADS_OF_LIBRARIES, "1"),
        "HOME": home,
        "TMPDIR": home,
        "PYTHONHASHSEED": "0",
        "PYTHONNOUSERSITE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "ARENA_ENDPOINT": endpoint,
        "ARENA_TOKEN": token,
    }
