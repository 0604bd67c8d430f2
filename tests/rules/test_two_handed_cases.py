"""Two-handed Euchre against right answers the project's own code did not make.

`two_handed.json` was made by hand from the clauses; the counts, the games and the spoiled games by
an independent referee.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace
from playing import dealt, read_json, read_lines

from arena import rules
from arena.errors import IllegalActionError, ReplayError
from arena.rules.euchre import RANKINGS, View
from arena.rules.race import Deal
from arena.rules.tricks import following, winner

CASES = read_json("two_handed.json")
COUNTS = read_json("action_tree_counts.json")
DERIVED = read_json("derived_cards.json")
GAMES = read_lines("games.jsonl")
SPOILED = read_lines("spoiled_games.jsonl")


def of_kind(kind: str) -> pytest.MarkDecorator:
    cases = [case for case in CASES if case["kind"] == kind]
    assert cases
    return pytest.mark.parametrize("case", cases, ids=[f"{c['id']}-{c['clause']}" for c in cases])


def start(case: Mapping[str, Any], deals: int = 1) -> Deal:
    """Begin with the case's cards; its options fit, since `load` takes them."""
    loaded = rules.load("two_handed", case.get("options"))
    cards = dealt(case["hands"], case["upcard"], loaded.options.deck_size)  # type: ignore[attr-defined]
    state = loaded.start_from([cards] * deals, case["dealer"])
    assert isinstance(state, Deal)
    return state


def seen(state: rules.State, seat: int) -> View:
    view = state.view(seat)
    assert isinstance(view, View)
    return view


@of_kind("follow")
def test_follow(case: dict[str, Any]) -> None:
    playable = following(case["hand"], case["led"], RANKINGS[case["trump"]])
    assert set(playable) == set(case["expect"]["legal"])


@of_kind("trick")
def test_trick(case: dict[str, Any]) -> None:
    assert winner(case["cards"], RANKINGS[case["trump"]]) == case["expect"]["winner_index"]


@of_kind("deal")
def test_deal(case: dict[str, Any]) -> None:
    state = start(case, deals=2)
    if "score_before" in case:
        standing = replace(state.race.standing, points=tuple(case["score_before"]))
        state = replace(state, race=replace(state.race, standing=standing))
    expected = dict(case["expect"])
    illegal_at = expected.pop("illegal_at", None)
    trick_winners = []
    for number, (seat, action) in enumerate(case["actions"], start=1):
        assert state.to_act == seat
        if number == illegal_at:
            with pytest.raises(IllegalActionError):
                state.apply(action)
            break
        before, state = state, state.apply(action)
        trick_winners += [s for s in (0, 1) if _tricks(state)[s] > _tricks(before)[s]]
    found = {"trick_winners": trick_winners, **_told(state, case["dealer"])}
    assert {key: found[key] for key in expected} == expected


def _tricks(state: rules.State) -> list[int]:
    """Return the tricks taken in the first deal, by seat."""
    deal = state.deals()[0]
    return list(deal["tricks"] if "reason" in deal else seen(state, 0).tricks)


def _told(state: rules.State, dealer: int) -> dict[str, Any]:
    """Return all that a case may expect; after the first deal, the next one's dealer too."""
    view = seen(state, dealer)
    return {
        "phase": view.phase,
        "to_act": state.to_act,
        "legal": list(state.legal()),
        "dealer_hand": list(view.hand),
        "next_dealer": view.dealer,
        "score_after": list(state.points),
        "winner": state.outcome.winner if state.outcome else None,
        **state.deals()[0],
        "tricks": _tricks(state),
    }


@of_kind("game")
def test_game(case: dict[str, Any]) -> None:
    assert (first_discrepancy(case["record"]) is None) == case["expect"]["ok"]


@pytest.mark.parametrize("case", COUNTS, ids=[str(case["options"]) for case in COUNTS])
def test_the_tree_of_all_actions_has_the_exact_size(case: dict[str, Any]) -> None:
    counts: Counter[str] = Counter()
    state = start(case)
    _count(state, counts)
    assert {key: count for key, count in counts.items() if count} == case["counts"]


def _count(state: Deal, counts: Counter[str]) -> None:
    """Add up all lines from `state` on: leaves, decisions by phase, endings, points by seat."""
    if state.to_act is None:
        (deal,) = state.race.finished
        counts["leaves"] += 1
        counts[str(deal.reason)] += 1
        counts["points_0"] += state.points[0]
        counts["points_1"] += state.points[1]
        return
    counts[f"decisions:{seen(state, 0).phase}"] += 1
    for action in state.legal():
        _count(state.apply(action), counts)


@pytest.mark.parametrize("case", DERIVED)
def test_a_board_is_dealt_as_derived(case: dict[str, Any]) -> None:
    long = {"deck_size": case["deck_size"], "throw_in_cap": 1000}
    loaded = rules.load("two_handed", long)
    state: rules.State = loaded.start(bytes.fromhex(case["board_seed"]))
    assert state.deals()[0]["dealer"] == case["first_dealer"]
    while seen(state, 0).deal < case["deal"]:
        state = state.apply("pass")
    deal = state.deals()[case["deal"]]
    assert {key: deal[key] for key in ("hands", "upcard", "stock")} == {
        key: case[key] for key in ("hands", "upcard", "stock")
    }


@pytest.mark.parametrize("game", GAMES, ids=[game["id"] for game in GAMES])
def test_a_right_game_replays_to_its_own_deals(game: dict[str, Any]) -> None:
    assert first_discrepancy(game) is None


@pytest.mark.parametrize("case", SPOILED, ids=[f"{c['spoiled']}-{c['deal']}" for c in SPOILED])
def test_a_spoiled_game_is_found_out_in_the_deal_named(case: dict[str, Any]) -> None:
    found = first_discrepancy(case["game"])
    assert found == ("game" if case["deal"] is None else case["deal"])


def first_discrepancy(game: dict[str, Any]) -> int | str | None:
    """Return the number of the first deal that is not as the rules have it, or ``"game"``."""
    loaded = rules.load(game["variant"], game["options"])
    try:
        state = loaded.start_from(game["deals"], game["first_dealer"])
    except ReplayError as error:
        return error.deal
    for number, deal in enumerate(game["deals"]):
        for seat, action in deal["actions"]:
            running = len(state.deals()) - 1
            if state.to_act != seat or running != number or action not in state.legal():
                return number
            state = state.apply(action)
        if state.deals()[number : number + 1] != (deal,):
            return number
    outcome = state.outcome
    told = outcome and (list(outcome.points), outcome.winner)
    return None if told == (game["points"], game["winner"]) else "game"
