"""The whole environment of a bot process."""

from __future__ import annotations

import os
from collections.abc import Mapping

_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ")
_THREADS_OF_LIBRARIES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Else numpy and the like would start a thread a core, each with a stack of its own."""


def scrubbed_environment(
    *, endpoint: str, token: str, home: str, extra: Mapping[str, str]
) -> dict[str, str]:
    """Return the whole environment of a bot process: an allow-list, never the arena's own.

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
        **extra,
        "ARENA_ENDPOINT": endpoint,
        "ARENA_TOKEN": token,
    }
