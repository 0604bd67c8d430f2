"""A Python environment of a bot's own: what it depends on, and what `arena.sdk` does.

Only wheels are installed, so that nobody's code runs before it is confined as a bot. The two
libraries of the SDK are copied from the arena's own environment, so that it takes no network if a
bot's dependencies are at hand; a bot that wants them in other versions gets these.
"""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import arena
from arena.errors import UserError
from arena.tournament.preparing.cache import kept
from arena.tournament.preparing.tools import Maker

NEEDED_BY_SDK = {"msgspec": "msgspec>=0.19", "pyzmq": "pyzmq>=26.0"}
"""As the arena itself needs them."""
_PACKAGE = Path(arena.__file__).parent
_KIND = "environments"
_FORMAT = 1
_OPTIONS = (
    *("--disable-pip-version-check", "--no-input", "--progress-bar", "off"),
    *("--no-warn-script-location", "--only-binary", ":all:"),
)


def python_with(requirements: Sequence[str], maker: Maker) -> Path:
    """Return the Python of the environment with these requirements, which is made if need be."""

    def make(folder: Path) -> None:
        maker.tell(f"makes its environment, once: {', '.join(requirements)}")
        _make(folder, requirements, maker)

    return kept(_KIND, _key(requirements), maker, make) / "bin" / "python"


def _key(requirements: Sequence[str]) -> str:
    """Return what tells environments apart, 64 hex digits."""
    made_of = {
        "format": _FORMAT,
        "requirements": list(requirements),
        "python": [sys.base_prefix, platform.python_version(), sysconfig.get_platform()],
        "sdk": [str(_PACKAGE), *map(_version, NEEDED_BY_SDK)],
    }
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()


def _version(library: str) -> str | None:
    with suppress(metadata.PackageNotFoundError):
        return metadata.version(library)
    return None


def _make(folder: Path, requirements: Sequence[str], maker: Maker) -> None:
    what = "making its environment"
    maker.run(what, [sys.executable, "-I", "-m", "venv", folder], folder)
    packages = Path(sysconfig.get_path("platlib", "venv", {"platbase": str(folder)}))
    for library in NEEDED_BY_SDK:
        for source, relative in _files(library):
            target = packages / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    python = folder / "bin" / "python"
    wanted = [*requirements, *NEEDED_BY_SDK.values()]
    maker.run(what, [python, "-I", "-m", "pip", "install", *_OPTIONS, "--", *wanted], folder)
    sdk = packages / _PACKAGE.name
    if sdk.exists():
        raise UserError(f"{maker.name}: one of its dependencies holds a package {sdk.name} itself")
    sdk.symlink_to(_PACKAGE)


def _files(library: str) -> Iterator[tuple[Path, str]]:
    """(File, path in the folder of packages) of all that is installed of a library here.

    Nothing where the system's own package manager installed it: then it is fetched.
    """
    with suppress(metadata.PackageNotFoundError):
        for file in metadata.files(library) or ():
            source = Path(str(file.locate()))
            if ".." not in file.parts and not file.is_absolute() and source.is_file():
                yield source, str(file)
