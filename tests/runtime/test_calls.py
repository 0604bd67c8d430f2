"""The filter of calls, run by a small machine of our own for each kind of processor."""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Collection
from types import SimpleNamespace

import pytest

from arena.runtime.isolation.calls import PROTECTIONS, call_filter, can_be_filtered

ALLOWED = "allowed"
NEW_USER, THREAD = 0x10000000, 0x3D0F00
X86_64, X86, ARM_64, ARM = 0xC000003E, 0x40000003, 0xC00000B7, 0x40000028
KINDS = [("x86_64", X86_64), ("x86_64", X86), ("aarch64", ARM_64), ("aarch64", ARM)]
KEYS = {X86_64: 250, X86: 288, ARM_64: 219, ARM: 311}
CLONE = {X86_64: 56, X86: 120, ARM_64: 220, ARM: 120}
UNSHARE = {X86_64: 272, X86: 310, ARM_64: 97, ARM: 337}
CLONE3, READ = 435, 0
REFUSED, UNKNOWN = os.strerror(errno.EPERM), os.strerror(errno.ENOSYS)


def asked(
    monkeypatch: pytest.MonkeyPatch,
    machine: str,
    call: tuple[int, int, int],
    protections: Collection[str] = PROTECTIONS,
) -> str:
    """Return what comes of a call: (kind of program, number, first argument)."""
    monkeypatch.setattr(
        "arena.runtime.isolation.calls.os.uname", lambda: SimpleNamespace(machine=machine)
    )
    program = list(struct.iter_unpack("=HBBI", call_filter(protections)))
    kind, number, argument = call
    shown = struct.pack("=IIQQ", number, kind, 0, argument)
    at = held = 0
    while True:
        code, then, otherwise, value = program[at]
        at += 1
        if code == 0x20:
            (held,) = struct.unpack_from("=I", shown, value)
        elif code == 0x06:
            return ALLOWED if value == 0x7FFF0000 else os.strerror(value - 0x00050000)
        else:
            met = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[code]
            at += then if met else otherwise


@pytest.mark.parametrize(("machine", "kind"), KINDS)
def test_what_bots_need_is_allowed_and_what_they_do_not_is_not(
    monkeypatch: pytest.MonkeyPatch, machine: str, kind: int
) -> None:
    def ask(number: int, argument: int = 0) -> str:
        return asked(monkeypatch, machine, (kind, number, argument))

    assert ask(READ) == ALLOWED
    assert ask(KEYS[kind]) == UNKNOWN
    assert ask(CLONE3) == UNKNOWN
    for making in (CLONE[kind], UNSHARE[kind]):
        assert ask(making, THREAD) == ALLOWED
        assert ask(making, THREAD | NEW_USER) == REFUSED


@pytest.mark.parametrize(("machine", "kind"), KINDS)
def test_each_protection_can_be_taken_away(
    monkeypatch: pytest.MonkeyPatch, machine: str, kind: int
) -> None:
    def ask(number: int, protection: str) -> str:
        return asked(monkeypatch, machine, (kind, number, NEW_USER), [protection])

    assert ask(KEYS[kind], "kernel keys") == UNKNOWN
    assert ask(KEYS[kind], "nested sandboxes") == ALLOWED
    assert ask(UNSHARE[kind], "kernel keys") == ALLOWED
    assert ask(UNSHARE[kind], "nested sandboxes") == REFUSED


@pytest.mark.parametrize(
    "call", [(X86_64, 0x40000000 + 250, 0), (ARM, READ, 0), (0, READ, 0)], ids=["x32", "ARM", "?"]
)
def test_programs_of_another_kind_can_ask_for_nothing(
    monkeypatch: pytest.MonkeyPatch, call: tuple[int, int, int]
) -> None:
    assert asked(monkeypatch, "x86_64", call) == UNKNOWN


def test_a_machine_that_is_not_known_has_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "arena.runtime.isolation.calls.os.uname", lambda: SimpleNamespace(machine="vax")
    )
    assert not can_be_filtered()
