"""Results folders: where they are, whose they are, how large."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from arena.errors import ArenaError, UserError
from arena.store.files import FILE_NAME, is_foreign
from arena.store.reader import Reader
from arena.store.rows import Tournament
from arena.tournament.config import Config, load_config
from arena.tournament.entering import SNAPSHOTS, belongs_to_another
from arena.tournament.runner import LOGS

DEEPEST = 6
"""So far below the first folder others are searched."""
_PASSED_OVER = {"node_modules", "site-packages", "__pycache__"}
_VENV_MARK = "pyvenv.cfg"
_IN_RESULTS = {SNAPSHOTS, LOGS}
_LARGEST_CONFIG_BYTES = 1_000_000

Configs = Callable[[str], Config | str]
"""Loads the config at a path, or says why that cannot be done."""


def config_at(path: str) -> Config | str:
    """Load a config without its bots, or say in a line why that cannot be done."""
    try:
        return load_config(path, playing=False)
    except ArenaError as error:
        return str(error).splitlines()[0]


def results_folders(top: Path, configs: Configs) -> list[Path]:
    """Return all folders with a results file, in order: below `top`, or of a config there.

    The search is bounded and follows no link.
    """
    return sorted(set(_found(top, configs)))


def stored_tournament(folder: Path, *, still: bool) -> Tournament | None:
    """Return whose results are in a folder; None if there are none yet or they cannot be read.

    As with `Reader.peek`, they are `still` if nobody writes them meanwhile.
    """
    try:
        with Reader.peek(folder, still=still) as reader:
            return reader.tournament()
    except Exception:  # noqa: BLE001 - who knows what is in a file that is damaged
        return None


def check_owner(config: Config, *, still: bool) -> None:
    """Raise `UserError` if it can be seen that the results of `config` are somebody else's."""
    file = Path(config.results, FILE_NAME)
    if file.is_file() and is_foreign(file):
        raise UserError(f"{file} was made by another program; move it away")
    stored = stored_tournament(file.parent, still=still)
    if stored is not None and belongs_to_another(stored, config):
        text = f"{config.results} holds the results of another config, {stored.config_path}"
        raise UserError(f"{text}; they are left as they are")


def size_of(folder: Path) -> int:
    """Add up the bytes of all files in a folder, as far as one can see them."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118
    return total


def _found(top: Path, configs: Configs) -> Iterator[Path]:
    for folder, names in _folders(top):
        if FILE_NAME in names:
            yield folder
        for name in names:
            if name.endswith((".yaml", ".yml")):
                yield from _of_config(folder / name, configs)


def _folders(top: Path) -> Iterator[tuple[Path, set[str]]]:
    """Yield each folder that is worth a look, and the names in it."""
    waiting = [(top, 0)]
    while waiting:
        folder, depth = waiting.pop()
        with suppress(OSError), os.scandir(folder) as entries:
            is_folder = {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
            if _VENV_MARK in is_folder:
                continue
            passed_over = _PASSED_OVER | (_IN_RESULTS if FILE_NAME in is_folder else set())
            if depth < DEEPEST:
                waiting += [
                    (folder / name, depth + 1)
                    for name, is_one in is_folder.items()
                    if is_one and name[0] != "." and name not in passed_over
                ]
            yield folder, set(is_folder)


def _of_config(file: Path, configs: Configs) -> Iterator[Path]:
    """Yield the results folder of what may be a config, if it names one itself that is there."""
    with suppress(OSError):
        if not file.is_file() or file.stat().st_size > _LARGEST_CONFIG_BYTES:
            return
        text = file.read_bytes()
        config = configs(str(file)) if b"bots" in text and b"output" in text else ""
        if isinstance(config, Config) and Path(config.results, FILE_NAME).exists():
            yield Path(config.results)
