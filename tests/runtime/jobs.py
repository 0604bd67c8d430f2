"""Jobs for the tests: short games between bots that are single files."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from processes import MARK

from arena.referee.record import Forfeit, GameId, GameRecord, PackedRecord
from arena.runtime.executor import BotSpec, Job, JobGame, JobResult, Limits

ROOT = Path(__file__).parents[2]
HOSTILE = ROOT / "tests/hostile"
HEALTHY = ROOT / "bots/random_bot.py"
SHORT = {"target_score": 1}
PATIENT = Limits(move_ms=30_000, game_ms=None, start_ms=60_000)
"""No bot that tries is late, however busy the machine is."""


def bot(
    version: str,
    file: Path = HEALTHY,
    *,
    mark: str = "",
    limits: Limits = PATIENT,
    env: dict[str, str] | None = None,
) -> BotSpec:
    argv = (sys.executable, "-u", file.name)
    return BotSpec(version, argv, str(file.parent), limits, env={MARK: mark, **(env or {})})


def games(count: int) -> tuple[JobGame, ...]:
    """Games whose bot seeds are their own number, so that a bot may know which one it plays."""
    return tuple(
        JobGame(GameId(("a@1", "b@1"), n, 0), sha256(b"%d" % n).digest(), (n, n))
        for n in range(count)
    )


def job(
    bots: Sequence[BotSpec],
    count: int,
    *,
    tables: int | None = 1,
    budget_ms: int = 600_000,
    logs: Path | None = None,
    options: dict[str, Any] | None = None,
) -> Job:
    return Job(
        variant="two_handed",
        options=SHORT if options is None else options,
        bots=tuple(bots),
        games=games(count),
        tables=tables,
        budget_ms=budget_ms,
        stderr_folder=str(logs) if logs else None,
    )


def records(result: JobResult) -> list[GameRecord]:
    """All games of a job, unpacked."""
    return [one.record for one in result.records if isinstance(one, PackedRecord)]


def by_board(result: JobResult) -> dict[int, GameRecord]:
    found = {record.id.board: record for record in records(result)}
    assert len(found) == len(result.records), "a game was played twice"
    return found


def timeless(records: Mapping[int, GameRecord]) -> dict[int, GameRecord]:
    """Return all of some records but the times and the number of tables that were open."""
    none = {"times_us": (), "spent_us": (), "tables": 0, "cpu_us": (), "lag_us": 0}
    return {board: msgspec.structs.replace(one, **none) for board, one in records.items()}


def forfeits(result: JobResult) -> dict[int, Forfeit]:
    """Return the forfeits by board."""
    ends = {board: record.end for board, record in by_board(result).items()}
    return {board: end for board, end in ends.items() if isinstance(end, Forfeit)}
