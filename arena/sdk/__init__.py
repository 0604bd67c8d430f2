"""All that the author of a Python bot imports."""

from arena.cards import pack
from arena.protocol.messages import GameEnd, GameStart
from arena.rules.euchre import View
from arena.sdk.bot import Bot, run

__all__ = ["Bot", "GameEnd", "GameStart", "View", "pack", "run"]
