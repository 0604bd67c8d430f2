"""`arena submit`, from the file to the table; what is refused and why has tests of its own."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest
from commands import (
    RANDOM_BOT,
    call,
    end_of,
    games_of,
    new_tournament,
    processes_in,
    running,
    wait_until,
)


def test_a_bot_submitted_to_a_finished_tournament_plays_its_own_matches_only(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=2, submissions="subs")
    monkeypatch.chdir(tmp_path)
    assert call(capfd, "tournament", "tour.yaml").code == 0
    rows = tournament.rows(times=True)
    old_match = games_of(call(capfd, "export", "tour.yaml").out)
    (tmp_path / "new.py").write_text(RANDOM_BOT)

    done = call(capfd, "submit", "new.py", "--to", "tour.yaml")
    assert (done.code, done.out) == (0, "new.py is in: subs/new.py\n")
    assert done.err.splitlines() == [
        "new plays a trial game against itself",
        "To rank it:  arena tournament tour.yaml",
    ]
    assert tournament.rows(times=True) == rows

    ranked = call(capfd, "tournament", "tour.yaml")
    assert ranked.code == 0
    assert sorted(row.split()[1] for row in ranked.out.splitlines()[1:]) == ["a", "b", "new"]
    assert tournament.rows(times=True)[: len(rows)] == rows
    games = games_of(call(capfd, "export", "tour.yaml").out)
    assert [game for game in games if game["match"] == ["a@1", "b@1"]] == old_match
    assert len(games) == 12

    (tmp_path / "new.py").write_text(f"{RANDOM_BOT}# better\n")
    assert call(capfd, "-q", "submit", "new.py", "--to", "tour.yaml").err == ""
    assert call(capfd, "tournament", "tour.yaml").code == 0
    games = games_of(call(capfd, "export", "tour.yaml").out)
    assert {bot for game in games for bot in game["match"]} == {"a@1", "b@1", "new@2"}
    assert tournament.stored() == 20


def test_submit_and_play_tells_the_rank(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of a new version, which plays only what is its own."""
    tournament = new_tournament(tmp_path, "a", "b", boards=2, submissions="subs")
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        (tmp_path / "new.py").write_text(f"{RANDOM_BOT}# {number}\n")
        done = call(capfd, "-q", "submit", "--play", "new.py", "--to", "tour.yaml")
        assert (done.code, done.err) == (0, ""), "the rank is what was asked for"
        first, *table, said = done.out.splitlines()
        assert first == "new.py is in: subs/new.py"
        assert sorted(row.split()[1] for row in table[1:]) == ["a", "b", "new"]
        rank = r"rank \d( to \d)? of 3, at [<>]?\d+( ± \d+)? Elo"
        assert re.fullmatch(f"new@{number} has {rank}", said)
    assert tournament.stored() == 20


def test_a_bot_that_is_not_fit_is_refused_with_what_shows_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """It always does the first thing allowed, and so never names a suit in its trial game."""
    tournament = new_tournament(tmp_path, "a", "b", submissions="subs", options={})
    (tmp_path / "new.py").write_text(
        "from arena.sdk import run\n"
        "def choose(view, legal):\n"
        "    assert view.phase != 'name'\n"
        "    return legal[0]\n"
        "run(choose)\n"
    )
    done = call(capfd, "submit", tmp_path / "new.py", "--to", tournament.config)
    assert (done.code, done.out) == (1, "")
    assert "error: new is not fit to play: " in done.err
    assert "explain: arena explain " in done.err
    assert not (tmp_path / "subs").exists()


@pytest.mark.parametrize("source", ["1 / 0", RANDOM_BOT.replace("choice(legal)", "choice([1])")])
def test_a_bot_at_fault_is_a_finding_and_no_wrong_use(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], source: str
) -> None:
    tournament = new_tournament(tmp_path, "a", "b", submissions="subs")
    (tmp_path / "new.py").write_text(source)
    done = call(capfd, "submit", "--play", tmp_path / "new.py", "--to", tournament.config)
    assert (done.code, done.out) == (1, "")
    assert "error: new " in done.err
    assert tournament.stored() == 0, "nothing is played then"


def test_a_refusal_has_its_reason_and_exit_code(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = new_tournament(tmp_path, "a", "b")
    (tmp_path / "new.py").write_text(RANDOM_BOT)
    done = call(capfd, "submit", tmp_path / "new.py", "--to", tournament.config)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {tournament.config} takes no submissions; add a line such")
    assert call(capfd, "submit", tmp_path / "new.py", "--to", tmp_path / "no.yaml").code == 2


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_submission_that_is_broken_off_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: signal.Signals
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    new_tournament(tmp_path, "a", "b", submissions="subs")
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(60)\n")
    with running("submit", "slow.py", "--to", "tour.yaml", folder=tmp_path) as process:
        assert wait_until(lambda: processes_in(scratch))  # the bot runs in its copy
        process.send_signal(asked)
        done = end_of(process)
        assert not processes_in(tmp_path)
    assert (done.code, done.out) == (128 + asked, "")
    assert done.err == "slow plays a trial game against itself\n"
    assert list(scratch.iterdir()) == []
    assert not (tmp_path / "subs").exists()
