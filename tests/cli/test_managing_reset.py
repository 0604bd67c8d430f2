"""`arena reset`: asks first, never during a run, and says what is gone and what is left."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from commands import Tournament, arena, call, new_tournament, running, wait_until
from terminal import CTRL_C, terminal

RESET = (sys.executable, "-m", "arena", "reset", "tour.yaml")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    tournament = new_tournament(tmp_path_factory.mktemp("original"), "a", "b", boards=1)
    assert arena("tournament", "tour.yaml", folder=tournament.folder).code == 0
    return tournament


@pytest.fixture
def finished(original: Tournament, tmp_path: Path) -> Tournament:
    return original.copy(tmp_path)


def test_it_needs_a_yes_where_it_cannot_ask(
    finished: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    before = finished.rows(times=True)
    done = call(capfd, "reset", finished.config)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: this would delete 2 games of tour, ")
    assert done.err.endswith(f" kB in {finished.results}; add --yes if it shall\n")
    assert finished.rows(times=True) == before


def test_all_is_deleted_and_the_tournament_can_begin_anew(
    finished: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    (finished.results / "notes\x1b[31m.txt").write_text("mine")
    done = call(capfd, "reset", "--yes", finished.config)
    assert (done.code, done.out) == (0, "")
    assert done.err.splitlines() == [
        f"deleted: the results of tour in {finished.results}",
        f"left, because the arena did not make it: {finished.results}/notes\\x1b[31m.txt",
    ]
    assert [path.name for path in finished.results.iterdir()] == ["notes\x1b[31m.txt"]
    for _ in range(2):
        again = call(capfd, "reset", finished.config)
        assert (again.code, again.err) == (0, "tour has no results: there is nothing to delete\n")
    finished.configure("a.py", "b.py", boards=1, seed=8)
    assert call(capfd, "tournament", finished.config).code == 0
    assert finished.stored() == 2


def test_quiet(finished: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "-q", "reset", "--yes", finished.config)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert not finished.results.exists()


@pytest.mark.parametrize(("keys", "code"), [("y\r", 0), ("\r", 1), ("n\r", 1), (CTRL_C, 130)])
def test_it_asks_on_a_terminal(finished: Tournament, keys: str, code: int) -> None:
    with terminal(*RESET, folder=finished.folder) as shown:
        assert shown.shows("Delete 2 games of tour, ", " in results/tour, for good? [y/N]:")
        assert finished.stored() == 2
        shown.type(keys)
        assert shown.end() == code
        last = shown.lines[-1]
    if code == 0:
        assert last == "deleted: the results of tour in results/tour"
        assert not finished.results.exists()
    else:
        assert last == "nothing was deleted"
        assert finished.stored() == 2


def test_it_is_refused_during_a_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=100_000)
    with running("tournament", "tour.yaml", folder=tmp_path) as run:
        assert wait_until(tournament.stored)
        done = call(capfd, "reset", "--yes", tournament.config)
        assert (done.code, done.out) == (4, "")
        assert done.err == (
            f"error: another arena is running this tournament (pid {run.pid});"
            " to stop it: `arena stop CONFIG`\n"
        )
        assert run.poll() is None
        stored = tournament.stored()
        run.send_signal(signal.SIGKILL)
        run.wait()
        assert tournament.stored() >= stored
        assert call(capfd, "reset", "--yes", tournament.config).code == 0
        assert not tournament.results.exists()


def test_no_run_begins_while_it_asks(
    finished: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    with terminal(*RESET, folder=finished.folder) as shown:
        assert shown.shows("for good? [y/N]:")
        for command in ("tournament", "stop"):
            done = call(capfd, command, finished.config)
            assert done.code == 4
            said = f"another arena is changing these results (pid {shown.process.pid}); wait for it"
            assert said in done.err
        assert shown.process.poll() is None


def test_results_that_cannot_be_read(
    finished: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    (finished.results / "results.sqlite").write_text("\x1b[31mdear diary")
    with terminal(*RESET, folder=finished.folder, columns=300) as shown:
        assert shown.shows("is damaged or no results file of arena", "[y/N]:")
        assert shown.shows("Delete games that cannot be read of tour, ")
        shown.type("y\r")
        assert shown.end() == 0
    assert not finished.results.exists()


def test_results_of_another_config(finished: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    other = finished.folder / "other.yaml"
    other.write_text(finished.config.read_text().replace("{", '{"name": "tour", ', 1))
    before = finished.rows(times=True)
    done = call(capfd, "reset", "--yes", other)
    assert (done.code, done.out) == (2, "")
    assert f"holds the results of another config, {finished.config}" in done.err
    assert finished.rows(times=True) == before


def test_the_bots_may_be_gone(finished: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    for bot in finished.folder.glob("*.py"):
        bot.unlink()
    assert call(capfd, "reset", "--yes", finished.config).code == 0
