"""Whether bots are asked at the same time: not if they share a core and are quick."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from held import MS, HeldBot, HeldProcess, World
from jobs import bot, by_board, job
from msgspec.structs import replace

TABLES, GAMES = 8, 600


class AskedBot(HeldBot):
    """Notes for each frame of decisions how many there are, and whether the other bot thinks."""

    def __init__(self, think_ms: float) -> None:
        super().__init__(think_ms)
        self.other = self
        self.until_ns = 0
        self.frames: list[tuple[int, bool]] = []

    def hear(self, process: HeldProcess, messages: list[dict[str, Any]]) -> None:
        decisions = sum(message["type"] == "decide" for message in messages)
        if decisions:
            now_ns = process.world.now_ns
            self.frames.append((decisions, self.other.until_ns > now_ns))
            self.until_ns = now_ns + int(self.think_ms * MS)
        super().hear(process, messages)


@pytest.mark.parametrize(("think_ms", "in_turns"), [(0.5, True), (20, False)])
def test_quick_bots_on_one_core_are_asked_in_turns_and_about_more_at_once(
    think_ms: float, *, in_turns: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = AskedBot(think_ms), AskedBot(think_ms)
    a.other, b.other = b, a
    bots = [replace(bot(f"{name}@1"), argv=(name,)) for name in "ab"]
    result = World(a=a, b=b).play(job(bots, GAMES, tables=TABLES), tmp_path, monkeypatch)
    assert len(by_board(result)) == GAMES
    for asked in (a, b):
        first, last = asked.frames[:50], asked.frames[-150:-50]
        assert any(together for _, together in first), "nothing is known of the bots yet"
        assert any(together for _, together in last) != in_turns
        mean = sum(decisions for decisions, _ in last) / len(last)
        assert (mean > TABLES / 2 + 0.5) == in_turns
