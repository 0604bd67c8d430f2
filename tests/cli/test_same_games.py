"""However a tournament is played, its export and its rankings are the same to the byte."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from commands import (
    Tournament,
    arena,
    bots_in,
    call,
    end_of,
    last_of,
    new_tournament,
    processes_in,
    running,
    wait_until,
)

BOARDS = 4
GAMES = 24
NONE_LEFT_S = 5.0
"""What faults may cost: so long after a kill -9 there is no process left."""


def result_of(tournament: Tournament, capture: pytest.CaptureFixture[str]) -> tuple[str, Any]:
    """The export, and the rankings without what was measured."""
    exported = call(capture, "export", tournament.config)
    rankings = json.loads(call(capture, "rankings", "--json", tournament.config).out)
    for bot in rankings["bots"]:
        del bot["ms_per_decision"], bot["cpu_ms_per_decision"]
    del rankings["lag_ms"]
    assert exported.code == 0
    return exported.out, rankings


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    """Three bots, one worker, one table."""
    folder = tmp_path_factory.mktemp("undisturbed")
    tournament = new_tournament(folder, *"abc", boards=BOARDS, tables=1, run={"workers": 1})
    assert arena("tournament", "tour.yaml", folder=folder).code == 0
    return tournament


def is_the_same(
    tournament: Tournament, undisturbed: Tournament, capture: pytest.CaptureFixture[str]
) -> bool:
    """Whether nothing at all tells the two apart; the file must be whole and complete too."""
    mine, others = result_of(tournament, capture), result_of(undisturbed, capture)
    assert (last_of(mine[0])["games"], last_of(mine[0])["complete"]) == (GAMES, True)
    assert tournament.rows() == undisturbed.rows()
    assert mine == others
    return True


@pytest.mark.parametrize(("workers", "tables"), [(2, 1), (1, 16), (2, "auto")])
def test_for_any_number_of_workers_and_tables(
    undisturbed: Tournament,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    workers: int,
    tables: object,
) -> None:
    keys: dict[str, Any] = {"tables": tables, "run": {"workers": workers}}
    tournament = new_tournament(tmp_path, *"abc", boards=BOARDS, **keys)
    assert call(capfd, "tournament", tournament.config).code == 0
    assert is_the_same(tournament, undisturbed, capfd)


def test_with_tables_opened_in_the_middle_of_a_job(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """With `auto` it takes a hundred quick answers, so the job is longer here."""
    found = []
    for tables in (1, "auto"):
        folder = tmp_path / str(tables)
        folder.mkdir()
        tournament = new_tournament(folder, "a", "b", boards=20, tables=tables)
        assert call(capfd, "tournament", tournament.config).code == 0
        found.append(result_of(tournament, capfd))
    assert found[0] == found[1]


def test_after_kills_at_several_moments(
    undisturbed: Tournament, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = new_tournament(tmp_path, *"abc", boards=BOARDS, run={"workers": 2})
    moments = (
        (tournament.results / "results.sqlite").exists,
        lambda: bots_in(tournament),
        lambda: tournament.stored() >= 4,
    )
    for moment in moments:
        with running("tournament", "tour.yaml", folder=tmp_path) as run:
            assert wait_until(moment)
            run.kill()
            assert run.wait() == -signal.SIGKILL
            assert wait_until(lambda: not processes_in(tmp_path), patience_s=NONE_LEFT_S)
        assert tournament.stored() < GAMES
    assert call(capfd, "tournament", tournament.config).code == 0
    assert is_the_same(tournament, undisturbed, capfd)


def test_after_workers_were_killed(
    undisturbed: Tournament, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = new_tournament(tmp_path, *"abc", boards=BOARDS, run={"workers": 2})
    with running("tournament", "tour.yaml", folder=tmp_path) as run:
        for games in (0, 5):
            assert wait_until(lambda: tournament.stored() >= games and bots_in(tournament))  # noqa: B023 - used at once
            for worker in workers_of(run.pid):
                os.kill(worker, signal.SIGKILL)
        done = end_of(run)
    assert done.code == 0
    assert "a worker died" in done.err
    assert "Traceback" not in done.err
    assert is_the_same(tournament, undisturbed, capfd)


def workers_of(pid: int) -> list[int]:
    """The children of a run; bots are children of these."""
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for thread in threads for child in thread.read_text().split()]


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM])
def test_after_it_was_asked_to_stop(
    undisturbed: Tournament,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    asked: signal.Signals,
) -> None:
    tournament = new_tournament(tmp_path, *"abc", boards=BOARDS, run={"workers": 2})
    with running("tournament", "tour.yaml", folder=tmp_path) as run:
        assert wait_until(lambda: tournament.stored() and bots_in(tournament))
        run.send_signal(asked)
        done = end_of(run)
        assert not processes_in(tmp_path)
    assert (done.code, done.out) == (128 + asked, "")
    *_, stopping, saved, to_continue = done.err.splitlines()
    assert stopping == "stopping: running games finish; once more to stop at once"
    stored = tournament.stored()
    assert 0 < stored < GAMES
    assert saved == f"saved, {stored} of {GAMES} games."
    assert to_continue == "To continue:  arena tournament tour.yaml"
    assert call(capfd, "tournament", tournament.config).code == 0
    assert is_the_same(tournament, undisturbed, capfd)
