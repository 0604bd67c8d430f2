"""`arena compare`: what it prints, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import Tournament, arena, call, new_tournament


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    tournament = new_tournament(tmp_path_factory.mktemp("pair"), *"ab", tables=4)
    assert arena("tournament", "tour.yaml", folder=tournament.folder).code == 0
    return tournament


def test_for_people(finished: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "compare", finished.config, "a", "b")
    assert done.code == 0
    head, counts, *rows, verdict = done.out.splitlines()
    assert head == "a minus b, 95 % intervals"
    assert " boards, " in counts
    assert [row.split("  ")[0].strip() for row in rows] == [
        "Elo, this match",
        "Elo, all matches",
        "points per deal",
    ]
    assert " a " in f" {verdict} "


def test_for_programs(finished: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "compare", finished.config, "b@1", "a", "--json")
    assert (done.code, done.err) == (0, "")
    found = json.loads(done.out)
    assert (found["schema"], found["a"], found["b"]) == ("arena.compare/1", "b", "a")
    rankings = json.loads(call(capfd, "rankings", finished.config, "--json").out)
    (difference,) = rankings["differences"]
    sign = 1 if difference["a"] == "b" else -1
    assert found["ratings"]["elo"] == pytest.approx(sign * difference["elo"])
    assert found["ratings"]["error"] == difference["error"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("a", "c"), 'no bot "c" in these results; there are a@1, b@1'),
        (("a", "A"), "a@1 cannot be compared with itself"),
        (("a",), "Missing argument 'B'"),
    ],
)
def test_what_is_refused(
    finished: Tournament, capfd: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    done = call(capfd, "compare", finished.config, *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "Traceback" not in done.err


def test_before_the_first_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tournament = new_tournament(tmp_path, *"ab")
    done = call(capfd, "compare", tournament.config, "a", "b")
    assert done.code == 2
    assert "run the tournament first" in done.err


def test_differences_as_a_table(finished: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "rankings", finished.config, "--differences")
    assert done.code == 0
    head, row = done.out.splitlines()
    assert head.split() == ["A", "B", "A", "-", "B", "±95%", "P(A", "better)", "separated"]
    assert sorted(row.split()[:2]) == ["a", "b"]
    refused = call(capfd, "rankings", finished.config, "--differences", "--json")
    assert refused.code == 2
    assert "--json has the differences already" in refused.err
