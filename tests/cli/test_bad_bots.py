"""Bots that cannot be started or are at fault: what it costs them, what is said, how a run ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import RANDOM_BOT, Done, Tournament, arena, call, games_of, new_tournament

WRONG_BOT = """
import json, os, sys, time
import zmq

def answer(decide, seed):
    action = decide["legal"][0]
    if decide["seq"] == 2:
        if seed % 4 == 0:
            print("I give up", flush=True)
            os._exit(3)
        if seed % 4 == 1:
            time.sleep(60)
        if seed % 4 == 2:
            return {"type": "rubbish"}
        action = "play:XX"
    return {"type": "act", "table": decide["table"], "seq": decide["seq"], "action": action}

socket = zmq.Context().socket(zmq.DEALER)
socket.connect(os.environ["ARENA_ENDPOINT"])
socket.send_json([{"type": "hello", "token": os.environ["ARENA_TOKEN"], "protocol": 1}])
socket.recv()
socket.send_json([])
seed = 0
while (messages := socket.recv_json())[-1]["type"] != "bye":
    for message in messages:
        seed = message.get("bot_seed", seed)
    socket.send_json([answer(m, seed) for m in messages if m["type"] == "decide"])
"""
"""Its fault is another in every fourth game or so; which game has which hangs on the seed."""
HEALTHY_BOT = "from arena.sdk import run\n\nrun(lambda view, legal: legal[0])\n"
DETAILS = {
    "crash": "exited 3 at decision 2",
    "timeout": "no answer in 300 ms (+200) at decision 2",
    "malformed": "Invalid value 'rubbish' in `type`",
    "illegal": "'play:XX' at decision 2 is not legal; legal: ",
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tournament, Done]:
    """A healthy bot against the wrong one."""
    tournament = Tournament(tmp_path_factory.mktemp("wrong"))
    wrong = tournament.add_bot("wrong", WRONG_BOT)
    patient = {"path": tournament.add_bot("healthy", HEALTHY_BOT), "limits": {"move": "10s"}}
    limits = {"move": "300ms", "grace": "200ms"}
    tournament.configure(wrong, patient, seed=1, boards=8, options={}, limits=limits)
    return tournament, arena("tournament", "tour.yaml", folder=tournament.folder)


def test_faults_do_not_end_a_run(run: tuple[Tournament, Done]) -> None:
    tournament, done = run
    assert done.code == 0
    assert tournament.stored() == 16
    assert "Traceback" not in done.err


def test_a_fault_loses_its_game_and_is_counted(
    run: tuple[Tournament, Done], capfd: pytest.CaptureFixture[str]
) -> None:
    tournament, done = run
    rankings = json.loads(call(capfd, "rankings", "--json", tournament.config).out)
    bots: dict[str, Any] = {bot["name"]: bot for bot in rankings["bots"]}
    assert bots["healthy"]["faults"] == {}
    assert set(bots["wrong"]["faults"]) == set(DETAILS)
    games = games_of(call(capfd, "export", tournament.config).out)
    forfeits = [game for game in games if game["end"]["kind"] == "forfeit"]
    assert len(forfeits) == sum(bots["wrong"]["faults"].values())
    for game in forfeits:
        at_fault = game["end"]["seat"]
        assert game["seats"][at_fault] == "wrong@1"
        assert game["winner"] == 1 - at_fault
    assert f"{len(forfeits)}  (" in done.out


def test_the_first_fault_of_each_kind_is_told_once_with_its_cause(
    run: tuple[Tournament, Done],
) -> None:
    tournament, done = run
    for kind, detail in DETAILS.items():
        told = [line for line in done.err.splitlines() if f"by a fault ({kind}): {detail}" in line]
        assert len(told) == 1, kind
        assert told[0].startswith("wrong lost game healthy@1:wrong@1/")
    log = tournament.results / "bots" / "wrong.stderr.log"
    assert "    got: I give up" in done.err
    assert f"    what it printed: {log}" in done.err
    assert log.read_text().startswith("I give up\n")


def test_what_was_not_printed_is_not_pointed_at(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = Tournament(tmp_path)
    illegal = RANDOM_BOT.replace("self.random.choice(legal)", '"fold"')
    bots = [tournament.add_bot("a"), tournament.add_bot("b", illegal)]
    tournament.configure(*bots, boards=1)
    done = call(capfd, "tournament", tournament.config)
    assert done.code == 0
    assert "b lost game a@1:b@1/0/" in done.err
    assert "what it printed" not in done.err


def test_a_bot_that_cannot_be_started_is_left_out_and_named_before_the_first_game(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = Tournament(tmp_path)
    broken = 'import sys\nsys.exit("no model\\nno hope")\n'
    bots = [tournament.add_bot("a"), tournament.add_bot("b"), tournament.add_bot("c", broken)]
    bots[0:0] = [tournament.add_bot("d", "while True: pass")]
    tournament.configure(*bots, boards=1, limits={"start": "1s"})
    done = call(capfd, "tournament", tournament.config)
    assert done.code == 1
    told = done.err.splitlines()[3:8]
    assert told == [
        "d cannot be started and is left out of this run (no_start): no hello within 1000 ms",
        "c cannot be started and is left out of this run (no_start): exited 1 before hello",
        "    no model",
        "    no hope",
        f"    what it printed: {tournament.results}/bots/c.stderr.log",
    ]
    assert [row.split()[1] for row in done.out.splitlines()[1:]][2:] == ["c", "d"]
    assert [line for line in done.err.splitlines() if " is left out: " in line] == [
        "d is left out: the last run could not start it: no hello within 1000 ms.",
        "c is left out: the last run could not start it: exited 1 before hello.",
    ]
    rankings = json.loads(call(capfd, "rankings", "--json", tournament.config).out)
    assert (rankings["games"], rankings["scheduled"], rankings["complete"]) == (2, 12, False)
    rows = tournament.rows(times=True)
    tournament.add_bot("c")
    tournament.configure("a.py", "b.py", "c.py", boards=1, limits={"start": "1s"})
    mended = call(capfd, "tournament", tournament.config)
    assert mended.code == 0
    assert set(rows) < set(tournament.rows(times=True))
    assert tournament.stored() == 6


def test_fewer_than_two_that_can_be_started_are_no_tournament(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = new_tournament(tmp_path, "a", "b")
    tournament.add_bot("b", "raise SystemExit(5)")
    done = call(capfd, "tournament", tournament.config)
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[3:] == [
        "b cannot be started and is left out of this run (no_start): exited 5 before hello",
        "error: fewer than two bots can be started, so there is nothing to play",
    ]


def test_a_bot_that_takes_workers_with_it_is_left_out(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = new_tournament(
        tmp_path, "a", "b", "c", boards=1, run={"workers": 1}, isolation="none"
    )
    tournament.add_bot("b", "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n")
    done = call(capfd, "tournament", tournament.config)
    assert done.code == 1
    detail = "its worker died 3 times while it was started"
    assert f"b cannot be started and is left out of this run (no_start): {detail}" in done.err
