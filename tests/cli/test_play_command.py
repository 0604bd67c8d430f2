"""`arena play`: on a terminal as a person sees it, and from a pipe."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from commands import BOTS, PATIENCE_S, Done, call, processes_in
from terminal import CTRL_C, Terminal, terminal

from arena.text import visible
from arena.tools.play import saved

RULES_BOT = BOTS / "rules_bot.py"
SHORT = ("--option", "target_score=1")
PROMPT = re.compile(r"^(\w+)> $")
LEAVES = """
import os
from arena.sdk import run
def choose(view, legal):
    if view.phase == "play":
        print("I have had enough")
        os._exit(3)
    return legal[-1]
run(choose)
"""
REVOKES = """
from arena.sdk import run
def choose(view, legal):
    held = [f"play:{card}" for card in view.hand]
    wrong = [action for action in held if view.phase == "play" and action not in legal]
    return (wrong or legal)[-1]
run(choose)
"""


def piped(
    folder: Path, lines: Sequence[str], *words: str | Path, env: dict[str, str] | None = None
) -> Done:
    """Play with what is in a pipe."""
    done = subprocess.run(
        [sys.executable, "-m", "arena", *map(str, words)],
        cwd=folder,
        env=env,
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_S,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


@contextmanager
def table(folder: Path, *words: str | Path, rows: int = 60) -> Iterator[Terminal]:
    command = (sys.executable, "-m", "arena", *map(str, words))
    with terminal(*command, folder=folder, rows=rows) as shown:
        yield shown


def is_asked(shown: Terminal) -> bool:
    """Wait for the prompt; False: the program has ended."""
    assert shown.comes(lambda: prompt(shown) or shown.process.poll() is not None), shown.lines
    return bool(prompt(shown))


def prompt(shown: Terminal) -> str:
    """The phase that the last line asks about, empty if it does not."""
    row = shown.screen.display[shown.screen.cursor.y].rstrip()
    found = re.fullmatch(r"(\w+)>", row)
    return found[1] if found else ""


def enter(shown: Terminal, text: str) -> None:
    """Type a line, and wait until it is taken in."""
    written = len(shown.written)
    shown.type(f"{text}\r")
    wanted = f"{text}\r\n".encode()
    assert shown.comes(lambda: wanted in shown.written[written:]), shown.lines


def first_legal(shown: Terminal) -> str:
    """The number of the first action that the screen says is legal."""
    hands = [line for line in shown.lines if line.startswith("  your hand")]
    found = re.search(r"legal: (\d)", hands[-1])
    return found[1] if found else "1"


def test_a_whole_game_on_a_terminal(tmp_path: Path) -> None:
    words = ("play", RULES_BOT, *SHORT, "--record", "games.jsonl", "--seed", "a game")
    with table(tmp_path, *words) as shown:
        while is_asked(shown):
            enter(shown, first_legal(shown))
        assert shown.end() == 0
        text = "\n".join(shown.lines)
        assert re.search(r"^(You win, |rules_bot wins, )\d+ - \d+\.$", text, re.MULTILINE)
        assert "The same cards again:  arena play --seed 'a game' --option" in text
        assert b"\x1b[31m" in shown.written
        assert b"\x1b[1mDeal 0 " in shown.written
        assert shown.is_clean
    (line,) = (tmp_path / "games.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["seats"]) == ["rules_bot@1", "you@1"]
    done = piped(tmp_path, [], "verify", "games.jsonl")
    assert (done.code, done.out[:11]) == (0, "ok: 1 game,")


def test_mistakes_undo_hints_saving_and_continuing_on_a_terminal(tmp_path: Path) -> None:
    """With this seed the bot passes, J♥ is accepted, and clubs are led to J♥ Q♥ 9♠ K♣ 9♣."""
    with table(tmp_path, "play", RULES_BOT, "--seed", "abc") as shown:
        assert is_asked(shown)
        for line in ("acc", "a♥"):
            enter(shown, line)
            assert is_asked(shown)
        enter(shown, "1")
        assert shown.shows("You must follow ♣. Legal: 4, 5 (K♣, 9♣).   ? help   u undo   q quit")
        enter(shown, "h")
        assert shown.shows("rules_bot would play 9♣")
        enter(shown, "?")
        assert shown.shows("Trumps from the top: J♥ (right bower), J♦ (left bower), A♥")
        enter(shown, "u")
        assert is_asked(shown)
        assert prompt(shown) == "discard"
        enter(shown, "9s")
        assert shown.shows("you discard 9♠")
        assert is_asked(shown)
        enter(shown, "s my.json")
        assert shown.shows("Saved in my.json.")
        assert is_asked(shown)
        enter(shown, "kc")
        assert is_asked(shown)
        enter(shown, "q")
        assert shown.end() == 0
        assert shown.lines[-1] == "To continue:  arena play --continue my.json"
        last = [line for line in shown.lines if line.startswith(("Deal", "  your hand"))][-2:]
    with table(tmp_path, "play", "--continue", "my.json") as shown:
        assert is_asked(shown)
        assert [line for line in shown.lines if line in last] == last
        enter(shown, "u")
        assert shown.comes(lambda: sum("A♣" in line for line in shown.lines) > 0)
        shown.type("\x04")
        assert shown.end() == 0
        assert not [line for line in shown.lines if "Traceback" in line]


@pytest.mark.parametrize("keys", [CTRL_C, "12" + CTRL_C])
def test_ctrl_c_keeps_the_game(tmp_path: Path, keys: str) -> None:
    with table(tmp_path, "play", RULES_BOT, "--seed", "abc") as shown:
        assert is_asked(shown)
        enter(shown, "accept")
        assert is_asked(shown)
        shown.type(keys)
        assert shown.end() == 130
        assert shown.lines[-1] == "To continue:  arena play --continue rules_bot.play.json"
        assert "Traceback" not in "\n".join(shown.lines)
    saved = json.loads((tmp_path / "rules_bot.play.json").read_text())
    assert [reply["action"] for reply in saved["replies"]] == ["pass", "accept"]


def test_the_end_of_a_terminal_keeps_the_game(tmp_path: Path) -> None:
    with table(tmp_path, "play", RULES_BOT, "--seed", "abc") as shown:
        assert is_asked(shown)
        enter(shown, "accept")
        assert is_asked(shown)
        shown.close()
        assert shown.process.wait(PATIENCE_S) != 0
    assert (tmp_path / "rules_bot.play.json").exists()
    assert not processes_in(tmp_path)


def test_a_game_from_a_pipe_is_plain_and_can_be_continued(tmp_path: Path) -> None:
    done = piped(tmp_path, ["1", "2"], "play", RULES_BOT, "--seed", "abc")
    assert done.code == 0
    assert "\x1b" not in done.out
    assert done.out.splitlines() == [
        "You play rules_bot. ? explains, q leaves.",
        "Deal 0   you 0 - 0 rules_bot   upcard J♥",
        "  you deal",
        "  rules_bot passes",
        "  your hand   A♥  Q♥  9♠  K♣  9♣",
        "  you may     [1] accept  [2] pass",
        "order> 1",
        "  you accept",
        "Deal 0   you 0 - 0 rules_bot   trump ♥ (you accepted)   upcard J♥",
        "  your hand   [1] J♥  [2] A♥  [3] Q♥  [4] 9♠  [5] K♣  [6] 9♣      legal: 2, 3, 4, 5, 6",
        "discard> 2",
        "  you discard A♥",
        "Deal 0   you 0 - 0 rules_bot   trump ♥ (you accepted)   tricks 0 - 0",
        "  rules_bot leads A♣",
        "  your hand   [1] J♥  [2] Q♥  [3] 9♠  [4] K♣  [5] 9♣      legal: 4, 5",
        "play> ",
    ]
    assert done.err == (
        "saved in rules_bot.play.json\nTo continue:  arena play --continue rules_bot.play.json\n"
    )
    again = piped(tmp_path, ["q"], "play", "--continue", "rules_bot.play.json")
    assert again.out.splitlines()[1:5] == done.out.splitlines()[11:15]
    assert again.err == done.err
    colored = piped(tmp_path, [], "--color", "always", "play", "--continue", "rules_bot.play.json")
    assert "\x1b[31mJ♥\x1b[39m" in colored.out


NO_PLACES = {
    ".": "it is there already and no file; give another name",
    "..": "it is there already and no file",
    "/": "it is there already and no file",
    "folder": "it is there already and no file",
    "dead_link": "it is there already and no file",
    "thesis.txt": "no game saved by `arena play`",
    "empty.txt": "no game saved by `arena play`",
    "thesis.txt/x": "Not a directory",
    "no/where.json": "No such file",
    "a\0b": "no file can have that name",
    "x" * 300: "File name too long",
}


def test_saving_costs_nothing_that_is_no_saved_game(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "dead_link").symlink_to("nothing")
    (tmp_path / "thesis.txt").write_text("three years")
    (tmp_path / "empty.txt").touch()
    before = sorted(tmp_path.iterdir())
    tried = [f"s {place}" for place in NO_PLACES]
    lines = ["accept", *tried, "s my.json", "9s", "s other.json", "s my.json", "q"]
    done = piped(tmp_path, lines, "play", RULES_BOT, "--seed", "abc")
    assert done.code == 0
    said = [line for line in done.out.splitlines() if "ot saved" in line]
    assert len(said) == len(NO_PLACES)
    for line, (place, why) in zip(said, NO_PLACES.items(), strict=True):
        assert line.startswith(place.replace("\0", "\\x00"))
        assert why in line
    assert (tmp_path / "thesis.txt").read_text() == "three years"
    mine = [tmp_path / "my.json", tmp_path / "other.json"]
    assert sorted(tmp_path.iterdir()) == sorted([*before, *mine])
    assert mine[0].read_text() == mine[1].read_text()


def test_nothing_is_kept_of_a_game_in_which_nothing_was_chosen(tmp_path: Path) -> None:
    words = ("--seed", "abc", "--seat", "1", "--option", "deck_size=25")
    done = piped(tmp_path, ["", "u"], "play", *words, "--option", "joker_upcard=redeal", RULES_BOT)
    assert "This is your first decision: there is nothing to undo." in done.out
    options = "--option deck_size=25 --option joker_upcard=redeal"
    again = f"arena play --seed abc --seat 1 {options} {RULES_BOT}"
    assert done.err == f"Nothing was chosen. The same cards again:  {again}\n"
    assert list(tmp_path.iterdir()) == []


def test_the_cards_are_drawn_unless_there_is_a_seed(tmp_path: Path) -> None:
    words = ("play", RULES_BOT)
    drawn = {re.sub(".*--seed (\\w+).*\n", r"\1", piped(tmp_path, [], *words).err) for _ in "ab"}
    assert len(drawn) == 2


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        (LEAVES, "bad is at fault, crash: exited 3 at decision "),
        (REVOKES, "bad is at fault, illegal: 'play:"),
    ],
)
def test_a_fault_of_the_bot_ends_the_game_with_its_cause(
    tmp_path: Path, source: str, cause: str
) -> None:
    (tmp_path / "bad.py").write_text(source)
    words = ("play", "bad.py", "--seed", "abc", "--record", "games.jsonl")
    done = piped(tmp_path, ["1", "2", "1", "3", "4", "5"] * 60, *words)
    assert done.code == 1
    end = done.out[done.out.rindex("bad is at fault") :]
    assert end.startswith(cause)
    assert ("    I have had enough" in end) == (source == LEAVES)
    assert ("bad must follow" in end) == (source == REVOKES)
    assert end.splitlines()[-1].startswith("You win, ")
    assert piped(tmp_path, [], "verify", "games.jsonl").code == 0


COUNTS = """
from arena.sdk import Bot, run
class Counts(Bot):
    ended = []
    asked = 0
    def choose(self, view, legal):
        self.asked += 1
        self.note(f"{self.asked} {self.ended}")
        return legal[-1]
    def end(self, result):
        self.ended.append(result.ended)
run(Counts)
"""


def test_a_game_that_was_gone_back_in_is_a_new_one_to_the_bot(tmp_path: Path) -> None:
    (tmp_path / "counts.py").write_text(COUNTS)
    piped(tmp_path, ["accept", "9s", "u", "9c", "9♠"], "play", "counts.py", "--seed", "abc")
    saved = json.loads((tmp_path / "counts.play.json").read_text())
    notes = [reply["note"] for reply in saved["replies"] if "note" in reply]
    assert notes[:2] == ["1 []", "1 ['void']"]


def test_another_bot_gives_hints_and_its_faults_cost_nothing(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(LEAVES.replace('view.phase == "play"', "True"))
    words = ("play", RULES_BOT, "--hints", "bad.py", "--seed", "abc")
    done = piped(tmp_path, ["h", "hint", "1"], *words)
    assert done.out.count("bad has no hint: it is at fault (crash): exited 3 at decision 0") == 2
    assert "you accept" in done.out
    assert json.loads((tmp_path / "rules_bot.play.json").read_text())["hints"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "give a BOT to play against"),
        (("none.py",), "none.py: no such file"),
        (("dead.py",), "error: dead does not start: exited 1 before hello\n    KeyError"),
        (("dead.py", "--option", "deck=24"), "deck: unknown option; did you mean"),
        (("dead.py", "--option", "deck_size=23"), "deck_size: expected one of 24, 25, 32, 33"),
        (("dead.py", "--option", "deck_size"), "is not of the form KEY=VALUE"),
        (("dead.py", "--record", "no/where"), "no/where: No such file"),
        (("--continue", "none.json"), "none.json: No such file"),
        (("--continue", "dead.py"), "dead.py: no game saved by `arena play`"),
        (("--continue", "none.json", "--seed", "1"), "--seed is for a new game"),
        (("dead.py", "--config", "none.yaml"), "none.yaml: "),
    ],
)
def test_what_cannot_be_played(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    why: str,
) -> None:
    (tmp_path / "dead.py").write_text("import sys; sys.exit('KeyError')")
    monkeypatch.chdir(tmp_path)
    done = call(capfd, "play", *words)
    assert done.code == 2
    assert why in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    "key", ["x", "\udcff", "target_score", "deck_size", "joker_upcard", "play_out"]
)
@pytest.mark.parametrize(
    "value",
    [
        *("[" * deep + "]" * deep for deep in (1, 900, 100_000)),
        *('{"a":' * 5_000, "[", '{"a": 1}', '"\\ud800"', "\udcff", "\x1b[31m"),
        *("9" * 5_000, "-1", "NaN", "Infinity", "1e400", "null", "", "=", "0.5"),
    ],
    ids=lambda value: ascii(value[:9]),
)
def test_whatever_an_option_is_set_to_is_judged(
    capfd: pytest.CaptureFixture[str], key: str, value: str
) -> None:
    done = call(capfd, "play", "none.py", "--option", f"{key}={value}")
    assert done.code == 2
    assert done.err.startswith(f"error: option {visible(key)}: ")
    assert "\x1b" not in done.err


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"bot": "a\0b"}, r"a\x00b"),
        ({"bot": "."}, "error: "),
        ({"hints": "a\0b"}, r"a\x00b"),
        ({"config": "a\0b"}, r"a\x00b"),
        ({"config": "."}, "error: "),
        ({"variant": "../x"}, "there is no variant"),
        ({"options": {"x": 1}}, "option x: unknown"),
        ({"options": {"target_score": [[]]}}, "no game saved by"),
        ({"replies": [{"action": "\x1b"}]}, "action 0 does not follow the rules"),
        ({"replies": [{"action": "pass", "elapsed_us": -1}]}, "no game saved by"),
    ],
    ids=str,
)
def test_a_saved_game_that_was_changed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], changed: dict[str, object], why: str
) -> None:
    file = tmp_path / "game.json"
    game = saved.new(str(RULES_BOT), None, None, seat=0, seed="s", options={})
    file.write_text(json.dumps({**msgspec.to_builtins(game), **changed}))
    done = call(capfd, "play", "--continue", file)
    assert (done.code, "\x1b" in done.err) == (2, False)
    assert why in done.err


@pytest.mark.parametrize("word", ["D", '"D"'])
def test_a_word_needs_no_quotes(capfd: pytest.CaptureFixture[str], word: str) -> None:
    words = ("--option", "deck_size=25", "--option", f"joker_upcard={word}")
    assert "none.py: no such file" in call(capfd, "play", "none.py", *words).err


def test_input_that_is_no_text_or_is_not_there(tmp_path: Path) -> None:
    for line, end in ((b"\xff\xfe\n", b"is no action"), (b"", b"")):
        done = subprocess.run(
            [sys.executable, "-m", "arena", "play", str(RULES_BOT)],
            cwd=tmp_path,
            input=line,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0
        assert end in done.stdout
    words = (sys.executable, "-m", "arena", "play", str(RULES_BOT))
    closed = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *words], cwd=tmp_path, capture_output=True, check=False
    )
    assert (closed.returncode, b"Traceback" in closed.stderr) == (0, False)


def test_a_signal_keeps_the_game(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "arena", "play", str(RULES_BOT), "--seed", "abc"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"accept\n")
        process.stdin.flush()
        while not process.stdout.readline().startswith(b"  your hand   [1]"):
            pass
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 143
    assert (tmp_path / "rules_bot.play.json").exists()


def in_the_way(folder: Path) -> Path:
    """Let no game be saved in a folder where a person does not say."""
    blocked = folder / ".rules_bot.play.json.unfinished"
    blocked.mkdir()
    return blocked


AGAIN = f"The same cards again:  arena play --seed abc {RULES_BOT}"


def test_a_game_that_cannot_be_saved_is_not_left_at_once(tmp_path: Path) -> None:
    blocked = in_the_way(tmp_path)
    with table(tmp_path, "play", RULES_BOT, "--seed", "abc") as shown:
        for line in ("accept", "q"):
            assert is_asked(shown)
            enter(shown, line)
        assert shown.shows("rules_bot.play.json: not saved: Is a directory.")
        assert shown.shows("`s FILE` saves it elsewhere, `q` once more leaves without it.")
        assert is_asked(shown)
        enter(shown, "s elsewhere.json")
        assert shown.shows("Saved in elsewhere.json.")
        assert is_asked(shown)
        enter(shown, "q")
        assert shown.end() == 0
        assert shown.lines[-1] == "To continue:  arena play --continue elsewhere.json"
    assert sorted(tmp_path.iterdir()) == [blocked, tmp_path / "elsewhere.json"]


@pytest.mark.parametrize("left", [("q", "?", "q", "q"), (), ("s",)])
def test_a_game_that_is_left_unsaved_says_how_to_have_its_cards(
    tmp_path: Path, left: tuple[str, ...]
) -> None:
    """By `q` twice in a row, or at the end of the input."""
    in_the_way(tmp_path)
    done = piped(tmp_path, ["accept", *left], "play", RULES_BOT, "--seed", "abc")
    assert done.code == 4
    assert done.out.count("`q` once more leaves") == max(left.count("q") - 1, 0)
    error = "error: rules_bot.play.json: not saved: Is a directory"
    assert done.err == f"{AGAIN}\n{error}\n"


def test_a_signal_that_ends_an_unsaved_game_says_how_to_have_its_cards(tmp_path: Path) -> None:
    in_the_way(tmp_path)
    with table(tmp_path, "play", RULES_BOT, "--seed", "abc") as shown:
        assert is_asked(shown)
        enter(shown, "accept")
        assert is_asked(shown)
        shown.type(CTRL_C)
        assert shown.end() == 4
        assert "The same cards again:  arena play --seed abc" in "\n".join(shown.lines)
