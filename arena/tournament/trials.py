"""What is tried before the first game: whether the level of isolation holds, and every bot starts.

All bots that cannot be started are named at once.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager

import msgspec

from arena.errors import ArenaError, SurroundingsError
from arena.runtime.executor import (
    BotSpec,
    Finding,
    Job,
    LocalExecutor,
    StartFault,
    WorkerLostError,
    decode_result,
    encode,
    play_job,
)
from arena.tournament.config import Config

_LOOK_S = 0.2
"""How often a request to stop is looked for."""
_MOST_LOSSES = 3
"""So many workers that died while one bot was started, and it is the bot's doing."""
_INSPECTION_MS = 1_000
"""What a job must say; an inspection takes its own time."""
_ALL_DIE = "workers die as soon as they begin; the system's log may say what kills them"


class Inspection(msgspec.Struct, frozen=True):
    """What came of attacks on the level that bots are to run at."""

    isolation: str
    """The level: of ``auto`` the strongest that holds."""
    findings: tuple[Finding, ...]
    passed_over: str = ""
    """Why it is not a stronger one, of ``auto``."""

    @property
    def digest(self) -> str:
        """SHA-256 of the level and of what held and what did not, lower-case hex."""
        verdicts = sorted((finding.attack, finding.verdict) for finding in self.findings)
        return hashlib.sha256(msgspec.json.encode([self.isolation, verdicts])).hexdigest()

    @property
    def held(self) -> int:
        """The number of attacks that the level withstood as it promises."""
        return sum(finding.verdict == "held" for finding in self.findings)

    def require_kept(self) -> None:
        """Raise `SurroundingsError` if the level does not keep what it promises here."""
        opened = [finding for finding in self.findings if finding.verdict == "OPEN"]
        if opened:
            lines = "".join(f"\n    {finding.attack}: {finding.text}" for finding in opened)
            raise SurroundingsError(
                f"isolation {self.isolation} does not hold on this machine:{lines}\n"
                "  arena doctor says more; choose another level (isolation: auto takes the"
                " strongest that holds)"
            )


@contextmanager
def one_worker() -> Iterator[LocalExecutor]:
    """Yield a worker for trials outside of a run; it is killed if something is raised meanwhile."""
    with LocalExecutor(1) as executor:
        try:
            yield executor
        except BaseException:
            executor.kill()
            raise


def level_of(config: Config, executor: LocalExecutor) -> str:
    """Return the level of isolation that a config wants; of ``auto`` the strongest that holds here.

    A stranger's bot must not find less in its way outside of a run than in one. Raises
    `SurroundingsError` if the level is not to be had, or does not keep what it promises.
    """
    wanted = config.isolation
    if wanted == "none":  # promises nothing that a bot could get around
        return wanted
    job = Job(config.variant, {}, (), (), 1, _INSPECTION_MS, isolation=wanted, inspects=True)
    found = decode_result(executor.submit(play_job, encode(job)).result())
    Inspection(found.isolation, found.findings).require_kept()
    return found.isolation


def inspect(
    start: Callable[[], Future[bytes]],
    *,
    lost: Callable[[str], None],
    is_stopping: Callable[[], bool],
) -> Inspection | None:
    """Let the level be attacked where bots are to run; None: it was asked to stop before.

    `lost` is told when a worker died meanwhile. Raises `SurroundingsError` if the level is not to
    be had there, `ArenaError` if workers die again and again.
    """
    future, losses = start(), 0
    while not is_stopping():
        for done in some_done([future]):
            try:
                result = decode_result(done.result())
            except WorkerLostError as error:
                losses += 1
                if losses == _MOST_LOSSES:
                    raise ArenaError(_ALL_DIE) from error
                lost(f"{error}; the level is looked at again")
                future = start()
            else:
                return Inspection(result.isolation, result.findings, result.passed_over)
    return None


def try_starts(
    specs: Iterable[BotSpec],
    start: Callable[[BotSpec], Future[bytes]],
    *,
    lost: Callable[[str], None],
    is_stopping: Callable[[], bool],
) -> tuple[StartFault, ...] | None:
    """Start each bot once and return the faults of those that cannot be started, in their order.

    None: it was asked to stop before all were started. A trial whose worker died is repeated, as
    it may have been the machine; a bot whose workers always die cannot be started. `lost` is told.
    Raises `ArenaError` if that is so with every bot.
    """
    trials = {start(spec): spec for spec in specs}
    order = [spec.version for spec in trials.values()]
    losses: Counter[str] = Counter()
    faults: dict[str, StartFault] = {}
    while trials and not is_stopping():
        for future in some_done(trials):
            spec = trials.pop(future)
            try:
                result = decode_result(future.result())
            except WorkerLostError as error:
                losses[spec.version] += 1
                if losses[spec.version] == _MOST_LOSSES:
                    detail = f"its worker died {_MOST_LOSSES} times while it was started"
                    faults[spec.version] = StartFault(spec.version, detail)
                else:
                    lost(f"{error}; {spec.name} is started again")
                    trials[start(spec)] = spec
            else:
                faults |= {fault.version: fault for fault in result.start_faults}
    if trials:
        return None
    if order and all(losses[version] == _MOST_LOSSES for version in order):
        raise ArenaError(_ALL_DIE)
    return tuple(faults[version] for version in order if version in faults)


def some_done(futures: Iterable[Future[bytes]]) -> list[Future[bytes]]:
    """Wait for one of `futures`, but not so long that a request to stop goes unheard.

    Those that are done come in the order in which they were given out.
    """
    done = wait(futures, timeout=_LOOK_S, return_when=FIRST_COMPLETED).done
    return [future for future in futures if future in done]
