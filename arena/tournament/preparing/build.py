"""A bot that is built: the command runs once in a copy of the bot, and the copy is what plays."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import stat
import sys
from collections.abc import Sequence
from pathlib import Path

from arena.errors import UserError
from arena.runtime.executor import (
    BotSpec,
    Job,
    JobResult,
    Limits,
    LocalExecutor,
    WorkerLostError,
    decode_result,
    encode,
    play_job,
)
from arena.text import visible_lines
from arena.tournament.preparing.cache import kept
from arena.tournament.preparing.tools import Maker
from arena.tournament.snapshot import Snapshot

LIMITS = Limits(start_ms=300_000, memory_bytes=2_000_000_000, processes=256)
"""More than a bot has: compilers are larger than what they make. The start is all of it."""
MOST_BYTES = 500_000_000
MOST_FILES = 20_000
"""Of a bot with all that was built of it."""
_KIND = "builds"
_FORMAT = 1
_BOT = "bot"


def built(spec: BotSpec, command: Sequence[str], taken: Snapshot, maker: Maker) -> BotSpec:
    """Return how a bot is started once it is built by a command; that is done if need be.

    Raises `UserError` with the end of the log if it fails, `StoppedError` if it was broken off.
    """

    def make(folder: Path) -> None:
        maker.tell(f"is built, once: {visible_lines(' '.join(command))}")
        copy = Path(shutil.copytree(taken.folder, folder / _BOT))
        for path in (copy, *copy.rglob("*")):
            path.chmod(path.stat().st_mode | stat.S_IWUSR)
        _build(BotSpec(spec.version, tuple(command), str(copy), LIMITS, {}, spec.env), maker)
        _require_bearable(copy, maker)

    folder = kept(_KIND, _key(command, taken, spec), maker, make) / _BOT
    return BotSpec(spec.version, spec.argv, str(folder), spec.limits, spec.params, spec.env)


def _key(command: Sequence[str], taken: Snapshot, spec: BotSpec) -> str:
    made_of = {
        "format": _FORMAT,
        "snapshot": taken.hash,
        "command": list(command),
        "env": spec.env,
        "machine": [sys.platform, platform.machine()],
    }
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()


def _build(spec: BotSpec, maker: Maker) -> None:
    job = Job("", {}, (spec,), (), 1, 0, isolation=maker.level, builds=True)
    try:
        faults = _done(job, maker).start_faults
    except WorkerLostError as error:
        raise UserError(f"{maker.name}: its build failed: {error}") from error
    for fault in faults:
        lines = "".join(f"\n    {line}" for line in fault.got.splitlines())
        raise UserError(f"{maker.name}: its build failed: {fault.detail}{lines}")


def _done(job: Job, maker: Maker) -> JobResult:
    with LocalExecutor(1) as executor:
        try:
            future = executor.submit(play_job, encode(job))
            while not future.done():
                maker.wait()
            return decode_result(future.result())
        except BaseException:
            executor.kill()
            raise


def _require_bearable(folder: Path, maker: Maker) -> None:
    """Take over what was built; refuse what is no file, or too much."""
    size = number = 0
    for path in (folder, *folder.rglob("*")):
        found = path.lstat()
        if os.geteuid() == 0:  # it was another user's
            os.lchown(path, os.getuid(), os.getgid())
        if not stat.S_ISREG(found.st_mode) | stat.S_ISDIR(found.st_mode) | path.is_symlink():
            raise UserError(f"{maker.name}: its build made {path.name!a}, which is no file")
        size, number = size + found.st_size, number + 1
    if size > MOST_BYTES or number > MOST_FILES:
        most = f"{MOST_FILES} files and {MOST_BYTES} bytes"
        raise UserError(f"{maker.name}: its build made too much; with it the bot may have {most}")
