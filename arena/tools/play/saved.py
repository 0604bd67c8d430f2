"""Games on disk: saved to be continued, and recorded when they are over."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from arena import rules
from arena.errors import SurroundingsError, UserError
from arena.referee.clock import Limits
from arena.referee.replay import exported
from arena.text import refusal, visible
from arena.tools import whole
from arena.tools.bots import DEFAULT_LEVEL, level_of
from arena.tools.play.course import Course, Reply, Setup
from arena.tournament.config import load_config

_MOST_BYTES = 10_000_000
_VARIANT = "two_handed"
_SEED_BYTES = 8
_FORMAT: Literal["arena-play/1"] = "arena-play/1"

Options = dict[str, Any]


class Conditions(NamedTuple):
    """Under what bots play."""

    limits: Limits = Limits()
    level: str = DEFAULT_LEVEL
    """Of isolation."""


class Saved(msgspec.Struct, frozen=True, kw_only=True):
    """A game that can be begun or continued, as it stands in a file."""

    format: Literal["arena-play/1"] = _FORMAT
    bot: str
    """Where the bot is, absolute."""
    hints: str | None = None
    """Where the bot is that gives hints, if it is another."""
    config: str | None = None
    """The tournament by whose options the game was begun, and under whose conditions bots play."""
    seat: Literal[0, 1]
    """The person's."""
    seed: str
    variant: str
    options: dict[str, bool | int | str]
    replies: tuple[Reply, ...] = ()
    """All that was chosen, by both."""

    def course(self, name: str, limits: Limits) -> Course:
        """Return the game against a bot of this name, with its limits.

        Raises `UserError` if it cannot have gone so.
        """
        known = rules.load(self.variant, self.options)
        return Course(Setup(known, name, self.seat, self.seed, limits), self.replies)

    def conditions(self) -> Conditions:
        """Return under what its bots play: as in its tournament now, or in one that does not say.

        A file cannot choose them. Raises `UserError` if the tournament's config is not there or is
        wrong, `SurroundingsError` if no level of isolation holds here.
        """
        if self.config is None:
            return Conditions()
        found = load_config(self.config, playing=False)
        return Conditions(found.limits, level_of(found))


def new(
    bot: str,
    hints: str | None,
    config: str | None,
    *,
    seat: int,
    seed: str | None,
    options: Options,
) -> Saved:
    """Return a game of which nothing was played; its cards are drawn if no seed is given.

    `options` go before those of the `config`. Raises `UserError` for what is wrong of all this.
    """
    chosen = secrets.token_hex(_SEED_BYTES) if seed is None else seed
    try:
        chosen.encode()
    except UnicodeEncodeError as error:
        raise UserError("--seed: what was given is no text") from error
    game = Saved(
        bot=absolute(bot),
        hints=None if hints is None else absolute(hints),
        config=None if config is None else absolute(config),
        seat=1 if seat else 0,
        seed=chosen,
        variant=_VARIANT,
        options=options,
    )
    if config is not None:
        found = load_config(config, playing=False)
        game = replace(
            game,
            variant=found.variant,
            options={**found.options, **options},
        )
    rules.load(game.variant, game.options)
    return game


def absolute(path: str) -> str:
    """Return where a path leads from anywhere."""
    return str(Path(path).absolute())


def save(game: Saved, file: Path) -> None:
    """Write a game to a file, at once or not at all; raises `SurroundingsError` if that fails."""
    try:
        whole.replace(file, msgspec.json.format(msgspec.json.encode(game), indent=1) + b"\n")
    except OSError as error:
        raise SurroundingsError(f"{visible(str(file))}: not saved: {refusal(error)}") from error


def check_place(file: Path) -> None:
    """Raise `UserError` if a game must not be saved there: it would cost what is no saved game."""
    shown = visible(str(file))
    try:
        file.lstat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise UserError(f"{shown}: not saved: {refusal(error)}") from error
    except ValueError as error:  # such as a NUL in it
        raise UserError(f"{shown}: not saved: no file can have that name") from error
    if not file.is_file():
        raise UserError(f"{shown}: not saved: it is there already and no file; give another name")
    try:
        read(file)
    except UserError as error:
        raise UserError(f"{error}; not saved there: give another name") from error


def read(file: Path) -> Saved:
    """Read a saved game; raises `UserError` if the file has none."""
    shown = visible(str(file))
    try:
        with file.open("rb") as opened:
            raw = opened.read(_MOST_BYTES)
        return msgspec.json.decode(raw, type=Saved)
    except OSError as error:
        raise UserError(f"{shown}: {refusal(error)}") from error
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UserError(f"{shown}: no game saved by `arena play`: {visible(str(error))}") from error


def continued(file: Path, bot: str | None, hints: str | None) -> Saved:
    """Return a saved game, to be continued against another bot or with other hints if given."""
    game = read(file)
    if bot is not None:
        game = replace(game, bot=absolute(bot), hints=None)
    return game if hints is None else replace(game, hints=absolute(hints))


def free_file(bot: str) -> Path:
    """Return a file in this folder where a game against a bot can be saved, and nothing is yet."""
    return next(file for file in _names(bot) if not os.path.lexists(file))


def _names(bot: str) -> Iterator[Path]:
    yield Path(f"{bot}.play.json")
    yield from (Path(f"{bot}-{number}.play.json") for number in count(2))


def check_record(file: Path) -> None:
    """Raise `UserError` if a game could not be recorded there, before it is played."""
    shown = visible(str(file))
    is_new = not file.exists()
    try:
        with file.open("ab"):
            pass
        if is_new:
            file.unlink()
        elif b'"format":"arena-end/1"' in _last_line(file):
            raise UserError(f"{shown} is an export that has ended; record in another file")
    except OSError as error:
        raise UserError(f"{shown}: {refusal(error)}") from error


def record(course: Course, file: Path) -> None:
    """Add a game that is over to a file, as a line of an export; its board is the next one there.

    Raises `SurroundingsError` if that fails.
    """
    game, setup = course.record, course.setup
    assert game is not None  # noqa: S101 - the game is over
    game = replace(game, id=replace(game.id, board=_lines(file)))
    line = msgspec.json.encode(exported(game, setup.rules, setup.board_seed), order="sorted")
    try:
        whole.append(file, line + b"\n")
    except OSError as error:
        raise SurroundingsError(f"{visible(str(file))}: not recorded: {refusal(error)}") from error


def _lines(file: Path) -> int:
    """Return how many lines a file has; none if it is not there or cannot be read."""
    try:
        with file.open("rb") as lines:
            return sum(1 for _ in lines)
    except OSError:
        return 0


def _last_line(file: Path) -> bytes:
    """Return the last line of a file, or of its last bytes if that is long."""
    with file.open("rb") as lines:
        lines.seek(max(0, file.stat().st_size - _MOST_BYTES))
        return (lines.read().splitlines() or [b""])[-1]
