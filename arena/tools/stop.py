"""Behind `arena stop`: asking the run of a tournament to end, and waiting until it has.

A run ends when it is signalled, as by Ctrl-C. No other process may ever get that signal: who holds
the lock is asked of the system, and which tournament it is of the results.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from arena.errors import SurroundingsError
from arena.store.files import explained
from arena.store.lock import Holder, holder
from arena.store.reader import Reader
from arena.store.store import LOCK_NAME
from arena.tools.counted import Totals, count_games
from arena.tools.results import check_owner, stored_tournament
from arena.tournament.config import Config

_LOOK_S = 0.1
_LOOKS_BEFORE_TELLING = 50
_GRACE_S = 10.0
"""How much longer than `run.finish` a run may take to end."""
_MS_PER_S = 1_000

Tell = Callable[[str, float], None]
"""Takes in who is waited for, such as ``pid 4711``, and how many seconds more at most."""


def stop(config: Config, *, now: bool, tell: Tell) -> bool:
    """Ask the run of a tournament to end and wait until it has; False if there is none.

    It plays its running games to their end first, unless it is to end `now`. `tell` is called at
    once and every few seconds. Raises `UserError` if the run is another config's,
    `SurroundingsError` if it cannot be asked or does not end in time.
    """
    lock = Path(config.results) / LOCK_NAME
    most_s = _GRACE_S + (0 if now else config.run.finish_ms / _MS_PER_S)
    with explained(lock):
        first = holder(lock)
        if first is None:
            return False
        request = _Request(config, lock, now=now)
        for look in range(round(most_s / _LOOK_S)):
            held = holder(lock)
            if held is None or held.place != first.place:
                return True
            request.make(held)
            if look % _LOOKS_BEFORE_TELLING == 0:
                tell(held.place, most_s - look * _LOOK_S)
            time.sleep(_LOOK_S)
    raise _endless(config, first, most_s, now=now)


def totals_now(config: Config) -> Totals | None:
    """Count the games of a tournament; None if it has none yet."""
    folder = Path(config.results)
    if stored_tournament(folder, still=False) is None:
        return None
    with Reader.peek(folder, still=False) as reader:
        return count_games(reader, config.boards)


class _Request:
    """Sees to it that a run is signalled once, or if it is to end now, once more after that.

    The run says in its lock that it has understood. So a request that is repeated, by whomever,
    does not become a request to end at once, and two signals do not become one on their way.
    """

    def __init__(self, config: Config, lock: Path, *, now: bool) -> None:
        self._config = config
        self._lock = lock
        self._due = {"run", "stopping"} if now else {"run"}

    def make(self, held: Holder) -> None:
        """Signal the run if what it is doing is a reason to."""
        if held.pid is None:
            text = f"{self._config.name} is held by {held.place}, which is out of reach from here"
            raise SurroundingsError(f"{text}; stop it where it was started")
        if held.doing not in ("run", "stopping"):
            raise SurroundingsError(held.refusal)
        check_owner(self._config, still=False)
        stored = stored_tournament(Path(self._config.results), still=False)
        if held.doing in self._due and stored is not None and _signal(self._lock, held, held.pid):
            self._due.remove(held.doing)


def _signal(lock: Path, held: Holder, pid: int) -> bool:
    """Signal a process if it still holds the lock; return whether it was."""
    with suppress(ProcessLookupError), _reached(pid) as send:
        if holder(lock) == held:  # else its number may be another's by now
            try:
                send(signal.SIGTERM)
            except PermissionError as error:
                text = f"{held.place} belongs to another user"
                raise SurroundingsError(f"{text}; run this command as that user") from error
            return True
    return False


@contextmanager
def _reached(pid: int) -> Iterator[Callable[[int], None]]:
    """Hold on to a process, so that it and no later one of its number gets a signal.

    Where the system does not offer that, the number must do.
    """
    if sys.platform != "linux":
        yield partial(os.kill, pid)
        return
    try:
        process = os.pidfd_open(pid)
    except OSError:  # the kernel is too old, or nobody has the number any more
        yield partial(os.kill, pid)
        return
    try:
        yield partial(signal.pidfd_send_signal, process)
    finally:
        os.close(process)


def _endless(config: Config, held: Holder, waited_s: float, *, now: bool) -> SurroundingsError:
    text = f"{config.name} is still being run ({held.place}), {waited_s:g} s after it was asked"
    advice = "add --now to drop its running games"
    if now:
        advice = f"`kill -9 {held.pid}` ends it; what is stored is not lost"
    return SurroundingsError(f"{text}; {advice}")
