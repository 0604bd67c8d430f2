"""How decisions are put to a bot: position by position, game by game, many tables, once more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from arena.tools.check.asked import Asked, Game, Playing, Position
from arena.tools.check.conversation import Conversation, Said, Until


class Misdeed(msgspec.Struct, frozen=True):
    """An answer that costs the game, and what was asked before it and beside it."""

    said: Said
    before: tuple[Asked, ...]
    """The earlier decisions of the same game and seat."""
    was_led_up: bool
    """Whether this process was asked those."""
    beside: tuple[Asked, ...] = ()
    """The other decisions of the same frame."""
    is_lost: bool = False
    """Whether the process went with it."""


class Played(msgspec.Struct, frozen=True):
    """What came of one check."""

    said: tuple[Said, ...] = ()
    """All that was asked, in order."""
    misdeeds: tuple[Misdeed, ...] = ()
    games: int = 0
    """Games, or positions, that were gone through."""
    is_cut: bool = False
    """Whether the time was up, or too many processes were lost."""


def put_positions(
    talk: Conversation, numbered: Iterable[tuple[int, Position]], until: Until
) -> Played:
    """Put each position, as a game taken up in mid-course."""
    said: list[Said] = []
    misdeeds: list[Misdeed] = []
    for number, position in numbered:
        if until.is_over or talk.is_hopeless:
            return Played(tuple(said), tuple(misdeeds), len(said), is_cut=True)
        *before, asked = position.decisions(number)
        one = talk.ask(asked)
        said.append(one)
        if not one.is_right:
            lost = not talk.bot.is_alive
            misdeeds.append(Misdeed(one, tuple(before), was_led_up=False, is_lost=lost))
        talk.end(asked.game)
    return Played(tuple(said), tuple(misdeeds), len(said))


def play_games(talk: Conversation, games: Iterable[Game], until: Until) -> Played:
    """Play games one after the other in one process."""
    said: list[Said] = []
    misdeeds: list[Misdeed] = []
    played = 0
    for game in games:
        playing = Playing(game)
        before: list[Asked] = []
        while (asked := playing.asked()) is not None:
            if until.is_over or talk.is_hopeless:
                return Played(tuple(said), tuple(misdeeds), played, is_cut=True)
            one = talk.ask(asked)
            said.append(one)
            if not one.is_right:
                lost = not talk.bot.is_alive
                misdeeds.append(Misdeed(one, tuple(before), was_led_up=True, is_lost=lost))
                break
            before.append(asked)
            playing.answer(one.action)
        played += 1
        talk.end(playing.name, playing.points)
    return Played(tuple(said), tuple(misdeeds), played)


class _Tables:
    """Games of which many are open at once."""

    def __init__(self, games: Iterable[Game], most: int) -> None:
        self.played = 0
        self._to_come = list(games)
        self._most = most
        self._open: dict[str, Playing] = {}
        self._before: dict[str, list[Asked]] = {}

    def asked(self, talk: Conversation) -> list[Asked]:
        """Return the decisions of the next frame; none when all games are over."""
        while self._to_come and len(self._open) < self._most:
            playing = Playing(self._to_come.pop(0))
            self._open[playing.name] = playing
            self._before[playing.name] = []
        due = []
        for name, playing in list(self._open.items()):
            asked = playing.asked()
            if asked is None:
                self.close(name, talk)
            else:
                due.append(asked)
        return due if due or not self._to_come else self.asked(talk)

    def close(self, name: str, talk: Conversation) -> None:
        """End a game."""
        talk.end(name, self._open.pop(name).points)
        self.played += 1

    def go_on(self, one: Said) -> None:
        """Take a right answer."""
        self._open[one.asked.game].answer(one.action)
        self._before[one.asked.game].append(one.asked)

    def before(self, asked: Asked) -> tuple[Asked, ...]:
        """Return the earlier decisions of its game."""
        return tuple(self._before[asked.game])


def play_together(talk: Conversation, games: Iterable[Game], most: int, until: Until) -> Played:
    """Play games of which up to `most` are open at once, each frame with a decision of each."""
    tables = _Tables(games, most)
    said: list[Said] = []
    misdeeds: list[Misdeed] = []
    while asked := tables.asked(talk):
        if until.is_over or talk.is_hopeless:
            return Played(tuple(said), tuple(misdeeds), tables.played, is_cut=True)
        answers = talk.ask_together(asked)
        said += answers
        lost = not talk.bot.is_alive
        wrong = [one for one in answers if not one.is_right]
        for one in wrong[:1] if lost else wrong:  # a frame that fails as a whole is one misdeed
            beside = tuple(other for other in asked if other is not one.asked)
            misdeeds.append(
                Misdeed(one, tables.before(one.asked), was_led_up=True, beside=beside, is_lost=lost)
            )
        for one in answers:
            if one.is_right:
                tables.go_on(one)
            else:
                tables.close(one.asked.game, talk)
    return Played(tuple(said), tuple(misdeeds), tables.played)


def ask_again(talk: Conversation, said: Sequence[Said], until: Until) -> tuple[Said, ...]:
    """Ask the same decisions in the same order, one by one, until the time is up."""
    again: list[Said] = []
    for one in said:
        if until.is_over or talk.is_hopeless:
            break
        if again and again[-1].asked.game != one.asked.game:
            talk.end(again[-1].asked.game)
        again.append(talk.ask(one.asked))
    return tuple(again)


def first_difference(said: Sequence[Said], again: Sequence[Said]) -> tuple[Said, Said] | None:
    """Return the first decision that was answered otherwise when it was asked again.

    After it a game may go another way, so that its later decisions are others.
    """
    known = {(one.asked.game, one.asked.seq): one for one in said}
    for one in again:
        other = known.get((one.asked.game, one.asked.seq))
        if other is None or other.asked.view != one.asked.view:
            continue
        if other.action and one.action and other.action != one.action:
            return other, one
    return None
