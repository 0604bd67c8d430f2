"""A fault costs exactly one game, the same at any number of tables: whole jobs with real bots.

Which decisions a bot spoils is a function of (bot_seed, seq). At 64 tables several of them come in
one frame, which fails as a whole.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from jobs import PATIENT, bot, by_board, forfeits, job, timeless
from workers import script

from arena.referee.record import Forfeit, GameRecord
from arena.runtime.executor import BotSpec, JobResult
from arena.runtime.worker import run_job

pytestmark = pytest.mark.usefixtures("private_folders")

GAMES = 80
GUILTY = {3: 0, 5: 1, 19: 0, 35: 2, 51: 0}
"""Which decision is spoilt, by game."""
SPOILS = """
import json, os, signal, time, raw

KIND, GUILTY = os.environ["KIND"], json.loads(os.environ["GUILTY"])
socket, games = raw.handshake(), {}

def spoil(bad, answers):
    match KIND:
        case "crash":
            os._exit(7)
        case "killed":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "hang":
            time.sleep(1000)
        case "garble":
            return b"[{"
        case "missing":
            return [answer for answer in answers if answer not in bad]
    for answer in bad:
        match KIND:
            case "wrong type":
                answer["action"] = 5
            case "never asked":
                answer["seq"] += 1
            case "illegal":
                answer["action"] = "nonsense"
            case "fail":
                answer |= {"type": "fail", "detail": "lost in thought"}
    return answers

while True:
    bad, answers = [], []
    for message in json.loads(socket.recv()):
        match message["type"]:
            case "game_start":
                games[message["table"]] = str(message["bot_seed"])
            case "decide":
                answers.append(raw.first_legal(message))
                if GUILTY.get(games[message["table"]]) == message["seq"]:
                    bad.append(answers[-1])
            case "bye":
                raise SystemExit
    raw.say(f"spoils {len(bad)} of {len(answers)}")
    frame = spoil(bad, answers) if bad else answers
    socket.send(frame if isinstance(frame, bytes) else json.dumps(frame).encode())
"""
FAULTS = {
    "crash": ("crash", "exited 7 at decision {seq}"),
    "killed": ("crash", "killed by SIGSEGV at decision {seq}"),
    "hang": ("timeout", "no answer in 600 ms (+50) at decision {seq}"),
    "garble": ("malformed", "Input data was truncated"),
    "missing": ("malformed", "exactly one answer for each decision expected"),
    "wrong type": ("malformed", "Expected `str`, got `int` in `action`"),
    "never asked": ("malformed", "an answer to a decision that was never asked"),
    "illegal": ("illegal", "'nonsense' at decision {seq} is not legal; "),
    "fail": ("crash", "the bot gave the game up at decision {seq}"),
}


def spoiler(version: str, kind: str, mark: str, folder: Path, guilty: dict[int, int]) -> BotSpec:
    path = folder / "bot.py"
    if not path.exists():
        script(folder, SPOILS)
    limits = msgspec.structs.replace(PATIENT, move_ms=600) if kind == "hang" else PATIENT
    env = {"KIND": kind, "GUILTY": json.dumps(guilty)}
    return bot(version, path, mark=mark, limits=limits, env=env)


def comparable(result: JobResult) -> dict[int, GameRecord]:
    """Return what must not depend on the number of tables: all but times and a process's output."""
    assert (result.voids, result.start_faults) == ((), ())
    records = timeless(by_board(result))
    for board, record in records.items():
        if isinstance(record.end, Forfeit):
            end = msgspec.structs.replace(record.end, got="")
            records[board] = msgspec.structs.replace(record, end=end)
    return records


def most_spoilt_in_a_frame(log: Path) -> int:
    lines = log.read_text().splitlines()
    return max(int(line.split()[1]) for line in lines if line.startswith("spoils "))


@pytest.mark.parametrize("kind", FAULTS)
def test_the_same_games_are_lost_in_the_same_way_at_any_number_of_tables(
    kind: str, mark: str, tmp_path: Path
) -> None:
    guilty = dict(list(GUILTY.items())[::2]) if kind == "hang" else GUILTY  # each takes its time
    bots = [spoiler("a@1", kind, mark, tmp_path / "bot", guilty), bot("b@1", mark=mark)]
    found = {}
    for tables in (1, 16, 64):
        logs = tmp_path / f"logs{tables}"
        result = run_job(job(bots, GAMES, tables=tables, logs=logs))
        found[tables] = comparable(result)
        assert found[tables].keys() == set(range(GAMES))
        most = most_spoilt_in_a_frame(logs / "a.stderr.log")
        assert most > 1 if tables == 64 else most <= tables
        fault, detail = FAULTS[kind]
        lost = forfeits(result)
        assert lost.keys() == guilty.keys()
        for board, end in lost.items():
            assert (end.seat, end.fault) == (0, fault)
            assert end.detail.startswith(detail.format(seq=guilty[board]))
    assert found[1] == found[16] == found[64]


def test_two_bots_with_faults_lose_the_same_games_at_any_number_of_tables(
    mark: str, tmp_path: Path
) -> None:
    others = {3: 1, 4: 0, 20: 0, 36: 0, 51: 2}
    bots = [
        spoiler("a@1", "crash", mark, tmp_path / "bot", GUILTY),
        spoiler("b@1", "garble", mark, tmp_path / "bot", others),
    ]
    results = [run_job(job(bots, GAMES, tables=tables)) for tables in (1, 16, 64)]
    found = [comparable(result) for result in results]
    assert found[0] == found[1] == found[2]
    lost = forfeits(results[0])
    assert lost.keys() == GUILTY.keys() | others.keys()
    for board in lost.keys() - (GUILTY.keys() & others.keys()):
        assert lost[board].seat == (0 if board in GUILTY else 1)
