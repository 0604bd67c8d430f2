"""Hashes, seeds and conditions: the same everywhere, and different where they must be."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.runtime.executor import BotSpec, Limits
from arena.tournament import identity
from arena.tournament.config import BotEntry, Config, load_config
from arena.tournament.snapshot import Snapshot

CASES = json.loads(
    (Path(__file__).parents[1] / "data" / "tournament" / "board_seeds.json").read_text()
)
SNAPSHOT = Snapshot("5" * 64, "/snapshots/5")
ENTRY = BotEntry("monte", "/bots/monte.py", "monte.py", None, {}, {}, Limits(), {})
MATCH = (("a", "a" * 64), ("b", "b" * 64))


def changed(**changes: Any) -> BotEntry:
    return msgspec.structs.replace(ENTRY, **changes)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["board"]))
def test_board_seeds_are_those_of_the_published_derivation(case: dict[str, Any]) -> None:
    match = [(part[0], part[2:]) for part in case["match"].split("|")]
    seed = identity.board_seed(identity.seed_secret(case["secret_text"]), match, case["board"])
    assert seed.hex() == case["board_seed"]
    assert seed[-1] & 1 == case["first_dealer"]


def test_bot_seeds_are_the_first_53_bits_of_their_derivation() -> None:
    # echo -n 'bot|a=aa..|b=bb..|12|1|0' | openssl dgst -sha256 -hmac 20261129
    seed = identity.Seeds(b"20261129", MATCH).bot(12, 1, 0)
    assert seed == 0xAF18C45EDC66347C >> 11


@given(st.binary(max_size=40), st.integers(0, 10**9), st.integers(0, 1), st.integers(0, 1))
def test_every_game_and_seat_has_its_own_bot_seed(
    secret: bytes, board: int, seating: int, seat: int
) -> None:
    seed = identity.Seeds(secret, MATCH).bot(board, seating, seat)
    assert 0 <= seed < 2**53
    others = [(board + 1, seating, seat), (board, 1 - seating, seat), (board, seating, 1 - seat)]
    assert seed not in [identity.Seeds(secret, MATCH).bot(*other) for other in others]


def test_cards_depend_on_the_versions_and_on_the_secret() -> None:
    seed = identity.board_seed(b"1", MATCH, 0)
    assert seed != identity.board_seed(b"2", MATCH, 0)
    assert seed != identity.board_seed(b"1", (MATCH[0], ("b", "c" * 64)), 0)
    assert seed != identity.board_seed(b"1", MATCH[::-1], 0)


def test_secrets() -> None:
    assert identity.seed_secret("ä") == b"\xc3\xa4"
    drawn = identity.draw_secret()
    assert len(drawn) == 32
    assert drawn != identity.draw_secret()
    assert identity.commitment(b"20261129") == hashlib.sha256(b"20261129").hexdigest()


def test_a_version_is_more_than_its_files() -> None:
    hashes = {
        identity.bot_hash(entry, SNAPSHOT)
        for entry in (
            ENTRY,
            changed(command=("./x",)),
            changed(command=("./x", "-y")),
            changed(params={"a": 1}),
            changed(env={"a": "1"}),
            changed(own_limits={"move_ms": 5}),
            changed(own_limits={"game_ms": None}),
            changed(own_limits={"memory_bytes": 512_000_000}),
            changed(own_limits={"processes": 64}),
        )
    }
    hashes.add(identity.bot_hash(ENTRY, Snapshot("6" * 64, SNAPSHOT.folder)))
    assert len(hashes) == 10
    assert all(len(digest) == 64 and digest == digest.lower() for digest in hashes)


def test_a_version_does_not_depend_on_names_paths_order_and_the_limits_of_all() -> None:
    digest = identity.bot_hash(changed(params={"a": 1, "b": 2}), SNAPSHOT)
    same = changed(
        name="other",
        path="/elsewhere/monte.py",
        limits=Limits(5),
        params={"b": 2, "a": 1},
    )
    assert identity.bot_hash(same, Snapshot(SNAPSHOT.hash, "/elsewhere")) == digest


def test_a_version_is_the_hash_of_canonical_json() -> None:
    canonical = (
        f'{{"command":null,"env":{{}},"limits":{{}},"params":{{}},"snapshot":"{SNAPSHOT.hash}"}}'
    )
    assert identity.bot_hash(ENTRY, SNAPSHOT) == hashlib.sha256(canonical.encode()).hexdigest()


@pytest.mark.parametrize(
    ("entry", "argv"),
    [
        (ENTRY, (sys.executable, "-u", "monte.py")),
        (changed(main="bot.py"), (sys.executable, "-u", "bot.py")),
        (changed(main="monte"), ("monte",)),
        (changed(command=("node", "monte.js")), ("node", "monte.js")),
    ],
)
def test_how_a_bot_is_started(entry: BotEntry, argv: tuple[str, ...]) -> None:
    spec = identity.bot_spec(entry, SNAPSHOT, "monte@3")
    assert spec == BotSpec("monte@3", argv, SNAPSHOT.folder, entry.limits, {}, {})
    assert spec.name == "monte"


def config(folder: Path, text: str) -> Config:
    for name in ("a.py", "b.py"):
        (folder / name).touch()
    (folder / "t.yaml").write_text("bots: [a.py, b.py]\n" + text)
    return load_config(folder / "t.yaml")


def test_conditions_are_json_and_hold_no_defaults(tmp_path: Path) -> None:
    conditions = identity.conditions(
        config(
            tmp_path,
            "seed: 5\noptions: {deck_size: 24, stick_the_dealer: true}\n"
            "limits: {move: 1s, start: 9s, game: null}\n"
            "faults: {no_start: withdraw, withdraw_after: null}\n",
        )
    )
    assert json.loads(json.dumps(conditions)) == conditions
    assert conditions == {
        "variant": "two_handed",
        "options": {"stick_the_dealer": True},
        "limits": {"start_ms": 9_000, "game_ms": None},
        "faults": {"withdraw_after": None},
        "seed": "5",
    }


def test_differences_in_plain_words(tmp_path: Path) -> None:
    old = identity.conditions(config(tmp_path, "seed: 5\noptions: {deck_size: 32}\n"))
    text = "limits: {move: 2s, game: null, memory: 1.5GiB, processes: 8}\n"
    text += "options: {stick_the_dealer: true}\n"
    text += "faults: {no_start: stop, withdraw_after: null}\n"
    new = identity.conditions(config(tmp_path, text))
    assert identity.differences(old, new) == (
        "options.deck_size was 32, is now 24 (the default)",
        "options.stick_the_dealer was false (the default), is now true",
        "limits.move was 1000 ms (the default), is now 2000 ms",
        "limits.game was 60000 ms (the default), is now none",
        "limits.memory was 512MB (the default), is now 1536MiB",
        "limits.processes was 64 (the default), is now 8",
        'faults.no_start was "withdraw" (the default), is now "stop"',
        "faults.withdraw_after was 20 (the default), is now none",
        'seed was "5", is now drawn',
    )
    assert identity.differences(old, old) == ()


def test_what_a_later_version_adds_or_an_earlier_wrote_out_is_no_difference(tmp_path: Path) -> None:
    new = identity.conditions(config(tmp_path, "limits: {move: 2s}\n"))
    assert new["limits"] == {"move_ms": 2_000}
    written_out = {"move_ms": 2_000, "game_ms": 60_000, "start_ms": 10_000, "grace_ms": 50}
    written_out |= {"memory_bytes": 512_000_000, "processes": 64}
    assert identity.differences({**new, "limits": written_out}, new) == ()


def test_what_this_version_does_not_know_is_a_difference(tmp_path: Path) -> None:
    new = identity.conditions(config(tmp_path, ""))
    old = {**new, "limits": {"memory_mb": 64}, "options": {"jokers": True}}
    assert set(identity.differences(old, new)) == {
        "limits.memory_mb was 64, is now absent",
        "options.jokers was true, is now absent",
    }


def test_other_keys_are_no_conditions(tmp_path: Path) -> None:
    more = "boards: 7\ntables: 1\nname: x\nrun: {workers: 1}\nrating: {mean: 0}\n"
    more += "isolation: sandbox\npondering: suspend\n"
    assert identity.conditions(config(tmp_path, "")) == identity.conditions(config(tmp_path, more))
