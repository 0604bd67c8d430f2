"""What a bot in a sandbox may not ask the kernel for, as a filter for bubblewrap (seccomp).

Namespaces hold none of these: keys that the kernel keeps for a user when all of its processes have
gone; memory that no process shows, in files without a name or in segments; and user namespaces, in
which everybody has all privileges and so reaches parts of the kernel that only root was meant to
reach.
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Collection, Iterator, Mapping

import msgspec

PROTECTIONS = ("kernel keys", "hidden memory", "nested sandboxes")
_CLONE_NEWUSER = 0x10000000
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_SHARED_AND_NAMELESS = 0x21
"""MAP_SHARED and MAP_ANONYMOUS: memory that stays when no process shows it any more."""
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _FOURTH_ARGUMENT = 0, 4, 16, 40
"""Where these lie in what the filter is shown of a call."""
_LOAD, _IF_EQUAL, _IF_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_KEEP_BITS = 0x54
_INSTRUCTION = struct.Struct("=HBBI")


class _Architecture(msgspec.Struct, frozen=True):
    """How the calls of one kind of program are numbered."""

    name: int
    keys: tuple[int, ...]
    """add_key, request_key, keyctl."""
    memory: tuple[int, ...]
    """memfd_create, memfd_secret, shmget, semget, msgget."""
    mapping: int
    """mmap, or mmap2: its fourth argument has the flags."""
    making: tuple[int, ...]
    """clone, unshare: their first argument has the flags."""
    foreign: int | None = None
    """Calls from this number on are those of yet another kind of program."""
    clone3: int = 435
    """Its flags cannot be seen; who is told that there is no such call uses the other one."""


_X86_64 = _Architecture(
    0xC000003E, (248, 249, 250), (319, 447, 29, 64, 68), 9, (56, 272), foreign=0x40000000
)
_X86 = _Architecture(
    0x40000003,
    (286, 287, 288),
    (356, 447, 395, 393, 399, 117, 90),  # and ipc, which was the last three; and the first mmap
    192,
    (120, 310),
)
_ARM_64 = _Architecture(0xC00000B7, (217, 218, 219), (279, 447, 194, 190, 186), 222, (220, 97))
_ARM = _Architecture(0x40000028, (309, 310, 311), (385, 447, 307, 299, 303), 192, (120, 337))
_BY_MACHINE: Mapping[str, tuple[_Architecture, ...]] = {
    "x86_64": (_X86_64, _X86),
    "aarch64": (_ARM_64, _ARM),
}
"""By the machine: the kinds of programs that run on it."""


def can_be_filtered() -> bool:
    """Whether it is known how calls are numbered on this machine."""
    return os.uname().machine in _BY_MACHINE


def call_filter(protections: Collection[str]) -> bytes:
    """Return the filter as bubblewrap reads it; it lets pass what no protection forbids."""
    program = b""
    for architecture in _BY_MACHINE[os.uname().machine]:
        section = b"".join(_section(architecture, protections))
        program += _op(_LOAD, _ARCHITECTURE)
        program += _op(_IF_EQUAL, architecture.name, otherwise=len(section) // _INSTRUCTION.size)
        program += section
    return program + _op(_RETURN, _REFUSE | errno.ENOSYS)


def _section(architecture: _Architecture, protections: Collection[str]) -> Iterator[bytes]:
    """Yield what is done with the calls of one kind of program."""
    yield _op(_LOAD, _NUMBER)
    if architecture.foreign is not None:
        yield _op(_IF_LEAST, architecture.foreign, otherwise=1)
        yield _op(_RETURN, _REFUSE | errno.ENOSYS)
    unknown = {"kernel keys": architecture.keys, "hidden memory": architecture.memory}
    for protection, numbers in unknown.items():
        for number in numbers if protection in protections else ():
            yield _op(_IF_EQUAL, number, otherwise=1)
            yield _op(_RETURN, _REFUSE | errno.ENOSYS)
    if "hidden memory" in protections:
        yield _op(_IF_EQUAL, architecture.mapping, otherwise=5)
        yield _op(_LOAD, _FOURTH_ARGUMENT)
        yield _op(_KEEP_BITS, _SHARED_AND_NAMELESS)
        yield _op(_IF_EQUAL, _SHARED_AND_NAMELESS, otherwise=1)
        yield _op(_RETURN, _REFUSE | errno.EPERM)
        yield _op(_RETURN, _ALLOW)
    if "nested sandboxes" in protections:
        yield _op(_IF_EQUAL, architecture.clone3, otherwise=1)
        yield _op(_RETURN, _REFUSE | errno.ENOSYS)
        for number in architecture.making:
            yield _op(_IF_EQUAL, number, otherwise=4)
            yield _op(_LOAD, _FIRST_ARGUMENT)
            yield _op(_IF_ANY_BIT, _CLONE_NEWUSER, otherwise=1)
            yield _op(_RETURN, _REFUSE | errno.EPERM)
            yield _op(_RETURN, _ALLOW)
    yield _op(_RETURN, _ALLOW)


def _op(code: int, value: int, *, otherwise: int = 0) -> bytes:
    """Return an instruction; `otherwise`: so many are skipped if its condition is not met."""
    return _INSTRUCTION.pack(code, 0, otherwise, value)
