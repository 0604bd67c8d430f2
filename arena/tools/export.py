"""Behind `arena export`: the games that count, one canonical JSON line each."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from arena import rules
from arena.referee.replay import exported
from arena.store.reader import Reader
from arena.tools.verify import END_FORMAT, ExportEnd
from arena.tools.voids import listed_voids
from arena.tournament.config import Config
from arena.tournament.entering import known_tournament, match_identity
from arena.tournament.identity import board_seed, commitment
from arena.tournament.schedule import blocks, matches, number_of_games


def export_lines(
    config: Config, reader: Reader, *, times: bool = False, notes: bool = False
) -> Iterator[bytes]:
    """Yield the games of current versions in schedule order, then the last line; no line ends.

    Every game is replayed through the rules on its way. Raises `UserError` if there are no
    results, `ReplayError` if a stored record does not follow the rules.
    """
    tournament = known_tournament(config, reader)
    known = rules.load(config.variant, config.options)
    hashes = {str(bot): bot.hash for bot in reader.bots() if bot.current}
    versions = list(hashes)
    games = 0
    levels = set()
    for match, boards in _parts(config, versions):
        identity = match_identity(hashes, match)
        for record in reader.records(match, boards):
            seed = board_seed(tournament.secret, identity, record.id.board)
            yield _line(exported(record, known, seed, times=times, notes=notes))
            games += 1
            levels.add(record.isolation)
    settled = games + listed_voids(reader, versions, config.boards)
    yield _line(
        ExportEnd(
            END_FORMAT,
            games,
            settled >= number_of_games(len(versions), config.boards),
            commitment(tournament.secret),
            None if tournament.drawn else tournament.secret.hex(),
            tuple(sorted(levels)),
            hashes,
        )
    )


def _parts(config: Config, versions: list[str]) -> Iterator[tuple[tuple[str, ...], range]]:
    """Cut the schedule into runs of boards of one match, in its order."""
    for block in blocks(config.boards):
        for match in matches(versions):
            yield match, block


def _line(value: msgspec.Struct) -> bytes:
    return msgspec.json.encode(value, order="sorted")
