"""Whether a bot ends when it should: at the farewell, and when the arena has gone without one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from arena.runtime.asking import AskedBot
from arena.runtime.job import BotSpec
from arena.runtime.process import CannotRunError, resolved

TO_LEAVE_S = 2
"""After `bye`. A tournament waits for less, but a busy machine is not to be blamed on the bot."""
TO_NOTICE_S = 8
"""After the arena has gone; the SDK looks every second."""
_NS_PER_S = 1_000_000_000
_LOOK_S = 0.05
_ONLY_STDOUT = ("/bin/sh", "-c", 'exec "$@" 2>/dev/null', "sh")
_AS_A_CHILD = ("/bin/sh", "-c", '"$@" & wait', "sh")


def with_only_stdout(spec: BotSpec) -> BotSpec:
    """Return the same bot, of which only what it prints to stdout is kept."""
    return _in_a_shell(spec, _ONLY_STDOUT)


def as_a_child(spec: BotSpec) -> BotSpec:
    """Return the same bot, whose parent is not the arena and can end before it."""
    return _in_a_shell(spec, _AS_A_CHILD)


def _in_a_shell(spec: BotSpec, shell: Sequence[str]) -> BotSpec:
    argv: Sequence[str] = spec.argv
    with suppress(CannotRunError):  # then it cannot be started anyhow
        argv = resolved(spec.argv, Path(spec.folder), spec.env.get("PATH"))
    return replace(spec, argv=(*shell, *argv))


def leaves(bot: AskedBot) -> bool:
    """Say farewell; return whether it ends."""
    return bot.leaves(TO_LEAVE_S * _NS_PER_S)


class Forsaken:
    """A bot (`as_a_child`) that the arena has left without a farewell."""

    def __init__(self, bot: AskedBot) -> None:
        """Start it, and be gone."""
        self._bot = bot
        self.was_there = bot.start() is None
        """Whether it could be started at all."""
        self._end = time.monotonic() + TO_NOTICE_S
        if self.was_there:
            bot.vanish()

    def lives_on(self) -> bool:
        """Whether it is still there after `TO_NOTICE_S`; waits for its end no longer than that."""
        while self._bot.has_survivors():
            if time.monotonic() > self._end:
                return True
            time.sleep(_LOOK_S)
        return False
