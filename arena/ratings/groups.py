"""Who can be compared with whom, from who beat whom at least once: graphs only, no ratings.

A finite and unique maximum-likelihood fit exists exactly for bots of which each can be reached
from each other along wins (Ford 1957): a strong component. Bots that never met, even through
others, lie in different weak components. Both leave no common scale, for different reasons.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.float64]
Mask = NDArray[np.bool_]
Indices = NDArray[np.intp]
"""Where bots stand in the field, ascending."""


@dataclass(frozen=True, eq=False)
class Members:
    """Bots that get a common scale."""

    bots: Indices
    core: Indices
    """The strong component that is fitted; empty if each single match went one way."""
    island: int
    """Number of the weak component; groups of the same one are there because of one-way games."""


@dataclass(frozen=True, eq=False)
class Layer:
    """Bots that are put at a bound together, after those further inside."""

    bots: Indices
    won_all: Mask
    """By place in `bots`: won all games against bots further inside."""
    lost_all: Mask


def find_groups(boards: Counts, beat: Mask) -> tuple[Members, ...]:
    """Divide the field into groups; bots without a board are in none.

    `boards[a, b]`: boards played by a and b (symmetric). `beat[a, b]`: a won a game against b.
    """
    island_of = _components(boards > 0)
    strong_of = _components(beat)
    in_core = np.bincount(strong_of)[strong_of] > 1
    groups: list[Members] = []
    for island in range(island_of.max(initial=-1) + 1):
        bots = np.flatnonzero(island_of == island)
        if bots.size > 1:
            home = _homes(boards[np.ix_(bots, bots)], np.where(in_core, strong_of, -1)[bots])
            for label in np.unique(home):
                mine = bots[home == label]
                groups.append(Members(mine, mine[in_core[mine]], island))
    return tuple(sorted(groups, key=lambda group: (-group.bots.size, group.bots[0])))


def find_islands(boards: Counts) -> tuple[Members, ...]:
    """Divide the field where a prior makes every bot that has met another one fit to be rated."""
    island_of = _components(boards > 0)
    islands = (np.flatnonzero(island_of == i) for i in range(island_of.max(initial=-1) + 1))
    return tuple(
        sorted(
            (Members(bots, bots, i) for i, bots in enumerate(islands) if bots.size > 1),
            key=lambda group: (-group.bots.size, group.bots[0]),
        )
    )


def _components(edges: Mask) -> NDArray[np.intp]:
    """Give each bot the first one of its strong component: all that it reaches and that reach it.

    Ways are made twice as long until that leads nowhere new. `scipy.sparse.csgraph` could do it
    too, but loads for longer than this takes.
    """
    reached = edges | np.eye(len(edges), dtype=np.bool_)
    while True:
        ways = reached.astype(np.float32)
        further = ways @ ways > 0
        if (further == reached).all():
            mutual = reached & reached.T
            return mutual.argmax(axis=1) if len(edges) else np.empty(0, np.intp)
        reached = further


def _homes(boards: Counts, core_of: NDArray[np.intp]) -> NDArray[np.intp]:
    """Give each bot of one island a core: its own, else the one it played most boards with.

    Bots that met no bot with a home yet wait for those between to get theirs. -1 for all if
    there is no core.
    """
    home = core_of.copy()
    cores = np.unique(core_of[core_of >= 0])
    while cores.size and (home < 0).any():
        met = np.stack([boards[:, home == core].sum(axis=1) for core in cores])
        ready = (home < 0) & met.any(axis=0)
        home[ready] = cores[met.argmax(axis=0)][ready]
    return home


def peel(beat: Mask, core: Mask) -> tuple[Layer, ...]:
    """Take out, layer by layer, bots that won or lost all against those still there.

    Outermost first, until only the core is left; without a core the last layer is the
    innermost. A bot that has nobody left to be compared with goes out with neither mark.
    """
    inside = np.ones(core.size, dtype=bool)
    layers: list[Layer] = []
    while True:
        won = beat @ inside
        lost = beat.T @ inside
        out = np.flatnonzero(inside & ~core & ~(won & lost))
        if not out.size:
            return tuple(layers)
        layers.append(Layer(out, won[out] & ~lost[out], lost[out] & ~won[out]))
        inside[out] = False
