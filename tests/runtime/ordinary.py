"""Programs run as an ordinary user, also where the tests run as root. Helpers only, no test."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOBODY = 65534


def run_as_ordinary_user(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run this Python with these words as an ordinary user; skip the test where that cannot be.

    Folders that only root may enter are replaced by what is needed of them, for this run alone.
    """
    python = [sys.executable, *map(str, words)]
    if os.geteuid() != 0:
        return _run(python)
    if shutil.which("setpriv") is None or shutil.which("unshare") is None:
        pytest.skip("util-linux is not here, so root cannot become an ordinary user")
    trial = _run(_as_nobody([sys.executable, "-c", "import arena.runtime.inspection"]))
    if trial.returncode != 0:
        pytest.skip(f"an ordinary user cannot run arena here: {trial.stderr.strip()[-300:]}")
    return _run(_as_nobody(python))


def _run(words: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        cwd="/",
        env={"PATH": os.environ["PATH"], "HOME": "/tmp", "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )


def _as_nobody(words: list[str]) -> list[str]:
    become = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    last = shlex.join(["exec", *become, "--inh-caps=-all", "--bounding-set=-all", *words])
    return ["unshare", "--mount", "sh", "-euc", "\n".join([*_opening(), last])]


def _opening() -> list[str]:
    """Return shell commands that open the way to this Python and to arena."""
    needed = {ROOT, *map(Path, (sys.prefix, sys.base_prefix))}
    closed = {path: folder for path in sorted(needed) if (folder := _closed_folder(path))}
    stages = {path: f"$stage/{number}" for number, path in enumerate(closed)}
    quoted = {path: shlex.quote(str(path)) for path in closed}
    return [
        "stage=$(mktemp -d)",
        'mount -t tmpfs none "$stage"',
        *(
            f'mkdir "{stages[path]}"; mount --bind {quoted[path]} "{stages[path]}"'
            for path in closed
        ),
        *(f"mount -t tmpfs -o mode=755 none {shlex.quote(str(one))}" for one in {*closed.values()}),
        *(
            f'mkdir -p {quoted[path]}; mount --move "{stages[path]}" {quoted[path]}'
            for path in closed
        ),
        'umount "$stage"; rmdir "$stage"',
    ]


def _closed_folder(path: Path) -> Path | None:
    """Return the outermost folder on the way that others may not enter."""
    way = [*reversed(path.parents), path]
    return next((folder for folder in way if not folder.stat().st_mode & 0o001), None)
