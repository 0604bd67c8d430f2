"""Behind `arena why`: what a bot lost by faults, and by which decisions with the same cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from arena import rules
from arena.errors import UserError
from arena.referee.record import GameResult
from arena.report.why import SCHEMA, Why
from arena.store.reader import Reader
from arena.store.rows import BotVersion, Match
from arena.tools.versions import counting_between, find_version
from arena.tools.why.deals import Pairs
from arena.tools.why.faults import FaultGroups
from arena.tools.why.games import PairedGames, ReplayCommand
from arena.tournament.config import Config
from arena.tournament.entering import known_tournament, match_identity
from arena.tournament.identity import Seeds
from arena.tournament.schedule import SEATINGS


def why(
    config: Config,
    reader: Reader,
    bot: str,
    replay_command: ReplayCommand,
    *,
    against: str | None = None,
    most: int,
) -> Why:
    """Look through the games of `bot`, a name or a version such as ``monte@1``, that count.

    Only those `against` one other bot if there is one. Of the costliest deals at `most` so many are
    told. Raises `UserError` if there are no such bots, or no games between them.
    """
    with reader.steady():
        tournament = known_tournament(config, reader)
        versions = reader.bots()
        version = find_version(versions, bot)
        other = None if against is None else find_version(versions, against)
        hashes = {str(one): one.hash for one in versions}
        faults = FaultGroups(str(version), replay_command)
        pairs = Pairs(str(version), rules.load(config.variant, config.options), most)
        games = won = 0
        for match in _matches(reader, versions, version, other):
            seeds = Seeds(tournament.secret, match_identity(hashes, match))
            for board in _boards(config, reader, match):
                games += len(board)
                won += sum(game.id.seats[game.winner] == str(version) for game in board)
                for game in board:
                    faults.take(game)
                if len(board) == SEATINGS:
                    first, second = board
                    pairs.take(PairedGames(first, second, seeds.board(first.id.board)))
    if not games:
        text = f"{version} has played no game that counts"
        raise UserError(text if other is None else f"{text} against {other}")
    return Why(
        schema=SCHEMA,
        tournament=config.name,
        bot=version.name,
        version=str(version),
        against=None if other is None else str(other),
        games=games,
        won=won,
        faults=faults.groups(),
        paired=pairs.paired,
        ahead=pairs.ahead,
        alike=pairs.alike,
        unlike=pairs.unlike,
        situations=pairs.situations(),
        costliest=pairs.costliest(replay_command),
    )


def _matches(
    reader: Reader,
    versions: tuple[BotVersion, ...],
    version: BotVersion,
    other: BotVersion | None,
) -> list[Match]:
    """Return the matches to look at, in their order; of a version that plays no more all."""
    if other is not None and other.name == version.name:
        raise UserError(f"{version} does not play against {other}: name another bot")
    own = [match for match in sorted(reader.matches()) if str(version) in match]
    if other is not None:
        return [match for match in own if str(other) in match]
    present = {str(one) for one in versions if one.current}
    return [match for match in own if present.issuperset(match)] if version.current else own


def _boards(config: Config, reader: Reader, match: Match) -> Iterator[tuple[GameResult, ...]]:
    """Yield the games of each board that count, by seating."""
    counting = counting_between(config, reader, match)
    counted = (
        game
        for game in reader.records(match)
        if game.id.board < config.boards and counting.counts(game.id)
    )
    for _, games in groupby(counted, lambda game: game.id.board):
        yield tuple(games)
