"""Whether a level of isolation keeps its promises on this machine: it is attacked.

`attacks` says which protection forbids what, `cells` where the probe (probe.py) runs, `lures` what
it attacks; `probing`, `preloading` and `outliving` let it, under the chain of the level and, to see
that the attack is one at all, without any; `hints` says what to do where a chain does not even
start.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack

from arena.errors import SurroundingsError
from arena.runtime.folders import private_folder
from arena.runtime.inspection.attacks import ATTACKS, findings
from arena.runtime.inspection.cells import Cells
from arena.runtime.inspection.outliving import outlive_its_end, outlive_the_arena
from arena.runtime.inspection.preloading import reach_what_confines_it
from arena.runtime.inspection.probing import probe_both
from arena.runtime.isolation import Isolation, isolation
from arena.runtime.isolation.levels import OF_AUTO
from arena.runtime.job import Finding
from arena.runtime.probe import ATTACKS as BY_THE_PROBE
from arena.runtime.tree import adopting

__all__ = ["inspect", "is_broken", "quick_look", "strongest"]


def inspect(level: Isolation, *, short: bool = False) -> tuple[Finding, ...]:
    """Attack a level and return what was found, by what the level of that name promises.

    The short form leaves out what takes its time. Raises `SurroundingsError` if no bot can be
    started at the level at all.
    """
    tried = [attack.name for attack in ATTACKS if attack.is_quick or not short]
    with ExitStack() as closing:
        cells = Cells(closing.enter_context(private_folder()), closing)
        closing.enter_context(adopting())
        confined, free = probe_both(level, cells, [name for name in tried if name in BY_THE_PROBE])
        pairs = [(one, free[name]) for name, one in confined.items()]
        if not short and sys.platform == "linux":
            pairs.append(reach_what_confines_it(level, cells))
            pairs.append(outlive_its_end(level, cells))
            pairs += outlive_the_arena(level, cells)
    return findings(isolation(level.name), pairs)


def is_broken(found: tuple[Finding, ...]) -> bool:
    """Whether a level promises what it does not keep."""
    return any(finding.verdict == "OPEN" for finding in found)


def quick_look(name: str) -> tuple[Finding, ...]:
    """Attack a level in the short form; twice if it fails to begin: somebody may kill the probe.

    Raises `SurroundingsError` if no bot can be started at the level.
    """
    level = isolation(name)
    try:
        return inspect(level, short=True)
    except SurroundingsError:
        return inspect(level, short=True)


def strongest() -> tuple[str, tuple[Finding, ...], str]:
    """Return the strongest level that keeps its promises here, and what the short form found.

    The last is why a stronger one was passed over, empty if none was. Raises `SurroundingsError`
    if no level of those that protect from something does.
    """
    passed_over: list[str] = []
    for name in OF_AUTO:
        try:
            found = quick_look(name)
        except SurroundingsError as error:
            passed_over.append(str(error))
            continue
        if not is_broken(found):
            return name, found, "; ".join(passed_over)
        passed_over.append(f"isolation {name} does not hold here")
    why = "; ".join(passed_over)
    raise SurroundingsError(
        f"isolation auto finds no level that holds here: {why}; see arena doctor"
    )
