"""Runs with bots that must be built first: who cannot be is left out, and Ctrl-C is heard."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from commands import RANDOM_BOT, call, end_of, new_tournament, processes_in, running, wait_until

from arena.tournament import snapshot


def built_bot(folder: Path, script: str) -> None:
    folder.mkdir(parents=True)
    (folder / "bot.py").write_text(RANDOM_BOT)
    (folder / "bot.yaml").write_text("build: [sh, build.sh]\n")
    (folder / "build.sh").write_text(script)


def test_who_cannot_be_built_is_left_out_and_the_others_play(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    built_bot(tmp_path / "subs" / "good", "touch good")
    built_bot(tmp_path / "subs" / "bad", "echo why; exit 3")
    tournament = new_tournament(tmp_path, "a", submissions="subs", boards=1)
    done = call(capfd, "tournament", tournament.config)
    assert done.code == 1
    assert "good: is built, once: sh build.sh\n" in done.err
    left_out = "bad cannot be started and is left out of this run (no_start): its build failed: "
    assert f"{left_out}exited 3\n    why\n" in done.err
    assert tournament.stored() == 2

    (tmp_path / "subs" / "bad" / "build.sh").write_text("touch good")
    done = call(capfd, "tournament", tournament.config)
    assert done.code == 0
    assert "good: is built" not in done.err
    assert tournament.stored() == 6
    snapshot.remove(tmp_path / "cache")


def test_ctrl_c_while_a_bot_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    built_bot(tmp_path / "subs" / "slow", "sleep 60")
    new_tournament(tmp_path, "a", submissions="subs", boards=1)
    builds = tmp_path / "cache" / "arena" / "builds"
    with running("tournament", "tour.yaml", folder=tmp_path) as process:
        assert wait_until(lambda: processes_in(builds))
        process.send_signal(signal.SIGINT)
        done = end_of(process)
    assert (done.code, done.out) == (130, "")
    assert "saved, 0 of 2 games." in done.err
    assert not processes_in(tmp_path)
    assert [path.suffix for path in builds.iterdir()] == [".lock"]
