"""How long it is looked what a mistake is: experiments end with their time, and with the bot."""

from __future__ import annotations

import pytest

from arena.referee.fault import Fault
from arena.runtime.asking import Answer
from arena.tools.check.asked import Asked, Playing, games, option_sets
from arena.tools.check.conversation import Conversation, Said, Until
from arena.tools.check.judging import Judge
from arena.tools.check.playing import Misdeed

EARLIER = 20


class Never(Until):
    """Time that is up after so many looks."""

    def __init__(self, looks: int) -> None:
        super().__init__(0)
        self._looks = looks

    @property
    def is_over(self) -> bool:
        self._looks -= 1
        return self._looks < 0


class Talk(Conversation):
    """Counts what is asked; whoever is asked has lost its process for good, or answers wrongly."""

    def __init__(self, *, loses: bool) -> None:
        self.losses = 0
        self.begun = self.asked = 0
        self._loses = loses

    def begin(self) -> Fault | None:
        self.losses = 0
        self.begun += 1
        return None

    def ask(self, asked: Asked) -> Said:
        self.asked += 1
        self.losses += self._loses
        return Said(asked, Fault("crash", "gone") if self._loses else Answer("play:XX", 1))


def misdeed() -> Misdeed:
    """A wrong answer late in a game."""
    playing = Playing(next(games(option_sets(), "judging")))
    before: list[Asked] = []
    while (asked := playing.asked()) is not None and len(before) < EARLIER:
        before.append(asked)
        playing.answer(asked.legal[0])
    *before, last = before
    return Misdeed(Said(last, Answer("play:XX", 1)), tuple(before), was_led_up=True)


def judged(talk: Talk, until: Until) -> list[str]:
    judge = Judge(talk, lambda *_: "")
    return [one.code for one in judge.findings("games", [misdeed()], until)]


def test_with_all_the_time_everything_before_is_asked_again() -> None:
    talk = Talk(loses=False)
    codes = judged(talk, Until(600))
    assert (talk.begun, talk.asked) == (1, EARLIER)
    assert len(codes) == 1


@pytest.mark.parametrize(("looks", "asked"), [(0, 0), (1, 1), (6, 6)])
def test_no_experiment_goes_on_when_the_time_is_up(looks: int, asked: int) -> None:
    """The mistake is told all the same, as it was seen."""
    talk = Talk(loses=False)
    assert judged(talk, Never(looks)) == judged(Talk(loses=False), Until(600))
    assert talk.asked == asked


def test_no_experiment_goes_on_with_a_bot_that_is_lost_again_and_again() -> None:
    talk = Talk(loses=True)
    judged(talk, Until(600))
    assert talk.asked == 3
