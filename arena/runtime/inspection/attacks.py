"""Which attack which protection stands against, and what is said of how it went. Pure.

The attacks themselves are in probe.py, preloading.py and outliving.py.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

import msgspec

from arena.runtime.isolation import Isolation
from arena.runtime.job import Finding, Verdict

_IS_LINUX = sys.platform == "linux"
_ONLY_ON_LINUX = {"memory"}
"""Limits that can be set elsewhere too, but do not hold there."""
_AT_EVERY_LEVEL = "closed descriptors"
_WHERE_CHILDREN_ARE_ADOPTED = "whole trees"
"""Nothing of a chain, but what the arena itself does at every level."""


class Attack(msgspec.Struct, frozen=True):
    """What a bot may try."""

    name: str
    against: tuple[str, ...]
    """Protections each of which is enough to forbid it."""
    is_quick: bool = True
    """Whether it is tried before each tournament too."""


class Attempt(msgspec.Struct, frozen=True):
    """How an attack went; probe.py prints them."""

    attack: str
    achieved: bool
    text: str
    """What was achieved, or why nothing was."""


ATTACKS = (
    Attack("read the arena's environment", ("user", "processes apart")),
    Attack("signal the arena", ("user", "processes apart")),  # which ends what was read before
    Attack("see other processes", ("processes apart",)),
    Attack("read a private file of the arena", ("files",)),
    Attack("read the machine's files", ("files",)),
    Attack("write to its snapshot", ("user", "files")),
    Attack("write to the arena's folders", ("user", "files")),
    Attack("write to the system", ("read-only",)),
    Attack("leave a note for later bots", ("files",)),
    Attack("leave a key with the kernel", ("kernel keys",)),
    Attack("hide memory", ("hidden memory",)),
    Attack("reach a listener on loopback", ("network",)),
    Attack("reach an abstract socket", ("network",)),
    Attack("reach another bot's endpoint", ("user", "files")),
    Attack("read another bot's token", ("user", "processes apart")),
    Attack("read shared memory", ("shared memory",)),
    Attack("learn the host's name", ("host name",)),
    Attack("fill its home", ("memory for files",), is_quick=False),
    Attack("fill /dev/shm", ("memory for files",)),
    Attack("start too many processes", ("processes",)),
    Attack("start too many threads", ("processes",)),
    Attack("take too much memory", ("memory",)),
    Attack("write too large a file", ("file size",)),
    Attack("open too many files", ("open files",)),
    Attack("raise its limits", ("memory", "file size", "open files")),
    Attack("leave a core dump", ("core dumps",)),
    Attack("gain privileges", ("privileges",)),
    Attack("make a nested sandbox", ("nested sandboxes",)),
    Attack("reach what confines it", ("environment",), is_quick=False),
    Attack("use inherited descriptors", (_AT_EVERY_LEVEL,)),
    Attack("outlive its end", (_WHERE_CHILDREN_ARE_ADOPTED,), is_quick=False),
    Attack("outlive the arena", ("death",), is_quick=False),
    Attack("outlive the arena, detached", ("processes apart",), is_quick=False),
)


def findings(level: Isolation, pairs: Iterable[tuple[Attempt, Attempt]]) -> tuple[Finding, ...]:
    """Return what is found of attacks, each tried with and without a chain, of a level's promises.

    They come in the order of `ATTACKS`.
    """
    promised = set(_promised(level))
    tried = {confined.attack: (confined, free) for confined, free in pairs}
    return tuple(
        _finding(*tried[attack.name], is_promised=not promised.isdisjoint(attack.against))
        for attack in ATTACKS
        if attack.name in tried
    )


def _promised(level: Isolation) -> Iterator[str]:
    yield from (one for one in level.protections if one not in _ONLY_ON_LINUX or _IS_LINUX)
    if level.is_sandbox:
        yield "privileges"  # bubblewrap sees to that itself
    yield _AT_EVERY_LEVEL
    if _IS_LINUX:
        yield _WHERE_CHILDREN_ARE_ADOPTED


def _finding(confined: Attempt, free: Attempt, *, is_promised: bool) -> Finding:
    """Judge one attack; it is only held if it would have succeeded otherwise."""
    verdict: Verdict = "not promised"
    text = confined.text
    if confined.achieved:
        verdict = "OPEN" if is_promised else "not promised"
    elif not free.achieved:
        text = f"could not be attacked here, without any protection it fails too: {free.text}"
    elif is_promised:
        verdict = "held"
    else:
        text = f"failed all the same: {text}"
    return Finding(confined.attack, verdict, text)
