"""Behind `arena verify`: an export replayed game by game, and its cards derived again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Literal

import msgspec

from arena import rules
from arena.errors import ReplayError, UserError
from arena.referee.replay import FORMAT, ExportedGame, check
from arena.rules.base import Rules
from arena.text import visible
from arena.tools.endings import ExportedStop
from arena.tournament.entering import match_identity
from arena.tournament.identity import board_seed

END_FORMAT: Literal["arena-end/1"] = "arena-end/1"
_SHOWN = 1_000
"""Most characters of a finding that are shown to a person."""
_KEPT = (
    "this export does not reveal its secret, so the deals cannot be derived: that of a config with "
    "a seed does, and `arena export --reveal`. Without --seed every game is replayed by the rules"
)
Deals = tuple[dict[str, Any], ...]
"""Of an exported game."""
_CARDS = ("dealer", "hands", "upcard", "stock")


class Finding(msgspec.Struct, frozen=True):
    """The first discrepancy of one game, or of the file as a whole."""

    line: int
    """Line of the file, from 1."""
    game: str | None
    deal: int | None
    action: int | None
    text: str

    def __str__(self) -> str:
        """Such as ``line 3: game a@1:b@1/0/0: deal 2: action 5: ...``."""
        places = [f"line {self.line}"]
        places += [f"game {self.game}"] if self.game is not None else []
        places += [f"deal {self.deal}"] if self.deal is not None else []
        places += [f"action {self.action}"] if self.action is not None else []
        text = ": ".join([*places, self.text])
        cut = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        return visible(cut)


class ExportEnd(msgspec.Struct, frozen=True):
    """The last line of an export (contracts, 5)."""

    format: Literal["arena-end/1"]
    games: int
    complete: bool
    commitment: str
    secret: str | None
    isolation: tuple[str, ...]
    bots: dict[str, str]
    """Hash by version."""
    stop: ExportedStop | None = None
    """What ended the tournament before its last board; older exports do not tell."""

    def revealed(self) -> bytes | None:
        """Return the secret; None unless it is there and is the one that was committed to."""
        try:
            secret = bytes.fromhex(self.secret or "")
        except ValueError:
            return None
        is_committed = hashlib.sha256(secret).hexdigest() == self.commitment
        return secret if is_committed and self.secret is not None else None


class Verified(msgspec.Struct, frozen=True):
    """What came of verifying a file."""

    schema: str
    games: int
    deals: int
    derived: bool
    """Whether the deals were derived again from the secret."""
    complete: bool | None
    """What the last line says; None without one."""
    findings: tuple[Finding, ...]
    not_replayed: int = 0
    """Games without deals (`output.records`): each was only compared with itself."""


def verify(lines: Iterable[bytes], *, end: ExportEnd | None = None) -> Verified:
    """Replay every game of an export; with `end`, derive every deal from its secret too.

    Raises `UserError` if there is no game in it or no line of an export at all, or if `end` gives
    no secret.
    """
    if end is not None and end.secret is None:
        raise UserError(_KEPT)
    verification = _Verification(end)
    for number, line in enumerate(lines, start=1):
        if line.strip():
            verification.take(number, line)
    if not verification.games and not verification.findings:
        raise UserError("there is no game in this file")
    if not verification.recognised:
        formats = f"{FORMAT} or {END_FORMAT}"
        raise UserError(f"this is no export of arena: no line of it has the format {formats}")
    return Verified(
        "arena.verify/1",
        verification.games,
        verification.deals,
        verification.derives,
        verification.complete,
        tuple(verification.findings),
        verification.not_replayed,
    )


def find_end(lines: Iterable[bytes]) -> ExportEnd:
    """Return the last line of an export; `UserError` if there is none."""
    last = b""
    for line in lines:
        last = line if line.strip() else last
    try:
        return msgspec.json.decode(last, type=ExportEnd)
    except msgspec.MsgspecError as error:
        text = f"the last line is not an {END_FORMAT} line, so the deals cannot be derived"
        raise UserError(text) from error


class _Verification:
    """Takes an export line by line and keeps what was found."""

    def __init__(self, end: ExportEnd | None) -> None:
        self.games = 0
        self.deals = 0
        self.not_replayed = 0
        self.recognised = False
        """Whether any line says that it is one of an export."""
        self.complete: bool | None = None
        self.findings: list[Finding] = []
        self._secret = end.revealed() if end else None
        self._hashes = end.bots if end else {}
        self._seen: set[str] = set()

    @property
    def derives(self) -> bool:
        """Whether there were deals, derived from a secret that can be relied on."""
        return self._secret is not None and self.deals > 0

    def take(self, number: int, line: bytes) -> None:
        if self.complete is not None:
            self._find(number, None, "a line after the last line of an export")
            return
        try:
            kind = msgspec.json.decode(line, type=_Line).format
            self.recognised |= kind in {FORMAT, END_FORMAT}
            if kind == END_FORMAT:
                self._take_end(number, msgspec.json.decode(line, type=ExportEnd))
            elif kind == FORMAT:
                self._take_game(number, msgspec.json.decode(line, type=ExportedGame))
            else:
                self._find(number, None, f"format {kind!a}; known are {FORMAT} and {END_FORMAT}")
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            self._find(number, None, f"not a line of an export: {error}")

    def _take_end(self, number: int, end: ExportEnd) -> None:
        self.complete = end.complete
        if end.secret is not None and end.revealed() is None:
            self._find(number, None, "the secret is not the one that was committed to")
        if end.games != self.games:
            text = f"the last line speaks of {end.games} games, the file has {self.games}"
            self._find(number, None, text)

    def _take_game(self, number: int, game: ExportedGame) -> None:
        self.games += 1
        self.deals += len(game.deals or ())
        self.not_replayed += game.deals is None
        try:
            known = _rules(game.variant, msgspec.json.encode(game.options))
            _check_place(game, known.seats)
            check(game, known)
            if self._secret is not None and game.deals is not None:
                _check_cards(game.deals, known, self._seed(game))
            if game.id in self._seen:
                self._find(number, game.id, "this game stands in the file twice")
            self._seen.add(game.id)
        except ReplayError as error:
            self._find(number, game.id, str(error), error.deal, error.action)
        except UserError as error:
            self._find(number, game.id, str(error))

    def _seed(self, game: ExportedGame) -> bytes:
        missing = [version for version in game.match if version not in self._hashes]
        if missing or self._secret is None:
            raise ReplayError(f"the last line has no hash of {', '.join(missing)}")
        return board_seed(self._secret, match_identity(self._hashes, game.match), game.board)

    def _find(
        self,
        line: int,
        game: str | None,
        text: str,
        deal: int | None = None,
        action: int | None = None,
    ) -> None:
        self.findings.append(Finding(line, game, deal, action, text))


class _Line(msgspec.Struct):
    format: str


@lru_cache(maxsize=64)
def _rules(variant: str, options: bytes) -> Rules:
    return rules.load(variant, msgspec.json.decode(options))


def _check_place(game: ExportedGame, seats: int) -> None:
    """Refuse a game that stands outside of every schedule, where it could stand several times."""
    is_there = len(game.match) == seats and game.board >= 0 and 0 <= game.seating < seats
    if not is_there:
        text = f"{seats} bots, a board from 0, seating 0 to {seats - 1}"
        raise ReplayError(f"no schedule has such a game: {text}")


def _check_cards(deals: Deals, known: Rules, seed: bytes) -> None:
    """Derive a game's deals from its board's seed and compare their cards."""
    for number, (given, derived) in enumerate(zip(deals, _derive(deals, known, seed))):  # noqa: B905 - ends with the first difference
        for key in _CARDS:
            if given[key] != derived[key]:
                raise ReplayError(f"{key} differs from what the secret gives", deal=number)


def _derive(deals: Deals, known: Rules, seed: bytes) -> Iterator[dict[str, Any]]:
    """Yield each deal as the secret deals it; each is compared before its actions are played."""
    state = known.start(seed)
    for number, deal in enumerate(deals):
        yield state.deals()[number]
        for _, action in deal["actions"]:
            state = state.apply(action)
