"""Behind `arena new-bot` and `arena init`: files to start from, which play as they are."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import arena
from arena import templates
from arena.errors import UserError
from arena.text import brief, visible
from arena.tools.whole import make_folder, refused, undone, write_new
from arena.tournament.config.names import NAME_RULE, is_bot_name, is_module_name, nfc

_TEMPLATES = Path(arena.__file__).parent / "templates"
_SUFFIX = ".py"
_BOTS = "bots"


def new_bot(name: str, folder: Path, template: str) -> Path:
    """Write a bot that begins as a template into `folder`, which is made; return its file.

    A name that ends in ``.py`` is that of the file. Raises `UserError` if it is no name for a bot
    or one for a module that bots need, or if there is such a file already.
    """
    name = nfc(name).removesuffix(_SUFFIX)
    if not is_bot_name(name):
        elsewhere = "; --dir says where it is written" if "/" in name else ""
        raise UserError(f'"{brief(name)}" is no bot name: {NAME_RULE}{elsewhere}')
    if is_module_name(name):
        why = "a module that bots need, and its file would be imported in place of it"
        raise UserError(f'"{name}" is the name of {why}; choose another one')
    file = folder / f"{name}{_SUFFIX}"
    with undone() as undo:
        _write(file, _TEMPLATES / f"{template}{_SUFFIX}", undo)
    return file


def init(folder: Path) -> Path:
    """Write a config and bots that it lets play into `folder`, which is made; return the config.

    Raises `UserError` if there is anything in that folder.
    """
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        what = "is not empty" if folder.is_dir() else "is no folder"
        raise UserError(f"{visible(str(folder))} {what}; give a new folder or an empty one")
    files = [*(f"{_BOTS}/{one}{_SUFFIX}" for one in templates.BOTS), templates.CONFIG]
    with undone() as undo:
        for file in files:
            _write(folder / file, _TEMPLATES / Path(file).name, undo)
    return folder / templates.CONFIG


def _write(file: Path, template: Path, undo: ExitStack) -> None:
    """Copy a template; whatever is there already stays as it is."""
    try:
        make_folder(file.parent, undo)
        write_new(file, template.read_bytes(), undo)
    except FileExistsError as error:
        there = "is there already" if file.exists() else "cannot be a folder: it is a file"
        what = visible(str(file if file.exists() else file.parent))
        raise UserError(f"{what} {there}; nothing was written") from error
    except OSError as error:
        raise refused(visible(str(file)), error) from error
