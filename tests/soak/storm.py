"""A storm of faults: thousands of short games, in a share of which a bot misbehaves somehow.

``python -m tests.soak.storm --games 10000 --isolation process``: what each game must come to is
computed from the secret of its cards, before it is looked at. While it plays it is watched what the
arena itself takes.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import click

from arena import rules
from arena.referee.record import Forfeit, GameId, GameResult
from arena.store.reader import Reader
from arena.tournament.identity import Identity, Seeds, board_seed
from tests.soak.bots.stormy import WAYS, misdeed
from tests.soak.footprint import MIB, Footprint, footprint, growth, watched
from tests.soak.playground import ROOT, Playground, playground

SHARE = 50
"""Of a thousand games of a stormy bot."""
_STORMY = ROOT / "tests" / "soak" / "bots" / "stormy.py"
_HEALTHY = ("dice", "first")
_MATCHES, _SEATINGS = 6, 2
_KEYS: Mapping[str, Any] = {
    "seed": 5,
    "options": {"target_score": 1},
    "limits": {"move": "2s", "game": None, "start": "60s", "memory": "150MB"},
    "faults": {"withdraw_after": None},
    "bots": [
        {"name": "dice", "path": str(ROOT / "bots" / "random_bot.py")},
        {"name": "first", "path": str(ROOT / "bots" / "legal_first.py")},
        {"name": "storm", "path": str(_STORMY), "params": {"share": SHARE}},
        {"name": "gale", "path": str(_STORMY), "params": {"share": SHARE}},
    ],
}
_LEAST_GROWTH_GAMES = 500
_MOST_GROWTH = Footprint(memory_bytes=10 * MIB, files=3, threads=3)


@dataclass(frozen=True)
class Storm:
    """What one came to."""

    games: int
    committed: Counter[str]
    """Misdeeds by way."""
    kinds: Counter[str]
    """Games lost, by kind of fault."""
    grown: Footprint | None
    wrong: Sequence[str]
    """What should not have been."""


def storm(games: int, isolation: str, share: int = SHARE) -> Storm:
    """Play at least so many games and judge them."""
    boards = -(-games // (_MATCHES * _SEATINGS))
    bots = [bot | {"params": {"share": share}} if "params" in bot else bot for bot in _KEYS["bots"]]
    with playground() as ground:
        ground.configure(_KEYS, {"boards": boards, "isolation": isolation, "bots": bots})
        process = ground.start("tournament")
        seen = watched(
            lambda: process.poll() is None, lambda: footprint(ground.stored(), process.pid)
        )
        done = ground.end(process)
        if done.code != 0:
            raise AssertionError(f"exit code {done.code}: {done.err}")
        committed, kinds, wrong = _judged(ground, boards, share)
        wrong += ground.faults()
    scheduled = boards * _MATCHES * _SEATINGS
    tenth = scheduled // 10
    early = range(_LEAST_GROWTH_GAMES, _LEAST_GROWTH_GAMES + tenth)
    grown = growth(seen, early, range(scheduled - tenth, scheduled + 1))
    if scheduled > 10 * _LEAST_GROWTH_GAMES:
        wrong += _faults_of_growth(grown)
    return Storm(scheduled, committed, kinds, grown, wrong)


def _judged(
    ground: Playground, boards: int, share: int
) -> tuple[Counter[str], Counter[str], list[str]]:
    """Compare every game with what it must come to."""
    committed: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    wrong = []
    known = rules.load("two_handed", _KEYS["options"])
    with Reader.open(ground.results) as reader:
        tournament = reader.tournament()
        assert tournament is not None
        hashes = {str(bot): bot.hash for bot in reader.bots()}
        records = {record.id: record for m in reader.matches() for record in reader.records(m)}
        voids = list(reader.voids())
    scheduled = {
        GameId(match, board, seating)
        for match in combinations(sorted(hashes), 2)
        for board in range(boards)
        for seating in range(_SEATINGS)
    }
    if records.keys() != scheduled:
        wrong.append(f"{len(scheduled)} games scheduled, {len(records)} stored: not the same")
    if voids:
        wrong.append(f"{len(voids)} voids, such as {voids[0]}")
    for record in records.values():
        ways = _ways(record.id, hashes, tournament.secret, share)
        committed.update(way for way in ways if way is not None)
        seed = board_seed(tournament.secret, _identities(record.id, hashes), record.id.board)
        expected, kind = _expected(ways, first=known.start(seed).to_act), _kind(record)
        if kind != expected:
            wrong.append(f"{record.id}: {ways} must be {expected}, not {record.end}")
        if kind is not None:
            kinds[kind[1]] += 1
    return committed, kinds, wrong


def _ways(game: GameId, hashes: Mapping[str, str], secret: bytes, share: int) -> list[str | None]:
    """By seat: how its bot misbehaves in a game."""
    match = _identities(game, hashes)
    seeds = [Seeds(secret, match).bot(game.board, game.seating, seat) for seat in range(2)]
    stormy = [version.partition("@")[0] not in _HEALTHY for version in game.seats]
    return [misdeed(seed, share) if bad else None for seed, bad in zip(seeds, stormy, strict=True)]


def _identities(game: GameId, hashes: Mapping[str, str]) -> list[Identity]:
    return [(version.rpartition("@")[0], hashes[version]) for version in game.match]


def _expected(ways: Sequence[str | None], *, first: int | None) -> tuple[int, str] | None:
    """Which seat must lose by which kind of fault, if that seat is the first to be asked."""
    for seat in sorted(range(len(ways)), key=lambda seat: seat != first):
        way = ways[seat]
        if way is not None and (kind := WAYS[way]) is not None:
            return seat, kind
    return None


def _kind(record: GameResult) -> tuple[int, str] | None:
    return (record.end.seat, record.end.fault) if isinstance(record.end, Forfeit) else None


def _faults_of_growth(grown: Footprint | None) -> list[str]:
    if grown is None:
        return ["nothing was measured"]
    most = _MOST_GROWTH
    is_small = grown.memory_bytes < most.memory_bytes
    if is_small and grown.files <= most.files and grown.threads <= most.threads:
        return []
    return [f"the arena has grown: {grown}"]


@click.command()
@click.option("--games", default=10_000, show_default=True)
@click.option("--isolation", default="process", show_default=True)
def main(games: int, isolation: str) -> None:
    """Play GAMES games of a storm; exit with 1 if any came out differently."""
    began_s = time.monotonic()
    found = storm(games, isolation)
    for one in found.wrong:
        click.echo(one)
    lost = ", ".join(f"{number} {kind}" for kind, number in sorted(found.kinds.items()))
    click.echo(f"{found.games} games at {isolation}, {time.monotonic() - began_s:.0f} s")
    click.echo(f"{found.committed.total()} misdeeds of {len(found.committed)} kinds; lost: {lost}")
    if found.grown is not None:
        click.echo(
            f"arena grown by {found.grown.memory_bytes / MIB:.1f} MiB, {found.grown.files} files,"
            f" {found.grown.threads} threads"
        )
    click.echo(f"{len(found.wrong)} games or other things wrong")
    sys.exit(bool(found.wrong))


if __name__ == "__main__":
    main()
