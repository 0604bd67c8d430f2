"""Which stored game a person means: by its id, or a part of it that is clear."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.errors import UserError
from arena.referee.record import GameId, name_of
from arena.store.rows import Match
from arena.text import did_you_mean, visible

_ID = re.compile(r"(?:([^/]+)/)?(\d{1,18})/(\d{1,2})", re.ASCII)
_USUAL = "a@1:b@1"
_MOST_NAMED = 5


class Wanted(NamedTuple):
    """What a person wrote, taken apart."""

    bots: tuple[str, ...]
    """Names or versions in the match's order; none: the only match is meant."""
    board: int
    seating: int


def taken_apart(text: str) -> Wanted | None:
    """Take an id apart; None: it is none."""
    found = _ID.fullmatch(text)
    if found is None:
        return None
    match, board, seating = found.groups()
    return Wanted(tuple(match.split(":")) if match else (), int(board), int(seating))


def find(text: str, matches: Iterable[Match], present: Iterable[str]) -> GameId:
    """Return the id of a game of one of `matches`, whether or not it was played.

    Versions may be left out, and if there is only one match that too; where several versions have
    met, the `present` ones are meant. Raises `UserError` with what there is.
    """
    asked, known = taken_apart(text), sorted(matches)
    if asked is None:
        such = visible(":".join(known[0])) if known else _USUAL
        form = f"match/board/seating, such as {such}/12/0"
        raise UserError(f'"{visible(text)}" is no id of a game; one is {form}')
    found = [match for match in known if _is_meant(asked.bots, match)]
    current = set(present)
    found = [match for match in found if current.issuperset(match)] or found
    if len(found) == 1:
        return GameId(found[0], asked.board, asked.seating)
    if found:
        raise UserError(f'"{visible(text)}" may be of several matches: {named(found)}')
    raise UserError(f'no match "{visible(":".join(asked.bots))}" here; {_hint(asked, known)}')


def _is_meant(bots: Sequence[str], match: Match) -> bool:
    if not bots:
        return True
    said = [bot.casefold() for bot in bots]
    forms = [(one.casefold(), name_of(one).casefold()) for one in match]
    return len(said) == len(forms) and all(map(tuple.__contains__, forms, said))


def _hint(asked: Wanted, known: Sequence[Match]) -> str:
    if any(_is_meant(asked.bots[::-1], match) for match in known):
        turned = ":".join(asked.bots[::-1])
        return f'bots stand in the order of their names: "{visible(turned)}"'
    forms = [":".join(match) for match in known]
    forms += [":".join(map(name_of, match)) for match in known]
    guess = did_you_mean(":".join(asked.bots), forms)
    return guess or f"there are {named(known)}"


def named(matches: Sequence[Match]) -> str:
    """Name some matches."""
    if not matches:
        return "none"
    shown = ", ".join(visible(":".join(match)) for match in matches[:_MOST_NAMED])
    return shown + (" and others" if len(matches) > _MOST_NAMED else "")
