"""A bot that attacks: ``probe.py PLAN``, where PLAN is a `Plan` as a JSON object.

It is started like any bot, by the same chain, and tries what no bot should be able to do. Whatever
it can do it leaves undone again. For each attack it prints a JSON object: its name, whether it
achieved something, and what, or why not. ``probe.py --stay`` starts a process that detaches itself,
and stays.

This file stands alone: in a sandbox there is nothing else of ours that it could import.
"""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

_CLONE_NEWUSER = 0x10000000
_KEY_CALLS = {"x86_64": (248, 250), "aarch64": (217, 219)}
"""By machine: the numbers of add_key and keyctl."""
_USERS_KEYRING, _UNLINK = -4, 9
_CAP_READ_ALL = 1 << 2
_MORE = 8
"""Processes and threads beyond the limit that are tried."""
_STACK_BYTES = 256 * 1024
_STAY_S = 30.0
_PATIENCE_S = 5.0
STAYING = "staying"
"""What is printed once the detached process is there."""
DONE = "done"
"""What is printed when all attacks were tried."""
_SLEEP = f"import select; select.select([], [], [], {_STAY_S})"
_SETUID_PROGRAMS = ("mount", "umount", "su", "passwd", "newgrp")
"""Programs of root that most systems have, and which say their version and end."""
_SYSTEM = ("/", "/dev", "/usr", "/etc", "/arena")


class Plan(NamedTuple):
    """What is attacked; all of it was laid out by the arena for this alone."""

    attacks: list[str]
    """Their names, in order."""
    nonce: str
    """Nobody else knows it: whoever has it has been there."""
    arena: int
    """Pid of a process of the arena's user that bears the nonce in its environment."""
    neighbour: int
    """Pid of another bot's."""
    neighbours_endpoint: str
    canary: str
    """A file that only the arena's user may read; the nonce stands in it."""
    arenas_folder: str
    snapshot: str
    home: str
    notes: list[str]
    """Folders that outlive a bot."""
    port: int
    """Where somebody listens on loopback."""
    abstract: str
    """The name of an abstract socket where somebody listens."""
    memory: int
    """Number of a segment of System V, with the nonce in it."""
    host: str
    """What the machine is called."""
    home_bytes: int
    """More than it may take there."""
    shared_bytes: int
    """More than it may take in /dev/shm."""
    processes: int
    """It may have so many, threads included."""
    limits: dict[str, int]
    """By the names of `resource`: what it may take."""


class HeldError(Exception):
    """An attack has failed; the text says how."""


def name_of_lures(nonce: str) -> str:
    """Return what the processes that are attacked are called; the nonce itself stands in PLAN."""
    return f"arena-lure-{nonce[::-1]}"


# processes


def signal_the_arena(plan: Plan) -> str:
    """End the process of the arena; the arena sees whether that was so."""
    if plan.arena in (os.getpid(), os.getppid()):
        raise HeldError("no such process")
    os.kill(plan.arena, signal.SIGKILL)
    return f"killed process {plan.arena}"


def read_the_arenas_environment(plan: Plan) -> str:
    """Find the nonce in the environment of the arena."""
    return _secret_of(plan.arena, plan)


def read_another_bots_token(plan: Plan) -> str:
    """Find the nonce in the environment of another bot."""
    return _secret_of(plan.neighbour, plan)


def _secret_of(pid: int, plan: Plan) -> str:
    if plan.nonce.encode() not in Path(f"/proc/{pid}/environ").read_bytes():
        raise HeldError("no such process")
    return f"read it in /proc/{pid}/environ"


def see_other_processes(plan: Plan) -> str:
    """Find the processes that bear a name made of the nonce in their command line."""
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            is_own = int(entry.name) in (os.getpid(), os.getppid())
            if not is_own and name_of_lures(plan.nonce) in (entry / "cmdline").read_text():
                return f"saw process {entry.name} in /proc"
    raise HeldError("only its own are in /proc")


# files


def read_a_private_file(plan: Plan) -> str:
    """Read the canary, with whatever rights it has."""
    if plan.nonce not in Path(plan.canary).read_text():
        raise HeldError("it is another file")
    return f"read {plan.canary}"


def read_the_machines_files(_: Plan) -> str:
    """Read what every user of a machine may read, and no bot needs."""
    Path("/etc/passwd").read_bytes()
    return "read /etc/passwd"


def write_to_its_snapshot(plan: Plan) -> str:
    """Leave a file in the folder that it was started in, which it may only read."""
    return f"left a file in {', '.join(_leave_files([plan.snapshot], plan))}"


def write_to_the_arenas_folders(plan: Plan) -> str:
    """Leave a file beside the canary."""
    return f"left a file in {', '.join(_leave_files([plan.arenas_folder], plan))}"


def leave_a_note(plan: Plan) -> str:
    """Leave a file for a later bot."""
    return f"left a file in {', '.join(_leave_files(plan.notes, plan))}"


def write_to_the_system(plan: Plan) -> str:
    """Put a file where the system has its own, or find that only its user hinders it."""
    with suppress(OSError):
        places = _leave_files(_SYSTEM, plan)
        for place in places:
            note(place, plan).unlink()
        return f"wrote to {', '.join(places)}"
    open_to_root = [place for place in ("/", "/dev") if not os.statvfs(place).f_flag & os.ST_RDONLY]
    if not open_to_root:
        raise HeldError("it can only be read")
    return f"only its user keeps it from writing to {', '.join(open_to_root)}"


def _leave_files(folders: Sequence[str], plan: Plan) -> list[str]:
    """Leave a file in each folder where that can be; return these, and the arena looks."""
    left = []
    refused: OSError = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    for folder in folders:
        try:
            os.close(os.open(note(folder, plan), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
        except OSError as error:
            refused = error
        else:
            left.append(folder)
    if not left:
        raise refused
    return left


def note(folder: str, plan: Plan) -> Path:
    """Return the path of the file that is left in a folder."""
    return Path(folder, f"arena-probe-{plan.nonce}")


# memory for files


def fill_its_home(plan: Plan) -> str:
    """Take more room in its home than it is given."""
    return _fill(plan.home, plan.home_bytes, plan)


def fill_shared_memory(plan: Plan) -> str:
    """Take more room in /dev/shm than it is given."""
    return _fill("/dev/shm", plan.shared_bytes, plan)  # noqa: S108 - it is attacked


def _fill(folder: str, size: int, plan: Plan) -> str:
    """Take room in several files, as none of them may be large."""
    piece = plan.limits["FSIZE"] // 2
    with ExitStack() as closing:
        for number, start in enumerate(range(0, size, piece)):
            path = f"{note(folder, plan)}-{number}"
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            closing.callback(os.close, descriptor)
            closing.callback(os.unlink, path)
            os.posix_fallocate(descriptor, 0, min(piece, size - start))
    return f"put {_megabytes(size)} into {folder}"


def write_too_large_a_file(plan: Plan) -> str:
    """Write behind the end of the largest file allowed."""
    limit = _raise("FSIZE", plan)
    path = Path(f"{note(plan.home, plan)}-large")
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.pwrite(descriptor, b"x", limit)
    finally:
        os.close(descriptor)
        path.unlink()
    return f"wrote a file of {_megabytes(limit)} and a byte"


# resources


def take_too_much_memory(plan: Plan) -> str:
    """Take as much memory as all is limited to, beside what it has."""
    limit = _raise("DATA", plan)
    with mmap.mmap(-1, limit, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        memory[limit - 1] = 1
    return f"took {_megabytes(limit)} beside what it had"


def open_too_many_files(plan: Plan) -> str:
    """Open as many files as are allowed, beside those that are open."""
    limit = _raise("NOFILE", plan)
    with ExitStack() as closing:
        for _ in range(limit):
            closing.callback(os.close, os.open(os.devnull, os.O_RDONLY))
    return f"opened {limit} files"


def start_too_many_processes(plan: Plan) -> str:
    """Fork until it is refused, or beyond the limit."""
    number = plan.processes + _MORE
    reading, writing = os.pipe()
    children: list[int] = []
    try:
        for _ in range(number):
            child = os.fork()
            if child == 0:
                os.close(writing)
                os.read(reading, 1)
                os._exit(0)
            children.append(child)
    finally:
        os.close(writing)
        for child in children:
            os.waitpid(child, 0)
    return f"started {number} processes"


def start_too_many_threads(plan: Plan) -> str:
    """Start threads until it is refused, or beyond the limit."""
    number = plan.processes + _MORE
    threading.stack_size(_STACK_BYTES)
    end = threading.Event()
    threads = [threading.Thread(target=end.wait) for _ in range(number)]
    started: list[threading.Thread] = []
    try:
        for thread in threads:
            thread.start()
            started.append(thread)
    except RuntimeError as error:
        raise HeldError(str(error)) from error
    finally:
        end.set()
        for thread in started:
            thread.join()
    return f"started {number} threads"


def raise_its_limits(plan: Plan) -> str:
    """Give itself more than it may take."""
    raised = []
    for name, limit in plan.limits.items():
        with suppress(OSError, ValueError):
            _raise(name, plan)
        present = resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[1]
        if present == resource.RLIM_INFINITY or present > limit:
            raised.append(f"{name} {'unlimited' if present < 0 else present}")
    if not raised:
        raise HeldError("no limit could be raised")
    return f"limits: {', '.join(raised)}"


def _raise(name: str, plan: Plan) -> int:
    """Try to get room for twice what is allowed; return what is allowed."""
    kind = getattr(resource, f"RLIMIT_{name}")
    hard = resource.getrlimit(kind)[1]
    for wanted in (max(2 * plan.limits[name], hard), hard):
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (wanted, wanted))
            break
    return plan.limits[name]


def leave_a_core_dump(_: Plan) -> str:
    """Let the system keep its memory in a file should it crash."""
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        hard = resource.RLIM_INFINITY
    if hard == 0:
        raise HeldError("the limit of core dumps is 0")
    return f"core dumps of {'any size' if hard < 0 else _megabytes(hard)} are allowed"


# privileges


def gain_privileges(_: Plan) -> str:
    """Become root by a program of root's, have privileges, or find that nothing forbids it."""
    gained = [*_set_user(), *_capabilities()]
    if _status("NoNewPrivs") == "0":
        gained.append("no_new_privs is not set")
    if not gained:
        raise HeldError("it has none, and no_new_privs is set")
    return ", ".join(gained)


def _set_user() -> Iterator[str]:
    """Run programs that are root whoever runs them, and see who they were when they ended."""
    for name in _SETUID_PROGRAMS:
        found = shutil.which(name)
        if found is None or not Path(found).stat().st_mode & 0o4000:
            continue
        child = subprocess.Popen(
            [found, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        with child:
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
            real, effective = _status("Uid", child.pid).split()[:2]
        if real != effective:
            yield f"{found} ran as user {effective}"
            return


def _capabilities() -> Iterator[str]:
    """Say which privileges it has; to read all is told where that is tried."""
    held = int(_status("CapEff"), 16) & ~_CAP_READ_ALL
    if held:
        yield f"capabilities {held:x}"


def make_a_nested_sandbox(_: Plan) -> str:
    """Get all privileges in a user namespace of its own, which opens doors of the kernel."""
    if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWUSER):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    held = int(_status("CapEff"), 16)
    if not held:
        raise HeldError("it gave no privileges")
    return f"made a user namespace with capabilities {held:x}"


def leave_a_key(plan: Plan) -> str:
    """Let the kernel keep something for the user, as it does when no process is left."""
    numbers = _KEY_CALLS.get(os.uname().machine)
    if numbers is None:
        raise HeldError("it is not known here how to do that")
    add_key, keyctl = numbers
    libc = ctypes.CDLL(None, use_errno=True)
    key = libc.syscall(add_key, b"user", plan.nonce.encode(), b"note", 4, _USERS_KEYRING)
    if key < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    libc.syscall(keyctl, _UNLINK, key, _USERS_KEYRING)
    return f"made key {key}"


def hide_memory(plan: Plan) -> str:  # noqa: ARG001 - all attacks are called alike
    """Keep something in memory that is mapped in no process, so that no watch sees it."""
    ways = {
        "a file without a name": _fill_a_nameless_file,
        "a shared mapping": lambda: mmap.mmap(-1, mmap.PAGESIZE).close(),
        "a mapping of /dev/zero": _map_zeros,
    }
    done, refused = [], []
    for name, way in ways.items():
        try:
            way()
        except (OSError, AttributeError, ValueError) as error:
            refused.append(str(error))
        else:
            done.append(name)
    if not done:
        raise HeldError(", ".join(sorted(set(refused))))
    return f"kept it in {', '.join(done)}"


def _fill_a_nameless_file() -> None:
    file = os.memfd_create("hidden")
    os.write(file, b"x")
    os.close(file)


def _map_zeros() -> None:
    with Path("/dev/zero").open("r+b", buffering=0) as zeros:
        mmap.mmap(zeros.fileno(), mmap.PAGESIZE).close()


def _status(name: str, pid: int | str = "self") -> str:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return value.strip()
    raise HeldError(f"the system does not tell {name}")


# what goes between processes


def reach_a_listener(plan: Plan) -> str:
    """Connect to a port of the machine."""
    socket.create_connection(("127.0.0.1", plan.port), timeout=_PATIENCE_S).close()
    return f"connected to 127.0.0.1:{plan.port}"


def reach_an_abstract_socket(plan: Plan) -> str:
    """Connect to a socket that lies in no folder."""
    _connect(f"\0{plan.abstract}")
    return f"connected to @{plan.abstract}"


def reach_another_bots_endpoint(plan: Plan) -> str:
    """Connect where the arena listens to another bot."""
    _connect(plan.neighbours_endpoint)
    return f"connected to {plan.neighbours_endpoint}"


def _connect(address: str) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(_PATIENCE_S)
        one.connect(address)


def read_shared_memory(plan: Plan) -> str:
    """Read memory that somebody else shares with all."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    address = libc.shmat(plan.memory, None, 0)
    if address in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    if ctypes.string_at(address, len(plan.nonce)) != plan.nonce.encode():
        raise HeldError("it is another segment")
    return f"read segment {plan.memory}"


def learn_the_hosts_name(plan: Plan) -> str:
    """See what the machine is called."""
    if socket.gethostname() != plan.host:
        raise HeldError(f"it is called {socket.gethostname()}")
    return plan.host


def use_inherited_descriptors(_: Plan) -> str:
    """Use what the arena has open."""
    if not INHERITED:
        raise HeldError("there are none")
    return f"descriptors {', '.join(map(str, INHERITED))}"


def _open_descriptors() -> Iterator[int]:
    for descriptor in range(3, 256):
        with suppress(OSError):
            os.fstat(descriptor)
            yield descriptor


INHERITED = list(_open_descriptors()) if __name__ == "__main__" else []

ATTACKS: dict[str, Callable[[Plan], str]] = {
    "signal the arena": signal_the_arena,
    "read the arena's environment": read_the_arenas_environment,
    "see other processes": see_other_processes,
    "read a private file of the arena": read_a_private_file,
    "read the machine's files": read_the_machines_files,
    "write to its snapshot": write_to_its_snapshot,
    "write to the arena's folders": write_to_the_arenas_folders,
    "write to the system": write_to_the_system,
    "leave a note for later bots": leave_a_note,
    "leave a key with the kernel": leave_a_key,
    "hide memory": hide_memory,
    "reach a listener on loopback": reach_a_listener,
    "reach an abstract socket": reach_an_abstract_socket,
    "reach another bot's endpoint": reach_another_bots_endpoint,
    "read another bot's token": read_another_bots_token,
    "read shared memory": read_shared_memory,
    "learn the host's name": learn_the_hosts_name,
    "fill its home": fill_its_home,
    "fill /dev/shm": fill_shared_memory,
    "start too many processes": start_too_many_processes,
    "start too many threads": start_too_many_threads,
    "take too much memory": take_too_much_memory,
    "write too large a file": write_too_large_a_file,
    "open too many files": open_too_many_files,
    "raise its limits": raise_its_limits,
    "leave a core dump": leave_a_core_dump,
    "gain privileges": gain_privileges,
    "make a nested sandbox": make_a_nested_sandbox,
    "use inherited descriptors": use_inherited_descriptors,
}
"""Each returns what it achieved, or raises `HeldError` or whatever the system refuses with."""


def main() -> None:
    """Attack, or stay."""
    if sys.argv[1] == "--stay":
        _stay()
        return
    _greet_the_arena()
    plan = Plan(**json.loads(sys.argv[1]))
    for name in plan.attacks:
        _in_a_process(lambda name=name: _try(name, plan))  # type: ignore[misc]
    os.write(1, f"{DONE}\n".encode())


def _greet_the_arena() -> None:
    """Reach its own endpoint: a level where no bot can do that is of no use."""
    _connect(os.environ["ARENA_ENDPOINT"].removeprefix("ipc://"))


def _in_a_process(action: Callable[[], None]) -> None:
    """Do something so that whatever becomes of the process, the next attack goes on."""
    child = os.fork()
    if child == 0:
        try:
            action()
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def _try(name: str, plan: Plan) -> None:
    try:
        achieved, text = True, ATTACKS[name](plan)
    except OSError as error:
        achieved, text = False, error.strerror or str(error)
    except Exception as error:  # noqa: BLE001 - whatever it was, it was in vain
        achieved, text = False, str(error) or type(error).__name__
    line = json.dumps({"attack": name, "achieved": achieved, "text": text})
    os.write(1, f"{line}\n".encode())


def _stay() -> None:
    """Start a process in a session and with an environment of its own, and stay beside it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork() == 0:
            null = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(null, stream)
            os.execve(sys.executable, [sys.executable, "-ISc", _SLEEP], {})  # noqa: S606
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    os.read(reading, 1)  # it ends when the other program has begun
    os.write(1, f"{STAYING}\n".encode())
    select.select([], [], [], _STAY_S)


def _megabytes(number: int) -> str:
    return f"{number / 1_000_000:g} MB"


if __name__ == "__main__":
    main()
