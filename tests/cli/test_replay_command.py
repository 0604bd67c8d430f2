"""`arena replay`: games of a real tournament, shown, stepped through, and put to bots again."""

from __future__ import annotations

import json
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import Tournament, arena, call, new_tournament, processes_in, wait_until
from terminal import terminal

from arena.referee.record import GameId, Void
from arena.report.answers import Answer, Answers
from arena.report.replay import Replayed
from arena.store.store import Store

ILLEGAL = """
from arena.sdk import Bot, run
class Wrong(Bot):
    def choose(self, view, legal):
        self.note("no \\x1b[2J good")
        return "play:XX" if view.phase == "play" and self.params["wrong"] else legal[0]
run(Wrong)
"""
CHANGED = """
import sys
from arena.sdk import Bot, run
class Changed(Bot):
    def choose(self, view, legal):
        print("asked", view.phase, self.params, file=sys.stderr)
        if view.phase == "play" and len(view.hand) == 4:
            raise KeyError("four")
        if view.phase == "play" and len(view.hand) == 3:
            sys.exit(3)
        return legal[-1]
run(Changed)
"""
STOPS = """
from arena.sdk import run
def choose(view, legal):
    if view.phase == "play":
        breakpoint()
    return legal[0]
run(choose)
"""
CHANGES_MODES = """
import os, sys, termios, time
from arena.sdk import run
def choose(view, legal):
    terminal = os.open("/dev/tty", os.O_RDWR)
    modes = termios.tcgetattr(terminal)
    modes[1] &= ~termios.OPOST
    modes[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(terminal, termios.TCSANOW, modes)
    print("modes changed", file=sys.stderr)
    END
    return legal[0]
run(choose)
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    """One board of a bot that plays what is not legal, and of one that only says what is."""
    tournament = new_tournament(tmp_path_factory.mktemp("played"))
    bots = [
        {"name": name, "path": tournament.add_bot(name, ILLEGAL), "params": {"wrong": wrong}}
        for name, wrong in (("fine", False), ("right", False), ("wrong", True))
    ]
    tournament.configure(*bots, boards=1)
    assert arena("tournament", tournament.config, folder=tournament.folder).code == 0
    return tournament


def test_a_game_is_shown(played: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "replay", played.config, "fine:right/0/0")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("game fine@1:right@1/0/0: fine (seat 0) ")
    assert done.out.endswith("\n")
    assert r'note "no \x1b[2J good"' in done.out
    assert " ms" in done.out
    alone = call(capfd, "replay", played.config, "fine:right/0/0", "--deal", "0").out
    assert alone.splitlines()[2:] == done.out.split("\n\n")[1].splitlines()


def test_an_export_shows_the_same(
    played: Tournament, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    export = tmp_path / "games.jsonl"
    told = call(capfd, "replay", played.config, "fine:right/0/0").out
    export.write_text(call(capfd, "export", "--times", "--notes", played.config).out)
    assert call(capfd, "replay", export, "fine@1:right@1/0/0").out == told
    assert call(capfd, "replay", export, "FINE:right/0/0").out == told
    export.write_text(call(capfd, "export", played.config).out)
    bare = call(capfd, "replay", export, "fine:right/0/0").out
    assert re.sub(r" +[\d.]+ ms|   note .*", "", told).split() == bare.split()
    done = call(capfd, "replay", export, "fine:right/7/0")
    assert (done.code, done.out) == (2, "")
    assert done.err == f"error: game fine@1:right@1/7/0 is not in {export}\n"


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("", 2, "there are none"),
        ("no\n", 2, "games.jsonl:1: is no line of an export"),
        ("[" * 9_000, 2, "games.jsonl:1: is no line of an export"),
        ('{"format":"arena-game/1","id":"x"}', 2, "games.jsonl:1: is no line of an export"),
    ],
)
def test_what_is_no_export_is_told(
    text: str, code: int, told: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "games.jsonl").write_text(text)
    done = call(capfd, "replay", tmp_path / "games.jsonl", "a:b/0/0")
    assert (done.code, done.out) == (code, "")
    assert told in done.err


def test_an_export_that_breaks_the_rules_is_not_shown(
    played: Tournament, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    export = tmp_path / "games.jsonl"
    line = json.loads(call(capfd, "export", played.config).out.splitlines()[0])
    line["deals"][0]["actions"][0][1] = "play:9S"
    export.write_text(json.dumps(line))
    done = call(capfd, "replay", export, line["id"])
    assert (done.code, done.out) == (1, "")
    assert f"error: game {line['id']}: deal 0: action 0: 'play:9S' is not legal" in done.err


def test_a_game_as_json(played: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    found = json.loads(call(capfd, "replay", played.config, "fine:right/0/0", "--json").out)
    assert set(found) == set(Replayed.__struct_fields__)
    assert (found["schema"], found["id"]) == ("arena.replay/1", "fine@1:right@1/0/0")
    assert found["number_of_deals"] == len(found["deals"])


def test_a_fault_is_shown(played: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    *_, fault, why, won = call(capfd, "replay", played.config, "fine:wrong/0/0").out.splitlines()
    assert why == "    the joker is not in hand"
    assert fault.startswith("wrong is at fault (illegal): 'play:XX' at decision ")
    assert won == "fine wins the game by this fault"


def test_a_run_says_how_to_see_a_fault(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tournament = new_tournament(tmp_path, "a", boards=1)
    wrong = {"path": tournament.add_bot("wrong", ILLEGAL), "params": {"wrong": True}}
    tournament.configure("a.py", wrong, boards=1)
    said = call(capfd, "-C", tmp_path, "tournament", "tour.yaml").err
    (line,) = [line for line in said.splitlines() if "to see it: " in line]
    _, folder_option, folder, *words = line.split("to see it: ")[1].split()
    assert folder_option == "-C"
    done = call(capfd, "-C", folder, *words)
    assert "wrong is at fault (illegal)" in done.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["fine:rihgt/0/0"], 'did you mean "fine:right"?'),
        (["0/0"], "may be of several matches: fine@1:right@1, "),
        (["fine:right/0/2"], "cannot be: there are seatings 0 to 1"),
        (["fine:right/9/0"], "is not in the schedule; of this match stored are boards 0 to 0"),
        (["fine:right/0/0", "--deal", "99"], "deal 99: this game has "),
        (["fine:right/0/0", "--to", "fine", "--deal", "99"], "deal 99: this game has "),
        (["fine:right/0/0", "--seat", "0"], "add --to BOT"),
        (["fine:right/0/0", "--step", "--json"], "--step goes without --json"),
        (["fine:right/0/0", "--to", "nobody.py"], "nobody.py: no such file"),
        (
            ["fine:right/0/0", "--to", "wrong.py"],
            "Add --seat N; in this game",
        ),
    ],
)
def test_what_cannot_be_shown_is_told(
    words: list[str],
    told: str,
    played: Tournament,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(played.folder)
    done = call(capfd, "replay", "tour.yaml", *words)
    assert (done.code, done.out) == (2, "")
    assert told in done.err


def test_games_that_are_not_kept_are_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1, output={"records": "results"})
    call(capfd, "tournament", tournament.config)
    done = call(capfd, "replay", tournament.config, "a:b/0/0")
    assert (done.code, done.out) == (2, "")
    assert "stored without its actions (output.records: results)" in done.err
    assert re.search(r"it ended a \d - \d b$", done.err.strip())
    with Store.open(tournament.results) as store:
        store.add(voids=[Void(GameId(("a@1", "b@1"), 5, 0), "worker_died")])
    done = call(capfd, "replay", tournament.config, "a:b/5/0")
    assert done.code == 2
    assert "is void (worker_died), by no fault of a bot, and will be played again" in done.err


# steps


def test_a_game_is_stepped_through_by_keys(played: Tournament) -> None:
    words = [sys.executable, "-m", "arena", "replay", str(played.config), "fine:right/0/0"]
    with terminal(*words, "--step", folder=played.folder) as shown:
        assert shown.shows("Deal 0", "any key goes on, q quits")
        for number, key in enumerate((" ", "\x1b[B", "\n")):
            assert f"     {number}  " not in "\n".join(shown.lines)
            shown.type(key)
            assert shown.shows(f"     {number}  ")
        shown.type("q")
        assert shown.end() == 0
        assert shown.is_clean
        assert "     3  " not in "\n".join(shown.lines)


def test_without_a_terminal_nothing_waits(
    played: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    told = call(capfd, "replay", played.config, "fine:right/0/0").out
    assert call(capfd, "replay", played.config, "fine:right/0/0", "--step").out == told


# put to a bot


def answers(*words: str | Path, capture: pytest.CaptureFixture[str]) -> dict[str, Any]:
    done = call(capture, "replay", *words, "--json")
    found: dict[str, Any] = json.loads(done.out)
    assert set(found) == set(Answers.__struct_fields__)
    for answer in found["answers"]:
        assert set(answer) == set(Answer.__struct_fields__)
    assert done.code == (1 if found["differ"] else 0)
    return found


@pytest.mark.parametrize("bot", ["fine", "fine.py"])
def test_the_same_bot_answers_as_recorded(
    bot: str, played: Tournament, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(played.folder)
    done = call(capfd, "replay", "tour.yaml", "fine:right/0/1", "--to", bot)
    assert done.code == 0
    assert re.fullmatch(
        rf"{bot} in the place of fine@1: \d+ decisions, all answered as recorded\n", done.out
    )


def test_the_dice_are_the_same(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    call(capfd, "tournament", tournament.config)
    for game in ("a:b/0/0", "a:b/0/1"):
        for bot in ("a.py", "b.py"):
            path = tournament.folder / bot
            found = answers(tournament.config, game, "--to", path, capture=capfd)
            assert found["differ"] == 0
            assert found["decisions"] == len(found["answers"]) > 0


def test_who_was_asked_nothing_cannot_be_asked_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """In one of the games the first decision, which is a fault, is the other bot's."""
    tournament = new_tournament(tmp_path, "a", boards=1)
    never = tournament.add_bot("never", "from arena.sdk import run\nrun(lambda *_: 'play:XX')\n")
    tournament.configure("a.py", {"path": never}, boards=1)
    call(capfd, "tournament", tournament.config)
    words = ("--to", tmp_path / "a.py")
    done = [call(capfd, "replay", tournament.config, f"0/{n}", *words) for n in (0, 1)]
    assert sorted(one.code for one in done) == [0, 2]
    assert [one.err for one in done if one.code] == ["error: a@1 was asked nothing in this game\n"]


def test_a_fault_that_comes_again_is_shown(
    played: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    done = call(capfd, "replay", played.config, "fine:wrong/0/0", "--to", "wrong")
    assert done.code == 1
    head, sees, recorded, now, note, *_ = done.out.splitlines()
    assert head.startswith("Deal 0   fine 0 - 0 wrong   trump ")
    assert sees.startswith("  hand ")
    assert re.fullmatch(
        r"  decision \d \(action \d\): wrong is at fault \(illegal\): 'play:XX' at .*", recorded
    )
    assert now == "  now it answers 'play:XX', which is not legal: the joker is not in hand"
    assert note == r'  note "no \x1b[2J good"'
    assert done.out.splitlines()[-1].endswith(" decisions, 1 by a fault")


def test_what_a_changed_bot_does_is_shown(
    played: Tournament, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """It has the params of the bot of its name, its stderr comes through, its end is told."""
    file = tmp_path / "right.py"
    file.write_text(CHANGED)
    done = call(capfd, "replay", played.config, "fine:right/0/0", "--to", file)
    assert done.code == 1
    assert "asked order {'wrong': False}" in done.err
    assert "now it gives the game up: KeyError: 'four' (right.py, line " in done.out
    assert "now it is at fault (crash): exited 3" in done.out
    assert re.search(
        r"right.py in the place of right@1: \d of \d+ decisions asked before its"
        r" process ended, \d answered otherwise, \d by a fault\n$",
        done.out,
    )


def test_a_stranger_is_asked_in_the_place_that_is_named(
    played: Tournament, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "stranger.py"
    file.write_text(CHANGED)
    words = (played.config, "fine:right/0/0", "--to", file, "--seat", "1", "--deal", "0")
    found = answers(*words, capture=capfd)
    assert (found["seat"], found["instead_of"]) == (1, "right@1")
    assert {answer["deal"] for answer in found["answers"]} == {0}
    assert [answer["verdict"] for answer in found["answers"]][-1] == "fault"


def test_a_bot_that_does_not_start_is_told(
    played: Tournament, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "right.py"
    file.write_text("raise SystemExit(7)")
    done = call(capfd, "replay", played.config, "fine:right/0/0", "--to", file)
    assert done.code == 1
    assert "now it is at fault (no_start): exited 7 before it was ready" in done.out


def test_an_export_has_no_dice(
    played: Tournament, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    done = call(capfd, "replay", tmp_path / "games.jsonl", "a:b/0/0", "--to", "a.py")
    assert (done.code, done.out) == (2, "")
    assert "an export does not tell a bot's dice" in done.err


def test_a_debugger_has_the_terminal(played: Tournament) -> None:
    file = played.folder / "stops.py"
    file.write_text(STOPS)
    words = ["replay", str(played.config), "fine:right/0/0", "--to", str(file), "--seat", "0"]
    with terminal(sys.executable, "-m", "arena", *words, folder=played.folder) as shown:
        assert shown.shows("(Pdb)")
        shown.type("p 'phase', view.phase\n")
        assert shown.shows("('phase', 'play')")
        shown.type("c\n")
        shown.type("p 'held', len(view.hand)\n")
        assert shown.shows("('held', 4)")
        shown.process.terminate()
        assert shown.end() == 143
        assert wait_until(lambda: not processes_in(played.folder))


@pytest.mark.parametrize(
    ("end", "number", "code"),
    [
        ("", None, 0),
        ("os._exit(3)", None, 1),
        ("time.sleep(1000)", signal.SIGINT, 130),
        ("time.sleep(1000)", signal.SIGTERM, 143),
        ("time.sleep(1000)", signal.SIGHUP, 129),
    ],
)
def test_the_terminal_has_its_modes_back_however_it_ends(
    played: Tournament, tmp_path: Path, end: str, number: signal.Signals | None, code: int
) -> None:
    bot = tmp_path / "rude.py"
    bot.write_text(CHANGES_MODES.replace("END", end))
    words = ("replay", str(played.config), "fine:right/0/0", "--to", str(bot), "--seat", "0")
    with terminal(sys.executable, "-m", "arena", *words, folder=played.folder) as shown:
        before = shown.modes
        assert shown.comes(lambda: b"modes changed" in shown.written)
        if number is not None:
            assert shown.modes != before
            shown.process.send_signal(number)
        assert shown.end() == code
        assert shown.modes == before
