"""What is put to bots: every option, every phase in both seats, and the traps."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from arena import rules
from arena.rules.two_handed.options import Options
from arena.tools.check.asked import Playing, games, option_sets, positions
from arena.tools.check.codes import CODES, OF_FAULTS
from arena.tools.check.setting import Setting, wanted

LAST = [position.decisions(number)[-1] for number, position in enumerate(positions(), 1)]


def values(kind: Any) -> set[object]:
    """All values of an option's type that can be listed; for a number, none."""
    if kind is bool:
        return {False, True}
    return {*get_args(kind)} if get_origin(kind) is Literal else set()


def test_every_value_of_every_option_is_played() -> None:
    known = [rules.load("two_handed", one).options for one in option_sets()]
    for name, kind in get_type_hints(Options).items():
        met = {getattr(one, name) for one in known}
        assert values(kind) <= met
        assert len(met) > 1, name


def test_every_value_of_every_option_but_points_has_a_position() -> None:
    known = [one.rules.options for one in LAST]
    for name, kind in get_type_hints(Options).items():
        assert len({getattr(one, name) for one in known}) > 1, name
        if name != "joker_upcard":
            assert values(kind) <= {getattr(one, name) for one in known}, name


def test_every_phase_is_met_in_both_seats() -> None:
    met = {(one.view.phase, one.seat) for one in LAST}
    assert met == {(phase, seat) for phase, _ in met for seat in (0, 1)}
    assert {phase for phase, _ in met} == {
        *("order", "pick_up", "discard", "name", "play", "joker_suit")
    }


def test_names_say_which_position_it_is() -> None:
    names = [position.name for position in positions()]
    assert len({*names}) == len(names)
    assert [one.where.partition(",")[0] for one in LAST] == [
        f"position {number}" for number in range(1, len(names) + 1)
    ]


def test_a_position_is_led_up_to_by_its_own_seat() -> None:
    for number, position in enumerate(positions(), 1):
        decisions = position.decisions(number)
        assert [one.seq for one in decisions] == list(range(len(decisions)))
        assert len({one.seat for one in decisions}) == 1


def test_cards_of_earlier_deals_are_kept_apart() -> None:
    (one,) = [one for one in LAST if one.where.endswith("the second deal")]
    assert one.earlier == {*["9D", "TD", "QC", "AC", "JS", "9S"]}


def test_games_are_played_in_both_seats_and_again_the_same() -> None:
    found = list(games(option_sets(), "a"))
    assert [game.number for game in found] == list(range(1, 2 * len(option_sets()) + 1))
    for game in found[:4]:
        first = _played(game)
        assert first == _played(game)
        assert first != _played(msgspec.structs.replace(game, seed="b"))


def _played(game: Any) -> list[object]:
    playing = Playing(game)
    views: list[object] = []
    while (asked := playing.asked()) is not None:
        assert asked.seat == game.seat
        views.append((asked.view, asked.bot_seed))
        playing.answer(asked.legal[0])
    assert max(playing.points) >= game.options.get("target_score", 10)
    return views


def met(**options: object) -> set[str]:
    """The positions that a tournament with these options can meet."""
    setting = Setting(options=options)
    assert all(game.options == options for game in setting.games())
    for number, position in setting.positions():
        assert position.options == options
        assert position.decisions(number)[-1].rules == rules.load("two_handed", options)
    return {position.name for _, position in setting.positions()}


def test_a_tournament_meets_what_its_options_allow() -> None:
    usual = met()
    assert 30 < len(usual) < len(positions())
    assert {position.name for position in positions() if not position.options} == usual
    assert met(target_score=4) == usual
    assert met(target_score=1) == usual - {"the second deal"}
    assert met(stick_the_dealer=True) - usual == {
        *(
            "stuck with nothing",
            "stuck on seat 1",
            "stuck, and the suit turned down is the best one",
        )
    }
    assert usual - met(stick_the_dealer=True) == {"first call after a throw-in"}
    assert met(deck_size=32) - usual == {"sevens and eights"}
    assert "the left bower is led, on seat 1" not in met(ordered_pickup="mandatory")
    assert "ordered up where the dealer must take the upcard" in met(ordered_pickup="mandatory")


@pytest.mark.parametrize(
    ("given", "parts", "command"),
    [
        ({"position": 3}, ("positions",), "arena check b --position 3"),
        ({"game": 5}, ("games",), "arena check b --game 5"),
        ({"part": "ends"}, ("ends",), "arena check b --only ends"),
        ({"seed": "a b", "game": 5}, ("games",), "arena check b --game 5 --seed 'a b'"),
    ],
)
def test_the_command_that_reproduces_a_finding(
    given: dict[str, Any], parts: tuple[str, ...], command: str
) -> None:
    kept: dict[str, Any] = {"config": None, "part": None, "position": None, "game": None}
    setting = wanted(**{**kept, "seed": "check", **given}, command="arena check")
    assert setting.parts == parts
    asked = None
    if "position" in given:
        asked = LAST[given["position"] - 1]
    if "game" in given:
        (game,) = setting.games()
        asked = Playing(game).asked()
    assert setting.reproduce("b", parts[0], asked) == command  # type: ignore[arg-type]


def test_codes_are_in_order_and_each_fault_has_one() -> None:
    assert list(CODES) == sorted(CODES)
    assert {*OF_FAULTS.values()} <= {*CODES}
    for one in CODES.values():
        assert one.severity == ("warning" if one.code[1] == "2" else "failure")
        assert all(text.endswith(".") for text in (one.explanation, one.remedy))
