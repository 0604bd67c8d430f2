"""What makes a tournament fast changes no byte of its export: each thing is taken out once."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from commands import arena, new_tournament

PLAIN_RULES = Path(__file__).parents[1] / "rules"


@dataclass(frozen=True)
class Without:
    """How a run does without something."""

    config: dict[str, Any] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)
    patch: str = ""
    """What every process of the arena does first."""


WITHOUT = {
    "several tables": Without(config={"tables": 1}),
    "tables that follow the bots": Without(config={"tables": 64}),
    "a second worker": Without(config={"run": {"workers": 1}}),
    "large pages": Without(env={"PYTHONMALLOC": "pymalloc"}),
    "cores that are shared": Without(
        patch="""
        import arena.runtime.loop as loop
        loop._SLOW_US = 0
        """
    ),
    "asking in turns": Without(
        patch="""
        import arena.runtime.loop as loop
        loop._FAST_US = 0
        """
    ),
    "a memory of bots": Without(
        patch="""
        import arena.runtime.loop as loop
        from arena.runtime.peer import Peer
        loop.Peer = lambda *given, **named: Peer(*given, **(named | {"was_in_turn": None}))
        """
    ),
    "the inner circle of the loop": Without(
        patch="""
        import arena.runtime.loop as loop
        loop.JobLoop._rally = lambda self: (self._flush(), self._wait())
        """
    ),
    "long jobs": Without(
        patch="""
        import arena.tournament.pace as pace
        pace.JOB_MS = 1
        """
    ),
    "rules from tables": Without(
        patch=f"""
        import sys
        sys.path.append({str(PLAIN_RULES)!r})
        from arena.rules import two_handed
        from plain_rules import start
        two_handed.TwoHanded.start = lambda self, seed: start(self.options, seed)
        """
    ),
}


def played(folder: Path, without: Without) -> str:
    """Play a tournament so, and return what the arena as it is exports of it."""
    keys = {"boards": 10, "tables": "auto", "run": {"workers": 2}, "isolation": "none"}
    folder.mkdir()
    tournament = new_tournament(folder, "a", "b", **(keys | without.config))
    patched = folder / "patched"
    patched.mkdir()
    note = f"import os, pathlib; pathlib.Path({str(folder)!r}, f'ran{{os.getpid()}}').touch()"
    (patched / "sitecustomize.py").write_text(f"{note}\n{dedent(without.patch)}")
    env = {"PYTHONPATH": str(patched), **without.env}
    done = arena("tournament", tournament.config, folder=folder, env=env)
    assert done.code == 0, done.err
    assert len(list(folder.glob("ran*"))) > 1, "coordinator and workers do without it"
    return arena("export", tournament.config, folder=folder).out


@pytest.fixture(scope="module")
def with_everything(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the export of a tournament played as fast as can be."""
    return played(tmp_path_factory.mktemp("all") / "of-it", Without())


@pytest.mark.parametrize("what", WITHOUT)
def test_an_export_is_the_same_without(what: str, with_everything: str, tmp_path: Path) -> None:
    assert with_everything.count('"format":"arena-game/1"') == 20
    assert played(tmp_path / "some", WITHOUT[what]) == with_everything
