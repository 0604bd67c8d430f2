"""Behind `arena export --reveal`: publishing a drawn secret, which ends a tournament for good."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from arena.store.reader import Reader
from arena.store.store import Store
from arena.text import count
from arena.tools.counted import count_games
from arena.tournament.config import Config
from arena.tournament.entering import known_tournament


def reveal(config: Config, bots: Iterable[str], may_end: Callable[[str], None]) -> bool:
    """Close a tournament whose secret was drawn, so that its export tells the secret.

    `bots` are the names in the config now. `may_end` is told what can never be played then, if
    there is anything; it raises if that must not end here. Return whether the tournament was
    closed just now: one whose secret is known already stays as it is. Raises `UserError` without
    results, `SurroundingsError` during a run.
    """
    folder = Path(config.results)
    with Reader.open(folder) as reader:
        if known_tournament(config, reader).public_secret is not None:
            return False
    with Store.open(folder, "change") as store:
        totals = count_games(store, config.boards)
        if not totals.complete:
            may_end(f"{count(totals.scheduled - totals.settled, 'game')} left to play")
        elif waiting := set(bots) - {bot.name for bot in store.bots() if bot.current}:
            may_end(f"bots that have not played yet ({', '.join(sorted(waiting))})")
        store.reveal()
    return True
