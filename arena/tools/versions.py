"""Which version of a bot a person means, and which of its games count."""

from __future__ import annotations

from collections.abc import Sequence

from arena.errors import UserError
from arena.store.reader import Reader
from arena.store.rows import BotVersion, Match
from arena.text import did_you_mean, visible
from arena.tournament.config import Config
from arena.tournament.counting import Counting, standing_stop

_MOST_NAMED = 10


def find_version(bots: Sequence[BotVersion], wanted: str) -> BotVersion:
    """Return the version, or the present (else the latest) version of that name.

    Raises `UserError`, with what there is, if there is none.
    """
    named = [bot for bot in bots if wanted.casefold() in (bot.name.casefold(), str(bot).casefold())]
    if named:
        return max(named, key=lambda bot: (bot.current, bot.number))
    names = [*dict.fromkeys(bot.name for bot in bots), *map(str, bots)]
    raise UserError(f'no bot "{visible(wanted)}" in these results; {_hint(wanted, bots, names)}')


def _hint(wanted: str, bots: Sequence[BotVersion], names: Sequence[str]) -> str:
    if (guess := did_you_mean(wanted, names)) is not None:
        return guess
    shown = ", ".join(str(bot) for bot in bots[:_MOST_NAMED])
    return f"there are {shown}" + (" and others" if len(bots) > _MOST_NAMED else "")


def counting_between(config: Config, reader: Reader, versions: Match) -> Counting:
    """Return which games count between two versions, present or not."""
    present = {str(bot) for bot in reader.bots() if bot.current}
    field = present if present.issuperset(versions) else versions
    return Counting(reader.withdrawals(), standing_stop(reader.stops(), field, config.boards))
