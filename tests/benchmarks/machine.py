"""What a machine is like, as far as it concerns speed: nothing that tells whose it is."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path

import msgspec
import zmq


class Machine(msgspec.Struct, frozen=True):
    """Where a measurement was made, and what with."""

    cores: int
    """That may be used."""
    cpu: str
    kernel: str
    python: str
    pyzmq: str
    libzmq: str
    msgspec: str
    load_average: tuple[float, float, float]
    """Over 1, 5 and 15 minutes, before anything was measured."""

    def __str__(self) -> str:
        """Return a few lines for people."""
        load = ", ".join(f"{one:.2f}" for one in self.load_average)
        return (
            f"{self.cores} cores, {self.cpu}, {self.kernel}\n"
            f"Python {self.python}, pyzmq {self.pyzmq} (libzmq {self.libzmq}),"
            f" msgspec {self.msgspec}; load average at the start {load}"
        )


def this_machine() -> Machine:
    """Describe the machine that this runs on, now."""
    return Machine(
        len(os.sched_getaffinity(0)),
        _cpu(),
        f"{platform.system()} {platform.release()}",
        platform.python_version(),
        zmq.pyzmq_version(),
        zmq.zmq_version(),
        msgspec.__version__,
        os.getloadavg(),
    )


def _cpu() -> str:
    text = Path("/proc/cpuinfo").read_text("utf-8")
    names = re.findall(r"^model name\s*: (.*)$", text, re.MULTILINE)
    return names[0] if names else platform.machine()
