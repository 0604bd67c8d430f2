"""What every test that runs real bots checks when it is over: nothing is left of them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import marked, new_mark, wait_until
from workers import SILENT, script

from arena.runtime.executor import LocalExecutor


@pytest.fixture
def mark() -> Iterator[str]:
    """Mark the processes of a test; none may be left when it ends."""
    mark = new_mark()
    yield mark
    assert wait_until(lambda: not marked(mark)), "a process is left"


@pytest.fixture
def private_folders(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return where jobs make their private folders; none may be left when the test ends."""
    folder = Path(tempfile.mkdtemp(prefix="t-", dir="/tmp"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    yield folder
    left, mode = list(folder.iterdir()), folder.stat().st_mode
    shutil.rmtree(folder)
    assert not left, "a job's folder is left"
    assert mode & 0o777 == 0o700, "what is above a private folder is nobody's to open or close"


@pytest.fixture
def executor() -> Iterator[LocalExecutor]:
    executor = LocalExecutor(1)
    yield executor
    executor.kill()
    executor.shutdown()


@pytest.fixture
def silent(tmp_path: Path) -> Path:
    """A bot that starts and then never answers."""
    return script(tmp_path / "silent", SILENT)
