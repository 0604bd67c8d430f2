"""Faults that look alike, put together."""

from __future__ import annotations

import re
from collections import Counter

from msgspec.structs import replace

from arena.referee.record import Forfeit, GameRecord, GameResult
from arena.report.why import FaultGroup
from arena.text import visible
from arena.tools.why.games import ReplayCommand

_LEGAL = re.compile(r"; legal: .*")
_NUMBER = re.compile(r"\d+")
_ARGUMENT = re.compile(r"'(\w+):\w+'")
_PLACE = re.compile(r"\([^()]*, line \d+[^()]*\)$")
_TOLD_BY_OUTPUT = ("crash", "no_start")

Look = tuple[str, ...]
"""What faults that look alike have in common: kind, sort of mistake, place in the bot's code."""


class FaultGroups:
    """Takes games one by one and counts the faults of a bot version."""

    def __init__(self, version: str, replay_command: ReplayCommand) -> None:
        """No fault is known yet."""
        self._version = version
        self._replay_command = replay_command
        self._first: dict[Look, FaultGroup] = {}
        self._counts: Counter[Look] = Counter()

    def take(self, game: GameResult) -> None:
        """Count a game if the version has lost it by a fault."""
        end = game.end
        if isinstance(end, Forfeit) and game.id.seats[end.seat] == self._version:
            look = look_of(end)
            self._counts[look] += 1
            if look not in self._first:
                self._first[look] = self._group(game, end)

    def _group(self, game: GameResult, end: Forfeit) -> FaultGroup:
        got = "\n".join(map(visible, end.got.strip().split("\n"))) or None
        broken_off = len(game.margins)
        replay = None
        if isinstance(game, GameRecord):
            replay = self._replay_command(str(game.id), broken_off)
        return FaultGroup(end.fault, 0, str(game.id), visible(end.detail), got, replay)

    def groups(self) -> tuple[FaultGroup, ...]:
        """Return all, the most frequent first."""
        return tuple(
            replace(self._first[look], count=number) for look, number in self._counts.most_common()
        )


def look_of(end: Forfeit) -> Look:
    """Return what a fault has in common with those that look alike.

    Which decision it was, which card, and which value was wrong, makes no difference.
    """
    detail = _NUMBER.sub("#", _ARGUMENT.sub(r"'\1'", _LEGAL.sub("", end.detail)))
    if end.fault not in _TOLD_BY_OUTPUT:
        return end.fault, detail
    last = end.got.strip().split("\n")[-1]
    place = _PLACE.search(last)
    return end.fault, detail, last.partition(":")[0], "" if place is None else place[0]
