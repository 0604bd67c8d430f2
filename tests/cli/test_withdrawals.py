"""A withdrawn bot: the same games count and the same table comes out, however it was played."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from commands import (
    Tournament,
    arena,
    call,
    games_of,
    last_of,
    new_tournament,
    processes_in,
    running,
    wait_until,
)

WAYWARD = """
import os
from arena.sdk import Bot, run

class Wayward(Bot):
    max_tables = 64

    def choose(self, view, legal):
        luck = self.random.random()  # from bot_seed and seq alone
        if luck < {crash}:
            os._exit(3)
        if luck < {illegal}:
            return "nonsense"
        return self.random.choice(legal)

run(Wayward)
"""
BOARDS = 8


def play(folder: Path, capture: pytest.CaptureFixture[str], **keys: Any) -> Tournament:
    """Play a tournament of two sound and two wayward bots to its end."""
    tournament = begin(folder, **keys)
    done = call(capture, "tournament", tournament.config)
    assert done.code == 1, done.err
    return tournament


def begin(folder: Path, **keys: Any) -> Tournament:
    folder.mkdir()
    settings = {"faults": {"withdraw_after": 4}, "boards": BOARDS} | keys
    tournament = new_tournament(folder, "a", "b")
    bad = tournament.add_bot("bad", WAYWARD.format(crash=0.01, illegal=0.03))
    worse = tournament.add_bot("worse", WAYWARD.format(crash=0.005, illegal=0.05))
    tournament.configure("a.py", bad, "b.py", worse, **settings)
    return tournament


def results(tournament: Tournament, capture: pytest.CaptureFixture[str]) -> tuple[str, Any]:
    """The export, and the rankings without what was measured."""
    exported = call(capture, "export", tournament.config)
    assert exported.code == 0
    rankings = json.loads(call(capture, "rankings", "--json", tournament.config).out)
    for bot in rankings["bots"]:
        del bot["ms_per_decision"], bot["cpu_ms_per_decision"]
    del rankings["lag_ms"]
    return exported.out, rankings


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    """Played by one worker at one table."""
    tournament = begin(tmp_path_factory.mktemp("plain") / "t", tables=1, run={"workers": 1})
    assert arena("tournament", "tour.yaml", folder=tournament.folder).code == 1
    return tournament


def test_what_a_withdrawal_costs(plain: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    export, rankings = results(plain, capfd)
    bots = {bot["name"]: bot for bot in rankings["bots"]}
    for name in ("bad", "worse"):
        assert bots[name]["withdrawn"] == "4 faults (faults.withdraw_after)"
        lost = [
            game
            for game in games_of(export)
            if game["end"]["kind"] == "forfeit"
            and game["seats"][game["end"]["seat"]] == f"{name}@1"
        ]
        own = [game for game in games_of(export) if f"{name}@1" in game["match"]]
        assert len(lost) == 4
        assert own[-1] == lost[-1], "the game that decided is its last one"
    assert bots["a"]["withdrawn"] is None
    assert rankings["complete"]
    assert last_of(export)["complete"]
    games, dropped = rankings["games"], rankings["dropped"]
    assert dropped > BOARDS
    assert games + dropped == rankings["scheduled"] == 6 * 2 * BOARDS
    assert len(games_of(export)) == games
    sound = [game for game in games_of(export) if game["match"] == ["a@1", "b@1"]]
    assert len(sound) == 2 * BOARDS
    table = call(capfd, "rankings", plain.config)
    assert table.out.count(", withdrawn") == 2
    assert "bad is withdrawn: 4 faults (faults.withdraw_after)." in table.err


@pytest.mark.parametrize(("workers", "tables"), [(2, 1), (1, 64), (2, "auto")])
def test_for_any_number_of_workers_and_tables(
    plain: Tournament,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    workers: int,
    tables: object,
) -> None:
    tournament = play(tmp_path / "t", capfd, tables=tables, run={"workers": workers})
    assert results(tournament, capfd) == results(plain, capfd)


def test_after_kills(plain: Tournament, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tournament = begin(tmp_path / "t", tables=16, run={"workers": 2})
    kills = 0
    for games in (1, 20):
        with running("tournament", "tour.yaml", folder=tournament.folder) as run:
            wait_until(lambda: tournament.stored() >= games or run.poll() is not None)  # noqa: B023 - used at once
            run.kill()
            kills += run.wait() == -signal.SIGKILL
            assert wait_until(lambda: not processes_in(tournament.folder))
    assert kills
    assert call(capfd, "tournament", tournament.config).code == 1
    assert results(tournament, capfd) == results(plain, capfd)


def test_without_the_rule_every_game_is_played(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = begin(tmp_path / "t", boards=2, faults={"withdraw_after": None})
    assert call(capfd, "tournament", tournament.config).code == 0
    _, rankings = results(tournament, capfd)
    assert (rankings["games"], rankings["dropped"]) == (24, 0)
