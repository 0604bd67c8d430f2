"""Behind `arena export`: the games that count, one canonical JSON line each; and the voids.

Every record is replayed through the rules on its way, so `ReplayError` is raised for one that does
not follow them. A game that is stored without its actions (`output.records`) has no deals here.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Literal

import msgspec

from arena import rules
from arena.referee.record import GameResult, name_of
from arena.referee.replay import exported
from arena.store.reader import Reader
from arena.store.rows import Match
from arena.tools.counted import CountedGames
from arena.tools.endings import ExportedStop
from arena.tools.verify import END_FORMAT, ExportEnd
from arena.tournament.config import Config
from arena.tournament.entering import known_tournament, match_identity
from arena.tournament.identity import board_seed, commitment
from arena.tournament.schedule import blocks
from arena.tournament.voids import Voids

VOID_FORMAT: Literal["arena-void/1"] = "arena-void/1"


class ExportedVoid(msgspec.Struct, frozen=True):
    """One void, as `void_lines` shows it."""

    format: Literal["arena-void/1"]
    id: str
    cause: str
    listed: bool
    """Whether the game is not played again after it."""


def export_lines(
    config: Config,
    reader: Reader,
    *,
    times: bool = False,
    notes: bool = False,
    everything: bool = False,
) -> Generator[bytes, None, None]:
    """Yield the games of current versions in schedule order, then the last line; no line ends.

    With `everything` all other stored games stand between these and the last line, match by match.
    Raises `UserError` if there are no results.
    """
    with reader.steady():
        yield from _lines(config, reader, times=times, notes=notes, everything=everything)


def _lines(
    config: Config, reader: Reader, *, times: bool, notes: bool, everything: bool
) -> Iterator[bytes]:
    tournament = known_tournament(config, reader)
    known = rules.load(config.variant, config.options)
    counted = CountedGames(reader, config.boards)
    hashes = {str(bot): bot.hash for bot in reader.bots() if everything or bot.current}
    levels = set()
    games = 0

    def line(record: GameResult, *, counts: bool) -> bytes:
        nonlocal games
        games += 1
        levels.add(record.isolation)
        identity = match_identity(hashes, record.id.match)
        seed = board_seed(tournament.secret, identity, record.id.board)
        return _line(exported(record, known, seed, times=times, notes=notes, counts=counts))

    for match, boards in _parts(counted, config.boards):
        for record in reader.records(match, boards):
            if counted.take(record.id):
                yield line(record, counts=True)
    for record in _rest(reader, counted) if everything else ():
        yield line(record, counts=False)
    secret = tournament.public_secret
    yield _line(
        ExportEnd(
            END_FORMAT,
            games,
            counted.totals().complete,
            commitment(tournament.secret),
            None if secret is None else secret.hex(),
            tuple(sorted(levels)),
            hashes,
            None if counted.stop is None else ExportedStop.of(counted.stop, counted.not_needed),
        )
    )


def void_lines(reader: Reader) -> Generator[bytes, None, None]:
    """Yield all voids in the order in which they happened, one JSON line each; no line ends."""
    voids = Voids()
    for void in reader.voids():
        voids.add(void.id)
        yield _line(ExportedVoid(VOID_FORMAT, str(void.id), void.cause, voids.is_listed(void.id)))


def _parts(counted: CountedGames, boards: int) -> Iterator[tuple[Match, range]]:
    """Cut the schedule into runs of boards of one match, in its order."""
    for block in blocks(boards):
        for match in counted.matches:
            yield match, block


def _rest(reader: Reader, counted: CountedGames) -> Iterator[GameResult]:
    """Yield all stored games that do not count."""
    current = set(counted.matches)
    for match in sorted(reader.matches(), key=lambda match: (tuple(map(name_of, match)), match)):
        for record in reader.records(match):
            if match not in current or not counted.counts(record.id):
                yield record


def _line(value: msgspec.Struct) -> bytes:
    return msgspec.json.encode(value, order="sorted")
