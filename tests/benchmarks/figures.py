"""What was measured, held against what is wanted: values, a table and JSON. Nothing is run here."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from typing import Literal, NamedTuple

import msgspec
from tabulate import tabulate

from tests.benchmarks.machine import Machine

SCHEMA: Literal["arena.benchmarks/1"] = "arena.benchmarks/1"


class Bound(NamedTuple):
    """What a ratio must keep to."""

    at: Literal["least", "most"]
    value: float

    def holds(self, ratio: float) -> bool:
        """Whether a ratio keeps to it; the bound itself does."""
        return ratio >= self.value if self.at == "least" else ratio <= self.value


class Reading(NamedTuple):
    """One measurement of one row."""

    target: str
    row: str
    measured: float
    unit: str
    """Of `measured`."""
    ratio: float
    bound: Bound | None
    """None: nothing is wanted, it is there to compare with."""


class Row(msgspec.Struct, frozen=True):
    """All measurements of one row."""

    target: str
    row: str
    measured: float
    """The median."""
    unit: str
    ratios: tuple[float, ...]
    """By round."""
    bound: Bound | None

    @property
    def ratio(self) -> float:
        """The median, which is what is judged."""
        return statistics.median(self.ratios)

    @property
    def is_held(self) -> bool | None:
        """Whether it keeps to its bound; None without one."""
        return None if self.bound is None else self.bound.holds(self.ratio)


class Outcome(msgspec.Struct, frozen=True):
    """What one run of the suite came to."""

    machine: Machine
    rounds: int
    scale: float
    others: float
    """The share of all cores' time that other programs took meanwhile."""
    failed: tuple[str, ...]
    """Targets that could not be measured at least once."""
    rows: tuple[Row, ...]

    @property
    def is_held(self) -> bool:
        """Whether all targets were measured, and none is missed."""
        return not self.failed and all(row.is_held is not False for row in self.rows)


def rows(readings: Iterable[Reading]) -> tuple[Row, ...]:
    """Put the readings of each row together, in the order in which the rows came first."""
    found: dict[tuple[str, str], list[Reading]] = {}
    for reading in readings:
        found.setdefault((reading.target, reading.row), []).append(reading)
    return tuple(
        Row(
            target,
            name,
            statistics.median(one.measured for one in all_of),
            all_of[0].unit,
            tuple(one.ratio for one in all_of),
            all_of[0].bound,
        )
        for (target, name), all_of in sorted(found.items(), key=lambda item: item[0][0])
    )


def as_json(outcome: Outcome) -> bytes:
    """Return one JSON object; its keys are explained in README.md."""
    return msgspec.json.encode(
        {
            "schema": SCHEMA,
            "machine": outcome.machine,
            "rounds": outcome.rounds,
            "scale": outcome.scale,
            "others": outcome.others,
            "failed": outcome.failed,
            "held": outcome.is_held,
            "rows": [
                {
                    "target": row.target,
                    "row": row.row,
                    "measured": row.measured,
                    "unit": row.unit,
                    "ratio": row.ratio,
                    "ratios": row.ratios,
                    "bound": None if row.bound is None else row.bound._asdict(),
                    "held": row.is_held,
                }
                for row in outcome.rows
            ],
        }
    )


def as_table(outcome: Outcome) -> str:
    """Return a table for people."""
    head = ["target", "median of rounds", "measured", "ratio", "bound", "lowest-highest", ""]
    align = ("left", "left", *["right"] * 4, "left")
    return tabulate(map(_cells, outcome.rows), head, disable_numparse=True, colalign=align)


def _cells(row: Row) -> tuple[str, ...]:
    bound = "" if row.bound is None else f"at {row.bound.at} {row.bound.value:g}"
    verdict = {None: "", True: "held", False: "MISSED"}[row.is_held]
    return (
        row.target,
        row.row,
        f"{_short(row.measured)} {row.unit}",
        _short(row.ratio),
        bound,
        f"{_short(min(row.ratios))}-{_short(max(row.ratios))}",
        verdict,
    )


def _short(value: float) -> str:
    """Return a number with about three digits that say something."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
