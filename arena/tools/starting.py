"""Behind `arena new-bot` and `arena init`: files to start from, which play as they are."""

from __future__ import annotations

from pathlib import Path

import arena
from arena import templates
from arena.errors import SurroundingsError, UserError
from arena.text import refusal, visible
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
        raise UserError(f'"{visible(name)}" is no bot name: {NAME_RULE}{elsewhere}')
    if is_module_name(name):
        why = "a module that bots need, and its file would be imported in place of it"
        raise UserError(f'"{name}" is the name of {why}; choose another one')
    file = folder / f"{name}{_SUFFIX}"
    _write(file, _TEMPLATES / f"{template}{_SUFFIX}")
    return file


def init(folder: Path) -> Path:
    """Write a config and bots that it lets play into `folder`, which is made; return the config.

    Raises `UserError` if there is anything in that folder.
    """
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        what = "is not empty" if folder.is_dir() else "is no folder"
        raise UserError(f"{visible(str(folder))} {what}; give a new folder or an empty one")
    for template in templates.BOTS:
        new_bot(template, folder / _BOTS, template)
    _write(folder / templates.CONFIG, _TEMPLATES / templates.CONFIG)
    return folder / templates.CONFIG


def _write(file: Path, template: Path) -> None:
    """Copy a template; whatever is there already stays as it is."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("xb") as out:
            out.write(template.read_bytes())
    except FileExistsError as error:
        there = "is there already" if file.exists() else "cannot be a folder: it is a file"
        what = visible(str(file if file.exists() else file.parent))
        raise UserError(f"{what} {there}; nothing was written") from error
    except OSError as error:
        raise SurroundingsError(f"{visible(str(file))}: {refusal(error)}") from error
