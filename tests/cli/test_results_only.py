"""`output.records: results`: everything is as with all records, but for what was done in a game."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from commands import Done, Tournament, call, games_of, last_of, new_tournament

RESULTS = {"records": "results"}


def rankings(tournament: Tournament, capture: pytest.CaptureFixture[str]) -> Any:
    """What is ranked, without what was measured."""
    found = json.loads(call(capture, "rankings", "--json", tournament.config).out)
    for bot in found["bots"]:
        del bot["ms_per_decision"], bot["cpu_ms_per_decision"]
    del found["lag_ms"]
    return found


def exported(tournament: Tournament, capture: pytest.CaptureFixture[str], *options: str) -> str:
    done = call(capture, "export", *options, tournament.config)
    assert done.code == 0
    return done.out


def verified(export: str, folder: Path, capture: pytest.CaptureFixture[str], *options: str) -> Done:
    (folder / "games.jsonl").write_text(export)
    return call(capture, "verify", *options, folder / "games.jsonl")


def without_deals(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in game.items() if key != "deals"} for game in games]


@pytest.fixture
def kept(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Tournament:
    (tmp_path / "kept").mkdir()
    tournament = new_tournament(tmp_path / "kept", "a", "b", output=RESULTS)
    assert call(capfd, "tournament", tournament.config).code == 0
    return tournament


def test_only_what_was_done_is_missing(
    kept: Tournament, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "whole").mkdir()
    whole = new_tournament(tmp_path / "whole", "a", "b")
    assert call(capfd, "tournament", whole.config).code == 0
    assert rankings(kept, capfd) == rankings(whole, capfd)
    few, many = exported(kept, capfd), exported(whole, capfd)
    assert games_of(few) == without_deals(games_of(many))
    assert not any("deals" in game for game in games_of(few))
    assert last_of(few) == last_of(many)
    (timed, *_) = games_of(exported(kept, capfd, "--times", "--notes"))
    assert timed.keys() - games_of(few)[0].keys() == {"cpu_us", "lag_us"}
    with closing(sqlite3.connect(kept.results / "results.sqlite")) as file:
        assert file.execute("SELECT count(*) FROM plays").fetchone() == (0,)


def test_the_key_may_change_at_any_time(
    kept: Tournament, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept.configure("a.py", "b.py", boards=5)
    assert call(capfd, "tournament", kept.config).code == 0
    export = exported(kept, capfd)
    assert ["deals" in game for game in games_of(export)] == [False] * 6 + [True] * 4
    done = verified(export, tmp_path, capfd, "--seed")
    assert done.code == 1
    assert done.out.startswith("10 games, ")
    assert "but 6 games cannot be replayed" in done.out


def test_what_cannot_be_replayed_is_not_said_to_be_right(
    kept: Tournament, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    export = exported(kept, capfd)
    done = verified(export, tmp_path, capfd)
    assert (done.code, done.out.startswith("ok")) == (1, False)
    assert "6 games cannot be replayed: stored without actions (output.records)" in done.out
    told = json.loads(verified(export, tmp_path, capfd, "--json").out)
    assert (told["games"], told["not_replayed"], told["findings"]) == (6, 6, [])
    twice = "\n".join([*export.splitlines()[:1], export])
    assert "stands in the file twice" in verified(twice, tmp_path, capfd).out


def test_it_can_be_rated(
    kept: Tournament, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "games.jsonl").write_text(exported(kept, capfd))
    done = call(capfd, "rate", "--json", tmp_path / "games.jsonl")
    assert done.code == 0
    elo = {bot["name"]: bot["elo"] for bot in json.loads(done.out)["bots"]}
    assert elo == {bot["name"]: bot["elo"] for bot in rankings(kept, capfd)["bots"]}
