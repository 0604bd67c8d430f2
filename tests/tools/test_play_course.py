"""A game of a person against a bot: judged, gone back in, kept; no process and no terminal."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena import rules
from arena.errors import ArenaError, UserError
from arena.referee.clock import Limits
from arena.referee.fault import Fault
from arena.tools.play import saved, screen
from arena.tools.play.course import Course, Reply, Setup
from arena.tools.verify import verify

SHORT = {"target_score": 1}


def setup(seed: str = "seed", *, seat: int = 0, bot: str = "foe", **options: Any) -> Setup:
    return Setup(rules.load("two_handed", {**SHORT, **options}), bot, seat, seed, Limits())


def played(course: Course, dice: random.Random, most: int = 1_000) -> Course:
    """Let both choose at random, at most so often."""
    for _ in range(most):
        if course.asked is not None:
            course.take(Reply(dice.choice(course.asked.legal), 7))
    return course


def shown(course: Course) -> list[str]:
    return [*screen.past(course), *screen.present(course)]


@settings(max_examples=25)
@given(
    seed=st.text(max_size=5),
    seat=st.sampled_from([0, 1]),
    number=st.integers(0, 60),
    joker=st.sampled_from([{}, {"deck_size": 25, "joker_upcard": "redeal"}]),
)
def test_going_back_leads_to_where_it_was(
    seed: str, seat: int, number: int, joker: dict[str, Any]
) -> None:
    dice = random.Random(number)
    course = played(Course(setup(seed, seat=seat, **joker)), dice, number)
    own = [count for count, one in enumerate(course.happenings) if one.seat == seat]
    before = course.back()
    assert (before is None) == (not own)
    while before is not None:
        last = own.pop()
        assert before.replies == course.replies[:last]
        assert before.is_persons_turn
        assert before.due.view == course.happenings[last].view
        assert shown(before) == shown(Course(before.setup, before.replies))
        before = before.back()
    assert not own


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_can_be_kept_continued_and_recorded(tmp_path: Path, seat: int) -> None:
    options = {**SHORT, "stick_the_dealer": True}
    game = saved.new("foe.py", "h.py", None, seat=seat, seed="s", options=options)
    course, dice, file = game.course("foe", Limits()), random.Random(1), tmp_path / "foe.play.json"
    while course.asked is not None:
        saved.save(replace(game, replies=course.replies), file)
        assert replace(saved.read(file), replies=()) == game
        course = saved.read(file).course("foe", Limits())
        course.take(Reply(dice.choice(course.due.legal), 5, "note"))
    saved.record(course, tmp_path / "games.jsonl")
    saved.record(course, tmp_path / "games.jsonl")
    games = (tmp_path / "games.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["board"] for line in games] == [0, 1]
    assert verify(games).findings == ()
    saved.check_record(tmp_path / "games.jsonl")
    (tmp_path / "games.jsonl").write_bytes(b'{"bots":{},"format":"arena-end/1"}\n')
    with pytest.raises(UserError, match="is an export that has ended"):
        saved.check_record(tmp_path / "games.jsonl")
    assert list(tmp_path.iterdir()) == [
        tmp_path / name for name in ("foe.play.json", "games.jsonl")
    ]


def test_a_game_by_the_config_of_a_tournament(tmp_path: Path) -> None:
    config = {
        "bots": ["a.py", "b.py"],
        "options": {"target_score": 5, "deck_size": 32},
        "limits": {"move": "3s"},
        "isolation": "none",
    }
    (tmp_path / "tour.yaml").write_text(json.dumps(config))
    path = str(tmp_path / "tour.yaml")
    game = saved.new("a.py", None, path, seat=0, seed=None, options={"deck_size": 25})
    assert game.options == {"target_score": 5, "deck_size": 25}
    assert game.config == path
    limits, level = game.conditions()
    assert (limits.move_ms, level) == (3_000, "none")
    assert game.course("a", limits).setup.limits == limits
    found = saved.new("a.py", None, path, seat=1, seed=None, options={})
    assert found.seat == 1
    assert found.seed != game.seed


@pytest.mark.parametrize("has_config", [True, False])
def test_no_file_chooses_under_what_bots_play(tmp_path: Path, *, has_config: bool) -> None:
    """A file that was changed, or is older than what its tournament says now."""
    tour, file = tmp_path / "tour.yaml", tmp_path / "game.json"
    config = {"bots": ["a.py", "b.py"], "limits": {"move": "3s"}, "isolation": "none"}
    tour.write_text(json.dumps(config))
    given = str(tour) if has_config else None
    saved.save(saved.new("a.py", None, given, seat=0, seed="s", options=SHORT), file)
    tour.write_text(json.dumps({**config, "limits": {"move": "2s"}, "isolation": "process"}))
    wrong = {"level": "none", "isolation": "none", "limits": {"move_ms": -5}, "move_ms": 10**9}
    file.write_text(json.dumps({**json.loads(file.read_text()), **wrong}))
    limits, level = saved.read(file).conditions()
    assert (limits.move_ms, level) == (2_000 if has_config else Limits().move_ms, "process")
    tour.unlink()
    if has_config:
        with pytest.raises(UserError, match=r"tour\.yaml"):
            saved.read(file).conditions()


def test_the_same_seed_gives_the_same_cards_to_other_bots_and_seats() -> None:
    deals = {Course(setup(bot=bot, seat=seat)).due.view for bot in ("a", "b") for seat in (0, 1)}
    assert len(deals) == 1
    assert Course(setup("other")).due.view not in deals


def test_a_bot_called_you_has_a_record_too() -> None:
    assert setup(bot="you", seat=1).game.seats == ("you@1", "person@1")
    assert setup(bot="foe").game.seats == ("you@1", "foe@1")


def test_the_person_has_no_clock_and_the_bot_has() -> None:
    course = Course(setup())
    seats = set()
    while course.asked is not None:
        seat = course.due.seat
        seats.add(seat)
        course.take(Reply(course.due.legal[0], 10**9 if seat == 0 else 0))
    assert (seats, course.fault) == ({0, 1}, None)
    late = Course(setup(seat=1))
    while late.fault is None:
        late.take(Reply(late.due.legal[0], 0 if late.is_persons_turn else 2_000_000))
    assert late.fault.kind == "timeout"
    assert "foe is at fault, timeout: no answer in 1000 ms" in "\n".join(screen.end(late))
    assert "You win, 0 - 0." in list(screen.end(late))


def test_what_is_not_legal_is_told_with_its_reason() -> None:
    course = Course(setup())
    while course.is_persons_turn:
        course.take(Reply(course.due.legal[0]))
    course.take(Reply("play:XX"))
    assert course.fault is not None
    assert course.fault.kind == "illegal"
    (told,) = [line for line in screen.end(course) if line.startswith("    ")]
    assert "the joker" in told or "foe cannot" in told
    with pytest.raises(ArenaError, match="asks nobody"):
        _ = course.due


def test_a_crash_is_told_with_what_was_printed() -> None:
    course = Course(setup())
    course.lose(Fault("crash", "exited 1 at decision 0", "Traceback\n\x1b[31mKeyError"))
    assert list(screen.end(course))[-4:] == [
        "foe is at fault, crash: exited 1 at decision 0",
        "    Traceback",
        r"    \x1b[31mKeyError",
        "You win, 0 - 0.",
    ]


def test_what_the_bot_discards_is_never_told() -> None:
    for number in range(200):
        course = Course(setup(str(number), seat=1, target_score=10))
        while course.asked is not None:
            legal = course.due.legal
            course.take(
                Reply(next((one for one in ("accept", "pick_up") if one in legal), legal[-1]))
            )
        hidden = [one for one in course.happenings if one.action == "discard"]
        own = [one for one in course.happenings if one.action.startswith("discard:")]
        assert {one.seat for one in hidden} <= {0}
        assert {one.seat for one in own} <= {1}
        if hidden and own:
            return
    pytest.fail("nobody discarded")


def test_what_is_over_stands_above_the_head_and_what_is_to_be_answered_below() -> None:
    course, seen = Course(setup(target_score=10)), set()
    dice = random.Random(1)
    while course.asked is not None:
        if course.is_persons_turn:
            above, (head, *below) = list(screen.past(course)), screen.present(course)
            assert head.startswith("Deal ")
            answered = [
                line for line in below if line.startswith(("  foe", "  you ")) if "may" not in line
            ]
            assert not [line for line in below if "the trick" in line or "point" in line]
            assert above[:1] == [] or above[0].startswith("  you ")
            seen |= {line.split()[1] for line in answered}
            seen |= {word for line in above for word in ("takes", "take", "points") if word in line}
        course.take(Reply(dice.choice(course.due.legal)))
    assert {"leads", "passes", "deal", "deals", "takes", "take", "points"} <= seen


def test_a_redealt_joker_is_told() -> None:
    options: dict[str, Any] = {"deck_size": 25, "joker_upcard": "redeal", "target_score": 20}
    for number in range(100):
        course = played(Course(setup(str(number), **options)), random.Random(number))
        ended = [deal["reason"] for one in course.happenings for deal in one.deals]
        if "joker_redeal" in ended:
            return
    pytest.fail("no joker was turned up")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no game saved"),
        ("{}", "missing required field"),
        ('{"format": "arena-play/2"}', "no game saved"),
        ("[" * 100_000, "no game saved"),
        ('{"format":"arena-play/1","bot":"b","seat":2,"seed":"","variant":"v"}', "no game saved"),
    ],
)
def test_a_file_that_is_no_saved_game(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(text)
    with pytest.raises(UserError, match=why):
        saved.read(file)
    with pytest.raises(UserError, match="No such file"):
        saved.read(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("replies", "why"),
    [
        ([Reply("play:AC")], "action 0 does not follow the rules"),
        ([Reply("pass"), Reply("pass", 10**12)], "action 1 does not follow the rules"),
        ([Reply("\x1b")], r"x1b"),
    ],
)
def test_a_saved_game_that_was_not_played_so(replies: list[Reply], why: str) -> None:
    with pytest.raises(UserError, match=why):
        Course(setup("4"), replies)
    over = played(Course(setup()), random.Random(1))
    with pytest.raises(UserError, match="after the end"):
        Course(over.setup, [*over.replies, Reply("pass")])


def test_each_game_gets_a_file_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert str(saved.free_file("foe")) == "foe.play.json"
    Path("foe.play.json").touch()
    assert str(saved.free_file("foe")) == "foe-2.play.json"
