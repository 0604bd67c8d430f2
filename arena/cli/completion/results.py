"""Bots and games of a tournament that could be meant. Loads what reads configs and results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from arena.referee.record import name_of
from arena.store.lock import holder
from arena.store.reader import Reader
from arena.store.rows import Match
from arena.store.store import LOCK_NAME
from arena.tournament.config import Config, load_config


def bots(path: Path) -> Iterator[str]:
    """Yield the names of the bots that have played a config's tournament, then their versions."""
    with _reading(load_config(path, playing=False)) as reader:
        found = reader.bots()
    yield from dict.fromkeys(one.name for one in found)
    yield from (f"{one.name}@{one.number}" for one in found)


def games(path: Path, begun: str) -> Iterator[str]:
    """Yield how an id that has begun so may go on: to a match, a board, a seating of it.

    Versions are left out where they are not needed, unless some were written.
    """
    with _reading(load_config(path, playing=False)) as reader:
        current = {f"{one.name}@{one.number}" for one in reader.bots() if one.current}
        found = {}
        for match in reader.matches():
            if "@" not in begun and current.issuperset(match):
                found[":".join(map(name_of, match))] = match
            elif "@" in begun or not current.issuperset(match):
                found[":".join(match)] = match
        named, slash, rest = begun.partition("/")
        if not slash:
            yield from (f"{match}/" for match in sorted(found))
        elif named in found:
            yield from (f"{named}/{one}" for one in _within(reader, found[named], rest))


def _within(reader: Reader, match: Match, begun: str) -> Iterator[str]:
    """Yield the boards of a match, or the games of one that is finished."""
    board, slash, _ = begun.partition("/")
    ids = [(str(game.board), game.seating) for game in reader.settled(match)]
    if slash:
        yield from (f"{number}/{seating}" for number, seating in ids if number == board)
    else:
        yield from dict.fromkeys(f"{number}/" for number, _ in ids if number.startswith(board))


@contextmanager
def _reading(config: Config) -> Iterator[Reader]:
    """Read a tournament's results without leaving a trace."""
    folder = Path(config.results)
    is_still = holder(folder / LOCK_NAME) is None
    with closing(Reader.peek(folder, still=is_still)) as reader:
        yield reader
