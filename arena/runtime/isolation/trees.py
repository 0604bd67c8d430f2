"""Which folders of the machine a bot in a sandbox sees, to read them: never the whole root."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import arena
from arena.runtime.isolation.cell import Cell

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
_SETTINGS = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "java-*")
"""Of /etc: what the loader and language runtimes look up."""
_PACKAGES = {"site-packages", "dist-packages"}


def system() -> tuple[list[Path], list[tuple[str, str]]]:
    """Return the folders and files of the system, and (link, target) for those that are links."""
    found = [Path(name) for name in _SYSTEM if Path(name).exists()]
    links = [(str(path), str(path.readlink())) for path in found if path.is_symlink()]
    settings = [path for name in _SETTINGS for path in sorted(Path("/etc").glob(name))]
    return [*(path for path in found if not path.is_symlink()), *settings], links


def languages() -> list[Path]:
    """Return where this Python and the arena's own modules are, which bots in Python import."""
    package = Path(arena.__file__).parent
    prefixes = (Path(prefix) for prefix in (sys.prefix, sys.base_prefix))
    packages = (Path(path) for path in sys.path if Path(path).name in _PACKAGES)
    found = [path for place in (*prefixes, *packages) for path in (place, place.resolve())]
    return [package, *(path for path in found if path != Path("/"))]


def of_program(cell: Cell) -> list[Path]:
    """Return what a program that lies somewhere else needs: the folder it is installed in.

    None where the bot chose the program, be it by a link in its own folder: it would choose what it
    sees.
    """
    program = Path(cell.program)
    if not cell.shows_program or program.is_relative_to(cell.snapshot):
        return []
    return [_installation(path) for path in _way_of(program)]


def shows(cell: Cell) -> bool:
    """Whether a bot in a sandbox sees its program, and what that is a link to."""
    folders, links = system()
    whole = [*folders, *languages(), *of_program(cell), Path(cell.snapshot)]
    seen = [*whole, *(path.resolve() for path in whole), *(Path(link) for link, _ in links)]
    program = Path(cell.program)
    return all(any(map(path.is_relative_to, seen)) for path in (program, program.resolve()))


def _way_of(path: Path) -> Iterator[Path]:
    """Yield a file and what it links to, link by link; a folder of the system that is one stays."""
    links = [link for link, _ in system()[1]]
    for _ in range(40):  # as far as the kernel goes
        if any(map(path.is_relative_to, links)):
            path = path.parent.resolve() / path.name
        yield path
        if not path.is_symlink():
            return
        path = path.parent / path.readlink()


def _installation(program: Path) -> Path:
    """Return the prefix of a program that lies in its ``bin``, unless that is somebody's home."""
    prefix = program.parent.parent
    is_home = prefix in (Path("/"), Path.home()) or prefix.parent == Path("/home")
    return prefix if program.parent.name == "bin" and not is_home else program


def outermost(paths: Iterable[Path]) -> list[Path]:
    """Leave out what lies in another one anyway."""
    kept: list[Path] = []
    for path in sorted(set(paths), key=lambda path: len(path.parts)):
        if not any(above in kept for above in (path, *path.parents)):
            kept.append(path)
    return kept


def parents(paths: Iterable[Path]) -> list[Path]:
    """Return the folders that lead to these, from the root on, without the root itself."""
    found = {folder for path in paths for folder in path.parents if folder != Path("/")}
    return sorted(found, key=lambda path: (len(path.parts), path))


def bubblewrap() -> str | None:
    """Find the program that makes sandboxes."""
    return on_path("bwrap")


def on_path(name: str) -> str | None:
    """Find a program by the arena's own PATH, wherever it is started then."""
    found = shutil.which(name)
    return None if found is None else os.path.abspath(found)  # noqa: PTH100 - keep links
