"""The bots in bots/ play, and bots/README.md tells the truth about them, the SDK and the protocol.

    python tests/test_bots.py

prints the frames that README shows, for when they have changed.
"""

from __future__ import annotations

import inspect
import json
import re
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

import arena
from arena import rules, sdk
from arena.errors import UserError
from arena.protocol.messages import Act, Decide, GameStart, WireLimits
from arena.referee.record import GameId, Target
from arena.rules.euchre import View
from arena.runtime.executor import BotSpec, Job, JobGame, Limits
from arena.runtime.worker import run_job
from arena.tournament.config import load_config

ROOT = Path(__file__).parents[1]
BOTS = ROOT / "bots"
README = (BOTS / "README.md").read_text("utf-8")
PATIENT = Limits(move_ms=30_000, game_ms=None, start_ms=60_000)
"""No bot that tries is late, however busy the machine is."""

STRENGTH = runpy.run_path(str(ROOT / "tests/benchmarks/bot_strength.py"))
TUNED_BOT = runpy.run_path(str(BOTS / "tuned_bot.py"))


def blocks(language: str) -> list[str]:
    """All fenced blocks of README in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def cells(heading: str) -> list[list[str]]:
    """The rows of README's table whose first heading is so, cell by cell."""
    table = README.partition(f"| {heading} |")[2].partition("\n\n")[0]
    rows = table.splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


def names(text: str) -> list[str]:
    return re.findall(r"`([a-z_]+)`", text)


def bot(file: Path, limits: Limits = PATIENT) -> BotSpec:
    return BotSpec(f"{file.stem}@1", (sys.executable, file.name), str(file.parent), limits)


def assert_no_faults(bots: Sequence[BotSpec], boards: Sequence[int]) -> None:
    """Play whole games with real processes."""
    match = tuple(spec.version for spec in bots)
    games = tuple(
        JobGame(GameId(match, n, 0), sha256(b"board %d" % n).digest(), (n, 2**53 - 1 - n))
        for n in boards
    )
    result = run_job(Job("two_handed", {}, tuple(bots), games, 8, 600_000))
    assert result.start_faults == ()
    assert [record.end for record in result.records] == [Target()] * len(boards)


# the bots


@pytest.mark.parametrize(
    "file", sorted([*BOTS.glob("*.py"), *BOTS.glob("*/bot.py")]), ids=lambda file: file.stem
)
def test_every_bot_plays_without_faults(file: Path) -> None:
    boards = range(10 if file.parent == BOTS else 2)
    assert_no_faults([bot(file), bot(BOTS / "random_bot.py")], boards)


CHOICES: dict[str, tuple[Any, ...]] = {
    "deck_size": (24, 25, 32, 33),
    "joker_upcard": ("H", "C", "dealer_declares", "dealer_makes", "redeal"),
    "ordered_pickup": ("optional", "mandatory"),
    "may_discard_upcard": (False, True),
    "may_name_turned_down_suit": (False, True),
    "stick_the_dealer": (False, True),
    "dealer_after_throw_in": ("next", "same"),
    "throw_in_cap": (20, 1),
    "play_out": (True, False),
    "points_made": (1, 3),
    "points_march": (2, 4),
    "points_euchre": (2, 1),
    "target_score": (10, 1, 11),
}
VARIED: list[dict[str, Any]] = [
    {},
    *({key: value} for key, values in CHOICES.items() for value in values[1:]),
]
JOKERS = [
    {"deck_size": 25, "joker_upcard": how, "may_discard_upcard": how == "dealer_makes"}
    for how in CHOICES["joker_upcard"]
]


def with_joker(options: dict[str, Any]) -> dict[str, Any]:
    return {"deck_size": 33, **options} if "joker_upcard" in options else options


def test_every_option_is_varied() -> None:
    assert set(CHOICES) == set(msgspec.to_builtins(rules.load("two_handed").options))


RUNGS = {
    "rules_bot": ("rules_bot.py", 6, {}),
    "tuned_bot": ("tuned_bot.py", 6, {}),
    "ten_worlds": ("monte_carlo", 2, {"worlds": 10, "weighted": False, "aim": "points"}),
    "monte_carlo": ("monte_carlo", 2, {"worlds": 10}),
}
"""File, boards and params of the bots that think."""


@pytest.mark.parametrize("rung", RUNGS)
@pytest.mark.parametrize("options", VARIED + JOKERS, ids=str)
def test_they_play_any_options(rung: str, options: dict[str, Any]) -> None:
    variant = rules.load("two_handed", with_joker(options))
    file, boards, params = RUNGS[rung]
    kind = STRENGTH["with_params"](STRENGTH["bot_in"](str(BOTS / file)), params)
    random_bot = STRENGTH["bot_in"](str(BOTS / "random_bot.py"))
    for board in range(boards):
        STRENGTH["score"](variant, board, kind, random_bot)


def situations(boards: int, **options: Any) -> Iterator[tuple[GameStart, Decide[Any]]]:
    """All decisions of games in which tuned_bot plays itself."""
    variant = rules.load("two_handed", options)
    told = msgspec.to_builtins(variant.options)
    for board in range(boards):
        starts = [
            GameStart(0, variant.name, told, seat, WireLimits(1, None), board) for seat in (0, 1)
        ]
        bots = [TUNED_BOT["TunedBot"](start, {}) for start in starts]
        state = variant.start(sha256(b"%d" % board).digest())
        while (seat := state.to_act) is not None:
            decide = Decide(0, 0, state.legal(), 1, state.view(seat))
            yield starts[seat], decide
            state = state.apply(bots[seat].choose(decide.view, decide.legal))


def test_tuned_bot_is_a_function_of_its_view() -> None:
    def answers(seen: Sequence[tuple[GameStart, Decide[Any]]]) -> list[str]:
        return [TUNED_BOT["TunedBot"](start, {}).choose(d.view, d.legal) for start, d in seen]

    seen = list(situations(20))
    assert answers(seen) == answers(seen[::-1])[::-1]


def by_counting(view: View, card: str, unseen: Sequence[str], known: str | None) -> Fraction:
    """The chance that a lead wins, from all hands the other seat may hold."""
    hands = [
        hand for hand in combinations(unseen, len(view.hand)) if known is None or known in hand
    ]
    led = msgspec.structs.replace(view, seat=1 - view.seat, trick=((view.seat, card),))
    won = 0
    for hand in hands:
        same = [c for c in hand if view.effective_suit(c) == view.effective_suit(card)]
        won += not any(led.would_win(answer) for answer in same or hand)
    return Fraction(won, len(hands))


@pytest.mark.parametrize("options", [{}, {"deck_size": 25}, {"may_discard_upcard": True}], ids=str)
def test_the_chance_of_a_lead_is_exact(options: dict[str, Any]) -> None:
    counted = 0
    for start, decide in situations(6, **options):
        view = decide.view
        if view.phase != "play" or view.trick or len(view.hand) > 3:
            continue
        unseen = TUNED_BOT["unseen_cards"](view, start.options["deck_size"])
        for known in {None, view.upcard} & {None, *unseen}:
            for card in view.hand:
                chance = TUNED_BOT["winning_chance"](view, card, unseen, known)
                assert chance == pytest.approx(float(by_counting(view, card, unseen, known)))
                counted += 1
    assert counted > 100


def test_unseen_cards_always_hold_the_other_hand() -> None:
    for options in ({}, {"deck_size": 33, "may_discard_upcard": True}):
        variant = rules.load("two_handed", options)
        for board in range(20):
            state = variant.start(sha256(b"%d" % board).digest())
            random_bot = STRENGTH["bot_in"](str(BOTS / "random_bot.py"))
            start = GameStart(0, "two_handed", None, 0, WireLimits(1, None), board)
            bot = random_bot(start, {})
            while (seat := state.to_act) is not None:
                view: Any = state.view(seat)
                if view.phase == "play":
                    other: Any = state.view(1 - seat)
                    unseen = TUNED_BOT["unseen_cards"](view, options.get("deck_size", 24))
                    assert set(other.hand) <= set(unseen)
                    assert not set(view.hand) & set(unseen)
                state = state.apply(bot.choose(view, state.legal()))


SEEN = View(
    seat=1,
    phase="play",
    deal=0,
    dealer=0,
    points=(0, 0),
    target=10,
    hand=("AC", "9S", "QH", "AD"),
    upcard="QC",
    proposed="C",
    trump="C",
    maker=1,
    turned_down=False,
    throw_ins=0,
    trick=(),
    tricks=(0, 0),
    history=((1, "order"), (0, "decline")),
)

ACCEPTING: dict[str, Any] = {
    "phase": "order",
    "dealer": 1,
    "hand": ("TC", "KD", "9D", "9H", "TS"),
    "trump": None,
    "maker": None,
    "history": ((0, "pass"),),
}


@pytest.mark.parametrize(
    ("changes", "legal", "wanted"),
    [
        ({"hand": ("JC", "9C", "AH", "9D")}, None, "play:JC"),  # draws the other's trumps
        ({"hand": ("9C", "AH", "9D")}, None, "play:AH"),  # keeps a trump that is not sure
        ({"hand": ("AC", "9C", "9D"), "trick": ((0, "KD"),)}, ("play:9D",), "play:9D"),
        ({"hand": ("AC", "9C"), "trick": ((0, "KD"),)}, None, "play:9C"),  # wins cheaply
        ({"hand": ("KH", "9S"), "trick": ((0, "KD"),)}, None, "play:9S"),  # loses cheaply
        (
            {"phase": "discard", "dealer": 1, "hand": ("QC", "JC", "AC", "9D", "TD", "QH")},
            ("discard:9D", "discard:AC", "discard:JC", "discard:QH", "discard:TD"),
            "discard:QH",  # makes a void
        ),
        (ACCEPTING, ("accept", "pass"), "pass"),
        ({**ACCEPTING, "points": (9, 9)}, ("accept", "pass"), "accept"),  # a euchre costs no more
    ],
)
def test_tuned_bot_plays_by_the_book(
    changes: dict[str, Any], legal: tuple[str, ...] | None, wanted: str
) -> None:
    view = msgspec.structs.replace(SEEN, **changes)
    options = msgspec.to_builtins(rules.load("two_handed").options)
    start = GameStart(0, "two_handed", options, 1, WireLimits(1, None), 0)
    allowed = legal or tuple(sorted(f"play:{card}" for card in view.hand))
    assert TUNED_BOT["TunedBot"](start, {}).choose(view, allowed) == wanted


def test_rules_bot_is_as_strong_as_readme_says() -> None:
    (command,) = re.findall(r"as `(python tests/benchmarks[^`]*)`", README)
    done = subprocess.run(
        [sys.executable, *command.split()[1:]], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout in blocks("text")
    share, error = (float(one) for one in re.findall(r"([\d.]+)%", done.stdout))
    assert share - error > 98


def test_each_rung_of_readme_is_above_the_one_before() -> None:
    rungs = [spec.name for spec in load_config(ROOT / "configs/ladder.yaml").bots]
    table, differences = re.findall(
        r"^```text\n(.*?)^```$", README.partition("### A ladder")[2], re.MULTILINE | re.DOTALL
    )
    ranked = rows_of(table)
    assert [row[:2] for row in ranked] == [[f"{k + 1}", name] for k, name in enumerate(rungs[::-1])]
    told = {(a, b): (int(by), int(error)) for a, b, by, error, *_ in rows_of(differences)}
    for lower, higher in pairwise(rungs):
        by, error = told[higher, lower]
        assert by > error
    ((share, error),) = re.findall(r"won ([\d.]+) ± ([\d.]+) % of its", README)
    assert float(share) >= 66
    assert float(error) < 4


def rows_of(table: str) -> list[list[str]]:
    """The rows of a table as the arena prints it, below its heading."""
    return [line.split() for line in table.splitlines()[1:]]


# the benchmark


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (None, "no such file"),
        ("pass", "it does not call run of arena.sdk"),
        ("1 / 0", "ZeroDivisionError: division by zero (line 1)"),
        ("raise SystemExit('no')", "SystemExit: no"),
        ("def x(", "SyntaxError: "),
        ("from arena.sdk import Bot, run; run(Bot)", "Bot has no method choose(view, legal)"),
        ("from arena.sdk import run; run(lambda v, l: 'no')", "'no' is not one of ("),
        (
            "from arena.sdk import run\nrun(lambda v, l: l[9])",
            "raised on board 0: IndexError: tuple index out of range (wrong.py, line 2, in ",
        ),
    ],
)
def test_the_benchmark_says_what_is_wrong_with_a_bot(
    tmp_path: Path, code: str | None, said: str
) -> None:
    file = tmp_path / "wrong.py"
    if code is not None:
        file.write_text(code)

    def play() -> None:
        wrong = STRENGTH["bot_in"](str(file))
        STRENGTH["play"](rules.load("two_handed"), 0, (wrong, wrong))

    with pytest.raises(UserError) as caught:
        play()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "arguments",
    [
        ("bots/legal_first.py", "bots/random_bot.py"),
        ("bots/rules_bot.py", "bots/random_bot.py", "--boards", "1"),
        ("bots/rules_bot.py", "bots/random_bot.py", "--option", "target_score"),
        ("bots/rules_bot.py", "bots/random_bot.py", "--option", "target_score=["),
    ],
)
def test_the_benchmark_ends_with_one_line(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "tests/benchmarks/bot_strength.py", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1


# README


@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_the_bots_of_readme_play_without_faults(number: int, tmp_path: Path) -> None:
    file = tmp_path / f"readme_{number}.py"
    file.write_text(blocks("python")[number], "utf-8")
    assert_no_faults([bot(file), bot(BOTS / "random_bot.py")], range(6))
    measured = STRENGTH["bot_in"](str(file))
    assert 0 <= STRENGTH["score"](rules.load("two_handed"), 0, measured, measured) <= 1


def test_a_whole_bot_is_short() -> None:
    first, *_ = blocks("python")
    assert len(first.splitlines()) <= 20
    assert f"a bot of {len((BOTS / 'legal_first.py').read_text().splitlines())} lines" in README


SPY = """
import runpy, zmq
with open("frames", "w") as out:
    class Spy(zmq.Socket):
        def send(self, frame, *args, **kwargs):
            print(frame.decode(), file=out)
            return super().send(frame, *args, **kwargs)
        def recv(self, *args, **kwargs):
            frame = super().recv(*args, **kwargs)
            print(frame.decode(), file=out)
            return frame
    zmq.Context._socket_class = Spy
    runpy.run_path("three_trumps.py", run_name="__main__")
"""


def captured(folder: Path) -> list[Any]:
    """All frames of a real game of README's first bot, without what differs from run to run."""
    (folder / "three_trumps.py").write_text(blocks("python")[0], "utf-8")
    (folder / "spy.py").write_text(SPY, "utf-8")
    argv = (sys.executable, "spy.py")
    spied_on = BotSpec("three_trumps@1", argv, str(folder), Limits(start_ms=60_000))
    assert_no_faults([bot(BOTS / "legal_first.py"), spied_on], [1])
    frames = [json.loads(line) for line in (folder / "frames").read_text("utf-8").splitlines()]
    frames[0][0]["token"] = "TOKEN"
    assert frames[1][0]["arena"] == arena.__version__
    frames[1][0]["arena"] = "VERSION"
    return frames


def shown(frames: list[Any]) -> list[Any]:
    """The frames that README shows: the beginning and the end."""
    return [*frames[:7], frames[-1]]


def test_the_frames_of_readme_are_real(tmp_path: Path) -> None:
    frames = captured(tmp_path)
    assert [json.loads(block) for block in blocks("json")] == shown(frames)
    schema = json.loads((BOTS / "protocol.schema.json").read_text("utf-8"))
    for frame in frames:
        Draft202012Validator(schema).validate(frame)


def test_readme_has_every_field_of_a_view() -> None:
    fields = [name for row in cells("field") for name in names(row[0])]
    assert fields[: len(View.__struct_fields__)] == list(View.__struct_fields__)


def test_readme_has_every_field_of_the_protocol_that_has_no_other_place() -> None:
    text = README.partition("## The protocol")[2]
    for kind in (GameStart, Decide, Act, sdk.GameEnd):
        for field in kind.__struct_fields__:
            assert f'"{field}"' in text or f"`{field}`" in text, field


def test_readme_has_every_helper_of_a_view() -> None:
    written = {row[0].strip("`") for row in cells("helper")}
    for name, method in inspect.getmembers(View, inspect.isfunction):
        if not name.startswith("_"):
            given = [*inspect.signature(method).parameters.values()][1:]
            words = [p.name if p.default is p.empty else f"{p.name}={p.default}" for p in given]
            written.remove(f"view.{name}({', '.join(words)})")
    assert not written


def test_readme_has_every_phase() -> None:
    (phase,) = (field for field in msgspec.structs.fields(View) if field.name == "phase")
    assert {name for row in cells("phase") for name in names(row[0])} == set(phase.type.__args__)


def test_readme_has_every_name_of_the_sdk() -> None:
    firsts = " ".join(row[0] for row in cells("name"))
    public = {name for name in vars(sdk.Bot) if not name.startswith("_")}
    assert set(re.findall(r"`(?:self\.)?([a-z_]+)", firsts)) == public | {"game", "params"}
    shown = "".join(blocks("python"))
    assert [name for name in sdk.__all__ if name not in shown] == ["GameStart"]


def test_readme_has_every_option_with_its_default() -> None:
    written: dict[str, Any] = {}
    for option, default, *_ in cells("option | default"):
        values = [json.loads(value) for value in re.findall(r"`([^`]+)`", default)]
        written.update(zip(names(option), values, strict=True))
    assert written == msgspec.to_builtins(rules.load("two_handed").options)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for frame in shown(captured(Path(folder))):
            print(json.dumps(frame))
