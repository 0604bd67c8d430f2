"""A command and what it took, with all the processes that it started and waited for."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

MB = 1_000_000
_WATCH = """
import json, resource, subprocess, sys, time
began_s = time.perf_counter()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
wall_s = time.perf_counter() - began_s
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([wall_s, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024]))
"""
"""A process that is small itself: what it held before `exec` counts in the peak of its child."""


class Spent(NamedTuple):
    """What a command took."""

    wall_s: float
    cpu_s: float
    """User and system, of the whole tree."""
    peak_bytes: float
    """The most memory that any one of its processes had resident."""


def arena_words(*words: str) -> list[str]:
    """Return the command line of an arena command."""
    return [sys.executable, "-m", "arena", "-q", *words]


def watched(words: Sequence[str]) -> Spent:
    """Run a command to its end; `CalledProcessError` if it fails. Its output is not kept."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _WATCH, *words],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return Spent(*json.loads(done.stdout))
