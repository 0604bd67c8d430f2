"""From a config to bots that can be started: snapshots, versions, the secret, the conditions.

Done once at the beginning of a run, before its first game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from arena.errors import UserError
from arena.referee.record import name_of
from arena.runtime.executor import BotSpec
from arena.store.files import FILE_NAME
from arena.store.reader import Reader
from arena.store.rows import BotVersion, Entrant, Tournament
from arena.store.store import Store
from arena.tournament import identity, snapshot
from arena.tournament.config import BotEntry, Config
from arena.tournament.snapshot import Snapshot

SNAPSHOTS = "snapshots"


class Field(msgspec.Struct, frozen=True):
    """All that takes part in a run, fixed for its whole length."""

    tournament: Tournament
    specs: dict[str, BotSpec]
    """How each bot is started, by version, in the config's order."""
    hashes: dict[str, str]
    """By version."""
    entries: dict[str, tuple[BotEntry, Snapshot]] = {}
    """By version, what each is prepared from before it is started."""
    changes: tuple[str, ...] = ()
    """What a person should know of bots that play as another version than before."""


def enter(config: Config, store: Store) -> Field:
    """Take snapshots of all bots, enter them, and see that the conditions are the old ones.

    Raises `UserError` if the config has other conditions than the stored results, if a closed
    tournament would get other bots, or if a bot cannot be copied.
    """
    config.require_field()
    tournament = _same_tournament(config, store, playing=True) or _new_tournament(config)
    snapshots = {
        bot.name: snapshot.take(Path(bot.path), Path(config.results) / SNAPSHOTS)
        for bot in config.bots
    }
    entrants = [
        Entrant(bot.name, identity.bot_hash(bot, snapshots[bot.name]), msgspec.to_builtins(bot))
        for bot in config.bots
    ]
    before = {bot.name: bot for bot in store.bots() if bot.current}
    if tournament.revealed and {b.name: b.hash for b in before.values()} != {
        entrant.name: entrant.hash for entrant in entrants
    }:
        raise closed(config)
    is_new = store.tournament() is None
    if tournament.config_path != config.path:
        store.follow(config.path)
    versions = store.begin(tournament, entrants) if is_new else store.enter(entrants)
    return Field(
        tournament,
        {
            str(version): identity.bot_spec(bot, snapshots[bot.name], str(version))
            for bot, version in zip(config.bots, versions, strict=True)
        },
        {str(version): version.hash for version in versions},
        {
            str(version): (bot, snapshots[bot.name])
            for bot, version in zip(config.bots, versions, strict=True)
        },
        tuple(_changes(before, versions)),
    )


def _changes(before: Mapping[str, BotVersion], now: Iterable[BotVersion]) -> Iterator[str]:
    for version in now:
        old = before.get(version.name, version)
        if str(old) != str(version):
            yield (
                f"{version.name} changed: it plays as {version} now; "
                f"the games of {old} are kept, but do not count"
            )


def closed(config: Config) -> UserError:
    """Say that no game may be played any more."""
    return UserError(
        f"{config.name} is closed: its secret is revealed, so its cards are known to all; begin a"
        " new tournament with --fresh, which keeps these results"
    )


def check_open(config: Config) -> None:
    """Raise `UserError` if the tournament is closed; one without results is not."""
    folder = Path(config.results)
    if not (folder / FILE_NAME).exists():
        return
    with Reader.open(folder) as reader:
        stored = reader.tournament()
    if stored is not None and stored.revealed:
        raise closed(config)


def belongs_to_another(stored: Tournament, config: Config) -> bool:
    """Whether results are those of another config; one that is gone has moved to here."""
    return stored.config_path != config.path and Path(stored.config_path).exists()


def _same_tournament(config: Config, reader: Reader, *, playing: bool) -> Tournament | None:
    """Return the stored tournament if `config` still describes it; None if nothing is stored.

    Whoever only looks may do so in a copy of the results that was given another name.
    """
    stored = reader.tournament()
    if stored is None:
        return None
    is_copy = stored.name != config.name and not playing
    if belongs_to_another(stored, config) and not is_copy:
        raise UserError(
            f"{config.results} holds the results of another config, {stored.config_path}; "
            "give this one another `name` or `output: {dir: ...}`"
        )
    changes = identity.differences(stored.conditions, identity.conditions(config))
    if changes:
        raise UserError(
            f"{config.name} has results that were played under other conditions:\n"
            + "".join(f"  {change}\n" for change in changes)
            + "change them back, or begin anew with --fresh, which keeps the old results"
        )
    return stored


def known_tournament(config: Config, reader: Reader) -> Tournament:
    """Return the tournament that `config` describes; `UserError` if it has no results."""
    stored = _same_tournament(config, reader, playing=False)
    if stored is None:
        raise UserError(f"{config.name} has no results yet: run `arena tournament {config.path}`")
    return stored


def _new_tournament(config: Config) -> Tournament:
    drawn = config.seed is None
    secret = identity.draw_secret() if config.seed is None else identity.seed_secret(config.seed)
    return Tournament(config.path, config.name, identity.conditions(config), secret, drawn)


def match_identity(hashes: Mapping[str, str], match: tuple[str, ...]) -> list[identity.Identity]:
    """Return name and hash of each version of a match, as seeds are derived from them."""
    return [(name_of(version), hashes[version]) for version in match]
