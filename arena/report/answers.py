"""What a bot answers when a game's decisions are put to it again (``arena.replay-to/1``).

As values, and as text. Fields may be added, none changes its meaning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

import msgspec

from arena.text import count, visible

SCHEMA: Literal["arena.replay-to/1"] = "arena.replay-to/1"


class Answer(msgspec.Struct, frozen=True):
    """A decision of the game, and what it is answered now."""

    number: int
    """Of the action in the game, from 0."""
    decision: int
    """Among those of its seat, from 0."""
    deal: int
    head: str
    """How the deal stood, in words."""
    sees: str
    """What the bot has before it, in words."""
    legal: tuple[str, ...]
    recorded: str | None
    """The action in the game; null: the bot was at fault."""
    recorded_told: str
    """In words; or the fault."""
    now: str | None
    """What it answers now; null: it gives the game up, or its process ends."""
    now_told: str
    """In words; or what is wrong with it."""
    verdict: Literal["same", "other", "fault"]
    """Whether it is what was recorded; a fault is one however it was answered then."""
    note: str | None
    """What the bot notes now."""


class Answers(msgspec.Struct, frozen=True):
    """What became of all decisions that were asked."""

    schema: Literal["arena.replay-to/1"]
    id: str
    bot: str
    """The bot that was asked."""
    seat: int
    instead_of: str
    """The bot version that sat there."""
    decisions: int
    """How many there are to ask."""
    differ: int
    """How many were answered otherwise, or by a fault."""
    answers: tuple[Answer, ...]
    """All that were asked; less than `decisions` if the bot's process ended."""

    @property
    def verdict(self) -> str:
        """Say it in a line."""
        if len(self.answers) < self.decisions:
            decisions = count(self.decisions, "decision")
            asked = f"{len(self.answers)} of {decisions} asked before its process ended"
        else:
            asked = count(self.decisions, "decision")
        counted = Counter(answer.verdict for answer in self.answers)
        parts = [asked]
        parts += [f"{counted['other']} answered otherwise"] if counted["other"] else []
        parts += [f"{counted['fault']} by a fault"] if counted["fault"] else []
        return ", ".join(parts if self.differ else [asked, "all answered as recorded"])


def summed_up(
    game: str, bot: str, seat: int, instead_of: str, decisions: int, answers: tuple[Answer, ...]
) -> Answers:
    """Return what all answers come to."""
    differ = sum(answer.verdict != "same" for answer in answers)
    return Answers(SCHEMA, game, bot, seat, instead_of, decisions, differ, answers)


def lines(answer: Answer) -> Iterator[str]:
    """Yield an answer line by line."""
    yield answer.head
    yield f"  {answer.sees}"
    yield f"  decision {answer.decision} (action {answer.number}): {answer.recorded_told}"
    yield f"  now {answer.now_told}"
    if answer.note is not None:
        yield f'  note "{visible(answer.note)}"'
