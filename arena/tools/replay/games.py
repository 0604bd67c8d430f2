"""A game that was played, wherever it is kept: in the results of a tournament or in an export."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena import rules
from arena.errors import ReplayError, UserError
from arena.referee.record import Forfeit, GameId, GameRecord, GameResult, Target, name_of
from arena.referee.replay import FORMAT, ExportedEnd, ExportedGame, check, replay
from arena.rules.base import Rules, State
from arena.store.reader import Reader
from arena.store.rows import Match
from arena.text import count, visible
from arena.tools.rate.lines import Lines
from arena.tools.replay.ids import find, taken_apart
from arena.tournament.config import Config
from arena.tournament.entering import known_tournament, match_identity
from arena.tournament.identity import board_seed
from arena.tournament.runner import LOGS
from arena.tournament.schedule import SEATINGS
from arena.tournament.voids import Voids

_NO_ACTIONS = "is stored without its actions (output.records: results), so it cannot be replayed"


class PlayedGame(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of one game; its actions follow the rules."""

    id: str
    seats: tuple[str, ...]
    """The bot version on each seat."""
    rules: Rules
    start: State
    """Before its first decision."""
    actions: tuple[str, ...]
    times_us: tuple[int, ...] | None
    """Microseconds charged for each action; None: an export does not tell."""
    notes: dict[int, str]
    """By the number of the action from 0, what its bot noted."""
    points: tuple[int, ...]
    winner: int
    end: Target | Forfeit
    log: str | None = None
    """The file with what the bot at fault printed."""

    @property
    def last(self) -> State:
        """After all its actions."""
        state = self.start
        for action in self.actions:
            state = state.apply(action)
        return state

    @property
    def names(self) -> tuple[str, ...]:
        """What the bots are called: by their versions only if they have the same name."""
        bare = tuple(visible(name_of(version)) for version in self.seats)
        return bare if len({*bare}) == len(bare) else tuple(map(visible, self.seats))


def stored_game(config: Config, reader: Reader, text: str) -> tuple[GameRecord, PlayedGame]:
    """Find a game in the results of a tournament by its id, or a part of it that is clear.

    Raises `UserError` if there is none, or none that can be replayed, and `ReplayError` if its
    record does not follow the rules.
    """
    with reader.steady():
        tournament = known_tournament(config, reader)
        versions = reader.bots()
        present = [str(bot) for bot in versions if bot.current]
        game = find(text, reader.matches(), present)
        found = _result(config, reader, game)
    if not isinstance(found, GameRecord):
        raise UserError(f"game {visible(str(game))} {_NO_ACTIONS}; {_came_out(found)}")
    known = rules.load(config.variant, config.options)
    hashes = {str(bot): bot.hash for bot in versions}
    seed = board_seed(tournament.secret, match_identity(hashes, game.match), game.board)
    replay(found, known, seed)
    return found, PlayedGame(
        id=str(game),
        seats=game.seats,
        rules=known,
        start=known.start(seed),
        actions=found.actions,
        times_us=found.times_us,
        notes=dict(found.notes),
        points=found.points,
        winner=found.winner,
        end=found.end,
        log=_log(config, game, found.end),
    )


def _result(config: Config, reader: Reader, game: GameId) -> GameResult:
    """Return what is stored of a game; raises `UserError` with why there is nothing."""
    board = reader.records(game.match, range(game.board, game.board + 1))
    for found in board:
        if found.id == game:
            return found
    raise UserError(f"game {visible(str(game))} {_why_missing(config, reader, game)}")


def _why_missing(config: Config, reader: Reader, game: GameId) -> str:
    voids = Voids()
    causes = []
    for void in reader.voids():
        voids.add(void.id)
        causes += [void.cause] if void.id == game else []
    if causes:
        then = "stays so" if voids.is_listed(game) else "will be played again"
        return f"is void ({causes[-1]}), by no fault of a bot, and {then}: nothing is kept of it"
    if game.seating >= SEATINGS:
        return f"cannot be: there are seatings 0 to {SEATINGS - 1}"
    boards = [settled.board for settled in reader.settled(game.match)]
    kept = f"stored are boards {min(boards)} to {max(boards)}" if boards else "none of them is"
    why = "was not played" if game.board < config.boards else "is not in the schedule"
    return f"{why}; of this match {kept}"


def _log(config: Config, game: GameId, end: Target | Forfeit) -> str | None:
    if not isinstance(end, Forfeit):
        return None
    log = Path(config.results, LOGS, f"{name_of(game.seats[end.seat])}.stderr.log")
    return str(log) if log.exists() else None


def _came_out(game: GameResult) -> str:
    one, other = (visible(name_of(version)) for version in game.id.seats)
    came = f"it ended {one} {game.points[0]} - {game.points[1]} {other}"
    if isinstance(game.end, Forfeit):
        loser = visible(game.id.seats[game.end.seat])
        came += f", lost by {loser} by a fault ({game.end.fault}): {visible(game.end.detail)}"
    return came


def exported_game(file: Path, text: str) -> PlayedGame:
    """Find a game in an export by its id, or a part of it that is clear.

    Raises `UserError` if there is none, or none that can be replayed, and `ReplayError` if it does
    not follow the rules.
    """
    game = _in_export(file, text)
    if game.deals is None:
        raise UserError(f"game {visible(game.id)} {_NO_ACTIONS}")
    known = rules.load(game.variant, game.options)
    if not len(game.match) == len(game.seats) == known.seats:
        raise ReplayError(f"{known.name} has {count(known.seats, 'seat')}")
    try:
        check(game, known)
    except ReplayError as error:
        places = {"deal": error.deal, "action": error.action}
        where = "".join(f"{name} {at}: " for name, at in places.items() if at is not None)
        raise ReplayError(f"game {visible(game.id)}: {where}{visible(str(error))}") from error
    actions = tuple(action for deal in game.deals for _, action in deal["actions"])
    times = game.times_us
    return PlayedGame(
        id=game.id,
        seats=game.seats,
        rules=known,
        start=known.start_from(game.deals, game.first_dealer),
        actions=actions,
        times_us=times if times is not None and len(times) == len(actions) else None,
        notes=dict(game.notes or ()),
        points=game.points,
        winner=game.winner,
        end=_end(game.end),
    )


def _in_export(file: Path, text: str) -> ExportedGame:
    """Read the games of a file up to the one with this id; a part of one has to be the only such.

    What other programs call their games has no form.
    """
    asked = taken_apart(text)
    matches: set[Match] = set()
    alike: dict[GameId, ExportedGame] = {}
    try:
        with file.open("rb") as stream:
            for game in _games(Lines(str(file), stream)):
                if game.id == text:
                    return game
                matches.add(game.match)
                if asked is not None and (game.board, game.seating) == (asked.board, asked.seating):
                    alike[GameId(game.match, game.board, game.seating)] = game
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}") from error
    game_id = find(text, matches, ())
    if game_id not in alike:
        raise UserError(f"game {visible(str(game_id))} is not in {file}")
    return alike[game_id]


class _Line(msgspec.Struct):
    format: str


def _games(lines: Lines) -> Iterator[ExportedGame]:
    """Yield the games of an export; raises `UserError` at a line that is none of one."""
    for line in lines:
        try:
            if msgspec.json.decode(line, type=_Line).format == FORMAT:
                yield msgspec.json.decode(line, type=ExportedGame)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise lines.wrong(f"is no line of an export: {error}") from error


def _end(end: ExportedEnd) -> Target | Forfeit:
    if end.kind == "target" or end.seat is None:
        return Target()
    return Forfeit(end.seat, end.fault or "", end.detail or "")
