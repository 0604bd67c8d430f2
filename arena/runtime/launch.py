"""Limits itself and becomes a bot: ``launch.py OPTION... -- PROGRAM ARGUMENT...``.

For systems without util-linux; the options are those of `prlimit` (``--nofile=1024``) and of
`setpriv` (``--no-new-privs``, ``--pdeathsig``) and ``--user NUMBER``. What a system does not know
is passed over there. This file stands alone: no module of ours is imported.
"""

import ctypes
import os
import resource
import signal
import sys

_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38
_IGNORED_BY_PYTHON = {"SIGPIPE", "SIGXFZ", "SIGXFSZ"}
"""As long as this program runs; a bot is to find the signals as they were."""
_NUMBERS = {"locks": 10}
"""Limits of Linux that Python has no name for."""


def main() -> None:
    """Do what the options say, then run the program in this process's place."""
    end = sys.argv.index("--")
    options, program = sys.argv[1:end], sys.argv[end + 1 :]
    for name in _IGNORED_BY_PYTHON & signal.Signals.__members__.keys():
        signal.signal(signal.Signals[name], signal.SIG_DFL)
    for option in options:
        if "=" in option:
            name, value = option.removeprefix("--").split("=")
            _limit(name, int(value))
    if "--user" in options:
        _become(int(options[options.index("--user") + 1]))
    if "--no-new-privs" in options:
        _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    if "--pdeathsig" in options:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    os.execv(program[0], program)  # noqa: S606 - a bot's program, found by the arena


def _limit(name: str, value: int) -> None:
    number = _NUMBERS.get(name) if sys.platform == "linux" else None
    number = getattr(resource, f"RLIMIT_{name.upper()}", number)
    if number is not None:
        hard = resource.getrlimit(number)[1]
        least = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(number, (least, least))


def _become(user: int) -> None:
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main()
