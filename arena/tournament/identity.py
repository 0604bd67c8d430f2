"""Who plays and from what the cards come: hashes, seeds and conditions (contracts, 2).

Everything here is a pure function but `draw_secret`.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from arena import rules
from arena.runtime.executor import BotSpec, Limits
from arena.tournament.config import BotEntry, Config, Faults
from arena.tournament.config.sizes import show_bytes
from arena.tournament.snapshot import Snapshot

SECRET_BYTES = 32
BOT_SEED_BITS = 53

Identity = tuple[str, str]
"""A bot's name and the hash of its version."""


def bot_hash(entry: BotEntry, snapshot: Snapshot) -> str:
    """Return the SHA-256 of all that makes a version of a bot, lower-case hex.

    Over the canonical JSON of snapshot, command, params, env and own limits. The name is not in
    it, nor anything of the machine.
    """
    content = {
        "snapshot": snapshot.hash,
        "command": entry.command,
        "params": entry.params,
        "env": entry.env,
        "limits": entry.own_limits,
    }
    return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()


def bot_spec(entry: BotEntry, snapshot: Snapshot, version: str) -> BotSpec:
    """Return all that a worker needs to start a bot in its snapshot."""
    return BotSpec(
        version,
        _argv(entry),
        snapshot.folder,
        entry.limits,
        dict(entry.params),
        dict(entry.env),
        entry.command_is_given,
    )


def _argv(entry: BotEntry) -> tuple[str, ...]:
    """Return the command line: as given, or Python for its files, or the file itself."""
    if entry.command is not None:
        return entry.command
    return (sys.executable, "-u", entry.main) if entry.main.endswith(".py") else (entry.main,)


def draw_secret() -> bytes:
    """Draw the secret of a tournament whose config has no seed."""
    return secrets.token_bytes(SECRET_BYTES)


def seed_secret(seed: str) -> bytes:
    """Return the secret that the config's `seed` stands for."""
    return seed.encode()


def commitment(secret: bytes) -> str:
    """Return what is shown of a secret from the start: its SHA-256, lower-case hex."""
    return hashlib.sha256(secret).hexdigest()


class Seeds:
    """Derives the seeds of a match's games; `match` in the match's order.

    What all of them have in common is taken in once: a game costs a third of what it would.
    """

    def __init__(self, secret: bytes, match: Sequence[Identity]) -> None:
        """Prepare for all games of a match."""
        text = "|".join(f"{name}={digest}" for name, digest in match)
        self._boards = hmac.new(secret, f"{text}|".encode(), "sha256")
        self._bots = hmac.new(secret, f"bot|{text}|".encode(), "sha256")

    def board(self, board: int) -> bytes:
        """Return the 32 bytes that all cards of a board come from."""
        return _derive(self._boards, f"{board}")

    def bot(self, board: int, seating: int, seat: int) -> int:
        """Return what a bot's own dice begin with in one game, below 2^53."""
        derived = _derive(self._bots, f"{board}|{seating}|{seat}")
        return int.from_bytes(derived) >> (8 * len(derived) - BOT_SEED_BITS)


def _derive(begun: hmac.HMAC, text: str) -> bytes:
    ended = begun.copy()
    ended.update(text.encode())
    return ended.digest()


def board_seed(secret: bytes, match: Sequence[Identity], board: int) -> bytes:
    """Return the seed of one board (`Seeds.board`)."""
    return Seeds(secret, match).board(board)


def conditions(config: Config) -> dict[str, Any]:
    """Return what a change of makes another tournament, as JSON values.

    What is at its default is not in it: writing a default out is no change, and neither is an
    option, limit or rule of faults that a later version of arena adds.
    """
    given = rules.load(config.variant, config.options).options
    return {
        "variant": config.variant,
        "options": _changed(given, rules.load(config.variant).options),
        "limits": _changed(config.limits, Limits()),
        "faults": _changed(config.faults, Faults()),
        "seed": config.seed,
    }


def _changed(values: msgspec.Struct, defaults: msgspec.Struct) -> dict[str, Any]:
    default = msgspec.to_builtins(defaults)
    return {
        key: value for key, value in msgspec.to_builtins(values).items() if value != default[key]
    }


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """Say in plain words how two conditions differ, one line for each difference.

    `new` must be those of a variant that there is.
    """
    options = msgspec.to_builtins(rules.load(new["variant"]).options)
    limits, faults = msgspec.to_builtins(Limits()), msgspec.to_builtins(Faults())
    defaults = _flat({"options": options, "limits": limits, "faults": faults})
    before, after = _flat(old), _flat(new)
    return tuple(
        f"{key.removesuffix('_ms').removesuffix('_bytes')} was {_show(key, before, defaults)},"
        f" is now {_show(key, after, defaults)}"
        for key in dict.fromkeys(["variant", *defaults, *before, *after])
        if before.get(key, defaults.get(key)) != after.get(key, defaults.get(key))
    )


def _flat(tree: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{above}{key}.")
        else:
            flat[above + key] = value
    return flat


def _show(key: str, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str:
    if key in values:
        return _show_value(key, values[key])
    if key in defaults:
        return f"{_show_value(key, defaults[key])} (the default)"
    return "absent"


def _show_value(key: str, value: Any) -> str:
    if value is None:
        return "drawn" if key == "seed" else "none"
    if key.endswith("_ms"):
        return f"{value} ms"
    if key.endswith("_bytes"):
        return show_bytes(value)
    return msgspec.json.encode(value).decode()
