"""Records replayed through the rules: to export them, and to check what was exported.

Pure: rules come in as arguments, records as values. No file, no database, no seed of the cards
beyond the one that is handed in.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import msgspec

from arena.errors import IllegalActionError, ReplayError
from arena.referee.fault import FaultKind
from arena.referee.record import Forfeit, GameId, GameRecord, GameResult, Target
from arena.rules.base import Rules, State

FORMAT: Literal["arena-game/1"] = "arena-game/1"


class ExportedEnd(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How an exported game ended."""

    kind: Literal["target", "forfeit"]
    seat: int | None = None
    fault: str | None = None
    detail: str | None = None


class ExportedGame(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One line of an export: the game record that users and other programs see (contracts, 5)."""

    format: Literal["arena-game/1"]
    id: str
    variant: str
    options: dict[str, Any]
    """What differs from the variant's defaults (a reader accepts more)."""
    match: tuple[str, ...]
    board: int
    seating: int
    seats: tuple[str, ...]
    first_dealer: int
    deals: tuple[dict[str, Any], ...] | None = None
    """None: the game is stored without its actions, so it cannot be replayed."""
    points: tuple[int, ...]
    winner: int
    end: ExportedEnd
    times_us: tuple[int, ...] | None = None
    """Microseconds charged for each action, if times are asked for."""
    cpu_us: tuple[int, ...] | None = None
    """By seat: microseconds of CPU, if times are asked for."""
    lag_us: int | None = None
    """Microseconds that the arena was late, if times are asked for."""
    notes: tuple[tuple[int, str], ...] | None = None
    """(Number of the action, note), if asked for."""
    counts: bool = True
    """False: it is stored, but it counts for nothing (any more)."""


def replay(record: GameRecord, rules: Rules, board_seed: bytes) -> State:
    """Play a record's actions again on its board.

    Raises `ReplayError` if an action is not legal or the points do not come out as recorded.
    """
    state = rules.start(board_seed)
    for number, action in enumerate(record.actions):
        try:
            state = state.apply(action)
        except IllegalActionError as error:
            raise ReplayError(f"action {number}: {error}", action=number) from error
    if state.points != record.points:
        text = f"points {list(record.points)} recorded, the actions give {list(state.points)}"
        raise ReplayError(text)
    return state


def exported(
    game: GameResult,
    rules: Rules,
    board_seed: bytes,
    *,
    times: bool = False,
    notes: bool = False,
    counts: bool = True,
) -> ExportedGame:
    """Return a stored game as it is exported; a record is replayed through the rules.

    Raises `ReplayError` like `replay`.
    """
    record = game if isinstance(game, GameRecord) else None
    state = rules.start(board_seed) if record is None else replay(record, rules, board_seed)
    deals = state.deals()
    return ExportedGame(
        format=FORMAT,
        id=str(game.id),
        variant=rules.name,
        options=changed_options(rules.options),
        match=game.id.match,
        board=game.id.board,
        seating=game.id.seating,
        seats=game.id.seats,
        first_dealer=deals[0]["dealer"],
        deals=None if record is None else deals,
        points=game.points,
        winner=game.winner,
        end=_exported_end(game.end),
        times_us=record.times_us if record is not None and times else None,
        cpu_us=game.cpu_us if times else None,
        lag_us=game.lag_us if times else None,
        notes=record.notes if record is not None and notes else None,
        counts=counts,
    )


def changed_options(options: msgspec.Struct) -> dict[str, Any]:
    """Return the options that differ from their defaults."""
    given, defaults = msgspec.structs.asdict(options), msgspec.structs.asdict(type(options)())
    return {name: value for name, value in given.items() if value != defaults[name]}


def _exported_end(end: Target | Forfeit) -> ExportedEnd:
    if isinstance(end, Target):
        return ExportedEnd(kind="target")
    return ExportedEnd(kind="forfeit", seat=end.seat, fault=end.fault, detail=end.detail)


def check(game: ExportedGame, rules: Rules) -> None:
    """Replay an exported game; raises `ReplayError` at its first discrepancy.

    An id that another program made in its own form is left alone. Of a game without deals only
    its end can be looked at, whether it agrees with itself.
    """
    if "/" in game.id:
        _check_identity(game)
    if game.deals is None:
        _check_end_alone(game, rules.seats)
        return
    state = rules.start_from(game.deals, game.first_dealer)
    for number, deal in enumerate(game.deals):
        state = _check_deal(state, deal, number)
    _check_end(game, state, rules.seats)


def _check_identity(game: ExportedGame) -> None:
    wanted = GameId(game.match, game.board, game.seating)
    if game.id != str(wanted):
        raise ReplayError(f"the id should be {wanted} by its match, board and seating")
    if game.seats != wanted.seats:
        raise ReplayError(f"seating {game.seating} of the match puts {list(wanted.seats)} there")


def _check_deal(state: State, deal: dict[str, Any], number: int) -> State:
    """Play one deal and compare all that follows from its cards and actions."""
    if len(state.deals()) <= number:
        raise ReplayError("a deal after the end of the game", deal=number)
    for place, action in enumerate(_actions(deal, number)):
        state = _check_action(state, action, number, place)
    derived = state.deals()[number]
    for key in sorted(derived.keys() | deal.keys()):
        if not _same(deal.get(key, _MISSING), derived.get(key, _MISSING)):
            raise ReplayError(_differs(key, deal, derived), deal=number)
    return state


_MISSING = object()


def _same(given: object, derived: object) -> bool:
    """Whether two values are the same JSON: `true` is not 1, and 1.0 is not either."""
    if _MISSING in (given, derived):
        return given is derived
    return msgspec.json.encode(given) == msgspec.json.encode(derived)


def _actions(deal: dict[str, Any], number: int) -> list[tuple[int, str]]:
    try:
        return msgspec.convert(deal.get("actions"), list[tuple[int, str]])
    except msgspec.ValidationError as error:
        text = f"actions must be a list of [seat, action]: {error}"
        raise ReplayError(text, deal=number) from error


def _check_action(state: State, action: tuple[int, str], deal: int, place: int) -> State:
    seat, what = action
    if len(state.deals()) != deal + 1 or state.to_act is None:
        raise ReplayError("an action after the end of the deal", deal=deal, action=place)
    if seat != state.to_act:
        text = f"seat {seat} acts, but it is the turn of seat {state.to_act}"
        raise ReplayError(text, deal=deal, action=place)
    try:
        return state.apply(what)
    except IllegalActionError as error:
        raise ReplayError(str(error), deal=deal, action=place) from error


def _differs(key: str, deal: dict[str, Any], derived: dict[str, Any]) -> str:
    if key not in derived:
        return f"{key} is given, though the deal does not have it"
    if key not in deal:
        return f"{key} is missing; it should be {derived[key]}"
    return f"{key} is {deal[key]}, but the actions give {derived[key]}"


def _check_end(game: ExportedGame, state: State, seats: int) -> None:
    if game.points != state.points:
        raise ReplayError(f"points {list(game.points)}, but the deals give {list(state.points)}")
    if game.end.kind == "target":
        _check_target(game, state)
    else:
        _check_forfeit(game, seats)
        if state.outcome is not None:
            raise ReplayError("a forfeit after the end of the game")


def _check_end_alone(game: ExportedGame, seats: int) -> None:
    """Compare winner, points and end of a game of which nothing else is kept."""
    if len(game.points) != seats or min(game.points) < 0:
        raise ReplayError(f"points {list(game.points)}, but there are {seats} seats")
    if game.end.kind == "forfeit":
        _check_forfeit(game, seats)
    elif [seat for seat, won in enumerate(game.points) if won == max(game.points)] != [game.winner]:
        raise ReplayError(f"winner {game.winner}, but the points are {list(game.points)}")


def _check_target(game: ExportedGame, state: State) -> None:
    if state.outcome is None:
        raise ReplayError("the game is not over, but its end is said to be the target")
    if game.winner != state.outcome.winner:
        raise ReplayError(f"winner {game.winner}, but seat {state.outcome.winner} has the points")


def _check_forfeit(game: ExportedGame, seats: int) -> None:
    loser = game.end.seat
    if loser is None or not 0 <= loser < seats or game.end.fault not in get_args(FaultKind):
        raise ReplayError("a forfeit needs the seat at fault and its fault, one of the known")
    if game.winner == loser or not 0 <= game.winner < seats:
        raise ReplayError(f"seat {loser} forfeited, so it cannot be that seat {game.winner} won")
