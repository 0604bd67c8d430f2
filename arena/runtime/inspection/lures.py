"""What the probe attacks: nothing that is in use, and gone when it is over."""

from __future__ import annotations

import ctypes
import os
import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from arena.runtime.isolation import Cell, Isolation
from arena.runtime.isolation.confined import FILE_BYTES, OPEN_FILES
from arena.runtime.isolation.sandbox import HOME_BYTES, SHARED_MEMORY_BYTES
from arena.runtime.probe import Plan, name_of_lures, note

_BEYOND_BYTES = 4_000_000
"""So much more is tried than there should be room for."""
_FOLDERS_OF_ALL = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - they are attacked
_IPC_PRIVATE, _IPC_CREAT, _IPC_RMID = 0, 0o1000, 0
_SEGMENT_BYTES = 4096
_DYING_S = 5.0


class Lures:
    """What was laid out, and what became of it."""

    def __init__(self, plan: Plan, arena: subprocess.Popen[bytes]) -> None:
        """Keep what is attacked, and the process that stands for the arena."""
        self.plan = plan
        self._arena = arena

    def arena_was_killed(self) -> bool:
        """Wait for the end of the process that stands for the arena, which was sent a signal."""
        try:
            self._arena.wait(_DYING_S)
        except subprocess.TimeoutExpired:  # it was another process with that number
            return False
        return True

    def take_files(self, folders: Sequence[str]) -> list[str]:
        """Return those folders where the probe has left a file, and remove these files."""
        found = [folder for folder in folders if note(folder, self.plan).exists()]
        for folder in found:
            note(folder, self.plan).unlink()
        return found


@contextmanager
def lures(folder: Path, level: Isolation, own: Cell, neighbour: Cell) -> Iterator[Lures]:
    """Lay out what one run of the probe attacks: the probe is in `own`, another bot elsewhere."""
    nonce = secrets.token_hex(16)
    with ExitStack() as closing:
        canary = folder / f"canary-{nonce}"
        canary.touch(mode=0o600)
        canary.write_text(nonce)
        if sys.platform == "linux":
            listen(closing, f"\0arena-{nonce}")
        listen(closing, neighbour.endpoint)
        level.admit(neighbour)
        arena = _process(closing, nonce, None)
        plan = Plan(
            attacks=[],
            nonce=nonce,
            arena=arena.pid,
            neighbour=_process(closing, nonce, neighbour.user).pid,
            neighbours_endpoint=neighbour.endpoint,
            canary=str(canary),
            arenas_folder=str(folder),
            snapshot=own.snapshot,
            home=level.home(own),
            notes=[place for place in _FOLDERS_OF_ALL if Path(place).is_dir()],
            port=_port(closing),
            abstract=f"arena-{nonce}",
            memory=_shared_memory(closing, nonce),
            host=socket.gethostname(),
            home_bytes=HOME_BYTES + _BEYOND_BYTES,
            shared_bytes=SHARED_MEMORY_BYTES + _BEYOND_BYTES,
            processes=own.limits.processes,
            limits={"DATA": own.limits.memory_bytes, "FSIZE": FILE_BYTES, "NOFILE": OPEN_FILES},
        )
        _leave_open(closing)
        found = Lures(plan, arena)
        closing.callback(found.take_files, found.plan.notes)
        yield found


def listen(closing: ExitStack, address: str) -> None:
    """Listen on a Unix socket; so much as a connection is all that is wanted."""
    listener = closing.enter_context(socket.socket(socket.AF_UNIX))
    listener.bind(address)
    listener.listen()


def _port(closing: ExitStack) -> int:
    listener = closing.enter_context(socket.create_server(("127.0.0.1", 0)))
    port: int = listener.getsockname()[1]
    return port


def _process(closing: ExitStack, nonce: str, user: int | None) -> subprocess.Popen[bytes]:
    """Start a process that does nothing, and ends with the arena at the latest."""
    process = subprocess.Popen(
        ["sh", "-c", "read line", name_of_lures(nonce)],
        executable=shutil.which("sh"),
        env={"ARENA_TOKEN": nonce},
        stdin=subprocess.PIPE,
        user=user,
        group=user,
        extra_groups=None if user is None else [],
    )
    closing.enter_context(process)
    closing.callback(process.kill)
    return process


def _shared_memory(closing: ExitStack, nonce: str) -> int:
    """Make a segment of System V that all may read, with the nonce in it; -1 if that cannot be."""
    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    segment: int = libc.shmget(_IPC_PRIVATE, _SEGMENT_BYTES, _IPC_CREAT | 0o666)
    if segment >= 0:
        closing.callback(libc.shmctl, segment, _IPC_RMID, None)
        address = ctypes.c_void_p(libc.shmat(segment, None, 0))
        ctypes.memmove(address, nonce.encode(), len(nonce))
        libc.shmdt(address)
    return segment


def _leave_open(closing: ExitStack) -> None:
    """Open what every program inherits, if whoever starts it does not see to that."""
    descriptor = os.open(os.devnull, os.O_RDONLY)
    closing.callback(os.close, descriptor)
    os.set_inheritable(descriptor, True)  # noqa: FBT003 - not ours
