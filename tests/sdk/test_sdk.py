"""The SDK against a scripted arena: a ROUTER plays it and checks every frame the bot sends."""
# ruff: noqa: ARG002 - a bot need not look at all it is given

from __future__ import annotations

import json
import runpy
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest
import zmq

from arena import rules
from arena.protocol.codec import MAX_ANSWER_BYTES
from arena.sdk import Bot, GameEnd, GameStart, View, run
from arena.sdk.dice import Dice

TOKEN = "3f9c"
PATIENCE_MS = 30_000
"""How long a test waits for what must come; only a test that fails waits so long."""

SEEN = rules.load("two_handed").start(bytes(32)).view(1)
VIEW = msgspec.to_builtins(SEEN)
LEGAL = ["order", "pass"]
FOUR_BYTES = "\U0001f0a1"
BYE = {"type": "bye", "reason": "finished"}
READY: list[Any] = []


def hello(max_tables: int = 64) -> list[Any]:
    return [{"type": "hello", "token": TOKEN, "protocol": 1, "max_tables": max_tables}]


def welcome(**params: Any) -> list[Any]:
    return [{"type": "welcome", "protocol": 1, "arena": "0", "bot": "me", "params": params}]


def start(table: int, bot_seed: int = 5, **options: Any) -> dict[str, Any]:
    return {
        "type": "game_start",
        "table": table,
        "variant": "two_handed",
        "options": options,
        "seat": 1,
        "limits": {"move_ms": 1000, "game_ms": None},
        "bot_seed": bot_seed,
    }


def decide(table: int, seq: int = 0, budget_ms: int = 1000, **view: Any) -> dict[str, Any]:
    asked = {"type": "decide", "table": table, "seq": seq, "legal": LEGAL, "budget_ms": budget_ms}
    return {**asked, "view": {**VIEW, **view}}


def end(table: int, winner: int = 0) -> dict[str, Any]:
    how = {"points": [10, 7], "winner": winner, "ended": "played", "fault": None}
    return {"type": "game_end", "table": table, **how}


def act(table: int, seq: int, action: str, note: str | None = None) -> dict[str, Any]:
    return {"type": "act", "table": table, "seq": seq, "action": action, "note": note}


def fail(table: int, seq: int, detail: str) -> dict[str, Any]:
    return {"type": "fail", "table": table, "seq": seq, "detail": detail}


class Arena:
    """The other end: frames it expects, each with the frame it answers."""

    def __init__(self) -> None:
        self._context = zmq.Context()
        self._router = self._context.socket(zmq.ROUTER)
        self._router.setsockopt(zmq.LINGER, 0)
        self._router.setsockopt(zmq.RCVTIMEO, PATIENCE_MS)
        port = self._router.bind_to_random_port("tcp://127.0.0.1")
        self.environment = {
            "ARENA_ENDPOINT": f"tcp://127.0.0.1:{port}",
            "ARENA_TOKEN": TOKEN,
        }

    def exchange(self, expected: list[Any], answer: list[Any] | None) -> bytes:
        """Receive a frame, which must be the expected one, and send the answer to it."""
        identity, frame = self._router.recv_multipart()
        assert json.loads(frame) == expected
        if answer is not None:
            self._router.send_multipart([identity, json.dumps(answer).encode()])
        return frame

    def close(self) -> None:
        self._context.destroy(linger=0)


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch) -> Iterator[Arena]:
    arena = Arena()
    for name, value in arena.environment.items():
        monkeypatch.setenv(name, value)
    yield arena
    arena.close()


def play(
    arena: Arena,
    bot: Any,
    *turns: tuple[list[Any], list[Any]],
    params: dict[str, Any] | None = None,
    max_tables: int = 64,
    last: Sequence[Any] = (),
) -> list[bytes]:
    """Let a bot play a script of (what it is asked, what it must answer) up to the farewell.

    Returns the frames it sent. The script is used up, and the bot has left, when this returns.
    """
    asked = [frame for frame, _ in turns]
    answered = [frame for _, frame in turns]
    process = threading.Thread(target=run, args=(bot,), daemon=True)
    process.start()
    frames = [arena.exchange(hello(max_tables), welcome(**(params or {})))]
    for expected, answer in zip([READY, *answered], [*asked, [*last, BYE]], strict=True):
        frames.append(arena.exchange(expected, answer))
    process.join(PATIENCE_MS / 1000)
    assert not process.is_alive()
    return frames


class Remembers(Bot):
    """Writes down all that happens to it."""

    heard: ClassVar[list[tuple[Any, ...]]] = []

    def begin(self) -> None:
        self.heard.append(("begin", self.game.seat, self.game.options, self.params))

    def choose(self, view: View, legal: tuple[str, ...]) -> str:
        self.heard.append(("choose", view, legal, self.budget_ms))
        return legal[-1]

    def end(self, result: GameEnd) -> None:
        self.heard.append(("end", result.points, result.winner, result.ended))


@pytest.fixture
def heard() -> list[tuple[Any, ...]]:
    Remembers.heard.clear()
    return Remembers.heard


def test_a_whole_conversation(arena: Arena, heard: list[tuple[Any, ...]]) -> None:
    play(
        arena,
        Remembers,
        ([start(0, deck_size=24), decide(0, 0)], [act(0, 0, "pass")]),
        ([decide(0, 1, budget_ms=40)], [act(0, 1, "pass")]),
        params={"worlds": 30},
        last=[end(0)],
    )
    assert heard == [
        ("begin", 1, {"deck_size": 24}, {"worlds": 30}),
        ("choose", SEEN, ("order", "pass"), 1000),
        ("choose", SEEN, ("order", "pass"), 40),
        ("end", (10, 7), 0, "played"),
    ]


def test_a_function_is_a_bot(arena: Arena) -> None:
    def choose(view: View, legal: tuple[str, ...]) -> str:
        return "order" if view == SEEN else legal[1]

    play(
        arena,
        choose,
        ([start(0), decide(0)], [act(0, 0, "order")]),
        ([decide(0, 1, hand=[])], [act(0, 1, "pass")]),
    )


class Counts(Bot):
    """Knows how often it was asked: a state of one game."""

    asked = 0

    def choose(self, view: View, legal: tuple[str, ...]) -> str:
        self.asked += 1
        return f"{self.asked}"


def test_games_at_several_tables_do_not_mix(arena: Arena) -> None:
    play(
        arena,
        Counts,
        ([start(0), decide(0)], [act(0, 0, "1")]),
        (
            [start(1), start(2), decide(2), decide(0, 1), decide(1)],
            [act(2, 0, "1"), act(0, 1, "2"), act(1, 0, "1")],
        ),
        ([end(0), start(3), decide(3), decide(2, 1)], [act(3, 0, "1"), act(2, 1, "2")]),
        last=[end(1), end(2), end(3)],
    )


def test_a_fresh_process_goes_on_in_mid_course(arena: Arena, heard: list[tuple[Any, ...]]) -> None:
    play(arena, Remembers, ([start(0), decide(0, 7)], [act(0, 7, "pass")]), last=[end(0)])
    assert [what for what, *_ in heard] == ["begin", "choose", "end"]


def test_a_bot_says_how_many_tables_it_takes(arena: Arena) -> None:
    class Thinker(Counts):
        max_tables = 1

    play(arena, Thinker, ([start(0), decide(0)], [act(0, 0, "1")]), max_tables=1)


def test_no_more_tables_are_asked_for_than_there_are(arena: Arena) -> None:
    class Greedy(Counts):
        max_tables = 1000

    play(arena, Greedy)


# dice


class Rolls(Bot):
    """Rolls twice at each decision, once at the beginning."""

    def begin(self) -> None:
        self.first = self.random.randrange(10**6)

    def choose(self, view: View, legal: tuple[str, ...]) -> str:
        return f"{self.first} {self.random.randrange(10**6)} {self.random.randrange(10**6)}"


def rolled(bot_seed: int, seq: int) -> str:
    first = Dice(bot_seed << 32).randrange(10**6)
    dice = Dice(bot_seed << 32 | seq + 1)
    return f"{first} {dice.randrange(10**6)} {dice.randrange(10**6)}"


def test_dice_follow_from_the_bot_seed_and_the_decision(arena: Arena) -> None:
    texts = [rolled(5, 0), rolled(5, 1), rolled(6, 0)]
    assert len({text.split()[1] for text in texts}) == 3
    assert all(len(set(text.split())) == 3 for text in texts)
    play(
        arena,
        Rolls,
        ([start(0, 5), decide(0)], [act(0, 0, texts[0])]),
        ([start(1, 6), decide(1), decide(0, 1)], [act(1, 0, texts[2]), act(0, 1, texts[1])]),
    )


def test_dice_roll_the_same_in_a_fresh_process(arena: Arena) -> None:
    play(arena, Rolls, ([start(9, 5), decide(9, 1)], [act(9, 1, rolled(5, 1))]))


# what an author does wrong


class Stumbles(Bot):
    """Does at each decision what the `proposed` suit of its view says."""

    def choose(self, view: View, legal: tuple[str, ...]) -> Any:
        match view.proposed:
            case "raise":
                raise KeyError("X")
            case "none":
                return None
            case "long":
                raise ValueError(FOUR_BYTES * 5000)
            case "surrogate":
                raise ValueError("\udc00")
        return legal[-1]


LINES = Path(__file__).read_text("utf-8").splitlines()


def at(function: str, code: str) -> str:
    """What is said of a place in this file: the first line with such code."""
    number = next(number for number, line in enumerate(LINES, start=1) if code in line)
    return f" (test_sdk.py, line {number}, in {function})"


def cut(reason: str, place: str) -> str:
    return reason[: 500 - len(place)] + place


@pytest.mark.parametrize(
    ("misdeed", "detail"),
    [
        ("raise", "KeyError: 'X'" + at("choose", 'KeyError("X")')),
        ("none", "TypeError: choose returned None, not one of ('order', 'pass')"),
        ("long", cut("ValueError: " + FOUR_BYTES * 5000, at("choose", "FOUR_BYTES * 5000)"))),
        ("surrogate", "ValueError: ?" + at("choose", r'ValueError("\udc00")')),
    ],
)
def test_an_exception_gives_up_its_game_only(
    arena: Arena, capsys: pytest.CaptureFixture[str], misdeed: str, detail: str
) -> None:
    frames = play(
        arena,
        Stumbles,
        (
            [start(0), start(1), decide(0, proposed=misdeed), decide(1)],
            [fail(0, 0, detail), act(1, 0, "pass")],
        ),
        ([end(0), decide(1, 1)], [act(1, 1, "pass")]),
    )
    assert all(len(frame) < 2 * MAX_ANSWER_BYTES for frame in frames)
    shown = capsys.readouterr().err
    assert "Traceback" in shown
    assert detail.partition(":")[0] in shown
    assert "test_sdk.py" in shown or misdeed == "none"


def test_a_game_given_up_stays_given_up(arena: Arena) -> None:
    detail = "KeyError: 'X'" + at("choose", 'KeyError("X")')
    play(
        arena,
        Stumbles,
        ([start(0), decide(0, proposed="raise")], [fail(0, 0, detail)]),
        ([decide(0, 1)], [fail(0, 1, detail)]),
    )


PREPARE = "prepare in begin(), not in __init__"


class FailsToBegin(Counts):
    def begin(self) -> None:
        raise RuntimeError(f"seed {self.game.bot_seed}")


class ForgetsSuper(Bot):
    def __init__(self, game: GameStart, params: dict[str, Any]) -> None:
        self.mine = game, params

    def choose(self, view: View, legal: tuple[str, ...]) -> str:
        return legal[0]


@pytest.mark.parametrize(
    ("bot", "detail"),
    [
        (FailsToBegin, "RuntimeError: seed 5" + at("begin", "RuntimeError(f")),
        (ForgetsSuper, f"TypeError: ForgetsSuper.__init__ does not call Bot's; {PREPARE}"),
    ],
)
def test_a_bot_that_cannot_begin_gives_its_game_up(
    arena: Arena, bot: type[Bot], detail: str
) -> None:
    play(arena, bot, ([start(0), decide(0)], [fail(0, 0, detail)]), last=[end(0)])


def test_an_exception_at_the_end_of_a_game_is_only_shown(
    arena: Arena, capsys: pytest.CaptureFixture[str]
) -> None:
    class FailsToEnd(Counts):
        def end(self, result: GameEnd) -> None:
            raise RuntimeError("a sore loser")

    play(
        arena,
        FailsToEnd,
        ([start(0), decide(0)], [act(0, 0, "1")]),
        ([end(0), start(1), decide(1)], [act(1, 0, "1")]),
    )
    assert "a sore loser" in capsys.readouterr().err


class Word(StrEnum):
    PASS = "pass"


class Text(str):
    __slots__ = ()


@pytest.mark.parametrize(
    ("returned", "sent"),
    [
        (Word.PASS, "pass"),
        (Text("pass"), "pass"),
        ("no such thing", "no such thing"),
        ("x" * 100, "x" * 64),
        ("\udc00", "?"),
    ],
)
def test_whatever_string_is_returned_can_be_sent(arena: Arena, returned: str, sent: str) -> None:
    def choose(view: View, legal: tuple[str, ...]) -> str:
        return returned

    play(arena, choose, ([start(0), decide(0)], [act(0, 0, sent)]))


def test_notes_belong_to_their_decision_and_are_cut(arena: Arena) -> None:
    class Talks(Bot):
        def choose(self, view: View, legal: tuple[str, ...]) -> str:
            if self.budget_ms > 100:
                self.note(self.budget_ms if self.budget_ms < 500 else "\udc00" + "é" * 300)  # type: ignore[arg-type]
            return "pass"

    play(
        arena,
        Talks,
        ([start(0), decide(0)], [act(0, 0, "pass", "?" + "é" * 199)]),
        ([decide(0, 1, budget_ms=50)], [act(0, 1, "pass")]),
        ([decide(0, 2, budget_ms=200)], [act(0, 2, "pass", "200")]),
    )


def test_printing_disturbs_nothing(arena: Arena, capsys: pytest.CaptureFixture[str]) -> None:
    def choose(view: View, legal: tuple[str, ...]) -> str:
        print("[]\n", view, flush=True)
        return legal[0]

    play(arena, choose, ([start(0), decide(0)], [act(0, 0, "order")]))
    assert "View(seat=1" in capsys.readouterr().out


HELPER = """
import json

def parse(text):
    return json.loads(text)
"""
MAIN = """
from helper import parse

def choose(view, legal):
    return parse("{")
"""


def test_a_place_is_the_authors_own_innermost_line(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In whatever file of the bot's folder it is, but not in a library."""
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "main.py").write_text(MAIN)
    monkeypatch.syspath_prepend(tmp_path)
    choose = runpy.run_path(str(tmp_path / "main.py"))["choose"]
    said = (
        "json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: "
        "line 1 column 2 (char 1) (helper.py, line 5, in parse)"
    )
    play(arena, choose, ([start(0), decide(0)], [fail(0, 0, said)]))


class Misspells(Bot):
    def chose(self, view: View, legal: tuple[str, ...]) -> str:
        return legal[0]


class TakesOnlyAView(Bot):
    def choose(self, view: View) -> str:  # type: ignore[override]
        return "pass"


class TakesNothing(Counts):
    def __init__(self) -> None:
        pass


class NoSubclass:
    pass


def takes_three(view: View, legal: tuple[str, ...], more: int) -> str:
    return legal[more]


INIT = "(self, game, params)"
TAKES = "run takes a subclass of Bot or a function of (view, legal), not"


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        (Misspells, "Misspells has no method choose(view, legal)"),
        (Bot, "Bot has no method choose(view, legal)"),
        (Counts.__new__(Counts), "give run the class, not an object of it: run(Counts)"),
        (NoSubclass, "NoSubclass is no subclass of Bot: write class NoSubclass(Bot)"),
        (
            TakesOnlyAView,
            "TakesOnlyAView.choose takes (self, view, legal), but this one takes (self, view)",
        ),
        (takes_three, "takes_three takes (view, legal), but this one takes (view, legal, more)"),
        (
            TakesNothing,
            f"TakesNothing.__init__ takes {INIT}, but this one takes (self); {PREPARE}",
        ),
        (None, f"{TAKES} None"),
        ("pass", f"{TAKES} 'pass'"),
    ],
)
def test_what_can_be_no_bot_is_refused_in_one_line(
    bot: Any, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(bot)
    assert ended.value.code == 2
    assert capsys.readouterr().err == said + "\n"


def test_any_way_to_write_a_bot_is_taken(arena: Arena) -> None:
    class Static(Bot):
        @staticmethod
        def choose(view: View, legal: tuple[str, ...]) -> str:
            return legal[view.throw_ins]

    class TakesAnything(Static):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)

    for bot in (TakesAnything, lambda *both: both[1][0], partial(takes_three, more=0)):
        play(arena, bot, ([start(0), decide(0)], [act(0, 0, "order")]))


# a process of its own

SCRIPT = """
import arena.sdk.bot
arena.sdk.bot._ORPHAN_CHECK_MS = 10
arena.sdk.run(lambda view, legal: legal[0])
"""
PARENT = """
import subprocess, sys
subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdin=subprocess.DEVNULL)
sys.stdin.read()
"""


def test_started_by_hand_it_says_what_to_do(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "arena tournament CONFIG" in done.stderr
    assert "Traceback" not in done.stderr


def test_it_does_not_outlive_the_arena(arena: Arena) -> None:
    """Its parent ends without a farewell; the bot's end is the end of the pipe to its stderr."""
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, SCRIPT],
        env=arena.environment,
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    arena.exchange(hello(), welcome())
    arena.exchange(READY, [start(0), decide(0)])
    arena.exchange([act(0, 0, "order")], None)
    _, errors = parent.communicate("")
    assert errors == "the arena is gone\n"


LISTS = f"""
import sys
sys.modules["typing_extensions"] = None  # the arena does not need it; it would load much
{SCRIPT}
print(*sys.modules)
"""
NOT_IN_A_BOT = {
    *("inspect", "dataclasses", "pathlib", "pkgutil", "difflib", "hashlib", "tempfile"),
    *("shutil", "subprocess", "asyncio", "click", "rich", "yaml", "numpy", "scipy", "sqlite3"),
    *("arena.protocol.codec", "arena.referee", "arena.runtime"),
}


def test_a_bot_process_loads_nothing_that_it_does_not_use(arena: Arena) -> None:
    bot = subprocess.Popen(
        [sys.executable, "-c", LISTS],
        env=arena.environment,
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
    )
    arena.exchange(hello(), welcome())
    arena.exchange(READY, [start(0), decide(0)])
    arena.exchange([act(0, 0, "order")], [BYE])
    loaded = set(bot.communicate()[0].split())
    assert "arena.sdk" in loaded
    assert not loaded & NOT_IN_A_BOT
