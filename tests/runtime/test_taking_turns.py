"""Which bots share a core, and whether they are asked at the same time: not if they are quick."""

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


def play(
    think_ms: float, games: int, folder: Path, patch: pytest.MonkeyPatch, **known: bool
) -> World:
    """Play a job of bots of which so much is known; return the world in which they did."""
    world = World(a=HeldBot(think_ms), b=HeldBot(think_ms))
    world.in_turn |= {f"{name}@1": is_in_turn for name, is_in_turn in known.items()}
    bots = [replace(bot(f"{name}@1"), argv=(name,)) for name in "ab"]
    assert len(by_board(world.play(job(bots, games), folder, patch))) == games
    return world


def test_a_worker_remembers_who_computes_in_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = play(0.5, 20, tmp_path / "first", monkeypatch)
    assert first.in_turn == {"a@1": True, "b@1": True}
    assert [together for _, together in first.placed] == [False, True]
    second = play(0.5, 20, tmp_path / "second", monkeypatch, a=True, b=True)
    assert all(together for _, together in second.placed)


def test_who_did_not_compute_in_turn_once_never_shares_a_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = play(0.5, 20, tmp_path, monkeypatch, a=True, b=False)
    assert not any(together for _, together in world.placed)
    assert world.in_turn == {"a@1": True, "b@1": False}


def test_who_thinks_for_long_has_a_core_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another bot could take of it, should it begin to compute, would be a lot."""
    world = play(25, 2, tmp_path, monkeypatch, a=True, b=True)
    assert [together for _, together in world.placed][-1] is False


def test_bots_that_think_for_long_are_looked_after_less_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = play(0.5, 40, tmp_path / "quick", monkeypatch).looks_ms
    slow = play(900, 1, tmp_path / "slow", monkeypatch).looks_ms

    def per_second(looks_ms: list[float]) -> float:
        return len(looks_ms) / (looks_ms[-1] - looks_ms[0]) * 1000 / 2  # both bots

    assert 19 <= per_second(quick) <= 21
    assert 9.5 <= per_second(slow) <= 12
