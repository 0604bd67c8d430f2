"""What a bot loses by its decisions: the same cards in the other bot's hands.

Deal k of the two games of a board is the same deal with the bots exchanged, if the same seat deals
it. As long as both games go the same way, whoever is to act has the same before it, but for the
points of the game and how many deals before were thrown in: a dealer may be stuck in one of them
only. The first decision that differs is the bot's in one of the games and the other's in the other,
in the same seat with the same hand: from there on they are two deals. If the two might not do the
same there, it tells nothing of them, and only the points are counted.
"""

from __future__ import annotations

from collections import Counter
from heapq import heappush, heappushpop
from typing import NamedTuple

import msgspec

from arena.referee.record import name_of
from arena.report.why import CostlyDeal, Decision, Situation
from arena.report.words import load
from arena.rules.base import Rules, State
from arena.text import visible
from arena.tools.why.games import PairedDeal, PairedGames, PlayedDeal, ReplayCommand


class _Parting(NamedTuple):
    """Where two plays of a deal part."""

    seat: int
    states: tuple[State, State]
    """By game: before the decision."""
    actions: tuple[str, str]
    """By game: what was decided."""

    @property
    def is_fair(self) -> bool:
        """Whether both might do the same."""
        return self.states[0].legal() == self.states[1].legal()


class _Costly(msgspec.Struct, frozen=True):
    """A deal in which the bot lost points."""

    lost: int
    games: PairedGames
    deal: PairedDeal
    parting: _Parting | None
    mine: int
    """The game in which the bot had the seat that decided otherwise first; or seat 0."""


class Pairs:
    """Takes the games of whole boards and adds up what a bot version lost in which situation."""

    def __init__(self, version: str, rules: Rules, most: int) -> None:
        """Keep at `most` so many costly deals."""
        self._version = version
        self._rules = rules
        self._words = load(rules.name)
        self._most = most
        self._deals: Counter[str] = Counter()
        self._ahead: Counter[str] = Counter()
        self._costliest: list[tuple[int, int, int, _Costly]] = []
        self.paired = 0
        """Deals that could be compared."""
        self.ahead = 0
        """Points of the bot minus those of the others in them."""
        self.alike = 0
        """How many of them were played alike."""
        self.unlike = 0
        """How many parted where the two bots might not do the same."""

    def take(self, games: PairedGames) -> None:
        """Add the deals of a board."""
        played = games.played(self._rules)
        for deal in games.deals():
            self.paired += 1
            parting = None
            if played is not None:
                parting = _parting(played[0][deal.number], played[1][deal.number])
            self._add(games, deal, parting, is_known=played is not None)

    def _add(
        self, games: PairedGames, deal: PairedDeal, parting: _Parting | None, *, is_known: bool
    ) -> None:
        seat = 0 if parting is None else parting.seat
        mine = next(n for n, game in enumerate(games.games) if game.id.seats[seat] == self._version)
        margins = tuple(margin if seat == 0 else -margin for margin in deal.margins)
        ahead = margins[mine] - margins[1 - mine]
        self.ahead += ahead
        if parting is not None and not parting.is_fair:
            self.unlike += 1
            return
        if parting is not None:
            situation = self._words.situation(parting.states[mine].view(seat))
            self._deals[situation] += 1
            self._ahead[situation] += ahead
        elif is_known:
            self.alike += 1
        if ahead < 0:
            self._keep(_Costly(-ahead, games, deal, parting, mine))

    def _keep(self, costly: _Costly) -> None:
        """Keep the costliest; of equal ones those of the first boards, whoever the other was."""
        entry = (costly.lost, -costly.games.first.id.board, -self.paired, costly)
        if len(self._costliest) < self._most:
            heappush(self._costliest, entry)
        elif self._most:
            heappushpop(self._costliest, entry)

    def situations(self) -> tuple[Situation, ...]:
        """Return what each kind of decision has cost, the costliest first."""
        costliest = sorted(self._deals, key=lambda one: (self._ahead[one], one))
        return tuple(Situation(one, self._deals[one], self._ahead[one]) for one in costliest)

    def costliest(self, replay_command: ReplayCommand) -> tuple[CostlyDeal, ...]:
        """Return the costliest deals."""
        kept = sorted(self._costliest, key=lambda entry: entry[:3], reverse=True)
        return tuple(self._told(costly, replay_command) for *_, costly in kept)

    def _told(self, costly: _Costly, replay_command: ReplayCommand) -> CostlyDeal:
        deal, mine = costly.deal, costly.mine
        seat = 0 if costly.parting is None else costly.parting.seat
        margins = tuple(margin if seat == 0 else -margin for margin in deal.margins)
        own, other = costly.games.games[mine], costly.games.games[1 - mine]
        decision = None
        if costly.parting is not None:
            names = tuple(visible(name_of(version)) for version in own.id.seats)
            replay = replay_command(str(own.id), deal.number)
            decision = self._decision(costly.parting, mine, names, replay)
        return CostlyDeal(
            other=other.id.seats[seat],
            lost=costly.lost,
            board=own.id.board,
            deal=deal.number,
            dealer=deal.dealer,
            seat=seat,
            game=str(own.id),
            other_game=str(other.id),
            points=margins[mine],
            other_points=margins[1 - mine],
            decision=decision,
        )

    def _decision(
        self, parting: _Parting, mine: int, names: tuple[str, ...], replay: str
    ) -> Decision:
        words, seat = self._words, parting.seat
        own, other = (parting.states[n].view(seat) for n in (mine, 1 - mine))
        action, other_action = parting.actions[mine], parting.actions[1 - mine]
        return Decision(
            situation=words.situation(own),
            head=words.head(own, names),
            sees=words.sees(own, names),
            action=action,
            told=words.told(own, action, names[seat]),
            other_action=other_action,
            other_told=words.told(other, other_action, names[1 - seat]),
            replay=replay,
        )


def _parting(one: PlayedDeal, other: PlayedDeal) -> _Parting | None:
    """Return where two plays of a deal part; None: they are the same."""
    states = one.begin, other.begin
    for actions in zip(one.actions, other.actions, strict=False):
        seat = states[0].to_act
        if actions[0] != actions[1]:
            assert seat is not None  # noqa: S101 - it acts
            return _Parting(seat, states, actions)
        states = states[0].apply(actions[0]), states[1].apply(actions[1])
    return None
