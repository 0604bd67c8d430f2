"""`arena new-bot` and `arena init`: what they say, and that what they say works."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import call

from arena import templates


def test_init_then_play_then_a_bot_more(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call(capfd, "init", "contest")
    assert (done.code, done.out) == (0, "written: contest/tournament.yaml\n")
    play, add = (line.partition("arena ")[2].split() for line in done.err.splitlines())
    config = tmp_path / "contest" / "tournament.yaml"
    config.write_text(config.read_text().replace("boards: 50", "boards: 8"))
    ranked = call(capfd, *play)
    assert ranked.code == 0
    assert ranked.out.splitlines()[1].split()[1] == "starter"
    added = call(capfd, *(word.replace("NAME", "mine") for word in add))
    assert (added.code, added.out) == (0, "written: contest/bots/mine.py\n")
    assert "4 bots" in call(capfd, "config", "check", "contest/tournament.yaml").out
    again = call(capfd, "init", "contest")
    assert (again.code, again.out) == (2, "")
    assert again.err == "error: contest is not empty; give a new folder or an empty one\n"


def test_new_bot_names_the_next_commands(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call(capfd, "new-bot", "mine", "--template", "protocol", "-o", "bots")
    assert (done.code, done.out) == (0, "written: bots/mine.py\n")
    assert [line.partition("arena ")[2] for line in done.err.splitlines()] == [
        "check bots/mine.py",
        "match bots/mine.py ANOTHER_BOT",
        "submit bots/mine.py --to CONFIG",
    ]
    assert "import zmq" in (tmp_path / "bots" / "mine.py").read_text()
    assert call(capfd, "new-bot", "mine", "--dir", "bots").code == 2
    assert call(capfd, "new-bot", "mine", "--template", "other").code == 2


@pytest.mark.parametrize("template", templates.BOTS)
def test_a_new_bot_passes_every_check(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], template: str
) -> None:
    assert call(capfd, "new-bot", "mine", "--template", template, "--dir", tmp_path).code == 0
    checked = call(capfd, "check", tmp_path / "mine.py")
    assert (checked.code, checked.out.splitlines()[-1]) == (0, "0 failures, 0 warnings")
