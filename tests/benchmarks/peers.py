"""The arena beside other runners of bots: ``python -m tests.benchmarks.peers``.

It makes an environment of its own, installs them there from the package index, and times refereed
decisions of each in turn with the arena's. The games differ, so this compares the work around one
refereed decision, and no more than that. What cannot be installed is named and passed over.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import click
from tabulate import tabulate

from tests.benchmarks.engine import play_in_process
from tests.benchmarks.tournament import play_two_bots

_GAMES = Path(__file__).with_name("peer_games.py")
_LONGEST_S = 300
"""How long a measurement may take at most."""
_OURS = "arena: 2 workers, 64 tables"


class Peer(NamedTuple):
    """A runner of bots, and a game of it that is played."""

    name: str
    package: str
    game: str
    """As `peer_games.py` calls it."""
    needs: tuple[str, ...] | None = None
    """All that this game needs of what the package depends on; None: all of it."""


PEERS = (
    # Its dependencies take gigabytes, and hardly any is for these two games.
    Peer(
        "kaggle-environments: connectx, in-process",
        *("kaggle-environments", "connectx", ("jsonschema", "numpy", "requests")),
    ),
    Peer(
        "kaggle-environments: rps, in-process",
        *("kaggle-environments", "rps", ("jsonschema", "numpy", "requests")),
    ),
    Peer("PyPokerEngine: two who call, in-process", "PyPokerEngine", "poker"),
    Peer("Axelrod: round robin, in-process, no referee between", "Axelrod", "axelrod"),
)


class Rates(NamedTuple):
    """Decisions by the clock, and by the CPU of all processes."""

    per_s: float
    per_cpu_s: float


class Environment(NamedTuple):
    """Where peers are installed."""

    folder: Path

    @property
    def _python(self) -> str:
        return str(self.folder / "bin" / "python")

    def install(self, peer: Peer) -> bool:
        """Install a peer, unless it is there already; return whether it is there now."""
        if self.version(peer):
            return True
        click.echo(f"installing {peer.package} ...", err=True)
        if peer.needs is None:
            return self._pip(peer.package)
        return self._pip(*peer.needs) and self._pip("--no-deps", peer.package)

    def _pip(self, *words: str) -> bool:
        pip = [self._python, "-m", "pip", "install", "--quiet", *words]
        return subprocess.run(pip, check=False, capture_output=True).returncode == 0

    def version(self, peer: Peer) -> str | None:
        """Return the version that is installed."""
        ask = f"import importlib.metadata as m; print(m.version({peer.package!r}))"
        done = subprocess.run(
            [self._python, "-c", ask], check=False, capture_output=True, text=True
        )
        return done.stdout.strip() or None

    def rates(self, peer: Peer, seconds: float) -> Rates | None:
        """Measure a peer; None if it fails or never ends."""
        words = [self._python, "-I", str(_GAMES), peer.game, str(seconds)]
        try:
            done = subprocess.run(words, check=True, capture_output=True, timeout=_LONGEST_S)
        except subprocess.SubprocessError:
            return None
        found = json.loads(done.stdout.splitlines()[-1])
        decisions = found["decisions"]
        return Rates(decisions / found["seconds"], decisions / found["cpu_seconds"])


@contextmanager
def environment(folder: Path | None) -> Iterator[Environment]:
    """Make an environment; one that was not given a folder is removed at the end."""
    with tempfile.TemporaryDirectory() as temporary:
        where = folder or Path(temporary) / "peers"
        if not (where / "bin" / "python").exists():
            venv.create(where, with_pip=True)
        yield Environment(where)


def measured(
    env: Environment, peers: Sequence[Peer], rounds: int, seconds: float, scale: float
) -> dict[str, list[Rates]]:
    """Time the arena and all peers in turn; a peer that fails is named and passed over."""
    found: dict[str, list[Rates]] = {}
    left = list(peers)
    for number in range(rounds):
        boards = max(1, round(2_000 * scale))
        ours = {
            _OURS: play_two_bots(64, 2, boards),
            "arena: 1 worker, 1 table": play_two_bots(1, 1, max(1, boards // 10)),
            "arena: rules alone, in-process": play_in_process(max(1, boards // 4)),
        }
        for name, speed in ours.items():
            both = Rates(speed.decisions_per_s, speed.decisions_per_cpu_s)
            found.setdefault(name, []).append(both)
        for peer in tuple(left):
            theirs = env.rates(peer, seconds)
            if theirs is None:
                click.echo(f"{peer.name} failed and is passed over", err=True)
                left.remove(peer)
            else:
                found.setdefault(f"{peer.name} ({env.version(peer)})", []).append(theirs)
        click.echo(f"round {number + 1} of {rounds}", err=True)
    return found


@click.command()
@click.option("--rounds", default=3, show_default=True, help="Measurements of each row.")
@click.option("--seconds", default=3.0, show_default=True, help="Of each measurement of a peer.")
@click.option("--scale", default=1.0, show_default=True, help="Length of the arena's own.")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="The environment is made here, or used again, and stays.",
)
def main(rounds: int, seconds: float, scale: float, folder: Path | None) -> None:
    """Install the peers, measure all in turn and print the medians."""
    with environment(folder) as env:
        installed = []
        for peer in PEERS:
            if env.install(peer):
                installed.append(peer)
            else:
                click.echo(f"{peer.name} cannot be installed and is passed over", err=True)
        found = measured(env, installed, rounds, seconds, scale)
    medians = {
        name: Rates(*map(statistics.median, zip(*all_of, strict=True)))
        for name, all_of in found.items()
    }
    ours = medians[_OURS]
    rows = [
        (
            name,
            *(f"{one:,.0f}" for one in rates),
            *(f"{own / one:,.2g}" for own, one in zip(ours, rates, strict=True)),
        )
        for name, rates in medians.items()
    ]
    head = ["median of rounds", "decisions/s", "a CPU second", "arena: x this", "by CPU"]
    click.echo(f"Python {sys.version.split()[0]}; the games differ: only the work of a refereed")
    click.echo("decision is compared, in-process where it says so, else between processes.\n")
    click.echo(tabulate(rows, head, disable_numparse=True, colalign=("left", *["right"] * 4)))


if __name__ == "__main__":
    main()
