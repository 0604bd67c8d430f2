"""Run before a bot where the system has no `setpriv`: ``launch.py PROGRAM ARGUMENT...``.

It asks Linux to kill this process when its parent dies, and becomes the program. Elsewhere it only
becomes the program. It stands alone: no module of ours is imported.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
_IGNORED_BY_PYTHON = {"SIGPIPE", "SIGXFZ", "SIGXFSZ"}
"""As long as this program runs; a bot is to find the signals as they were."""


def main() -> None:
    """Set the death signal, then run the program in this process's place."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    for name in _IGNORED_BY_PYTHON & signal.Signals.__members__.keys():
        signal.signal(signal.Signals[name], signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])  # noqa: S606 - a bot's program, found by the arena


if __name__ == "__main__":
    main()
