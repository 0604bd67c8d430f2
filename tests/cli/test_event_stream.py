"""`arena tournament --json`, the log, and streams that nobody reads."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import (
    RANDOM_BOT,
    Tournament,
    call,
    end_of,
    games_of,
    new_tournament,
    processes_in,
    running,
    wait_until,
)

ARENA = f"{sys.executable} -m arena"
STAMPED = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ  ")
CRASHING_BOT = RANDOM_BOT.replace(
    "return self", 'raise ValueError("\\x1b[2J no\\nidea")\n        self'
)


def shell(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )


def events_of(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def log_of(tournament: Tournament) -> list[str]:
    """The log, times taken off."""
    lines = (tournament.results / "arena.log").read_text().splitlines()
    assert all(STAMPED.match(line) or line.startswith("    ") for line in lines)
    return [STAMPED.sub("", line) for line in lines]


@pytest.fixture
def endless(tmp_path: Path) -> Tournament:
    """More games than any test waits for."""
    return new_tournament(tmp_path, "a", "b", boards=100_000, tables=1, run={"workers": 2})


# events


def test_a_run_as_events(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tournament = new_tournament(tmp_path, "a", "b")
    done = call(capfd, "tournament", "--json", tournament.config)
    assert done.code == 0
    start, *events, standings, end = events_of(done.out)
    commitment = start.pop("commitment")
    assert re.fullmatch("[0-9a-f]{64}", commitment)
    assert f"cards committed: {commitment}\n" in done.err
    workers = start.pop("workers")
    assert start == {
        "event": "run_started",
        "schema": "arena.event/1",
        "tournament": "tour",
        "config": str(tournament.config),
        "variant": "two_handed",
        "options": {"target_score": 2},
        "bots": [{"name": "a", "version": "a@1"}, {"name": "b", "version": "b@1"}],
        "matches": 1,
        "boards": 3,
        "scheduled": 6,
        "settled": 0,
    }
    said = [event["text"] for event in events if event["event"] == "notice"]
    assert said[0] == f"tour: 2 bots, 1 match x 3 boards = 6 games, {workers} worker" + (
        "s" if workers > 1 else ""
    )
    games = [event for event in events if event["event"] == "game"]
    exported = games_of(call(capfd, "export", tournament.config).out)
    fields = ("id", "seats", "points", "winner", "end")
    assert sorted(games, key=lambda game: game["id"]) == [
        {"event": "game", **{field: game[field] for field in fields}}
        for game in sorted(exported, key=lambda game: str(game["id"]))
    ]
    rankings = json.loads(call(capfd, "rankings", "--json", tournament.config).out)
    assert standings == {"event": "standings", "rankings": rankings}
    assert end == {
        "event": "run_finished",
        "settled": 6,
        "scheduled": 6,
        "complete": True,
        "signal": None,
        "error": None,
        "exit": 0,
    }


def test_faults_as_events_and_in_the_log(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tournament = Tournament(tmp_path)
    bots = [tournament.add_bot("a"), tournament.add_bot("b", CRASHING_BOT)]
    tournament.configure(*bots, boards=4)
    done = call(capfd, "tournament", "--json", tournament.config)
    events = events_of(done.out)
    faults = [event for event in events if event["event"] == "fault"]
    games = [event for event in events if event["event"] == "game"]
    assert len(faults) == 8
    assert [fault["game"] for fault in faults] == [game["id"] for game in games]
    for fault, game in zip(faults, games, strict=True):
        assert events.index(fault) == events.index(game) + 1
        assert game["end"].pop("detail") == fault["detail"]
        loser = game["seats"].index("b@1")
        assert game["end"] == {"kind": "forfeit", "seat": loser, "fault": "crash"}
        assert (fault["bot"], fault["version"], fault["kind"]) == ("b", "b@1", "crash")
        assert "ValueError" in fault["detail"] + fault["got"]
        assert fault["log"] == str(tournament.results / "bots" / "b.stderr.log")
    assert done.err.count("b lost game ") == 1
    said = "".join(f"{fault['detail']}{fault['got']}" for fault in faults)
    assert "\x1b" not in done.err + said + "".join(log_of(tournament))
    logged = [line for line in log_of(tournament) if " by a fault " in line]
    assert [line.split()[:3] for line in logged] == [["b@1", "lost", f["game"]] for f in faults]
    assert all(line.endswith(f"what it printed: {faults[0]['log']}") for line in logged)


def test_standings_come_while_games_are_played(endless: Tournament) -> None:
    with running("tournament", "--json", "tour.yaml", folder=endless.folder) as run:
        assert run.stdout is not None
        events: list[dict[str, Any]] = []
        while not events or events[-1]["event"] != "standings":
            events.append(json.loads(run.stdout.readline()))
        assert events[-1]["rankings"]["complete"] is False
        assert events[-1]["rankings"]["games"] > 0
        run.send_signal(signal.SIGINT)
        done = end_of(run)
    assert done.code == 130
    events += events_of(done.out)
    assert [event["event"] for event in events[-2:]] == ["standings", "run_finished"]
    games = [event["id"] for event in events if event["event"] == "game"]
    assert len(games) == len(set(games)) == endless.stored()
    assert events[-1] == {
        "event": "run_finished",
        "settled": len(games),
        "scheduled": 200_000,
        "complete": False,
        "signal": "SIGINT",
        "error": None,
        "exit": 130,
    }
    assert log_of(endless)[-1] == (
        f"run ends: {len(games)} of 200000 games settled; interrupted by SIGINT; exit code 130"
    )
    assert done.err.splitlines()[-2] == f"saved, {len(games)} of 200000 games."


def test_a_run_that_fails_after_its_beginning_says_why(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = Tournament(tmp_path)
    bots = [tournament.add_bot(name, "raise SystemExit(1)") for name in ("a", "b")]
    tournament.configure(*bots)
    done = call(capfd, "tournament", "--json", tournament.config)
    assert done.code == 2
    events = events_of(done.out)
    assert [event["event"] for event in events if event["event"] != "notice"] == [
        "run_started",
        "run_finished",
    ]
    error = "fewer than two bots can be started, so there is nothing to play"
    assert (events[-1]["error"], events[-1]["exit"]) == (error, 2)
    assert done.err.splitlines()[-1] == f"error: {error}"
    assert log_of(tournament)[-1].endswith(f"error: {error}; exit code 2")


def test_errors_before_the_beginning_are_no_events(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    missing = call(capfd, "tournament", "--json", tmp_path / "none.yaml")
    assert (missing.code, missing.out) == (2, "")
    assert missing.err.endswith("none.yaml: no such file\n")
    tournament = new_tournament(tmp_path, "a")
    alone = call(capfd, "tournament", "--json", tournament.config)
    assert (alone.code, alone.out) == (2, "")
    assert "a tournament needs two bots" in alone.err


# readers that go away


def test_when_nobody_reads_the_events_any_more_running_games_finish(endless: Tournament) -> None:
    ended = shell(
        f"{ARENA} tournament --json tour.yaml | head -1; echo ${{PIPESTATUS[0]}}", endless.folder
    )
    start, code = ended.stdout.splitlines()
    assert json.loads(start)["event"] == "run_started"
    assert code == "141"
    assert "Traceback" not in ended.stderr
    assert ended.stderr.splitlines()[-2:] == [
        f"saved, {endless.stored()} of 200000 games.",
        "To continue:  arena tournament tour.yaml",
    ]
    assert log_of(endless)[-1].endswith("; interrupted by SIGPIPE; exit code 141")
    assert wait_until(lambda: not processes_in(endless.folder))


def test_when_events_cannot_be_written_running_games_finish(endless: Tournament) -> None:
    ended = shell(f"{ARENA} tournament --json tour.yaml >/dev/full", endless.folder)
    assert ended.returncode == 4
    *_, saved, _, error = ended.stderr.splitlines()
    assert saved == f"saved, {endless.stored()} of 200000 games."
    assert error == "error: the output cannot be used: No space left on device; free some space"


def test_the_table_of_a_run_of_which_only_the_first_line_is_read(tmp_path: Path) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    ended = shell(
        f"{ARENA} -q tournament tour.yaml | head -1; echo ${{PIPESTATUS[0]}}", tournament.folder
    )
    head, code = ended.stdout.splitlines()
    assert head.startswith(" rank  bot")
    assert code in ("0", "141")
    assert ended.stderr == ""
    assert tournament.stored() == 2


@pytest.mark.parametrize("stream", ["2>/dev/null", "2>&-", ">&-", ">/dev/null"])
def test_a_stream_that_is_closed_or_goes_nowhere(tmp_path: Path, stream: str) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    for words in ("", "--json"):
        ended = shell(f"{ARENA} tournament {words} tour.yaml {stream}", tournament.folder)
        assert ended.returncode == 0
        shown, hidden = ended.stdout, ended.stderr
        if stream[0] == ">":
            shown, hidden = hidden, shown
        assert shown != ""
        assert hidden == ""
    assert tournament.stored() == 2
    assert log_of(tournament)[-1] == "run ends: 2 of 2 games settled; exit code 0"


# the log


def test_the_log_of_two_runs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    done = call(capfd, "tournament", tournament.config)
    head, commitment, inspected, *_, log, _ = done.err.splitlines()
    assert log == f"log: {os.path.relpath(tournament.results / 'arena.log')}" or (
        log == f"log: {tournament.results / 'arena.log'}"
    )
    assert inspected.startswith("isolation: process, ")
    first = [head, commitment, "run begins: 0 of 2 games settled", inspected]
    ended = "run ends: 2 of 2 games settled; exit code 0"
    assert log_of(tournament) == [*first, ended]
    assert call(capfd, "-q", "tournament", tournament.config).err == ""
    again = [head, commitment, "run begins: 2 of 2 games settled", ended]
    assert log_of(tournament) == [*first, ended, *again]


def test_the_log_goes_to_another_file_too(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    elsewhere = tmp_path / "logs" / "mine.log"
    assert call(capfd, "--log-file", elsewhere, "tournament", tournament.config).code == 0
    texts = [
        [line.partition(" ")[2] for line in path.read_text().splitlines()]
        for path in (elsewhere, tournament.results / "arena.log")
    ]
    assert texts[0] == texts[1] != []


def test_no_other_command_has_a_log(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    done = call(capfd, "--log-file", tmp_path / "mine.log", "rankings", tournament.config)
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith("Error: --log-file is for `arena tournament` only\n")


def test_no_run_ends_because_its_log_cannot_be_written(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    (tournament.results / "arena.log").mkdir(parents=True)
    done = call(capfd, "--log-file", "/dev/full", "tournament", tournament.config)
    assert done.code == 0
    assert [line for line in done.err.splitlines() if "no log" in line] == [
        f"there is no log of this run: {tournament.results}/arena.log: Is a directory",
        "there is no log of this run: /dev/full: No space left on device",
    ]
    assert "\nlog: " not in done.err
    assert tournament.stored() == 2
