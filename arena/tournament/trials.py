"""Before the first game every bot is started once, so that all that cannot be are named at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait

from arena.runtime.executor import BotSpec, StartFault, WorkerLostError, decode_result

_LOOK_S = 0.1
"""How often a request to stop is looked for."""


def try_starts(
    specs: Iterable[BotSpec],
    start: Callable[[BotSpec], Future[bytes]],
    *,
    lost: Callable[[str], None],
    is_stopping: Callable[[], bool],
) -> tuple[StartFault, ...] | None:
    """Start each bot once and return the faults of those that cannot be started, in their order.

    None: it was asked to stop before all were started. `lost` is told when a worker died with a
    trial, which is then repeated; it may raise to end that.
    """
    trials = {start(spec): spec for spec in specs}
    order = [spec.version for spec in trials.values()]
    faults: dict[str, StartFault] = {}
    while trials and not is_stopping():
        for future in some_done(trials):
            spec = trials.pop(future)
            try:
                result = decode_result(future.result())
            except WorkerLostError as error:
                lost(f"{error}; {spec.name} is started again")
                trials[start(spec)] = spec
            else:
                faults |= {fault.version: fault for fault in result.start_faults}
    if trials:
        return None
    return tuple(faults[version] for version in order if version in faults)


def some_done(futures: Iterable[Future[bytes]]) -> list[Future[bytes]]:
    """Wait for one of `futures`, but not so long that a request to stop goes unheard.

    Those that are done come in the order in which they were given out.
    """
    done = wait(futures, timeout=_LOOK_S, return_when=FIRST_COMPLETED).done
    return [future for future in futures if future in done]
