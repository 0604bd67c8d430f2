"""Games on disk: saved to be continued, and recorded when they are over."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, Literal

import msgspec

from arena import rules
from arena.errors import SurroundingsError, UserError
from arena.referee.clock import Limits
from arena.referee.replay import changed_options, exported
from arena.text import refusal, visible
from arena.tools.play.course import Course, Reply, Setup

_MOST_BYTES = 10_000_000
_VARIANT = "two_handed"
_SEED_BYTES = 8
_FORMAT: Literal["arena-play/1"] = "arena-play/1"


class Saved(msgspec.Struct, frozen=True, kw_only=True):
    """A game that can be continued, as it stands in a file."""

    format: Literal["arena-play/1"] = _FORMAT
    bot: str
    """Where the bot is, absolute."""
    hints: str | None = None
    """Where the bot is that gives hints, if it is another."""
    seat: Literal[0, 1]
    """The person's."""
    seed: str
    variant: str
    options: dict[str, Any]
    replies: tuple[Reply, ...]
    """All that was chosen, by both."""

    def course(self, name: str) -> Course:
        """Return the game against a bot of this name; raises `UserError` if it is none."""
        known = rules.load(self.variant, self.options)
        return Course(Setup(known, name, self.seat, self.seed, Limits()), self.replies)


def new(bot: str, *, seat: int, seed: str | None, options: dict[str, Any]) -> Saved:
    """Return a game of which nothing was played; its cards are drawn if no seed is given.

    Raises `UserError` for options that are wrong.
    """
    rules.load(_VARIANT, options)
    chosen = secrets.token_hex(_SEED_BYTES) if seed is None else seed
    try:
        chosen.encode()
    except UnicodeEncodeError as error:
        raise UserError("--seed: what was given is no text") from error
    return Saved(
        bot=bot,
        seat=1 if seat else 0,
        seed=chosen,
        variant=_VARIANT,
        options=options,
        replies=(),
    )


def saved(course: Course, bot: str, hints: str | None) -> Saved:
    """Return what is to be kept of a game against the bot at a path."""
    setup = course.setup
    return Saved(
        bot=str(Path(bot).absolute()),
        hints=None if hints is None else str(Path(hints).absolute()),
        seat=0 if setup.seat == 0 else 1,
        seed=setup.seed,
        variant=setup.rules.name,
        options=changed_options(setup.rules.options),
        replies=course.replies,
    )


def save(game: Saved, file: Path) -> None:
    """Write a game to a file, at once or not at all; raises `SurroundingsError` if that fails."""
    unfinished = file.with_name(f".{file.name}.unfinished")
    try:
        unfinished.write_bytes(msgspec.json.format(msgspec.json.encode(game), indent=1) + b"\n")
        unfinished.replace(file)
    except OSError as error:
        raise SurroundingsError(f"{visible(str(file))}: not saved: {refusal(error)}") from error


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


def free_file(bot: str) -> Path:
    """Return a file in this folder where a game against a bot can be saved, and nothing is yet."""
    return next(file for file in _names(bot) if not file.exists())


def _names(bot: str) -> Iterator[Path]:
    yield Path(f"{bot}.play.json")
    yield from (Path(f"{bot}-{number}.play.json") for number in count(2))


def check_record(file: Path) -> None:
    """Raise `UserError` if a game could not be recorded there, before it is played."""
    is_new = not file.exists()
    try:
        with file.open("ab"):
            pass
        if is_new:
            file.unlink()
    except OSError as error:
        raise UserError(f"{visible(str(file))}: {refusal(error)}") from error


def record(course: Course, file: Path) -> None:
    """Add a game that is over to a file, as a line of an export.

    Raises `SurroundingsError` if that fails.
    """
    game, setup = course.record, course.setup
    assert game is not None  # noqa: S101 - the game is over
    line = msgspec.json.encode(exported(game, setup.rules, setup.board_seed), order="sorted")
    try:
        with file.open("ab") as out:
            out.write(line + b"\n")
    except OSError as error:
        raise SurroundingsError(f"{visible(str(file))}: not recorded: {refusal(error)}") from error
