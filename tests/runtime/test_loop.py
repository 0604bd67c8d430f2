"""Whole jobs with real bot processes: tables, starts, budgets, and what a bot is told."""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jobs import HOSTILE, bot, by_board, forfeits, job, records, timeless

import arena
from arena.referee.clock import Limits
from arena.referee.record import Target
from arena.runtime.executor import BotSpec, Job, JobResult
from arena.runtime.worker import run_job

pytestmark = pytest.mark.usefixtures("private_folders")


def script(folder: Path, text: str, name: str = "own.py") -> Path:
    """Write a bot that speaks the protocol by hand."""
    shutil.copy(HOSTILE / "raw.py", folder)
    path = folder / name
    path.write_text(text)
    return path


# tables


def played_without_voids(wanted: Job) -> JobResult:
    """Play a job again as long as a busy machine holds the arena up."""
    results = (run_job(wanted) for _ in range(5))
    return next(result for result in results if not result.voids)


def test_a_deterministic_bot_plays_the_same_games_at_any_number_of_tables(mark: str) -> None:
    bots = [bot("a@1", mark=mark), bot("b@1", mark=mark)]
    jobs = [job(bots, 60, tables=n, options={}) for n in (1, 16, None)]
    one, many, auto = map(played_without_voids, jobs)
    alone, together, freely = (timeless(by_board(result)) for result in (one, many, auto))
    assert alone.keys() == set(range(60))
    assert alone == together == freely
    for record in records(one):
        assert record.end == Target()
        assert len(record.times_us) == len(record.actions)
        assert all(time_us >= 0 for time_us in record.times_us)


def test_more_tables_than_a_bot_asked_for_are_not_opened(mark: str, tmp_path: Path) -> None:
    bots = [bot("a@1", listener(tmp_path, tables=3), mark=mark), bot("b@1", mark=mark)]
    run_job(job(bots, 12, tables=64, logs=tmp_path / "logs"))
    frames = heard(tmp_path / "logs/a.stderr.log")
    most = max(sum(message["type"] == "decide" for message in frame) for frame in frames)
    assert 1 < most <= 3


# what a bot is told

LISTENER = """
import json, os, sys, raw

socket = raw.connect()
socket.send_json([raw.hello(max_tables=TABLES)])
raw.say("heard " + socket.recv().decode())
socket.send(b"[]")

class Listening:
    send = socket.send

    def recv(self):
        frame = socket.recv()
        raw.say("heard " + frame.decode())
        return frame

raw.serve(Listening(), MISDEED)
"""


def listener(folder: Path, misdeed: str = "lambda *_: None", tables: int = 64) -> Path:
    """Write a bot that prints all it hears."""
    return script(folder, LISTENER.replace("MISDEED", misdeed).replace("TABLES", str(tables)))


def heard(log: Path) -> list[list[dict[str, Any]]]:
    lines = log.read_text().splitlines()
    return [json.loads(line[6:]) for line in lines if line.startswith("heard ")]


def conversation(tmp_path: Path, mark: str, misdeed: str) -> list[list[dict[str, Any]]]:
    """Play three games, the last with that misdeed; return all frames one bot heard."""
    first = bot("wort@3", listener(tmp_path, misdeed), mark=mark)
    first = msgspec.structs.replace(first, params={"worlds": 30})
    run_job(job([first, bot("b@1", mark=mark)], 3, logs=tmp_path / "logs"))
    return heard(tmp_path / "logs/wort.stderr.log")


def test_a_bot_hears_what_the_contract_promises(tmp_path: Path, mark: str) -> None:
    frames = conversation(tmp_path, mark, "raw.change(action='nonsense')")
    assert frames[0] == [
        {
            "type": "welcome",
            "protocol": 1,
            "arena": arena.__version__,
            "bot": "wort",
            "params": {"worlds": 30},
        }
    ]
    start, decide = frames[1]
    options = start.pop("options")
    assert start == {
        "type": "game_start",
        "table": 0,
        "variant": "two_handed",
        "seat": 0,
        "limits": {"move_ms": 30_000, "game_ms": None},
        "bot_seed": 0,
    }
    assert (options["target_score"], options["deck_size"]) == (1, 24)
    assert (decide["type"], decide["table"], decide["seq"]) == ("decide", 0, 0)
    assert decide["legal"] == sorted(decide["legal"])
    assert decide["budget_ms"] == 30_000
    assert decide["view"]["seat"] == 0


def test_frames_follow_one_another_as_the_contract_says(tmp_path: Path, mark: str) -> None:
    _, *turns, farewell = conversation(tmp_path, mark, "raw.change(action='nonsense')")
    kinds = [[message["type"] for message in frame] for frame in turns]
    assert all(kind[-1] == "decide" for kind in kinds)
    assert {tuple(kind) for kind in kinds} == {
        ("decide",),
        ("game_start", "decide"),
        ("game_end", "game_start", "decide"),
    }
    decides = [message for frame in turns for message in frame if message["type"] == "decide"]
    for table in range(3):
        seqs = [decide["seq"] for decide in decides if decide["table"] == table]
        assert seqs == list(range(len(seqs)))
    ends = [m for frame in (*turns, farewell) for m in frame if m["type"] == "game_end"]
    assert [end["table"] for end in ends] == [0, 1, 2]
    assert [end["ended"] for end in ends] == ["played", "played", "forfeit"]
    assert ends[0]["fault"] is None
    assert ends[0]["points"][ends[0]["winner"]] >= 1
    assert ends[2]["winner"] == 1
    assert ends[2]["fault"]["kind"] == "illegal"
    assert ends[2]["fault"]["detail"].startswith("'nonsense' at decision 2 is not legal")
    assert farewell[-1] == {"type": "bye", "reason": "finished"}


def test_an_opponent_hears_of_a_fault_but_not_its_detail(tmp_path: Path, mark: str) -> None:
    listening = bot("b@1", listener(tmp_path), mark=mark)
    bad = bot("a@1", HOSTILE / "killed_by_a_signal.py", mark=mark)
    run_job(job([bad, listening], 4, logs=tmp_path / "logs"))
    frames = heard(tmp_path / "logs/b.stderr.log")
    ends = [message for frame in frames for message in frame if message["type"] == "game_end"]
    assert len(ends) == 4
    assert ends[2]["fault"] == {"seat": 0, "kind": "crash"}
    assert ends[2]["ended"] == "forfeit"


def test_a_fresh_process_is_given_the_games_in_mid_course(tmp_path: Path, mark: str) -> None:
    bad = bot("a@1", listener(tmp_path, "lambda *_: os._exit(1)"), mark=mark)
    result = run_job(job([bad, bot("b@1", mark=mark)], 12, tables=12, logs=tmp_path / "logs"))
    assert forfeits(result).keys() == {2}
    frames = heard(tmp_path / "logs/a.stderr.log")
    welcomes = [n for n, frame in enumerate(frames) if frame[0]["type"] == "welcome"]
    assert len(welcomes) == 3, "the frame failed, then its one decision that is at fault"
    second = frames[welcomes[1] + 1]
    assert [message["type"] for message in second][-1] == "decide"
    assert second[0]["type"] == "game_start"
    assert second[0]["table"] == 0
    assert any(message["seq"] > 0 for message in second if message["type"] == "decide")


# starts


def test_a_bot_that_dies_before_the_first_game_is_started_again_at_no_cost(
    tmp_path: Path, mark: str
) -> None:
    """Its opponent is still loading, so there is no game that could pay."""
    source = (
        "import sys, raw\ns = raw.handshake()\nif raw.is_first_time(): s.close(); sys.exit(1)\n"
    )
    source += "raw.serve(s, lambda *_: None)\n"
    hasty = bot(
        "a@1", script(tmp_path, source), mark=mark, env={"HOSTILE_MEMORY": str(tmp_path / "m")}
    )
    slow = bot("b@1", HOSTILE / "starts_slowly.py", mark=mark)
    result = run_job(job([hasty, slow], 3, logs=tmp_path / "logs"))
    assert by_board(result).keys() == {0, 1, 2}
    assert forfeits(result) == {}
    assert (tmp_path / "logs/a.stderr.log").read_text().count("a process begins") == 2


@pytest.mark.parametrize("tables", [1, 4])
def test_if_neither_bot_starts_seat_0_is_judged_first(tables: int, mark: str) -> None:
    bad = [bot(f"{name}@1", HOSTILE / "exits_before_hello.py", mark=mark) for name in "ab"]
    result = run_job(job(bad, 8, tables=tables))
    lost = {board: (end.seat, end.fault) for board, end in forfeits(result).items()}
    assert lost == dict.fromkeys(range(3), (0, "no_start"))
    assert by_board(result).keys() == lost.keys()


@pytest.mark.parametrize("tables", [1, 4])
def test_games_are_begun_once_it_is_known_whether_a_bot_starts_at_its_next_try(
    tables: int, tmp_path: Path, mark: str
) -> None:
    hasty = HOSTILE / "exits_before_hello_once.py"
    bad = bot("a@1", hasty, mark=mark, env={"HOSTILE_MEMORY": str(tmp_path / "memory")})
    result = run_job(job([bad, bot("b@1", mark=mark)], 8, tables=tables))
    assert by_board(result).keys() == set(range(8))
    assert {board: end.fault for board, end in forfeits(result).items()} == {0: "no_start"}


def test_a_bot_that_cannot_be_started_costs_a_game_though_the_time_is_up(mark: str) -> None:
    bad = bot("a@1", HOSTILE / "exits_before_hello.py", mark=mark)
    result = run_job(job([bad, bot("b@1", mark=mark)], 8, budget_ms=0))
    assert by_board(result).keys() == forfeits(result).keys() == {0}


def test_a_job_without_games_names_all_that_do_not_start(mark: str) -> None:
    bad = bot("a@1", HOSTILE / "exits_before_hello.py", mark=mark)
    missing = msgspec.structs.replace(bad, version="b@1", argv=("no-such-program",))
    faults = run_job(job([missing, bot("c@1", mark=mark), bad], 0)).start_faults
    assert [fault.version for fault in faults] == ["b@1", "a@1"]
    assert faults[0].detail == "cannot run 'no-such-program': no such program"
    assert faults[1].detail == "exited 1 before hello"
    assert "ImportError: no module named torch" in faults[1].got


@pytest.mark.parametrize(
    ("argv", "detail"),
    [
        (("./nothing",), "cannot run './nothing': no such program"),
        (("./plain.txt",), "cannot run './plain.txt': the file is not executable"),
        (("./no_interpreter",), "exited 127 before hello"),
    ],
)
def test_a_program_that_cannot_be_run_is_said(
    argv: Sequence[str], detail: str, tmp_path: Path, mark: str
) -> None:
    (tmp_path / "plain.txt").write_text("hello")
    (tmp_path / "no_interpreter").write_text("#!/no/such/interpreter\n")
    (tmp_path / "no_interpreter").chmod(0o755)
    bad = BotSpec("a@1", tuple(argv), str(tmp_path), Limits())
    result = run_job(job([bad, bot("b@1", mark=mark)], 5))
    lost = {board: (end.fault, end.detail) for board, end in forfeits(result).items()}
    assert lost == dict.fromkeys(range(3), ("no_start", detail))
    assert by_board(result).keys() == lost.keys()


@pytest.mark.parametrize("tables", [1, 16])
def test_a_program_that_vanishes_is_not_charged_with_old_output(
    tables: int, tmp_path: Path, mark: str
) -> None:
    vanish = "def misdeed(*_):\n    os.unlink(__file__)\n    os._exit(1)\n"
    source = f"#!{sys.executable}\nimport os, raw\n{vanish}raw.play(misdeed)\n"
    path = script(tmp_path, source, name="bot")
    path.chmod(0o755)
    bad = msgspec.structs.replace(bot("a@1", path, mark=mark), argv=("./bot",))
    wanted = job([bad, bot("b@1", mark=mark)], 30, tables=tables, logs=tmp_path / "logs")
    result = run_job(wanted)
    lost = forfeits(result)
    kinds = Counter((end.seat, end.fault) for end in lost.values())
    assert kinds == {(0, "crash"): 1, (0, "no_start"): 3}
    assert [end.got for end in lost.values() if end.fault == "no_start"] == [""] * 3
    assert (result.start_faults, result.voids) == ((), ())
    if tables == 1:
        assert list(lost) == [2, 3, 4, 5]
        assert by_board(result).keys() == set(range(6))
    else:
        assert len(result.records) < 30
    assert (tmp_path / "logs/a.stderr.log").read_text().count("a process begins") == 1


# budget and control


@pytest.mark.parametrize("tables", [1, 4])
def test_no_game_is_begun_after_the_budget_but_one_is_always_played(tables: int, mark: str) -> None:
    bots = [bot("a@1", mark=mark), bot("b@1", mark=mark)]
    result = run_job(job(bots, 5, tables=tables, budget_ms=0))
    assert by_board(result).keys() == {0}


def test_bots_share_nothing_but_the_job(tmp_path: Path, mark: str) -> None:
    """Each process has a home of its own; it is gone when the job ends."""
    source = (
        "import os, raw\nraw.say('home ' + os.environ['HOME'])\nraw.play(lambda *_: os._exit(1))\n"
    )
    path = script(tmp_path, source)
    bots = [bot("a@1", path, mark=mark), bot("b@1", path, mark=mark)]
    run_job(job(bots, 4, logs=tmp_path / "logs"))
    logs = [(tmp_path / f"logs/{name}.stderr.log").read_text() for name in "ab"]
    homes = [line for log in logs for line in log.splitlines() if line.startswith("home ")]
    assert len(homes) >= 3
    assert len(set(homes)) == len(homes)
    assert not any(Path(home[5:]).exists() for home in homes)
