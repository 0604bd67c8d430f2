"""What a bot takes, beside its limits. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arena.referee.clock import Limits
from arena.runtime.asking import Answer
from arena.tools.check.conversation import Said
from arena.tools.check.findings import CheckName, Times

_NEAR_TIME, _NEAR_MEMORY = 0.5, 0.8
_FAR_FROM_LIMIT = 0.25
"""Of the move limit, what a frame of several decisions may be expected to take."""
_OF_GAME = 60
"""Decisions of one bot in a game to 10 points, about."""
_MB = 1_000_000
_US_PER_MS = 1_000


def times(said: Iterable[Said]) -> Times | None:
    """Return how long answers took that were asked one by one; None if there were none."""
    taken = sorted(one.answer.elapsed_us for one in said if isinstance(one.answer, Answer))
    if not taken:
        return None
    mean_us = sum(taken) // len(taken)
    return Times(mean_us, taken[len(taken) // 2], taken[len(taken) * 99 // 100], taken[-1])


def most_tables(measured: Times | None, limits: Limits) -> int:
    """Return how many decisions a frame may have so that its limit does not matter."""
    usual_us = 1 if measured is None else max(1, measured.p50_us)
    return int(limits.move_ms * _US_PER_MS * _FAR_FROM_LIMIT / usual_us)


def show_times(measured: Times, limits: Limits) -> str:
    """Say how long it takes."""
    named = {"p50": measured.p50_us, "p99": measured.p99_us, "max": measured.max_us}
    shown = "  ".join(f"{name} {_ms(value)}" for name, value in named.items())
    return f"{shown}   (limit {limits.move_ms} ms)"


def show_memory(memory_bytes: int, limits: Limits) -> str:
    """Say how much it takes."""
    return f"{memory_bytes / _MB:.0f} MB   (limit {limits.memory_bytes / _MB:.0f} MB)"


def near_limits(
    measured: Times | None, memory_bytes: int, limits: Limits
) -> Iterator[tuple[CheckName, str, str, str]]:
    """Yield (check, code, what is expected, what came) of each limit that is near."""
    if measured is not None and measured.p99_us > _NEAR_TIME * limits.move_ms * _US_PER_MS:
        expected = f"p99 at most {_NEAR_TIME * limits.move_ms:.0f} ms"
        yield "time", "A206", expected, f"p99 {_ms(measured.p99_us)}"
    bank_ms = limits.game_ms
    if measured is not None and bank_ms is not None and _of_game_ms(measured) > bank_ms:
        expected = f"mean at most {bank_ms / _OF_GAME:.0f} ms: a game has {bank_ms} ms for all"
        yield "time", "A208", expected, f"mean {_ms(measured.mean_us)}"
    if memory_bytes > _NEAR_MEMORY * limits.memory_bytes:
        expected = f"at most {_NEAR_MEMORY * limits.memory_bytes / _MB:.0f} MB"
        yield "memory", "A207", expected, f"{memory_bytes / _MB:.0f} MB"


def _of_game_ms(measured: Times) -> float:
    return measured.mean_us * _OF_GAME / _US_PER_MS


def _ms(us: int) -> str:
    return f"{us / _US_PER_MS:.3g} ms" if us < 100 * _US_PER_MS else f"{us / _US_PER_MS:.0f} ms"
