"""A running game on the wire: a referee, and where each seat's bot hears of it.

What may live here: the translation between a referee's events and effects and a link's messages.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.protocol.messages import Decide, GameEnd, GameStart, WireFault, WireLimits
from arena.referee.events import Ask, Inform
from arena.referee.referee import Referee
from arena.rules.base import Rules
from arena.runtime.job import JobGame
from arena.runtime.link import BotLink
from arena.runtime.peer import Peer


class Table:
    """One game of a job, from its first decision to its end."""

    def __init__(
        self,
        game: JobGame,
        place: int,
        rules: Rules,
        peers: Sequence[Peer],
        *,
        begun_lag_ns: int = 0,
    ) -> None:
        """Set the table up; nothing is sent before the first decision."""
        self.begun_lag_ns = begun_lag_ns
        """By how much the arena had been late when the game began."""
        self.place = place
        """Of the game in its job, which is in schedule order."""
        limits = [peer.spec.limits for peer in peers]
        self.referee = Referee(game.id, rules, game.board_seed, limits)
        self.asking: Ask | None = None
        """The decision that is open or waits to be sent."""
        self._game = game
        self._rules = rules
        self._peers = peers
        self._places: list[tuple[BotLink, int] | None] = [None] * len(peers)

    def post(self, ask: Ask) -> int:
        """Queue a decision at its bot; return the number that the table has there.

        A process that does not know the game yet, because it is fresh, is told it first.
        """
        self.asking = ask
        link = self._peers[ask.seat].link
        place = self._places[ask.seat]
        known = place is not None and place[0] is link
        number = place[1] if place and known else self._introduce(ask.seat, link)
        link.ask(Decide(number, ask.seq, ask.legal, ask.budget_ms, ask.view))
        return number

    def _introduce(self, seat: int, link: BotLink) -> int:
        """Tell a process of the game; return the number it has there."""
        number = link.open_table()
        self._places[seat] = (link, number)
        limits = self._peers[seat].spec.limits
        link.tell(
            GameStart(
                number,
                self._rules.name,
                self._rules.options,
                seat,
                WireLimits(limits.move_ms, limits.game_ms),
                self._game.bot_seeds[seat],
            )
        )
        return number

    def inform(self, end: Inform) -> None:
        """Tell each bot that knows the game how it ended."""
        for seat, place in enumerate(self._places):
            if place is not None and place[0] is self._peers[seat].link:
                place[0].tell(game_end(place[1], seat, end))


def game_end(number: int, seat: int, end: Inform) -> GameEnd:
    """Return what the bot on `seat` is told at the end of the game that is its table `number`."""
    if end.winner is None:
        return GameEnd(number, end.points, None, "void", None)
    if end.fault is None or end.fault_seat is None:
        return GameEnd(number, end.points, end.winner, "played", None)
    detail = end.fault.detail if seat == end.fault_seat else None
    fault = WireFault(end.fault_seat, end.fault.kind, detail)
    return GameEnd(number, end.points, end.winner, "forfeit", fault)
