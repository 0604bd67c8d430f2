"""Results from an export of the arena: a game record a line, and a last line that says of what."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

import msgspec

from arena.errors import UserError
from arena.ratings.points import Deals
from arena.referee.fault import FaultKind
from arena.referee.record import name_of
from arena.text import count
from arena.tools.deals import DealSums, SeatedGame
from arena.tools.endings import ExportedStop, ending_of
from arena.tools.rate.boards import Boards, Outcome
from arena.tools.rate.gathered import Gathered
from arena.tools.rate.limits import LONGEST_NAME, Limits
from arena.tools.rate.lines import Lines

_Version = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]
_Seat = Literal[0, 1]
_Points = Annotated[int, msgspec.Meta(ge=0, le=1_000)]


class _Target(msgspec.Struct, frozen=True, tag_field="kind", tag="target"):
    """The game was played to its end."""


class _Forfeit(msgspec.Struct, frozen=True, tag_field="kind", tag="forfeit"):
    """A fault ended it."""

    seat: _Seat
    fault: FaultKind


class _Deal(msgspec.Struct, frozen=True):
    """What one deal came to; without points if it was broken off."""

    dealer: _Seat
    points: tuple[_Points, _Points] | None = None


class _Game(msgspec.Struct, frozen=True, tag_field="format", tag="arena-game/1"):
    """What a rating needs of an exported game; `arena verify` looks at all of it."""

    id: str
    match: tuple[_Version, _Version]
    board: Annotated[int, msgspec.Meta(ge=0)]
    seating: _Seat
    seats: tuple[_Version, _Version]
    winner: _Seat
    end: _Target | _Forfeit
    variant: str
    deals: tuple[_Deal, ...] = ()
    options: dict[str, Any] = {}
    counts: bool = True


class _End(msgspec.Struct, frozen=True, tag_field="format", tag="arena-end/1"):
    """The last line."""

    games: int
    complete: bool
    stop: ExportedStop | None = None


class _Void(msgspec.Struct, frozen=True, tag_field="format", tag="arena-void/1"):
    """A line of `arena export --void`."""


_DECODER = msgspec.json.Decoder(_Game | _End | _Void)


def gather_records(lines: Lines) -> Gathered:
    """Read all games that count; raises `UserError` at the first line that is not right."""
    reading = _Reading(lines)
    for line in lines:
        reading.take(line)
    return reading.gathered()


class _Reading:
    """Takes line by line."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._limits = Limits(lines.wrong)
        self._matches: defaultdict[tuple[str, str], Boards] = defaultdict(Boards)
        self._deals = DealSums()
        self._games = 0
        self._uncounted = 0
        self._kind: tuple[str, dict[str, Any]] | None = None
        self._is_mixed = False
        self._end: _End | None = None

    def take(self, line: bytes) -> None:
        """Take a line in; raises `UserError` if it is none of an export."""
        if self._end is not None:
            text = "a line behind the last line of an export; rate each export on its own"
            raise self._lines.wrong(text)
        try:
            found = _DECODER.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            text = f"is no line of `arena export`: {error}"
            raise self._lines.wrong(text) from error
        match found:
            case _Game():
                self._take_game(found)
            case _End():
                self._take_end(found)
            case _Void():
                raise self._lines.wrong("is a void, not a game; export without --void")

    def _take_end(self, end: _End) -> None:
        there = self._games + self._uncounted
        if end.games != there:
            text = f"this last line speaks of {count(end.games, 'game')}, but there are {there}"
            raise self._lines.wrong(f"{text}; export again, or remove this line to rate these")
        if end.stop is not None:
            self._check_stop(end.stop)
        self._end = end

    def _check_stop(self, stop: ExportedStop) -> None:
        try:
            ending = ending_of(stop.stop, stop.not_needed)
        except msgspec.ValidationError as error:
            raise self._lines.wrong(f"this last line tells no stop of arena: {error}") from error
        sprt = ending.sprt
        if sprt is None:
            return
        played = {version for match in self._matches for version in match}
        told = sorted(map(name_of, stop.versions)) == sorted((sprt.a, sprt.b))
        if not told or not played.issuperset(stop.versions):
            text = "this last line tells a test between bots that have no game here"
            raise self._lines.wrong(text)

    def _take_game(self, game: _Game) -> None:
        if game.match[0] == game.match[1]:
            raise self._wrong(game, "a bot cannot play against itself")
        if game.seats != (game.match if game.seating == 0 else game.match[::-1]):
            raise self._wrong(game, f"its seats are not those of seating {game.seating}")
        if isinstance(game.end, _Forfeit) and game.end.seat == game.winner:
            raise self._wrong(game, "the seat that forfeited cannot have won")
        if not game.counts:
            self._uncounted += 1
            return
        self._games += 1
        for version in game.match:
            if not self._limits.knows(version):
                self._limits.meet(version)
        kind = (game.variant, game.options)
        self._kind = self._kind or kind
        self._is_mixed |= kind != self._kind
        self._add(game)

    def _add(self, game: _Game) -> None:
        match = sorted(game.match, key=_order)
        first, second = match
        boards = self._matches[first, second]
        seating = match.index(game.seats[0])  # what it would be, were the match in order
        if boards.has(game.board, seating):
            raise self._wrong(game, "this game stands in the file twice")
        if game.board not in boards:
            self._limits.open_board()
        fault = game.end.fault if isinstance(game.end, _Forfeit) else None
        outcome = Outcome(game.seats[game.winner] == first, fault)
        complete = boards.add(game.board, seating, outcome, _seated(game))
        if complete is not None:
            self._deals.take((first, second), *complete)

    def _wrong(self, game: _Game, text: str) -> UserError:
        return self._lines.wrong(f"game {game.id[:LONGEST_NAME]}: {text}")

    def gathered(self) -> Gathered:
        """Return what was counted."""
        names = _names(version for match in self._matches for version in match)
        scores = []
        faults: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for match, boards in self._matches.items():
            a, b = (names[version] for version in match)
            scores.append(boards.score(a, b))
            for place, kind, number in boards.faults():
                faults[(a, b)[place]][kind] += number
        return Gathered(
            tuple(sorted(scores)),
            self._games,
            faults,
            {name: version for version, name in names.items()},
            self._deals,
            None if self._end is None else self._end.complete,
            None if self._end is None else self._end.stop,
            tuple(self._notices()),
        )

    def _notices(self) -> Iterator[str]:
        if self._uncounted:
            yield f"Left out, because they do not count: {count(self._uncounted, 'game')}."
        if self._is_mixed:
            yield "The games are not all of the same variant and options."


def _order(version: str) -> tuple[str, str]:
    """Return what sorts versions as matches do: by name."""
    return name_of(version) or version, version


def _seated(game: _Game) -> SeatedGame:
    """Return its finished deals; one that was played to its end has some, if they are told."""
    finished = [(deal.dealer, deal.points) for deal in game.deals if deal.points is not None]
    if not finished and isinstance(game.end, _Target):
        return SeatedGame(game.winner, None)
    dealers, points = zip(*finished, strict=True) if finished else ((), ())
    return SeatedGame(game.winner, Deals(dealers, tuple(mine - theirs for mine, theirs in points)))


def _names(versions: Iterable[str]) -> dict[str, str]:
    """Name each version: its bot alone where no other version of it is there."""
    known = set(versions)
    named = Counter(name_of(version) for version in known)

    def shown(version: str) -> str:
        name = name_of(version)
        return name if name and named[name] == 1 and name not in known else version

    return {version: shown(version) for version in known}
