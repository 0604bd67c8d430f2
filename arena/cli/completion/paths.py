"""Names of files that could be meant."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import islice

import click
from click.shell_completion import CompletionItem

_MOST = 1_000
_LEFT_OUT = "__pycache__"

Accepts = Callable[[os.DirEntry[str]], bool]


def base(context: click.Context) -> str:
    """Return the folder that paths are relative to: that of -C, if it was given."""
    folder = context.find_root().params.get("folder")
    return str(folder) if folder else os.curdir


def paths(context: click.Context, begun: str, accepts: Accepts) -> list[CompletionItem[str]]:
    """Return the files that begin so and are accepted, and all folders; hidden ones if asked for.

    Empty if there is no such folder.
    """
    above, slash, name = begun.rpartition("/")
    place = os.path.join(base(context), os.path.expanduser(above + slash))  # noqa: PTH111, PTH118
    try:
        with os.scandir(place) as entries:
            found = sorted(_begun(entries, name), key=lambda entry: entry.name)
    except OSError:
        return []
    return [
        CompletionItem(f"{above}{slash}{entry.name}/", type="folder")
        if entry.is_dir()
        else CompletionItem(f"{above}{slash}{entry.name}", type="path")
        for entry in islice(found, _MOST)
        if entry.is_dir() or accepts(entry)
    ]


def _begun(entries: Iterator[os.DirEntry[str]], name: str) -> Iterator[os.DirEntry[str]]:
    for entry in entries:
        is_hidden = entry.name == _LEFT_OUT or (entry.name[0] == "." and name[:1] != ".")
        if entry.name.startswith(name) and not is_hidden and entry.name.isprintable():
            yield entry


def named(*endings: str) -> Accepts:
    """Return what accepts files with one of these endings."""
    return lambda entry: entry.name.endswith(endings)


def can_be_run(entry: os.DirEntry[str]) -> bool:
    """Whether a file is a program."""
    return entry.is_file() and os.access(entry, os.X_OK)
