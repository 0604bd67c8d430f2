"""The seam between the coordinator and where games are played: what travels, and how.

Anything that is a `concurrent.futures.Executor` can run `play_job`. No zmq here: the coordinator
never opens a socket.
"""

from __future__ import annotations

from typing import Any

import msgspec

from arena.referee.clock import Limits
from arena.referee.record import GameId, GameRecord, Void

__all__ = ["BotSpec", "Job", "JobGame", "JobResult", "Limits", "StartFault"]


class BotSpec(msgspec.Struct, frozen=True):
    """All that a worker needs to start and limit one bot."""

    version: str
    """Such as ``monte@1``."""
    argv: tuple[str, ...]
    """The command line; its first word is looked up in the folder, then on PATH."""
    folder: str
    """The bot's snapshot: where its process runs."""
    limits: Limits
    params: dict[str, Any] = {}
    env: dict[str, str] = {}

    @property
    def name(self) -> str:
        """The bot's name without the number of its version."""
        return self.version.rpartition("@")[0]


class JobGame(msgspec.Struct, frozen=True):
    """One game of a job."""

    id: GameId
    board_seed: bytes
    """32 bytes; decides all cards. Never leaves the arena."""
    bot_seeds: tuple[int, ...]
    """By seat: for each bot's own dice, below 2^53."""


class Job(msgspec.Struct, frozen=True):
    """Boards of one match in one seating, for fresh bot processes; no game: only start them."""

    variant: str
    options: dict[str, Any]
    bots: tuple[BotSpec, ...]
    """By seat."""
    games: tuple[JobGame, ...]
    tables: int | None
    """Most games open at once; None: as many as the bots' speed allows (contracts, 1)."""
    budget_ms: int
    """No new game is begun after this much time."""
    stderr_folder: str | None = None
    """Where what the bots print is kept, as ``<bot>.stderr.log``."""


class StartFault(msgspec.Struct, frozen=True):
    """A bot of a job could not be started."""

    version: str
    detail: str


class JobResult(msgspec.Struct, frozen=True):
    """What came of a job; games of the job that are in neither list were not begun."""

    records: tuple[GameRecord, ...] = ()
    voids: tuple[Void, ...] = ()
    start_faults: tuple[StartFault, ...] = ()
    elapsed_ms: int = 0
