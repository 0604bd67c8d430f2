"""What came of a check: values, as they are printed and as ``arena.check/1`` has them."""

from __future__ import annotations

from typing import Literal

import msgspec

from arena.tools.check.codes import Severity

CheckName = Literal[
    "starts", "positions", "games", "tables", "repeat", "time", "memory", "output", "ends"
]
Outcome = Literal["ok", "warning", "failure", "skipped"]


class Finding(msgspec.Struct, frozen=True):
    """One thing that is wrong with a bot."""

    code: str
    """Such as ``A103``: what `arena explain` explains."""
    severity: Severity
    """A failure costs games; a warning may be meant."""
    title: str
    """What the bot does."""
    check: CheckName
    """What was being looked at."""
    where: str
    """At which decision; empty if it is of the whole process."""
    text: str
    """Why it is wrong."""
    expected: str
    got: str
    """What came instead, control characters escaped; lines of what it printed."""
    times: int
    """How often it was seen in this check."""
    reproduce: str
    """The command that shows it again."""


class Looked(msgspec.Struct, frozen=True):
    """What came of one check."""

    check: CheckName
    outcome: Outcome
    text: str
    """What was measured or counted, or why it was skipped."""


class Times(msgspec.Struct, frozen=True):
    """How long decisions took that were asked one by one, in microseconds."""

    mean_us: int
    p50_us: int
    p99_us: int
    max_us: int


class Checked(msgspec.Struct, frozen=True):
    """All that was found out about one bot."""

    bot: str
    """As it was given."""
    checks: tuple[Looked, ...]
    findings: tuple[Finding, ...]
    start_ms: int | None
    """From the start of the process until it was ready; null if it was not."""
    max_tables: int | None
    """How many games at once it wants at most."""
    games: int
    """Games played one at a time."""
    decisions: int
    """All that were answered, in whatever check."""
    times: Times | None
    memory_bytes: int
    """The most that its processes were seen to take."""

    @property
    def failures(self) -> int:
        """How many kinds of mistakes cost games."""
        return sum(one.severity == "failure" for one in self.findings)

    @property
    def warnings(self) -> int:
        """How many may be meant."""
        return len(self.findings) - self.failures


class Report(msgspec.Struct, frozen=True):
    """What ``check --json`` prints."""

    bots: tuple[Checked, ...]
    failures: int
    """Of all bots together."""
    warnings: int
    schema: str = "arena.check/1"
