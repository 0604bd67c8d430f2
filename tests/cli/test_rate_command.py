"""`arena rate`: the table of an export is that of its tournament; stdin, options, errors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import RANDOM_BOT, Tournament, arena, call, new_tournament

CSV = "a,b,winner\n" + "x,y,x\ny,z,y\nz,x,z\nx,y,draw\n" * 5
FAILING = RANDOM_BOT.replace(
    "return self", "assert view.deal or view.upcard[0] != 'A'\n        return self"
)
"""Gives up the games whose first upcard is an ace."""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    """Three bots, one of which has faults; only to be looked at."""
    tournament = new_tournament(tmp_path_factory.mktemp("trio"), *"abc", boards=10, seed=1)
    tournament.add_bot("b", FAILING)
    assert arena("tournament", "tour.yaml", folder=tournament.folder).code == 0
    return tournament


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A CSV file in the working folder."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "r.csv"
    file.write_text(CSV)
    return file


def test_an_export_is_rated_as_its_tournament(
    finished: Tournament, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "g.jsonl"
    file.write_text(call(capfd, "export", finished.config).out)
    ranked = json.loads(call(capfd, "rankings", "--json", finished.config).out)
    rated: dict[str, Any] = json.loads(call(capfd, "rate", "--json", file).out)
    measured = ("ms_per_decision", "cpu_ms_per_decision")
    for shown in (ranked, rated):
        for row in (*shown["bots"], *shown["matches"]):
            for key in measured:
                row.pop(key, None)
    assert sum(row["faults"].get("crash", 0) for row in ranked["bots"]) > 0
    for key in (
        "tournament",
        "scheduled",
        "void",
        "dropped",
        "commitment",
        "closed",
        "lag_ms",
        "not_needed",
    ):
        assert rated.pop(key) is None
        del ranked[key]
    for key in ("isolation", "pondering", "inspection"):
        assert not rated.pop(key)
        del ranked[key]
    assert rated == ranked


def test_an_unfinished_export_says_so(
    finished: Tournament, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = call(capfd, "export", finished.config).out.splitlines()
    last = json.loads(lines[-1]) | {"games": 1, "complete": False}
    file = tmp_path / "g.jsonl"
    file.write_text(f"{lines[0]}\n{json.dumps(last)}\n")
    done = call(capfd, "rate", file)
    assert done.code == 0
    assert done.err.splitlines()[0] == "interim: 1 games"
    assert "Half played, so not counted: 1 board." in done.err


def test_stdin(finished: Tournament) -> None:
    script = f"{sys.executable} -m arena export tour.yaml | {sys.executable} -m arena rate -"
    done = subprocess.run(
        ["bash", "-euc", script], cwd=finished.folder, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(" rank")
    broken = subprocess.run(
        [sys.executable, "-m", "arena", "rate", "-"],
        input="a,b,winner\nx,y,z\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (broken.returncode, broken.stdout) == (2, "")
    assert broken.stderr.startswith('error: stdin:2: the winner "z" did not play')


def test_a_table_with_draws(table: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "rate", "r.csv")
    assert done.code == 0
    head, *rows = (line.split() for line in done.out.splitlines())
    assert head[-2:] == ["won-lost-drawn", "score"]
    assert [row[-3] for row in rows] == ["5-5-5", "5-5-5", "5-5-0"]
    assert "No bot is first" in done.err
    differences = call(capfd, "rate", "--differences", "r.csv").out
    assert len(differences.splitlines()) == 4


def test_the_scale(table: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ("--anchor", "x=1000", "--anchor", " y = 1,0", "--confidence", "0.9", "--json")
    assert "'1,0' is not a valid float range" in call(capfd, "rate", *words, "r.csv").err
    shown = json.loads(call(capfd, "rate", "--anchor", "x=1000", "--json", "r.csv").out)
    assert {row["name"]: row["elo"] for row in shown["bots"]}["x"] == 1000
    shown = json.loads(call(capfd, "rate", "--mean", "0", "--prior", "100", "--json", "r.csv").out)
    assert shown["prior"] == 100
    assert sum(row["elo"] for row in shown["bots"]) == pytest.approx(0, abs=0.1)


def test_a_name_may_hold_an_equals_sign(table: Path, capfd: pytest.CaptureFixture[str]) -> None:
    table.write_text(CSV.replace("x", "v=1"))
    shown = json.loads(call(capfd, "rate", "--anchor", "v=1=-50.5", "--json", "r.csv").out)
    assert {row["name"]: row["elo"] for row in shown["bots"]}["v=1"] == -50.5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--anchor", "1000"), "Invalid value for '--anchor': '1000' is not of the form NAME=ELO."),
        (("--anchor", "x=1", "--anchor", "x=2"), "'x' is given twice."),
        (("--anchor", "x=nan"), "'nan' is not a number."),
        (("--anchor", "x=1e9"), "is not in the range"),
        (("--anchor", "x=1", "--mean", "2"), "give either --mean or --anchor, not both"),
        (("--confidence", "95"), "95.0 is not in the range 0.5<=x<=0.999."),
        (("--confidence", "nan"), "'nan' is not a number."),
        (("--prior", "0"), "is not in the range"),
        (("--json", "--differences"), "--json has the differences already"),
        (("--anchor", "X=1"), '--anchor: no bot is named "X"; '),
    ],
)
def test_wrong_options(
    table: Path, capfd: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    done = call(capfd, "rate", *words, "r.csv")
    assert (done.code, done.out) == (2, "")
    assert said in done.err.splitlines()[-1]
