"""A short check before a bot enters a tournament: only what it can meet there, in a few seconds."""

from __future__ import annotations

from collections.abc import Iterator

from arena.errors import UnfitError
from arena.runtime.job import BotSpec
from arena.text import count, visible
from arena.tools.check.findings import Checked
from arena.tools.check.looking import check_started
from arena.tools.check.setting import Setting
from arena.tournament.config import Config

_PART_S = 3.0
"""For each of three parts: nobody waits long for a bot that thinks for long."""


def require_fit(
    spec: BotSpec, given: str, config: Config, path: str, *, level: str, command: str
) -> None:
    """Raise `UnfitError` with all failures if a bot makes mistakes that would cost it games.

    `given` and `path` are bot and config as a person named them; `command` is what checks a bot.
    """
    setting = Setting(
        parts=("positions", "games", "tables"),
        options=config.options,
        level=level,
        patience_s=_PART_S,
        positions_s=_PART_S,
        command=command,
        again=("--config", path),
    )
    checked = check_started(spec, given, setting)
    if checked.failures:
        told = f"{spec.name} is not fit to play: {count(checked.failures, 'failure')}"
        raise UnfitError("\n    ".join([told, *_told(checked)]))


def _told(checked: Checked) -> Iterator[str]:
    for one in checked.findings:
        if one.severity == "failure":
            yield f"{one.code} {one.title}"
            yield visible(f"  {one.where}: {one.text}")
            yield f"  reproduce: {visible(one.reproduce)}     explain: arena explain {one.code}"
