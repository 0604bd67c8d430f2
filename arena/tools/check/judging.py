"""From misdeeds to findings.

The code of each is found by looking at it and, where that is not enough, by asking the same
decision again in a fresh process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from arena.referee.fault import Fault
from arena.text import visible, visible_lines
from arena.tools.check.asked import Asked
from arena.tools.check.codes import CODES, OF_FAULTS
from arena.tools.check.conversation import Conversation, Until
from arena.tools.check.diagnosis import Diagnosis, diagnose
from arena.tools.check.findings import CheckName, Finding
from arena.tools.check.playing import Misdeed

MIXES_TABLES, NOT_IN_MID_COURSE, GIVES_UP = "A115", "A116", "A117"
_OF_PROCESS = {"A303", "A304", "A305", "A306"}
"""What says by itself what is wrong."""
_WITNESSES = 5
"""So many answers of a kind must be right elsewhere: a bot that rolls dice may be lucky once."""
_MOST_EXPERIMENTS = 24
"""Fresh processes in all checks of a bot: each takes as long as the bot's start."""

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
        self._mixes_tables = False
        """Whether it is known to."""

    def findings(
        self, check: CheckName, misdeeds: Iterable[Misdeed], until: Until
    ) -> tuple[Finding, ...]:
        """Return one finding for each code, with how often it was seen, in order.

        What no experiment could show before the time is up is told as it was seen.
        """
        alike = _grouped(misdeeds)
        found: dict[str, Finding] = {}
        for group in alike.values():
            one = self._finding(check, self._told(group, until), group[0], times=len(group))
            before = found.get(one.code)
            times = one.times + (0 if before is None else before.times)
            found[one.code] = msgspec.structs.replace(before or one, times=times)
        return tuple(found[code] for code in sorted(found))

    def _finding(
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

    def _told(self, group: Sequence[Misdeed], until: Until) -> Diagnosis:
        """Return what misdeeds of a kind are, after experiments if they can tell more."""
        first = group[0]
        told = seen(first)
        is_of_frame = first.is_lost and first.was_led_up
        if told.code in _OF_PROCESS or is_of_frame or self._experiments >= _MOST_EXPERIMENTS:
            return told
        witnesses = group[: 1 if self._mixes_tables else _WITNESSES]
        if all(self._is_right_elsewhere(one, until) for one in witnesses):
            if first.is_lost:  # an answer says little of a process that has ended
                return told
            self._mixes_tables = True
            return _mixed(told, first)
        if not first.was_led_up and first.before and self._is_right(first, first.before, until):
            return Diagnosis(NOT_IN_MID_COURSE, f"asked alone: {told.text}")
        return told

    def _is_right_elsewhere(self, misdeed: Misdeed, until: Until) -> bool:
        """Whether it gives a right answer if it knows no other game."""
        return self._is_right(misdeed, misdeed.before if misdeed.was_led_up else (), until)

    def _is_right(self, misdeed: Misdeed, before: Sequence[Asked], until: Until) -> bool:
        """Whether a fresh process that is asked nothing else is seen to give a right answer."""
        self._experiments += 1
        if until.is_over or self._talk.begin() is not None:
            return False
        for asked in before:
            self._talk.ask(asked)
            if self._talk.is_hopeless or until.is_over:
                return False
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
