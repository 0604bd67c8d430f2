"""The table of `arena list`. Loads tabulate: import it late."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tabulate import tabulate

from arena.cli.managing import show_size
from arena.cli.output import shown
from arena.text import count, visible
from arena.tools.listing import Listed

_HEAD = ("tournament", "config", "state", "games", "size", "changed", "")
_ALIGNMENT = ("left", "left", "left", "right", "right", "left", "left")
_NOTHING = "-"


def table(tournaments: tuple[Listed, ...]) -> str:
    """Return one row for each tournament below a head."""
    # The head is a row like the others, because tabulate sets heads further apart.
    text = tabulate(
        [_HEAD, *(_cells(one) for one in tournaments)],
        tablefmt="plain",
        disable_numparse=True,
        colalign=_ALIGNMENT,
    )
    return "\n".join(f" {line.rstrip()}" for line in text.splitlines())


def _cells(one: Listed) -> tuple[str, ...]:
    return (
        visible(one.name),
        _NOTHING if one.config is None else shown(Path(one.config)),
        one.state if one.holder is None else f"{one.state}, {one.holder}",
        _games(one),
        show_size(one.size),
        _NOTHING if one.changed is None else f"{one.changed.astimezone():%Y-%m-%d %H:%M}",
        "; ".join(_remarks(one)),
    )


def _games(one: Listed) -> str:
    if one.games is None:
        return _NOTHING
    return str(one.games) if one.scheduled is None else f"{one.games} of {one.scheduled}"


def _remarks(one: Listed) -> Iterator[str]:
    if one.void:
        yield f"{count(one.void, 'game')} void"
    if one.withdrawn:
        yield f"withdrawn: {', '.join(map(visible, one.withdrawn))}"
    if one.left_out:
        yield f"left out: {', '.join(map(visible, one.left_out))}"
    if one.state == "set aside" or (one.config is None and one.results not in (one.why or "")):
        yield f"in {visible(shown(Path(one.results)))}"
    if one.why is not None:
        yield visible(one.why)
