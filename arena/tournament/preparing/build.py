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

from msgspec.structs import replace

from arena.errors import UserError
from arena.runtime.executor import (
    BeyondBoundsError,
    BotSpec,
    Job,
    JobResult,
    Limits,
    LocalExecutor,
    WorkerLostError,
    decode_result,
    encode,
    play_job,
    within_bounds,
)
from arena.text import visible_lines
from arena.tournament.preparing.cache import kept
from arena.tournament.preparing.tools import Maker
from arena.tournament.snapshot import Snapshot

LIMITS = Limits(start_ms=300_000, memory_bytes=2_000_000_000, processes=256)
"""More than a bot has: compilers are larger than what they make. The start is all of it."""
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
        take_over(copy, maker)

    folder = kept(_KIND, _key(command, taken, spec), maker, make) / _BOT
    return replace(spec, folder=str(folder))


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


def take_over(folder: Path, maker: Maker) -> None:
    """Make what was built one's own; `UserError` if it holds what is no file, or too much."""
    _own(folder, is_folder=True)
    try:
        for entry in within_bounds(folder):
            is_folder = entry.is_dir(follow_symlinks=False)
            if not (is_folder or entry.is_file(follow_symlinks=False) or entry.is_symlink()):
                text = f"{maker.name}: its build failed: it made {entry.name!a}, which is no file"
                raise UserError(text)
            _own(Path(entry.path), is_folder=is_folder)
    except BeyondBoundsError as error:
        raise UserError(f"{maker.name}: its build failed: it {error}") from error


def _own(path: Path, *, is_folder: bool) -> None:
    """Make a path one's own; a folder may have been closed."""
    if os.geteuid() == 0:  # it was another user's
        os.lchown(path, os.getuid(), os.getgid())
    if is_folder:
        path.chmod(0o755)
