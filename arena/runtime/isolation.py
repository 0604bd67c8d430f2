"""What stands between a bot and the machine: a level is a value that yields a launcher chain.

One level exists so far: `none` gives a bot its own session and dies with its worker; it protects
from nothing hostile.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT")


def launcher_chain() -> tuple[str, ...]:
    """Return the words that go before a bot's command line at level `none`.

    On Linux the kernel then kills the bot when its worker dies, whatever killed that; elsewhere
    only a worker that can still act kills its bots.
    """
    setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
    return (setpriv, "--pdeathsig", "KILL", "--") if setpriv else ()


def scrubbed_environment(
    *, endpoint: str, token: str, private_folder: Path, extra: Mapping[str, str]
) -> dict[str, str]:
    """Return the whole environment of a bot process: an allow-list, never the arena's own.

    String hashing is fixed, so that a Python bot that goes through a set does not change its mind
    from run to run.
    """
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return {
        **kept,
        "HOME": str(private_folder),
        "TMPDIR": str(private_folder),
        "PYTHONHASHSEED": "0",
        "PYTHONNOUSERSITE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        **extra,
        "ARENA_ENDPOINT": endpoint,
        "ARENA_TOKEN": token,
    }
