"""``python -m arena`` is the ``arena`` command."""

from __future__ import annotations

import sys
from typing import NoReturn

_INTERRUPTED = 130


def main() -> NoReturn:
    """Run the command line; Ctrl-C while it is being loaded is an interruption like any other."""
    try:
        from arena.cli import main as run  # noqa: PLC0415
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    run()


if __name__ == "__main__":
    main()
