"""What to do on a machine where the chain of a level does not even start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from arena.errors import SurroundingsError
from arena.runtime.isolation import Isolation
from arena.text import visible_lines

_APPARMOR = (
    "give bwrap an AppArmor profile that has `userns,`, or"
    " sysctl kernel.apparmor_restrict_unprivileged_userns=0"
)
_FORBIDDEN_BY = {
    "kernel/unprivileged_userns_clone": ("0", "sysctl kernel.unprivileged_userns_clone=1"),
    "user/max_user_namespaces": ("0", "sysctl user.max_user_namespaces=10000"),
    "kernel/apparmor_restrict_unprivileged_userns": ("1", _APPARMOR),
}
"""By setting of the kernel: the value that forbids sandboxes to ordinary users, and what to do."""
_IN_CONTAINERS = (
    "in a container, start it so that it may make namespaces (docker run --privileged, or"
    " --security-opt seccomp=unconfined --security-opt apparmor=unconfined --cap-add SYS_ADMIN)"
)
_LAST_LINES = 5


def not_working(
    level: Isolation, printed: str, settings: Path = Path("/proc/sys")
) -> SurroundingsError:
    """Return the error for a level at which no bot can be started, with what it printed."""
    last = visible_lines("\n".join(printed.strip().splitlines()[-_LAST_LINES:]))
    remedies = [*_remedies(level, settings), "or choose a weaker level of isolation"]
    said = last or "it prints nothing"
    return SurroundingsError(
        f"isolation {level.name} does not work here: {said}\n{'; '.join(remedies)}"
    )


def _remedies(level: Isolation, settings: Path) -> Iterator[str]:
    if level.is_sandbox:
        yield from list(_of_the_kernel(settings)) or [_IN_CONTAINERS]


def _of_the_kernel(settings: Path) -> Iterator[str]:
    for name, (forbids, remedy) in _FORBIDDEN_BY.items():
        try:
            present = (settings / name).read_text().strip()
        except OSError:
            continue
        if present == forbids:
            yield remedy
