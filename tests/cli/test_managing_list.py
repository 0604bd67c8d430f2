"""`arena list`: beside runs, after kills, and with files that are none of its business."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from commands import Tournament, arena, call, end_of, new_tournament, running, wait_until

from arena.store.store import Store


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    tournament = new_tournament(tmp_path_factory.mktemp("finished"), "a", "b", boards=1)
    assert arena("tournament", "tour.yaml", folder=tournament.folder).code == 0
    return tournament


def rows(capture: pytest.CaptureFixture[str], *words: str | Path) -> dict[str, dict[str, Any]]:
    """What is listed as JSON, by the names of the configs' folders."""
    done = call(capture, "list", "--json", *words)
    assert (done.code, done.err) == (0, "")
    return {Path(one["config"]).parent.name: one for one in json.loads(done.out)["tournaments"]}


def test_a_table(finished: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "list", finished.folder)
    assert (done.code, done.err) == (0, "")
    head, row = done.out.splitlines()
    assert head.split() == ["tournament", "config", "state", "games", "size", "changed"]
    config = re.escape(str(finished.config))
    assert re.fullmatch(
        rf" tour +{config} +complete +2 of 2 +\d+(\.\d)? kB +\d{{4}}-\d\d-\d\d \d\d:\d\d", row
    )


def test_paths_are_as_short_as_from_here(finished: Tournament) -> None:
    for words in ((), (".",), (finished.folder,)):
        row = arena("list", *words, folder=finished.folder).out.splitlines()[1]
        assert row.startswith(" tour        tour.yaml  complete")
    row = arena("-C", finished.folder, "list", folder=finished.folder.parent).out.splitlines()[1]
    assert row.startswith(" tour        tour.yaml  complete")


def test_a_json_object(finished: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "list", "--json", finished.folder)
    listing = json.loads(done.out)
    assert done.out.count("\n") == 1
    assert list(listing) == ["schema", "folder", "tournaments"]
    assert (listing["schema"], listing["folder"]) == ("arena.list/1", str(finished.folder))
    (one,) = listing["tournaments"]
    assert one.pop("size") > 10_000
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", one.pop("changed"))
    assert one == {
        "name": "tour",
        "config": str(finished.config),
        "results": str(finished.results),
        "state": "complete",
        "holder": None,
        "pid": None,
        "games": 2,
        "scheduled": 2,
        "void": 0,
        "withdrawn": [],
        "left_out": [],
        "why": None,
    }


def test_nothing_is_there(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "list", tmp_path)
    assert (done.code, done.out) == (0, "")
    assert done.err == f"no tournament has results in {tmp_path} or below\n"
    assert call(capfd, "-q", "list", tmp_path).err == ""
    assert rows(capfd, tmp_path) == {}


@pytest.mark.parametrize("name", ["none", "file"])
def test_no_folder(tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str) -> None:
    (tmp_path / "file").touch()
    done = call(capfd, "list", tmp_path / name)
    assert (done.code, done.out) == (2, "")
    assert name in done.err


def test_beside_runs_and_killed_ones(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    runs = {}
    for name in ("goes_on", "is_killed"):
        (tmp_path / name).mkdir()
        runs[name] = new_tournament(tmp_path / name, "a", "b", boards=50_000)
    with (
        running("tournament", "tour.yaml", folder=runs["goes_on"].folder) as goes_on,
        running("tournament", "tour.yaml", folder=runs["is_killed"].folder) as is_killed,
    ):
        assert wait_until(lambda: all(run.stored() for run in runs.values()))
        is_killed.kill()
        is_killed.wait()
        found = rows(capfd, tmp_path)
        assert list(found) == ["goes_on", "is_killed"]
        first, second = found["goes_on"], found["is_killed"]
        assert (first["state"], first["pid"]) == ("running", goes_on.pid)
        assert (second["state"], second["pid"]) == ("unfinished", None)
        assert 0 < first["games"] < first["scheduled"] == 100_000
        assert second["games"] > 0
        row = call(capfd, "list", runs["goes_on"].folder).out.splitlines()[1]
        assert f"running, pid {goes_on.pid}  " in row
        lock = runs["is_killed"].results / "results.lock"
        lock.write_text(lock.read_text().replace(str(is_killed.pid), str(os.getpid())))
        assert rows(capfd, tmp_path)["is_killed"]["state"] == "unfinished"
        assert goes_on.poll() is None
        goes_on.terminate()
        assert end_of(goes_on).code == 143
    assert rows(capfd, tmp_path)["goes_on"]["state"] == "unfinished"


def test_one_that_is_damaged_hides_no_other(
    finished: Tournament, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    whole, damaged = (finished.copy(tmp_path / name) for name in ("a", "b\x1b[31m"))
    for log in damaged.results.glob("*.sqlite-*"):
        log.unlink()
    os.truncate(damaged.results / "results.sqlite", 5000)
    done = call(capfd, "list", tmp_path)
    _, first, second = done.out.splitlines()
    assert done.code == 0
    assert first.split()[2:6] == ["complete", "2", "of", "2"]
    assert "unreadable" in second
    assert "results.sqlite is damaged or no results file of arena (the file is cut off)" in second
    assert r"/b\x1b[31m/results/tour/" in second
    assert "\x1b" not in done.out
    assert whole.stored() == 2


def test_what_else_is_to_be_said_of_one(
    finished: Tournament, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = finished.copy(tmp_path)
    tournament.config.unlink()
    tournament.results.rename(tournament.results.with_name("tour.1"))
    row = call(capfd, "list", tmp_path).out.splitlines()[1]
    assert re.search(rf"  set aside +2 .*  in {re.escape(str(tmp_path))}/results/tour\.1$", row)
    tournament.results.with_name("tour.1").rename(tournament.results)
    row = call(capfd, "list", tmp_path).out.splitlines()[1]
    assert re.search(r"  unknown +2 .*tour\.yaml: no such file$", row)
    (tournament.results / "results.sqlite").unlink()
    Store.open(tournament.results).close()
    row = call(capfd, "list", tmp_path).out.splitlines()[1]
    place = re.escape(str(tournament.results))
    assert re.search(rf" tour +- +unfinished +0 .*  in {place}; no run of it has begun yet$", row)
