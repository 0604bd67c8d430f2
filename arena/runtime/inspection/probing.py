"""The probe under the chain of a level beside the probe without any: what each achieved."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec.structs import replace

from arena.runtime.inspection.attacks import Attempt
from arena.runtime.inspection.cells import UNCONFINED, Cells, command, environment
from arena.runtime.inspection.hints import not_working
from arena.runtime.inspection.lures import Lures, lures
from arena.runtime.isolation import Cell, Isolation
from arena.runtime.probe import DONE
from arena.runtime.process import BotProcess

PATIENCE_S = 20.0
"""Far more than the probe takes."""
_OWN, _NEIGHBOUR, _FREE, _NEIGHBOUR_OF_FREE = range(4)

_attempts = msgspec.json.Decoder(Attempt)


def probe_both(
    level: Isolation, cells: Cells, names: Sequence[str]
) -> tuple[Mapping[str, Attempt], Mapping[str, Attempt]]:
    """Return how the attacks with these names went with and without the chain of a level.

    Raises `SurroundingsError` if the probe cannot be started, or cannot speak to the arena.
    """
    own, neighbour = cells.ready(level, _OWN), cells.new(level, _NEIGHBOUR)
    free = cells.ready(UNCONFINED, _FREE)
    neighbour_of_free = cells.new(UNCONFINED, _NEIGHBOUR_OF_FREE)
    with (
        lures(cells.folder, level, own, neighbour) as laid,
        lures(cells.folder, UNCONFINED, free, neighbour_of_free) as laid_for_free,
        _unconfined(free, _plan(laid_for_free, names)) as control,
    ):
        printed = _confined(level, own, _plan(laid, names))
        confined = _judged(_read(level, printed, names), laid)
        return confined, _judged(_read(UNCONFINED, _printed(control), names), laid_for_free)


def _plan(laid: Lures, names: Sequence[str]) -> str:
    plan = laid.plan._replace(attacks=list(names))
    return msgspec.json.encode(plan._asdict()).decode()


def _confined(level: Isolation, cell: Cell, plan: str) -> str:
    with started(level, cell, plan) as process:
        drain(process)
    return process.output.text()


@contextmanager
def started(level: Isolation, cell: Cell, *words: str) -> Iterator[BotProcess]:
    """Start the probe as any bot is started; it is killed at the end."""
    process = BotProcess(
        command(*words),
        folder=Path(cell.snapshot),
        environment=environment(level, cell),
        chain=level.chain(cell),
        number=cell.number,
        in_sandbox=level.is_sandbox,
    )
    try:
        yield process
    finally:
        process.kill()
        process.bury()


def drain(process: BotProcess, until: str | None = None) -> None:
    """Take in what the probe prints, until it ends or has printed `until`."""
    while select.select([process.output_fd], [], [], PATIENCE_S)[0] and process.drain():
        if until is not None and until in process.output.text():
            break


@contextmanager
def _unconfined(cell: Cell, plan: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start the probe with all that the arena has."""
    with subprocess.Popen(
        command(plan),
        cwd=cell.snapshot,
        env=environment(UNCONFINED, cell),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        close_fds=False,
    ) as process:
        try:
            yield process
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)


def _printed(process: subprocess.Popen[bytes]) -> str:
    """Return what was printed until the end, which may not come."""
    try:
        return process.communicate(timeout=PATIENCE_S)[0].decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        return "the probe does not come to an end"


def _read(level: Isolation, printed: str, names: Sequence[str]) -> dict[str, Attempt]:
    """Return what the probe has printed of each attack; some may end without a word."""
    lines = printed.splitlines()
    if DONE not in lines:
        raise not_working(level, printed)
    told = [_attempts.decode(line) for line in lines if line.startswith("{")]
    found = {attempt.attack: attempt for attempt in told}
    unseen = {name: Attempt(name, achieved=False, text="it was ended") for name in names}
    return {**unseen, **found}


def _judged(attempts: Mapping[str, Attempt], laid: Lures) -> Mapping[str, Attempt]:
    """Correct what the probe believes by what the arena sees."""
    return {name: _seen(attempt, laid) for name, attempt in attempts.items()}


def _seen(attempt: Attempt, laid: Lures) -> Attempt:
    plan = laid.plan
    if not attempt.achieved:
        return attempt
    match attempt.attack:
        case "signal the arena":
            return attempt if laid.arena_was_killed() else _in_vain(attempt, "it was another")
        case "leave a note for later bots":
            return _files_seen(attempt, laid.take_files(plan.notes))
        case "write to its snapshot":
            return _files_seen(attempt, laid.take_files([plan.snapshot]))
        case "write to the arena's folders":
            return _files_seen(attempt, laid.take_files([plan.arenas_folder]))
    return attempt


def _files_seen(attempt: Attempt, folders: list[str]) -> Attempt:
    if not folders:
        return _in_vain(attempt, "nothing of it is left")
    return replace(attempt, text=f"left a file in {', '.join(folders)}")


def _in_vain(attempt: Attempt, why: str) -> Attempt:
    return replace(attempt, achieved=False, text=why)
