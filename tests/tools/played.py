"""A tournament whose results a test writes itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from arena.referee.record import Forfeit, GameId, GameRecord, Target, Void
from arena.report.standings import Standings
from arena.store.rows import Entrant, Tournament
from arena.store.store import Store
from arena.tools.rankings import current_standings
from arena.tournament.config import Config, load_config
from arena.tournament.identity import conditions

AB = ("a@1", "b@1")


class Played:
    """A tournament whose results the test writes itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in "abcd":
            (folder / f"{name}.py").touch()
        self.config = self.configure("a", "b")
        self.store = Store.open(Path(self.config.results))
        self.store.begin(
            Tournament(self.config.path, "tour", conditions(self.config), b"secret", False), ()
        )
        self.enter("a", "b")

    def configure(self, *bots: str, boards: int = 3, **keys: object) -> Config:
        text = {"boards": boards, "seed": 1, "bots": [f"{bot}.py" for bot in bots], **keys}
        (self.folder / "tour.yaml").write_text(json.dumps(text))
        self.config = load_config(self.folder / "tour.yaml")
        return self.config

    def enter(self, *bots: str, **hashes: str) -> None:
        self.store.enter(Entrant(bot, hashes.get(bot, f"hash of {bot}"), {}) for bot in bots)

    def game(self, match: tuple[str, ...], board: int, seating: int) -> GameId:
        return GameId(match, board, seating)

    def board(self, match: tuple[str, ...], board: int, *winners: str) -> None:
        """Store one game for each winner, by seating."""
        for seating, winner in enumerate(winners):
            game = GameId(match, board, seating)
            self.add(game, next(n for n, bot in enumerate(game.seats) if bot.startswith(winner)))

    def add(
        self,
        game: GameId,
        winner: int,
        *,
        fault: str | None = None,
        took: tuple[int, int, int, int] = (10, 20, 5_000, 40_000),
        **more: Any,
    ) -> None:
        """Store a game; it `took` decisions and microseconds, by seat."""
        end = Target() if fault is None else Forfeit(1 - winner, fault, "so it was")
        record = GameRecord(
            game,
            (0, 0),
            winner,
            end,
            actions=("pass",),
            times_us=(100,),
            decisions=took[:2],
            spent_us=took[2:],
            **more,
        )
        self.store.add([record])

    def void(self, game: GameId, times: int) -> None:
        self.store.add(voids=[Void(game, "arena_stall")] * times)

    def standings(self) -> Standings:
        return current_standings(self.config, self.store)
