"""From misdeeds to findings.

The code of each is found by looking at it and, where that is not enough, by asking the same
decision again in a fresh process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from arena.referee.fault import Fault
from arena.text import visible, visible_lines
from arena.tools.check.asked import Asked
from arena.tools.check.codes import CODES, OF_FAULTS
from arena.tools.check.conversation import Conversation
from arena.tools.check.diagnosis import Diagnosis, diagnose
from arena.tools.check.findings import CheckName, Finding
from arena.tools.check.playing import Misdeed

MIXES_TABLES, NOT_IN_MID_COURSE, GIVES_UP = "A115", "A116", "A117"
_OF_RULES = {"A103", "A104", "A105", "A106", "A111", "A112", "A113"}
"""Only if it would be right at another table such a mistake may not be one in the rules."""
_OF_STATE = {"A101", "A102", "A107", "A108", "A109", "A110", "A114", GIVES_UP, "A302"}
"""What may come of something that was remembered, or not."""
_MOST_EXPERIMENTS = 8
"""Fresh processes in one check: each takes as long as the bot's start."""

_ABSORBED = {
    "A106": {"A103", "A104", "A105"},
    "A109": {"A107", "A108", "A110", "A114"},
}
"""What is no wrong belief of its own in a bot that also makes a mistake which none explains."""

Reproduce = Callable[[CheckName, Asked | None], str]
"""Returns the command that shows a finding again: at one decision, or somewhere in a check."""


class Judge:
    """Finds the codes of misdeeds."""

    def __init__(self, talk: Conversation, reproduce: Reproduce) -> None:
        """Experiments are made with `talk`, whose process is replaced then."""
        self._talk = talk
        self._reproduce = reproduce
        self._experiments = 0

    def findings(self, check: CheckName, misdeeds: Iterable[Misdeed]) -> tuple[Finding, ...]:
        """Return one finding for each code, with how often it was seen, in order."""
        alike = _grouped(misdeeds)
        found: dict[str, Finding] = {}
        for first, *more in alike.values():
            one = self.finding(check, self._told(first), first, times=1 + len(more))
            before = found.get(one.code)
            times = one.times + (0 if before is None else before.times)
            found[one.code] = msgspec.structs.replace(before or one, times=times)
        return tuple(found[code] for code in sorted(found))

    def finding(
        self, check: CheckName, told: Diagnosis, misdeed: Misdeed, *, times: int
    ) -> Finding:
        """Return what a person is told of a misdeed."""
        asked, answer = misdeed.said.asked, misdeed.said.answer
        got = visible_lines(answer.got) if isinstance(answer, Fault) else visible(answer.action)
        return Finding(
            told.code,
            CODES[told.code].severity,
            CODES[told.code].title,
            check,
            asked.where,
            told.text,
            "one of " + " ".join(asked.legal),
            got,
            times,
            self._reproduce(check, None if told.code == MIXES_TABLES else asked),
        )

    def _told(self, misdeed: Misdeed) -> Diagnosis:
        """Return what a misdeed is, after experiments if they can tell more."""
        told = seen(misdeed)
        if not self._may_be_of_state(misdeed, told.code):
            return told
        if misdeed.was_led_up:
            return _mixed(told, misdeed) if self._is_right(misdeed, *misdeed.before) else told
        if self._is_right(misdeed):  # which says little of a process that has ended
            return told if misdeed.is_lost else _mixed(told, misdeed)
        if misdeed.before and self._is_right(misdeed, *misdeed.before):
            return Diagnosis(NOT_IN_MID_COURSE, f"asked alone: {told.text}")
        return told

    def _may_be_of_state(self, misdeed: Misdeed, code: str) -> bool:
        """Whether it is worth an experiment."""
        if self._experiments >= _MOST_EXPERIMENTS or (misdeed.is_lost and misdeed.was_led_up):
            return False
        return code in _OF_STATE or (code in _OF_RULES and _is_right_beside(misdeed))

    def _is_right(self, misdeed: Misdeed, *before: Asked) -> bool:
        """Whether a fresh process that is asked nothing else gives a right answer."""
        self._experiments += 1
        if self._talk.begin() is not None:
            return False
        for asked in before:
            self._talk.ask(asked)
        return self._talk.ask(misdeed.said.asked).is_right


def _grouped(misdeeds: Iterable[Misdeed]) -> dict[str, list[Misdeed]]:
    """Return them by their codes as far as these show by themselves."""
    alike: dict[str, list[Misdeed]] = {}
    for misdeed in misdeeds:
        alike.setdefault(seen(misdeed).code, []).append(misdeed)
    for general, special in _ABSORBED.items():
        if general in alike:
            for code in special & alike.keys():
                alike[general] += alike.pop(code)
    return alike


def _is_right_beside(misdeed: Misdeed) -> bool:
    return any(misdeed.said.action in other.legal for other in misdeed.beside)


def _mixed(told: Diagnosis, misdeed: Misdeed) -> Diagnosis:
    others = (
        f"{len(misdeed.beside)} other tables asked with it" if misdeed.beside else "other games"
    )
    return Diagnosis(MIXES_TABLES, f"{told.text}; without {others} it answers rightly")


def seen(misdeed: Misdeed) -> Diagnosis:
    """Return what a misdeed is as far as it shows by itself."""
    asked, answer = misdeed.said.asked, misdeed.said.answer
    if isinstance(answer, Fault):
        is_given_up = answer.kind == "crash" and not misdeed.is_lost
        return Diagnosis(GIVES_UP if is_given_up else OF_FAULTS[answer.kind], answer.detail)
    told = diagnose(asked.view, asked.legal, answer.action, asked.earlier)
    assert told is not None  # noqa: S101 - it is a misdeed
    return told
