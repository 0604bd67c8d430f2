"""Text that people read: made safe, counted, guessed."""

from __future__ import annotations

import errno
import os

from hypothesis import given
from hypothesis import strategies as st

from arena.text import closest, count, did_you_mean, refusal, visible


@given(st.text(st.characters(codec=None)))
def test_nothing_steers_a_terminal_and_what_can_be_shown_stays(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    assert shown == text or not text.isprintable()
    assert shown.startswith(text[: next((i for i, c in enumerate(text) if not c.isprintable()), 0)])


def test_each_kind_of_what_is_not_shown() -> None:
    assert visible("a\x1b[31m\n\u202eb\x9b\ud800\U000e0041") == (
        r"a\x1b[31m\n\u202eb\x9b\ud800\U000e0041"
    )
    assert visible(r"名前 é '\x1b'") == r"名前 é '\x1b'"


def test_numbers_of_things() -> None:
    assert [count(n, "board") for n in (0, 1, 2)] == ["0 boards", "1 board", "2 boards"]
    assert [count(n, "match", "matches") for n in (1, 2)] == ["1 match", "2 matches"]


def test_guesses() -> None:
    known = ["move", "game", "start"]
    assert closest("mvoe", known) == "move"
    assert did_you_mean("mvoe", known) == 'did you mean "move"?'
    assert closest("zzz", known) is did_you_mean("zzz", known) is None


def test_what_the_machine_refuses() -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "some file")
    assert refusal(full) == "No space left on device; free some space"
    assert refusal(OSError(errno.ELOOP, os.strerror(errno.ELOOP))) == os.strerror(errno.ELOOP)
    assert refusal(OSError("nothing more is known")) == "nothing more is known"
