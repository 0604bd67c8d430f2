"""What travels between the coordinator and where games are played: jobs, and what came of them.

Only values and their packing may stand here.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Literal

import msgspec

from arena.errors import ArenaError, SurroundingsError
from arena.referee.clock import Limits
from arena.referee.fault import FaultKind
from arena.referee.record import GameId, GameRecord, GameResult, PackedRecord, Void, name_of

ARENA_STALL = "arena_stall"
"""The cause of a void: nobody can say how long a bot took."""
_NUMBER_BYTES = 8
REQUEST_BYTES = _NUMBER_BYTES + 1
"""A local worker is asked to end a job by the job's number, from 1, and the kind of the ending."""
FAILED_STARTS = 3
"""So many failed starts of a bot in a row, and it is not tried again."""


class Ending(IntEnum):
    """How a job shall end before all its games are played; a greater one is more urgent."""

    FINISH = 1
    """Running games are played to their end."""
    DROP = 2
    """Running games come back unplayed, at once."""


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
    shows_program: bool = False
    """Whether a sandbox shows the folder that the program is installed in: never if the bot itself
    says which program it is."""

    @property
    def name(self) -> str:
        """The bot's name without the number of its version."""
        return name_of(self.version)


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
    """No new game is begun after this much play; starting the bots is not counted."""
    stderr_folder: str | None = None
    """Where what the bots print is kept, as ``<bot>.stderr.log``."""
    isolation: str = "none"
    """The level that every bot is started at (isolation/levels.py)."""
    pondering: str = "allow"
    """``suspend``: a bot that is not asked stands still; then one game at a time is open."""
    inspects: bool = False
    """Whether nothing is to be played, but the level to be attacked, to see that it holds here."""
    records: str = "all"
    """What is kept of a game: ``all`` or ``results``, which nobody can replay."""
    builds: bool = False
    """Whether nothing is to be played, but the command of its one bot to be run to its end, which
    may change its folder (building.py)."""

    @property
    def suspends(self) -> bool:
        """Whether a bot that is not asked stands still."""
        return self.pondering == "suspend"

    def kept(self, record: GameRecord) -> GameResult | PackedRecord:
        """Return of a game what is to come back."""
        return record.packed if self.records == "all" else record.result


class StartFault(msgspec.Struct, frozen=True):
    """A bot of a job without games could not be started; in others a game pays for it."""

    version: str
    detail: str
    got: str = ""
    """The last lines it printed."""


Verdict = Literal["held", "OPEN", "not promised"]


class Finding(msgspec.Struct, frozen=True):
    """What came of an attack on a level of isolation (inspection/attacks.py)."""

    attack: str
    verdict: Verdict
    """OPEN: it succeeded although the level promises that it cannot."""
    text: str
    """What was achieved, or why nothing was."""


class JobResult(msgspec.Struct, frozen=True, tag=True):
    """What came of a job; games of the job that are in neither list are still to be played."""

    records: tuple[GameResult | PackedRecord, ...] = ()
    voids: tuple[Void, ...] = ()
    start_faults: tuple[StartFault, ...] = ()
    play_ms: int = 0
    """From the begin of the first game to the end of the last: without the start of the bots."""
    cores: float = 0
    """How many its bots would keep busy, if they had them; 0 if that is not known."""
    lost_output: str = ""
    """Why what the bots printed could not be kept; empty if it was."""
    findings: tuple[Finding, ...] = ()
    """What came of attacks on the level, if that was the job."""
    isolation: str = ""
    """The level that was attacked: of ``auto`` the strongest that holds."""
    passed_over: str = ""
    """Why ``auto`` is not a stronger one."""
    blamed: tuple[tuple[int, FaultKind], ...] = ()
    """(Seat, what its bot may be blamed for) if a game of the job played alone is void."""


class JobFailure(msgspec.Struct, frozen=True, tag=True):
    """Why a job could not be played at all; no bot is to blame."""

    text: str
    surroundings: bool
    """Whether it is the machine's shortage, and not a mistake of the arena's."""
    trace: str


_job_decoder = msgspec.msgpack.Decoder(Job)
_result_decoder = msgspec.msgpack.Decoder(JobResult | JobFailure)


def encode(value: Job | JobResult | JobFailure) -> bytes:
    """Pack a job or its result for the way between coordinator and worker."""
    return msgspec.msgpack.encode(value)


def encode_request(number: int, ending: Ending) -> bytes:
    """Pack that the job with this number shall end."""
    return number.to_bytes(_NUMBER_BYTES) + bytes([ending])


def decode_request(raw: bytes) -> tuple[int, Ending]:
    """Unpack the number of a job, and how it shall end."""
    return int.from_bytes(raw[:_NUMBER_BYTES]), Ending(raw[_NUMBER_BYTES])


def decode_job(payload: bytes) -> Job:
    """Unpack what a worker was sent."""
    return _job_decoder.decode(payload)


def decode_result(payload: bytes) -> JobResult:
    """Unpack what `play_job` returned.

    Raises `SurroundingsError` or `ArenaError`, its trace as a note, for a job that failed.
    """
    result = _result_decoder.decode(payload)
    if isinstance(result, JobResult):
        return result
    error = (SurroundingsError if result.surroundings else ArenaError)(result.text)
    error.add_note(result.trace)
    raise error
