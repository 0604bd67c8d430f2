"""Stops: the same games count and the same table comes out, however it was played."""

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

TIMID = """
from arena.sdk import Bot, run

class Timid(Bot):
    max_tables = 64

    def choose(self, view, legal):
        return "pass" if "pass" in legal else legal[-1]

run(Timid)
"""
"""Loses most boards to a bot that plays at random."""
BOARDS = 150
SPRT = {"sprt": {"a": "a", "b": "timid", "elo0": 0, "elo1": 60}}
ERROR = {"rating_error": 90}


def begin(folder: Path, stop: dict[str, Any], **keys: Any) -> Tournament:
    folder.mkdir()
    tournament = new_tournament(folder, "a", "b")
    timid = tournament.add_bot("timid", TIMID)
    settings = {"boards": BOARDS, "isolation": "none", "stop": stop} | keys
    tournament.configure("a.py", "b.py", timid, **settings)
    return tournament


def results(tournament: Tournament, capture: pytest.CaptureFixture[str]) -> tuple[str, Any]:
    """The export, and the rankings without what was measured."""
    exported = call(capture, "export", tournament.config)
    assert exported.code == 0
    rankings = json.loads(call(capture, "rankings", "--json", tournament.config).out)
    for bot in rankings["bots"]:
        del bot["ms_per_decision"], bot["cpu_ms_per_decision"]
    del rankings["lag_ms"], rankings["inspection"]
    return exported.out, rankings


@pytest.fixture(scope="module", params=[SPRT, ERROR], ids=["sprt", "rating_error"])
def plain(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Played by one worker at one table."""
    folder = tmp_path_factory.mktemp("plain") / "t"
    tournament = begin(folder, request.param, tables=1, run={"workers": 1})
    done = arena("tournament", "tour.yaml", folder=tournament.folder)
    assert done.code == 0, done.err
    assert done.err.count("the tournament ends: ") == 1
    return tournament, request.param


def test_what_a_stop_makes_of_a_tournament(plain: Any, capfd: pytest.CaptureFixture[str]) -> None:
    tournament, stop = plain
    export, rankings = results(tournament, capfd)
    (kind,) = stop
    found = rankings["stop"]
    assert found["kind"] == kind
    assert rankings["complete"]
    assert last_of(export)["complete"]
    assert rankings["not_needed"] > 0
    assert rankings["games"] + rankings["not_needed"] == rankings["scheduled"] == 6 * BOARDS
    games = games_of(export)
    assert len(games) == rankings["games"]
    last = max((game["board"], game["seating"]) for game in games)
    if kind == "sprt":
        assert (found["model"], found["elo0"], found["elo1"]) == ("logistic", 0, 60)
        assert not found["bounds"][0] < found["llr"] < found["bounds"][1]
        own = [game["board"] for game in games if game["match"] == ["a@1", "timid@1"]]
        assert max(own) == found["board"]
        assert found["match"] == "a@1:timid@1"
        assert rankings["sprt"]["boards"] == found["board"] + 1
    else:
        errors = [bot["error"] for bot in rankings["bots"]]
        assert max(errors) == pytest.approx(found["error"], abs=0.01)
        assert found["error"] <= 90
        assert last == (found["board"], 1)
        assert found["board"] in (31, 63, 127)
    table = call(capfd, "rankings", tournament.config)
    assert "The tournament ended before its last board. " in table.err
    assert f"too late to count: {rankings['not_needed']} games." in table.err
    again = call(capfd, "tournament", tournament.config)
    assert (again.code, again.out) == (0, table.out)
    assert "complete" in call(capfd, "list", tournament.folder).out


def test_the_export_of_a_stopped_tournament_is_rated_as_it(
    plain: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament, (kind,) = plain
    export, rankings = results(tournament, capfd)
    file = tmp_path / "g.jsonl"
    file.write_text(export)
    assert last_of(export)["stop"]["kind"] == kind
    assert call(capfd, "verify", file).code == 0
    rated = json.loads(call(capfd, "rate", "--json", file).out)
    told = ("bots", "matches", "differences", "stop", "sprt", "not_needed")
    for row in rated["bots"]:
        del row["ms_per_decision"], row["cpu_ms_per_decision"]
    assert {key: rated[key] for key in told} == {key: rankings[key] for key in told}
    *noticed, of_isolation = rankings["notices"]
    assert of_isolation.startswith("Isolation none")
    assert rated["notices"] == noticed


@pytest.mark.parametrize(("workers", "tables"), [(2, 1), (2, 64)])
def test_for_any_number_of_workers_and_tables(
    plain: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str], workers: int, tables: int
) -> None:
    expected, stop = plain
    tournament = begin(tmp_path / "t", stop, tables=tables, run={"workers": workers})
    assert call(capfd, "tournament", tournament.config).code == 0
    assert results(tournament, capfd) == results(expected, capfd)


def test_after_kills(plain: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    expected, stop = plain
    tournament = begin(tmp_path / "t", stop, tables=16, run={"workers": 2})
    kills = 0
    for games in (1, 40):
        with running("tournament", "tour.yaml", folder=tournament.folder) as run:
            wait_until(lambda: tournament.stored() >= games or run.poll() is not None)  # noqa: B023 - used at once
            run.kill()
            kills += run.wait() == -signal.SIGKILL
            assert wait_until(lambda: not processes_in(tournament.folder))
    assert kills
    assert call(capfd, "tournament", tournament.config).code == 0
    assert results(tournament, capfd) == results(expected, capfd)


def test_what_was_decided_stands(
    plain: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whatever the config says now; more boards are not needed either."""
    played, stop = plain
    tournament = played.copy(tmp_path)
    export, rankings = results(tournament, capfd)
    tournament.configure(
        "a.py", "b.py", "timid.py", boards=BOARDS + 100, isolation="none", tables=1
    )
    done = call(capfd, "tournament", tournament.config)
    assert done.code == 0
    assert "the tournament ends" not in done.err
    later_export, later = results(tournament, capfd)
    *games, last = export.splitlines()
    *later_games, later_last = later_export.splitlines()
    assert later_games == games
    before, after = json.loads(last), json.loads(later_last)
    assert after["stop"].pop("not_needed") == before["stop"].pop("not_needed") + 600
    assert after == before
    assert later["stop"] == rankings["stop"]
    assert (later["complete"], later["not_needed"]) == (True, rankings["not_needed"] + 600)
    if "sprt" in stop:  # a new version is another match
        tournament.add_bot("timid", TIMID + "\n")
        tournament.configure("a.py", "b.py", "timid.py", boards=2, isolation="none")
        assert call(capfd, "tournament", tournament.config).code == 0
        _, renewed = results(tournament, capfd)
        assert (renewed["stop"], renewed["games"]) == (None, 12)


def test_a_bot_that_comes_in_after_a_stop_plays_until_it(
    plain: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The stop stands, and what is left before it is few games that all begin at once."""
    played, stop = plain
    if "rating_error" in stop:
        pytest.skip("decided for all that played, so it does not stand")
    tournament = played.copy(tmp_path)
    export, _ = results(tournament, capfd)
    tournament.add_bot("c")
    bots = ("a.py", "b.py", "c.py", "timid.py")
    tournament.configure(*bots, boards=BOARDS, isolation="none", run={"workers": 2}, stop=stop)
    done = call(capfd, "tournament", tournament.config)
    assert done.code == 0
    assert "interim" not in done.err
    later_export, later = results(tournament, capfd)
    assert later["complete"]
    assert last_of(later_export)["complete"]
    old, new = games_of(export), games_of(later_export)
    assert [game for game in new if "c@1" not in game["match"]] == old
    boards = later["stop"]["board"] + 1
    assert min(one["boards"] for one in later["matches"] if "c" in (one["a"], one["b"])) > 0
    assert all(one["boards"] <= 2 * boards for one in later["matches"])


def test_a_run_that_is_out_of_time_says_how_to_go_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = begin(tmp_path / "t", {"after": "1s"}, boards=100_000)
    done = call(capfd, "tournament", tournament.config)
    assert done.code == 0
    assert "stop.after is over" in done.err
    assert f"To continue:  arena tournament {tournament.config}" in done.err
    assert "interim: " in done.err
    assert done.out.startswith(" rank")
    before = tournament.stored()
    assert call(capfd, "tournament", tournament.config).code == 0
    assert tournament.stored() > before
