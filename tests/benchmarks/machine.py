"""What a machine is like, as far as it concerns speed: nothing that tells whose it is."""

from __future__ import annotations

import os
import platform
import re
import resource
from pathlib import Path
from time import monotonic

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


class Others:
    """What other programs take of the machine while something is measured."""

    def __init__(self) -> None:
        """Begin to look."""
        self._began_s = monotonic()
        self._before_s = _taken_s() - _own_s()

    def share(self) -> float:
        """Return the share of all cores' time that they took since then: 0 if it was idle."""
        elapsed_s = monotonic() - self._began_s
        taken_s = _taken_s() - _own_s() - self._before_s
        return max(0.0, taken_s / (elapsed_s * (os.cpu_count() or 1)))


def _taken_s() -> float:
    """Return the time that any program had a core, and that the machine's host took from it."""
    total, *_ = Path("/proc/stat").read_text("utf-8").splitlines()
    user, nice, system, _, _, irq, softirq, steal = map(int, total.split()[1:9])
    ticks = user + nice + system + irq + softirq + steal
    return ticks / os.sysconf("SC_CLK_TCK")


def _own_s() -> float:
    """Return the CPU of this process and of all that it started and that have ended."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def _cpu() -> str:
    text = Path("/proc/cpuinfo").read_text("utf-8")
    names = re.findall(r"^model name\s*: (.*)$", text, re.MULTILINE)
    return names[0] if names else platform.machine()
