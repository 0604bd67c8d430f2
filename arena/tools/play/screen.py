"""What a person is shown of a game, as plain lines: pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any

from arena.referee.events import Ask
from arena.referee.fault import Fault
from arena.report import guides, mistakes, words
from arena.report.words import does
from arena.text import visible, visible_lines
from arena.tools.play.course import Course, Happening, Reply


def past(course: Course) -> Iterator[str]:
    """Yield what was done since the person was last asked, as far as it is done with."""
    happenings = course.since_last()
    yield from _told(course, happenings[: len(happenings) - len(_present(course))])


def present(course: Course) -> Iterator[str]:
    """Yield how it stands where the person is asked: the deal, what is on the table, the hand."""
    asked = course.due
    setup = course.setup
    view: Any = asked.view
    yield _words(course).head(view, setup.names, first=setup.seat)
    if view.maker is None:
        dealer = setup.names[view.dealer]
        yield f"  {does(dealer, 'deal')}"
    yield from _told(course, _present(course))
    guide = guides.load(setup.rules.name)
    choices = guide.choices(view, asked.legal)
    numbered = "  ".join(f"[{number}] {one.text}" for number, one in enumerate(choices, 1))
    legal = [str(number) for number, one in enumerate(choices, 1) if one.is_legal]
    only = "" if len(legal) == len(choices) else f"      legal: {', '.join(legal)}"
    if guide.is_of_cards(view):
        yield f"  your hand   {numbered}{only}"
    else:
        yield f"  your hand   {'  '.join(guide.hand(view)) or 'still hidden'}"
        yield f"  you may     {numbered}"


def hint(course: Course, name: str, advice: Reply | Fault) -> str:
    """Say what a bot would do where the person is asked."""
    asked, told = course.due, _words(course)
    if isinstance(advice, Fault):
        return f"{name} has no hint: it is at fault ({advice.kind}): {visible(advice.detail)}"
    if advice.action not in asked.legal:
        why = _why(course, asked, advice.action, name)
        return f"{name} has no hint, as what it would do is not legal: {why}"
    note = f" (it notes: {visible(advice.note)})" if advice.note else ""
    return f"{name} would {told.choice(asked.view, advice.action)}{note}"


def end(course: Course) -> Iterator[str]:
    """Yield how a game that is over came out."""
    record, setup = course.record, course.setup
    assert record is not None  # noqa: S101 - the game is over
    yield from _told(course, course.since_last())
    fault = course.fault
    if fault is not None:
        yield f"{setup.bot} is at fault, {fault.kind}: {visible(fault.detail)}"
        if course.misdeed is not None:
            yield f"    {_why(course, *course.misdeed, setup.bot)}"
        yield from (f"    {line}" for line in visible_lines(fault.got).splitlines())
    own, other = record.points[setup.seat], record.points[1 - setup.seat]
    if record.winner == setup.seat:
        yield f"You win, {own} - {other}."
    else:
        yield f"{setup.bot} wins, {other} - {own}."


def _told(course: Course, happenings: Sequence[Happening]) -> Iterator[str]:
    """Yield what was done, with what it ended: a trick, a deal."""
    told, names = _words(course), course.setup.names
    for one in happenings:
        text = f"  {told.told(one.view, one.action, names[one.seat])}"
        taker = told.taken_by(one.view, one.action)
        if taker is not None:
            text += f"; {does(names[taker], 'take')} the trick"
        yield text
        for deal in one.deals:
            yield f"  {told.ended(deal, names)}"
            yield ""


def _present(course: Course) -> tuple[Happening, ...]:
    """Return what the bot did last that is still to be answered: not beyond a trick or a deal."""
    seat, told = course.setup.seat, _words(course)

    def is_open(one: Happening) -> bool:
        is_closed = one.deals or told.taken_by(one.view, one.action) is not None
        return one.seat != seat and not is_closed

    last = list(takewhile(is_open, reversed(course.since_last())))
    return tuple(reversed(last))


def _why(course: Course, asked: Ask, action: str, name: str) -> str:
    """Say why an action of a bot's is not legal."""
    return mistakes.load(course.setup.rules.name)(asked.view, asked.legal, action, name).text


def _words(course: Course) -> words.Words:
    return words.load(course.setup.rules.name)
