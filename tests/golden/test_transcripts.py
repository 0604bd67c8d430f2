"""Whole games written down step by step, compared to the byte.

Each ``*.jsonl`` beside this file is one game: a header (variant, options, board seed), one line
for each decision (its number, who acts, what is legal, the action taken, the view of every seat)
and a last line with the outcome and the deals of the record. When a rule is meant to change, write
them anew and read the difference:

    python tests/golden/test_transcripts.py
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from arena import rules

HERE = Path(__file__).parent
GAMES: dict[str, tuple[int, dict[str, object]]] = {
    "two_handed_defaults": (34, {"target_score": 4}),
    "two_handed_not_played_out": (
        216,
        {"deck_size": 32, "play_out": False, "points_march": 3, "target_score": 4},
    ),
    "two_handed_joker_declared": (
        263,
        {
            "deck_size": 33,
            "joker_upcard": "dealer_declares",
            "may_discard_upcard": True,
            "target_score": 4,
        },
    ),
    "two_handed_joker_makes": (
        277,
        {
            "deck_size": 25,
            "joker_upcard": "dealer_makes",
            "ordered_pickup": "mandatory",
            "target_score": 4,
        },
    ),
    "two_handed_joker_redeal": (
        277,
        {
            "deck_size": 25,
            "joker_upcard": "redeal",
            "dealer_after_throw_in": "same",
            "target_score": 4,
        },
    ),
    "two_handed_stuck": (
        231,
        {"throw_in_cap": 1, "may_name_turned_down_suit": True, "target_score": 4},
    ),
}
"""By file: the number that makes the cards and the choices, and the options."""


def transcript(number: int, options: dict[str, object]) -> Iterator[str]:
    """Play a game of two-handed Euchre by random choices; yield the lines of its file."""
    variant = rules.load("two_handed", options)
    board_seed = number.to_bytes(32, "big")
    dice = random.Random(number)
    yield _line({"variant": variant.name, "options": options, "board_seed": board_seed.hex()})
    state, step = variant.start(board_seed), 0
    while (seat := state.to_act) is not None:
        legal = state.legal()
        action = legal[int(dice.random() * len(legal))]
        views = [state.view(other) for other in range(variant.seats)]
        told = {"step": step, "seat": seat, "legal": legal, "action": action, "views": views}
        yield _line(told)
        state, step = state.apply(action), step + 1
    yield _line({"outcome": state.outcome, "deals": state.deals()})


def _line(value: object) -> str:
    return msgspec.json.encode(value).decode() + "\n"


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_as_it_was_written_down(name: str) -> None:
    lines = (HERE / f"{name}.jsonl").read_text().splitlines(keepends=True)
    assert list(transcript(*GAMES[name])) == lines


if __name__ == "__main__":
    for file_name, game in GAMES.items():
        (HERE / f"{file_name}.jsonl").write_text("".join(transcript(*game)))
