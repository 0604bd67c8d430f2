"""`arena tournament --fresh`: begun anew, with the old results kept elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Tournament, arena, call, new_tournament

from arena.store.store import Store


def kept(tournament: Tournament, number: int) -> Path:
    return tournament.results.with_name(f"tour.{number}")


def test_a_tournament_begun_anew_keeps_the_old_results(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    first = call(capfd, "tournament", tournament.config)
    rows = tournament.rows(times=True)
    tournament.configure("a.py", "b.py", boards=2, options={"target_score": 3})
    assert call(capfd, "tournament", tournament.config).code == 2
    fresh = call(capfd, "tournament", "--fresh", tournament.config)
    assert fresh.code == 0
    assert fresh.err.splitlines()[0].startswith("the old results are kept in ")
    assert fresh.err.splitlines()[0].endswith("results/tour.1")
    assert "settled already" not in fresh.err
    assert tournament.stored() == 4
    tournament.results.rename(tournament.results.with_name("new"))
    kept(tournament, 1).rename(tournament.results)
    assert tournament.rows(times=True) == rows
    tournament.configure("a.py", "b.py", boards=1)
    again = call(capfd, "tournament", tournament.config)
    assert (again.code, again.out) == (0, first.out)


def test_without_results_there_is_nothing_to_keep(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    done = call(capfd, "tournament", "--fresh", tournament.config)
    assert done.code == 0
    assert done.err.startswith("tour: 2 bots")
    assert not kept(tournament, 1).exists()


def test_a_running_tournament_is_not_begun_anew(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    assert call(capfd, "tournament", tournament.config).code == 0
    with Store.open(tournament.results):
        refused = arena("tournament", "--fresh", "tour.yaml", folder=tmp_path)
    assert (refused.code, refused.out) == (4, "")
    assert not kept(tournament, 1).exists()
    assert tournament.stored() == 2


def test_a_config_that_is_wrong_moves_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    assert call(capfd, "tournament", tournament.config).code == 0
    tournament.configure("a.py", "b.py", boards=0)
    assert call(capfd, "tournament", "--fresh", tournament.config).code == 2
    assert not kept(tournament, 1).exists()
    assert tournament.stored() == 2
