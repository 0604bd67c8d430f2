"""Leaves files in shared folders and a segment of shared memory behind.

levels: process sandbox
levels as user: sandbox
forfeits: none
log: left
"""

import ctypes
import os
from pathlib import Path

import raw


def misdeed(answers, bad):
    for folder in ("/dev/shm", "/tmp"):
        note = Path(folder, f"arena-test-left-{os.getuid()}")
        (note / "below").mkdir(parents=True, exist_ok=True)
        note.with_suffix(".txt").write_text("x" * 1000)
    number = ctypes.CDLL(None).shmget(0, 4096, 0o1600)
    raw.say(f"left segment {number} as {os.getuid()}")


raw.play(misdeed)
