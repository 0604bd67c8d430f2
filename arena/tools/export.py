"""Behind `arena export`: the games that count, one canonical JSON line each."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from arena import rules
from arena.referee.replay import exported
from arena.store.reader import Reader
from arena.store.rows import Match
from arena.tools.counted import CountedGames
from arena.tools.verify import END_FORMAT, ExportEnd
from arena.tournament.config import Config
from arena.tournament.entering import known_tournament, match_identity
from arena.tournament.identity import board_seed, commitment
from arena.tournament.schedule import blocks


def export_lines(
    config: Config, reader: Reader, *, times: bool = False, notes: bool = False
) -> Iterator[bytes]:
    """Yield the games of current versions in schedule order, then the last line; no line ends.

    Every game is replayed through the rules on its way. Raises `UserError` if there are no
    results, `ReplayError` if a stored record does not follow the rules.
    """
    tournament = known_tournament(config, reader)
    known = rules.load(config.variant, config.options)
    counted = CountedGames(reader, config.boards)
    hashes = {str(bot): bot.hash for bot in counted.bots}
    levels = set()
    for match, boards in _parts(counted, config.boards):
        identity = match_identity(hashes, match)
        for record in reader.records(match, boards):
            if not counted.take(record.id):
                continue
            seed = board_seed(tournament.secret, identity, record.id.board)
            yield _line(exported(record, known, seed, times=times, notes=notes))
            levels.add(record.isolation)
    totals = counted.totals()
    secret = tournament.public_secret
    yield _line(
        ExportEnd(
            END_FORMAT,
            totals.games,
            totals.complete,
            commitment(tournament.secret),
            None if secret is None else secret.hex(),
            tuple(sorted(levels)),
            hashes,
        )
    )


def _parts(counted: CountedGames, boards: int) -> Iterator[tuple[Match, range]]:
    """Cut the schedule into runs of boards of one match, in its order."""
    for block in blocks(boards):
        for match in counted.matches:
            yield match, block


def _line(value: msgspec.Struct) -> bytes:
    return msgspec.json.encode(value, order="sorted")
