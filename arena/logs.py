"""Logs that never outgrow a disk, for every layer; nothing of ours may be imported here."""

from __future__ import annotations

from pathlib import Path

_LARGEST_BYTES = 4 * 1024 * 1024


def append_log(path: Path, text: str) -> None:
    """Add to a log, making its folder where needed; a full log makes room and is kept once."""
    if not text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.stat().st_size > _LARGEST_BYTES:
        path.replace(path.with_name(f"{path.name}.old"))
    with path.open("a", encoding="utf-8") as log:
        log.write(text)
