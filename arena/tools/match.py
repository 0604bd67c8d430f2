"""Behind `arena match`: the config of a tournament of two bots, which nobody has to write.

It is written all the same, so that every check is that of any config, and every command can go on
with what is kept.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import yaml

from arena.errors import ConfigError, Problem, UserError
from arena.text import brief, closest, refusal, visible
from arena.tools import whole
from arena.tournament.config import Config, load_config
from arena.tournament.config.bot_files import (
    BOT_YAML,
    FOLDER_ENTRY,
    NO_ENTRY,
    is_bot,
    listed,
)
from arena.tournament.config.names import bot_name, is_bot_name

Keys = Mapping[str, "str | Keys | None"]

FILE_NAME = "match.yaml"
_HEAD = """\
# Made by `arena match`: the config of a tournament like any other. Run
# `arena tournament` on it to go on; all other commands take it too.
"""
_SEED, _BOARDS = "seed", "boards"
_SPRT_BOARDS = "10000"
"""Where a test decides how many are played: enough for what is worth the time."""
_UNNAMED = ("bot-1", "bot-2")


def prepare(folder: Path, bots: tuple[str, str], keys: Keys) -> Config:
    """Write the config of a match into `folder`, which is made if it is not there; return it.

    `bots` are paths and `keys` all other keys, as a person gave them, None where not; ``sprt`` is
    short for ``stop.sprt`` with the two bots. Raises
    `UserError` with all that is wrong, as options of `arena match`, or if another match is kept
    there. The same match with another number of boards goes on with that number.
    """
    paths = tuple(map(bot_path, bots))
    with whole.undone() as undo:
        file = _keep(
            folder, _HEAD + _yaml(paths, keys), undo, is_longer=keys.get(_BOARDS) is not None
        )
        try:
            return load_config(file)
        except ConfigError as error:
            raise UserError(_as_options(error)) from error


def _keep(folder: Path, text: str, undo: ExitStack, *, is_longer: bool) -> Path:
    """Write the config of a match, if it is not kept or `is_longer` now; return its file."""
    file = folder / FILE_NAME
    try:
        whole.make_folder(folder, undo)
        if not file.exists():
            whole.write_new(file, text.encode(), undo)
            return file
        kept = file.read_text("utf-8")
        if not _is_same(kept, text):
            raise UserError(
                f"{visible(str(file))} is another match: give this one another folder, or go on"
                " with that one by `arena tournament`"
            )
        if is_longer:
            whole.replace(file, text.encode())
            undo.callback(whole.replace, file, kept.encode())
    except (OSError, UnicodeError) as error:
        what = f"{visible(str(folder))}: nothing can be kept here"
        if isinstance(error, OSError):
            raise whole.refused(what, error) from error
        raise UserError(f"{what}: {error}") from error
    return file


def _is_same(kept: str, text: str) -> bool:
    """Whether two configs are of one match, however many boards of it are wanted."""
    try:
        one, other = yaml.safe_load(kept), yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError):
        return False
    return isinstance(one, dict) and {**one, _BOARDS: None} == {**other, _BOARDS: None}


def name_bots(first: Path, second: Path) -> tuple[str, str]:
    """Name two bots by their files; if the names are the same, by the folders that differ too.

    So old/bot.py and new/bot.py are old-bot and new-bot. Where that gives no names that bots may
    have, they are bot-1 and bot-2.
    """
    one, other = bot_name(first), bot_name(second)
    folders = zip(reversed(first.parts[:-1]), reversed(second.parts[:-1]))  # noqa: B905 - nearest first
    longer = ((f"{a}-{one}", f"{b}-{other}") for a, b in folders)
    return next((pair for pair in ((one, other), *longer) if _can_name(*pair)), _UNNAMED)


def _can_name(one: str, other: str) -> bool:
    return is_bot_name(one) and is_bot_name(other) and one.casefold() != other.casefold()


def bot_path(given: str) -> Path:
    """Return where a bot is that a person named by its path; raises `UserError` if none is."""
    path = Path(os.path.abspath(given))  # noqa: PTH100 - keep links as they are
    try:
        problem = _problem(given, path)
    except ValueError:  # such as a NUL in it
        problem = "no file can have that name"
    except OSError as error:
        problem = refusal(error)
    if problem is not None:
        raise UserError(f"{brief(given) or repr(given)}: {visible(problem)}")
    return path


def _problem(given: str, path: Path) -> str | None:
    """Say why there is no bot at a path; None: there is. Raises what looking at it raises."""
    if not given:
        return "give the path of a bot"
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        guess = closest(path.name, [one.name for one in listed(path.parent)])
        is_other = guess is not None and guess != path.name
        return f'no such file; did you mean "{guess}"?' if is_other else "no such file"
    if is_bot(path) or (path.is_file() and os.access(path, os.X_OK)):
        return None
    if path.is_dir():
        entry = next((one for one in (FOLDER_ENTRY, BOT_YAML) if os.path.lexists(path / one)), None)
        return f"its {entry} is no file" if entry else f"{NO_ENTRY}; either can say how it is run"
    if not path.is_file():
        return "is neither a file nor a folder"
    return "is neither a Python file nor executable; make it so"


def _yaml(bots: tuple[Path, ...], keys: Keys) -> str:
    names = name_bots(*bots)
    entries = [{"name": name, "path": str(path)} for name, path in zip(names, bots, strict=True)]
    text: str = yaml.safe_dump(
        {"bots": entries, **_given(_with_test(keys, names))},
        allow_unicode=True,
        sort_keys=False,
        width=1_000,
    )
    return text


def _with_test(keys: Keys, names: tuple[str, str]) -> Keys:
    """Return the keys with those of a sequential test for ``sprt``, which is ``ELO0,ELO1``."""
    others = {key: value for key, value in keys.items() if key != "sprt"}
    sprt = keys.get("sprt")
    if not isinstance(sprt, str):
        return others
    elo0, comma, elo1 = (part.strip() for part in sprt.partition(","))
    if not (elo0 and comma and elo1):
        raise UserError(f'--sprt: expected two numbers such as 0,10, got "{visible(sprt)}"')
    test = {"a": names[0], "b": names[1], "elo0": elo0, "elo1": elo1}
    boards = others.get("boards") or _SPRT_BOARDS
    return {**others, "boards": boards, "stop": {"sprt": test}}


def _given(keys: Keys) -> dict[str, Any]:
    """Return the keys that have a value."""
    values = {
        key: _given(value) if isinstance(value, Mapping) else _meant(key, value)
        for key, value in keys.items()
        if value is not None
    }
    return {key: value for key, value in values.items() if value != {}}


def _meant(key: str, value: str) -> float | str:
    """Return a number for what looks like one; a seed is the text that was given."""
    if key == _SEED:
        return value
    for kind in (int, float):
        with suppress(ValueError):
            return kind(value)
    return value


def _as_options(error: ConfigError) -> str:
    """Tell what is wrong with keys of the config as what it is: wrong options.

    What is wrong with a bot's own folder has its place there.
    """
    return "\nerror: ".join(visible(f"{_where(one)}: {one.text}") for one in error.problems)


def _where(problem: Problem) -> str:
    if problem.file:
        return f"{problem.file}:{problem.line}:{problem.column}: {problem.key}"
    option = problem.key.removeprefix("run.").removeprefix("stop.").partition(".")[0]
    return f"--{option}"
