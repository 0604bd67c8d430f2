"""All that the author of a Python bot imports."""

from arena.sdk.bot import Bot, run

__all__ = ["Bot", "run"]
