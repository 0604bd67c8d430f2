"""Taking bots in: what is accepted, what is refused and why, and what is left in the folder."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import ArenaError, UserError
from arena.referee.record import GameId, Void
from arena.runtime.executor import JobResult, encode
from arena.tournament.config import Config, load_config
from arena.tournament.submit import submit

GOOD_BOT = (Path(__file__).parents[2] / "bots/random_bot.py").read_text()
CHOICE = "self.random.choice(legal)"


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A folder with a config that takes submissions, and one bot in it already."""
    (tmp_path / "ours.py").write_text(GOOD_BOT)
    configure(tmp_path, submissions="subs")
    return tmp_path


def configure(folder: Path, **keys: object) -> None:
    quick = {"options": {"target_score": 2}, "isolation": "none"}
    config = {"bots": ["ours.py"], **quick, **keys}
    (folder / "league.yaml").write_text(json.dumps(config))


def loaded(league: Path) -> Config:
    return load_config(league / "league.yaml")


def entered(league: Path, source: Path) -> Path:
    """Submit a bot; what is said on the way is not of interest."""
    return submit(loaded(league), source, lambda _: None)


def refused(league: Path, source: Path) -> str:
    """Submit a bot that is not taken in; nothing may be left of the attempt."""
    subs = league / "subs"
    before = sorted(subs.rglob("*"))
    with pytest.raises(UserError) as refusal:
        entered(league, source)
    assert sorted(subs.rglob("*")) == before
    return str(refusal.value)


def file_bot(league: Path, name: str = "mine", source: str = GOOD_BOT) -> Path:
    path = league / f"{name}.py"
    path.write_text(source)
    return path


def folder_bot(league: Path, name: str = "team", reply: str = CHOICE) -> Path:
    """A bot with a module of its own, a file to run and caches."""
    folder = league / name
    (folder / "deep" / "__pycache__").mkdir(parents=True)
    (folder / "bot.py").write_text(GOOD_BOT.replace("Bot, run", "Bot, run\nfrom deep import a"))
    (folder / "deep" / "a.py").write_text(f"def choose(self, legal):\n    return {reply}\n")
    (folder / "deep" / "__pycache__" / "a.pyc").write_bytes(b"old")
    (folder / "tool.sh").write_text("#!/bin/sh\n")
    (folder / "tool.sh").chmod(0o755)
    return folder


# what is accepted


def test_a_file_is_copied_and_takes_part(league: Path) -> None:
    said: list[str] = []
    source = file_bot(league)
    place = submit(loaded(league), source, said.append)
    assert place == league / "subs" / "mine.py"
    assert place.read_bytes() == source.read_bytes()
    assert place.stat().st_mode & 0o200, "whoever owns it may go on working on it"
    assert said == ["mine plays a trial game against itself"]
    assert [path.name for path in (league / "subs").iterdir()] == ["mine.py"]
    assert [bot.name for bot in loaded(league).bots] == ["ours", "mine"]


def test_a_folder_is_copied_without_its_caches(league: Path) -> None:
    place = entered(league, folder_bot(league))
    assert place == league / "subs" / "team"
    found = sorted(str(path.relative_to(place)) for path in place.rglob("*"))
    assert found == ["bot.py", "deep", "deep/a.py", "tool.sh"]
    assert os.access(place / "tool.sh", os.X_OK)
    assert all(path.stat().st_mode & 0o200 for path in (place, *place.rglob("*")))


def test_two_folders_that_differ_behind_a_dot_are_two_bots(league: Path) -> None:
    for name in ("team.v1", "team.v2"):
        entered(league, folder_bot(league, name))
    assert [bot.name for bot in loaded(league).bots] == ["ours", "team.v1", "team.v2"]


def test_what_was_tried_is_what_is_copied(league: Path) -> None:
    """Even if the file changes in the meantime: here the bot itself changes it."""
    source = file_bot(league)
    text = f"open({str(source)!r}, 'w').write('raise SystemExit')\n{GOOD_BOT}"
    source.write_text(text)
    assert entered(league, source).read_text() == text
    assert source.read_text() != text


@pytest.mark.parametrize("kind", [file_bot, folder_bot])
def test_submitted_again_it_replaces_the_old_one(league: Path, kind: object) -> None:
    if kind is file_bot:
        entered(league, file_bot(league))
        place = entered(league, file_bot(league, source=GOOD_BOT + "# better\n"))
        assert place.read_text().endswith("# better\n")
    else:
        source = folder_bot(league)
        entered(league, source)
        (source / "tool.sh").unlink()
        (source / "deep" / "b.py").touch()
        place = entered(league, source)
        found = sorted(str(path.relative_to(place)) for path in place.rglob("*"))
        assert found == ["bot.py", "deep", "deep/a.py", "deep/b.py"]
    assert list((league / "subs").iterdir()) == [place]


@pytest.mark.parametrize("kind", [file_bot, folder_bot])
def test_what_a_submission_is_to_the_one_before(league: Path, kind: Callable[[Path], Path]) -> None:
    said: list[str] = []
    source = kind(league)
    place = submit(loaded(league), source, said.append)
    said.clear()
    submit(loaded(league), source, said.append)
    assert said[1:] == [f"{source.stem} was submitted before: just the same, so no new version"]
    changed = place if place.is_file() else place / "deep" / "a.py"
    changed.write_text(changed.read_text() + "# older\n")
    if place.is_dir():
        (place / "link").symlink_to("bot.py")
    submit(loaded(league), source, said.append)
    assert said[3].endswith("this one takes its place, and enters the next run as a new version")


def test_a_submission_may_be_submitted_from_where_it_is(league: Path) -> None:
    place = entered(league, folder_bot(league))
    assert entered(league, place) == place
    assert (place / "deep" / "a.py").exists()


def test_the_folder_is_made_with_the_first_submission(league: Path) -> None:
    configure(league, submissions="deep/subs")
    assert entered(league, file_bot(league)) == league / "deep" / "subs" / "mine.py"


def test_a_bot_of_an_empty_league(league: Path) -> None:
    configure(league, bots=[], submissions="subs")
    entered(league, file_bot(league))
    assert [bot.name for bot in loaded(league).bots] == ["mine"]


def test_what_a_kill_left_behind_is_no_bot(league: Path) -> None:
    """A copy is made under such a name, and renamed when it is whole."""
    half = league / "subs" / ".unfinished-x1" / "new"
    half.mkdir(parents=True)
    (half / "bot.py").write_text("half")
    (half.parent / "half.py").write_text("half")
    assert [bot.name for bot in loaded(league).bots] == ["ours"]
    entered(league, file_bot(league))
    assert [bot.name for bot in loaded(league).bots] == ["ours", "mine"]


def test_a_copy_appears_at_once_or_not_at_all(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever fails on the way, a bot that was in stays in as it was."""
    source = folder_bot(league)
    place = entered(league, source)
    (source / "tool.sh").unlink()
    real = Path.replace

    def fail(path: Path, target: Path) -> Path:
        if path.name == "new":
            raise OSError(*sorted(path.name[:4] for path in (league / "subs").iterdir()))
        return real(path, target)

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match=r"^\.unf$"):
        entered(league, source)
    assert (place / "tool.sh").exists()
    assert list((league / "subs").iterdir()) == [place]


@pytest.mark.parametrize("name", ["rename", "replace"])
def test_a_signal_right_after_a_step_of_replacing(
    league: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The bot that was in is replaced, or is in as it was."""
    source = folder_bot(league)
    place = entered(league, source)
    (source / "tool.sh").unlink()
    real = getattr(Path, name)

    def interrupted(path: Path, target: Path) -> None:
        real(path, target)
        if place in (path, target):
            monkeypatch.setattr(Path, name, real)
            raise KeyboardInterrupt

    monkeypatch.setattr(Path, name, interrupted)
    with pytest.raises(KeyboardInterrupt):
        entered(league, source)
    assert (place / "tool.sh").exists() == (name == "rename")
    assert list((league / "subs").iterdir()) == [place]


KILLED_HALFWAY = """
import os, pathlib, signal, sys
from arena.tournament.config import load_config
from arena.tournament.submit import submit
pathlib.Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
submit(load_config("league.yaml"), pathlib.Path("team"), print)
"""


def test_what_a_kill_has_left_aside_is_put_back_with_the_next_submission(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered(league, folder_bot(league))
    monkeypatch.setenv("TMPDIR", str(league))
    ended = subprocess.run([sys.executable, "-c", KILLED_HALFWAY], cwd=league, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert [bot.name for bot in loaded(league).bots] == ["ours"]
    other = file_bot(league, "team")
    with pytest.raises(UserError, match=r'"team" is already the name of .*/subs/team; rename'):
        entered(league, other)
    assert [bot.name for bot in loaded(league).bots] == ["ours", "team"]
    assert (league / "subs" / "team" / "deep" / "a.py").exists()


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="there is no sandbox here")
@pytest.mark.parametrize("level", ["sandbox", "auto"])
def test_a_bot_is_tried_as_isolated_as_it_will_play(league: Path, level: str) -> None:
    (league / "secret").touch()
    looks = f"import os; assert not os.path.exists({str(league / 'secret')!r})\n"
    configure(league, submissions="subs", isolation="none")
    assert "AssertionError" in refused(league, file_bot(league, source=looks + GOOD_BOT))
    configure(league, submissions="subs", isolation=level)
    entered(league, file_bot(league, source=looks + GOOD_BOT))


# what is refused


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "import sys; sys.exit('no model')",
            "mine does not start: exited 1 before hello\n    no model",
        ),
        ("while True: pass", "mine does not start: no hello within 2000 ms"),
        ("def (", "mine does not start: exited 1 before hello\n"),
        (
            GOOD_BOT.replace(CHOICE, "1 / 0"),
            "mine is at fault in its trial game (crash): the bot gave the game up at decision 0\n",
        ),
        (
            GOOD_BOT.replace(CHOICE, "__import__('os')._exit(7)"),
            "mine is at fault in its trial game (crash): exited 7 at decision 0",
        ),
        (
            GOOD_BOT.replace(CHOICE, "__import__('time').sleep(9)"),
            "mine is at fault in its trial game (timeout): no answer in 800 ms (+50) at decision 0",
        ),
        (
            GOOD_BOT.replace(CHOICE, "'play:XX'"),
            "mine is at fault in its trial game (illegal): 'play:XX' at decision 0 is not legal;",
        ),
    ],
)
def test_a_bot_at_fault(league: Path, source: str, said: str) -> None:
    configure(league, submissions="subs", limits={"move": "800ms", "start": "2s"})
    assert refused(league, file_bot(league, source=source)).startswith(said)


def test_a_bad_one_does_not_replace_a_good_one(league: Path) -> None:
    place = entered(league, file_bot(league))
    refused(league, file_bot(league, source="raise SystemExit(1)"))
    assert place.read_text() == GOOD_BOT


def test_a_config_without_submissions_says_what_to_add(league: Path) -> None:
    (league / "more.py").write_text(GOOD_BOT)
    configure(league, bots=["ours.py", "more.py"])
    said = refused(league, file_bot(league))
    assert said.startswith(f"{league / 'league.yaml'} takes no submissions; add a line such as\n")
    assert said.endswith("\n  submissions: ../submissions")


@pytest.mark.parametrize("name", ["a b", "-x", "_x", "x" * 41, "a@1"])
def test_a_bad_name(league: Path, name: str) -> None:
    said = refused(league, file_bot(league, name))
    assert said.startswith(f'"{name}" is no bot name: a bot name has ')


@pytest.mark.parametrize("name", ["ours", "OURS"])
def test_a_name_that_is_taken(league: Path, tmp_path: Path, name: str) -> None:
    (league / "other").mkdir()
    said = refused(league, file_bot(league / "other", name))
    assert said == f'"{name}" is already the name of {league / "ours.py"}; rename the file'


def test_names_of_submissions_by_case_and_kind(league: Path) -> None:
    """Two of one name would make the config wrong for everybody."""
    place = entered(league, file_bot(league))
    for other in (file_bot(league, "MINE"), folder_bot(league, "mine")):
        said = refused(league, other)
        assert said.startswith(f'"{other.stem}" is already the name of {place}')
    assert len(loaded(league).bots) == 2


@pytest.mark.parametrize("kind", ["its own name", "the config's name", "no bot", "a link"])
def test_nothing_is_replaced_but_an_earlier_one_of_that_name(league: Path, kind: str) -> None:
    """What stands where the bot would be may be called something else, or be no bot at all."""
    there = league / "subs" / "team"
    there.mkdir(parents=True)
    (there / "notes").touch()
    said = "and is no bot of the tournament; rename yours"
    if kind == "its own name":
        (there / "bot.py").write_text(GOOD_BOT)
        (there / "bot.yaml").write_text("name: alice\n")
        said = 'the bot "alice"; rename yours'
    elif kind == "the config's name":
        (there / "bot.py").write_text(GOOD_BOT)
        configure(league, submissions="subs", bots=["ours.py", {"name": "bob", "path": str(there)}])
        said = 'the bot "bob"; rename yours'
    elif kind == "a link":
        there.rename(league / "elsewhere")
        there.symlink_to(league / "elsewhere")
    text = refused(league, folder_bot(league))
    assert str(there) in text
    assert text.endswith(said)
    assert (there / "notes").exists()


def test_what_is_no_bot(league: Path) -> None:
    (league / "empty").mkdir()
    (league / "bot.txt").touch()
    for name, said in (
        ("none.py", "no such file"),
        ("empty", "has no bot.py and no bot.yaml"),
        ("bot.txt", "is no Python file"),
    ):
        text = refused(league, league / name)
        assert text.startswith(f"{league / name}: {said}; submit a .py file, or a folder with")


def test_a_link_in_a_folder(league: Path) -> None:
    folder = folder_bot(league)
    (folder / "passwords").symlink_to("/etc/passwd")
    assert (
        refused(league, folder) == f"{folder / 'passwords'}: is a link; a bot may hold files only"
    )


def test_a_trial_that_the_arena_spoils_takes_nobody_in(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    void = Void(GameId(("mine@1", "mine@1"), 0, 0), "arena_stall")
    result = encode(JobResult(voids=(void,)))
    monkeypatch.setattr("arena.runtime.executor._Worker.play", lambda *_: result)
    with pytest.raises(ArenaError, match=r"the trial game was void .* run the command again"):
        entered(league, file_bot(league))
    assert not (league / "subs").exists()


# two at once


def test_of_two_at_once_one_name_gets_in(league: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have passed the first look at the names when the first is put in."""
    folder_bot(league, "mine")
    both = threading.Barrier(2, timeout=60)
    results: list[str] = []

    def run(source: Path) -> None:
        try:
            results.append(
                str(submit(loaded(league), source, lambda _: None, lambda *_: void(both.wait())))
            )
        except UserError as error:
            results.append(str(error))

    threads = [
        threading.Thread(target=run, args=(source,))
        for source in (file_bot(league), league / "mine")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(loaded(league).bots) == 2, "the config is right for everybody"
    (taken,) = (league / "subs").iterdir()
    assert sorted(results, key=len) == [
        str(taken),
        f'"mine" is already the name of {taken}; rename the file',
    ]


def void(_: object) -> None:
    """Nothing."""


def test_one_that_is_being_put_in_is_not_disturbed(league: Path) -> None:
    """What is aside only for a moment is not put back by another submission."""
    place = entered(league, folder_bot(league))
    aside = league / "subs" / ".unfinished-other"
    (aside / "old").mkdir(parents=True)
    place.rename(aside / "old" / "team")
    done = threading.Event()

    def run() -> None:
        entered(league, file_bot(league))
        done.set()

    folder = os.open(league / "subs", os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        thread = threading.Thread(target=run)
        thread.start()
        assert not done.wait(0.5)
        assert not place.exists()
        (aside / "old" / "team").rename(place)  # as that one's own `_put` would replace it
    finally:
        os.close(folder)
    thread.join(60)
    assert done.is_set()
    assert place.exists()
