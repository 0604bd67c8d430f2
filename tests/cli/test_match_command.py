"""`arena match`: two bots without a config, and what is left of it afterwards."""

from __future__ import annotations

import json
import signal
import tempfile
from pathlib import Path

import pytest
from commands import (
    BOTS,
    RANDOM_BOT,
    Tournament,
    arena,
    call,
    interrupted,
    processes_in,
    running,
    wait_until,
)

RULES_BOT = (BOTS / "rules_bot.py").read_text()
SLOW_BOT = RANDOM_BOT.replace("return self", "time.sleep(0.5)\n        return self").replace(
    "from arena", "import time\n\nfrom arena", 1
)
FAILING_BOT = "from arena.sdk import run\n\nrun(lambda view, legal: 1 / 0)\n"
QUICK = ("--boards", "3", "--seed", "7", "--workers", "1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A new and an old version of a bot, and a place for what passes."""
    for folder, source in (("new", RULES_BOT), ("old", RANDOM_BOT)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text(source)
    (tmp_path / "tmp").mkdir()
    return tmp_path


@pytest.fixture
def work(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, as the working folder of commands in this process."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "tmp"))
    return folder


def left(work: Path) -> list[Path]:
    """What stayed in the folder for what passes."""
    return list((work / "tmp").iterdir())


def test_is_the_new_version_better(work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "match", *QUICK, "new/bot.py", "old/bot.py")
    assert done.code == 0
    assert done.out.splitlines()[0] == "new-bot minus old-bot, 95 % intervals"
    assert " 3 boards, 6 games: " in done.out
    said = done.err.splitlines()
    assert said[0] == "match: 2 bots, 1 match x 3 boards = 6 games, 1 worker"
    assert "kept" not in done.err
    assert str(work) not in done.err
    assert left(work) == []


def test_a_kept_match_is_a_tournament(work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ("match", *QUICK, "--keep", "kept/new-old", "new/bot.py", "old/bot.py")
    first = call(capfd, *words)
    assert first.err.splitlines()[-1] == "kept: kept/new-old/match.yaml"
    config = "kept/new-old/match.yaml"
    assert call(capfd, "compare", config, "new-bot", "old-bot").out == first.out
    assert "new-bot" in call(capfd, "rankings", config).out
    again = call(capfd, *words)
    assert (again.code, again.out) == (0, first.out)
    assert "nothing is left to play" in again.err
    listed = json.loads(call(capfd, "list", "--json").out)["tournaments"]
    assert [(one["name"], one["state"]) for one in listed] == [("match", "complete")]


def test_the_same_seed_gives_the_same_games(work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    exports = []
    for folder in ("one", "other"):
        call(capfd, "match", *QUICK, "--keep", folder, "new/bot.py", "old/bot.py")
        exports.append(call(capfd, "export", f"{folder}/match.yaml").out)
    assert exports[0] == exports[1] != ""


def test_json_is_one_object(work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "match", *QUICK, "--json", "new/bot.py", "old/bot.py")
    shown = json.loads(done.out)
    assert (shown["schema"], shown["complete"]) == ("arena.compare/1", True)
    assert (shown["a"], shown["b"], shown["match"]["games"]) == ("new-bot", "old-bot", 6)


def test_a_bot_against_itself(work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "match", *QUICK, "old/bot.py", "old/bot.py")
    assert done.code == 0
    assert done.out.startswith("bot-1 minus bot-2, ")


def test_the_first_named_is_the_first_compared(
    work: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    done = call(capfd, "match", *QUICK, "old/bot.py", "new/bot.py")
    assert done.out.startswith("old-bot minus new-bot, ")


def test_a_test_ends_it_as_soon_as_it_is_decided(
    work: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ("--sprt", "0,200", "--seed", "7", "--keep", "kept", "new/bot.py", "old/bot.py")
    done = call(capfd, "match", *words)
    assert done.code == 0
    assert "1 match x 10000 boards" in done.err
    assert "SPRT of new-bot minus old-bot" in done.err
    assert "H1 accepted after " in done.err
    stop = json.loads(call(capfd, "rankings", "--json", "kept/match.yaml").out)["stop"]
    assert (stop["elo0"], stop["elo1"], stop["decision"]) == (0, 200, "H1")


@pytest.mark.parametrize(
    ("sprt", "said"),
    [
        ("10", '--sprt: expected two numbers such as 0,10, got "10"'),
        (",10", '--sprt: expected two numbers such as 0,10, got ",10"'),
        ("0,ten", '--sprt: expected a number from -1000 to 1000, got "ten"'),
        ("0,1,2", '--sprt: expected a number from -1000 to 1000, got "1,2"'),
        ("10,5", "--sprt: must be more than elo0, which is 10"),
    ],
)
def test_wrong_tests(work: Path, capfd: pytest.CaptureFixture[str], sprt: str, said: str) -> None:
    done = call(capfd, "match", "--sprt", sprt, "new/bot.py", "old/bot.py")
    assert (done.code, done.out, done.err) == (2, "", f"error: {said}\n")
    assert left(work) == []


def test_wrong_options_leave_nothing(work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "match", "--boards", "0", "--tables", "x", "new/bot.py", "old/bot.py")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "error: --boards: expected a whole number from 1 to 1000000, got 0\n"
        'error: --tables: expected auto or a whole number from 1 to 64, got "x"\n'
    )
    none = call(capfd, "match", "new/bot.py", "nwe/bot.py")
    assert (none.code, none.err) == (2, "error: nwe/bot.py: no such file\n")
    assert left(work) == []


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("place", ["arena.tools.match.load_config", "arena.cli.run.choose_display"])
def test_who_stops_it_before_it_begins_leaves_nothing(
    work: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    place: str,
    asked: signal.Signals,
) -> None:
    monkeypatch.setattr(place, lambda *_, **__: signal.raise_signal(asked))
    done = call(capfd, "match", *QUICK, "new/bot.py", "old/bot.py")
    assert (done.code, done.out, done.err) == (128 + asked, "", "")
    assert left(work) == []


def test_after_a_fault_it_is_kept_to_be_looked_into(
    work: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (work / "new/bot.py").write_text(FAILING_BOT)
    done = call(capfd, "match", *QUICK, "new/bot.py", "old/bot.py")
    assert done.code == 0
    assert "crash" in done.err
    (folder,) = left(work)
    assert done.err.splitlines()[-1] == f"kept: {(folder / 'match.yaml').relative_to(work)}"
    assert "ZeroDivisionError" in (folder / "results/match/bots/new-bot.stderr.log").read_text()


def test_a_bot_that_cannot_be_started(work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (work / "new/bot.py").write_text("print('no')\n")
    done = call(capfd, "match", *QUICK, "new/bot.py", "old/bot.py")
    assert (done.code, done.out) == (2, "")
    assert "new-bot cannot be started" in done.err
    assert len(left(work)) == 1


def test_an_interrupted_match_can_be_continued(folder: Path) -> None:
    for version in ("new", "old"):
        (folder / version / "bot.py").write_text(SLOW_BOT)
    words = ("match", *QUICK, "new/bot.py", "old/bot.py", "--keep", "kept")
    with running(*words, folder=folder) as run:
        kept = Tournament(folder / "kept/results/match")
        assert wait_until(lambda: len(processes_in(kept.folder / "snapshots")) == 2)
        code, said = interrupted(run, signal.SIGINT)
    assert code == 130
    assert said[-3:] == [
        "saved, 0 of 6 games.",
        "To continue:  arena tournament kept/match.yaml",
        "kept: kept/match.yaml",
    ]
    for version in ("new", "old"):
        (folder / version / "bot.py").write_text(RANDOM_BOT)
    assert arena("tournament", "kept/match.yaml", folder=folder).code == 0


def test_a_passing_match_that_is_interrupted_is_kept_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(folder / "tmp"))
    for version in ("new", "old"):
        (folder / version / "bot.py").write_text(SLOW_BOT)
    program = ("-C", folder, "match", *QUICK, "new/bot.py", "old/bot.py")
    with running(*program, folder=folder) as run:
        assert run.stderr is not None
        assert run.stderr.readline().startswith("match: ")
        code, (*_, again, kept) = interrupted(run, signal.SIGTERM)
    assert code == 143
    (place,) = left(folder)
    config = f"{place.relative_to(folder)}/match.yaml"
    assert again == f"To continue:  arena -C {folder} tournament {config}"
    assert kept == f"kept: {config}"
