"""The levels of isolation (configs/README.md says what each gives and does not give).

A level is a tuple of protections, each of which is some words of the launcher chain; the doctor
attacks each of them, and its tests take them away one by one.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec
from msgspec.structs import replace

from arena.errors import SurroundingsError
from arena.runtime.isolation import calls, confined, sandbox, trees, users
from arena.runtime.isolation.cell import Cell

LEVELS = ("none", "process", "sandbox")
"""From the weakest to the strongest."""
OF_AUTO = ("sandbox", "process")
"""What `auto` may be, the best first: never a level that protects from nothing."""

_EVERYWHERE = ("environment", "memory", "file size", "open files", "core dumps")
_ON_LINUX = ("privileges", "death")
_OF_OTHER_USERS = ("user", "processes")
_OF_SANDBOXES = (
    *("processes apart", "network", "shared memory", "host name"),
    *("files", "read-only", "memory for files"),
)


class Isolation(msgspec.Struct, frozen=True):
    """One level, as it can be had on this machine."""

    name: str
    protections: tuple[str, ...]
    bubblewrap: str | None = None
    """The program that makes sandboxes, at the level that needs it."""

    def without(self, protection: str) -> Isolation:
        """Return the level with one protection less, to see that this would be noticed."""
        left = tuple(one for one in self.protections if one != protection)
        return replace(self, protections=left)

    @property
    def is_sandbox(self) -> bool:
        """Whether a bot is put where it sees next to nothing."""
        return self.bubblewrap is not None

    def user_of(self, worker: int, seat: int) -> int | None:
        """Return the user that a bot is to be; None: the one that runs the arena."""
        return users.user_of(worker, seat) if "user" in self.protections else None

    def home(self, cell: Cell) -> str:
        """Return the path of a bot's home as the bot sees it."""
        return cell.home if self.bubblewrap is None else sandbox.HOME

    def endpoint(self, cell: Cell) -> str:
        """Return the address of the arena as the bot sees it."""
        return f"ipc://{cell.endpoint if self.bubblewrap is None else sandbox.ENDPOINT}"

    def admit(self, cell: Cell) -> None:
        """Give a bot's user what the arena has made for it: its home and its endpoint.

        A sandbox gets its filter of calls, so this comes before the chain is used.
        It may also go through the folders that lead there from the private one, but not look into
        them; nothing above is touched.
        """
        if self.is_sandbox:
            sandbox.filter_path(cell).write_bytes(calls.call_filter(self.protections))
        if cell.user is not None:
            for path in (Path(cell.home), Path(cell.endpoint)):
                os.chown(path, cell.user, cell.user)
                path.chmod(0o700)
            for folder in Path(cell.home).parents:
                if folder.is_relative_to(cell.private):
                    folder.chmod(0o711)
            for path in _changed(cell):
                os.chown(path, cell.user, cell.user)

    def shows_program(self, cell: Cell) -> bool:
        """Whether a bot can see its program; what it may only see if others say so it cannot."""
        return not self.is_sandbox or trees.shows(cell)

    def chain(self, cell: Cell) -> tuple[str, ...]:
        """Return the words that go before a bot's command line.

        Raises `SurroundingsError` if a user of its own could not reach what it needs.
        """
        outer = sandbox.words(self.bubblewrap, cell, self.protections) if self.bubblewrap else ()
        limits = confined.limits(cell, self.protections, processes=self._most_processes(cell))
        inner = confined.words(
            limits,
            user=cell.user,
            reads_all=not self.is_sandbox and cell.user is not None and _must_read_all(cell),
            no_new_privileges="privileges" in self.protections,
            dies_with_parent="death" in self.protections and not self.is_sandbox,
        )
        confining, own = (*outer, *inner), confined.variables(cell)
        if "environment" not in self.protections:
            return (*own, *confining)
        return (*confining, *own)

    def _most_processes(self, cell: Cell) -> int | None:
        """Return how many processes its user may have; one in a sandbox is the sandbox's own."""
        if cell.user is not None:
            return cell.limits.processes
        return cell.limits.processes + 1 if self.is_sandbox else None


def isolation(name: str) -> Isolation:
    """Return the level `name`; raises `SurroundingsError` if it is not to be had here."""
    if name == "none":
        return Isolation(name, ("environment", *_on_linux("death")))
    others = _OF_OTHER_USERS if users.can_be_others() else ()
    if name == "process":
        return Isolation(name, (*_EVERYWHERE, *_on_linux(*_ON_LINUX), *others))
    if name == "sandbox":
        return _sandbox(others)
    raise SurroundingsError(f"there is no isolation level {name!r}")


def _sandbox(others: tuple[str, ...]) -> Isolation:
    bubblewrap = trees.bubblewrap()
    if bubblewrap is None:
        where = "install the package bubblewrap" if sys.platform == "linux" else "it is for Linux"
        raise SurroundingsError(
            f"isolation sandbox is not to be had here: there is no bwrap; {where}, or choose"
            " isolation: process"
        )
    own = (*(others or ("processes",)), *(calls.PROTECTIONS if calls.can_be_filtered() else ()))
    # No privileges can be gained under bubblewrap, which cannot be told otherwise.
    return Isolation("sandbox", (*_EVERYWHERE, "death", *own, *_OF_SANDBOXES), bubblewrap)


def _changed(cell: Cell) -> list[Path]:
    """Return the files that a cell's program may change beside its own."""
    snapshot = Path(cell.snapshot)
    return [snapshot, *snapshot.rglob("*")] if cell.writes else []


def _on_linux(*protections: str) -> tuple[str, ...]:
    return protections if sys.platform == "linux" else ()


def _must_read_all(cell: Cell) -> bool:
    """Whether a bot that is another user needs help to read its program and reach its endpoint.

    Files are not protected at the level process anyway.
    """
    needed = [*trees.of_program(cell), *trees.languages()]
    program = (cell.program,) if cell.shows_program else ()
    own = list(dict.fromkeys([*program, cell.snapshot, *map(str, needed)]))
    if users.is_open_to_all(own) and users.can_be_reached(cell.endpoint):
        return False
    if users.can_read_all() and confined.has_tools():
        return True
    raise SurroundingsError(
        "bots have users of their own at isolation process, and these cannot read the arena or the"
        f" bots: let others enter and read {', '.join(own)} (chmod o+rX), put them where all can"
        " read, or run arena as an ordinary user"
    )
