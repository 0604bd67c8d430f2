"""Times as people write them, 1s or 250ms: the reader of all keys that are times."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import yaml

from arena.tournament.config.document import KeyPlace, cut
from arena.tournament.config.readers import NULL, Reader, or_none
from arena.tournament.config.yaml_nodes import unexpected
from arena.tournament.config.yaml_scalars import TAG, WrongValueError, is_null, wrong_tag

UNITS_MS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000}

_SHOWN_LENGTH = 30
_PATTERN = r"^[0-9]+(\.[0-9]+)? ?(ms|s|m|h)$"
"""For the JSON Schema, whose regular expressions have no names."""
_DURATION = re.compile(r"(?P<amount>[0-9]+(\.[0-9]+)?) ?(?P<unit>ms|s|m|h)")
_BARE = re.compile(r"[0-9]+(\.[0-9]*)?")
_CLOCK = re.compile(r"(?:([0-9]{1,4}):)?([0-9]{1,4}):([0-5][0-9])")
_PARTS = re.compile(r"\s*([0-9]{0,9}\.?[0-9]{1,9})\s*([a-z]+)\s*")
_UNIT_WORDS = {
    word: unit
    for unit, words in {
        "ms": "ms msec msecs millis millisecond milliseconds",
        "s": "s sec secs second seconds",
        "m": "m min mins minute minutes",
        "h": "h hr hrs hour hours",
    }.items()
    for word in words.split()
}


@dataclass(frozen=True)
class Duration(Reader):
    """A time with its unit, in milliseconds between two bounds; null may stand for no limit.

    Looks at what is written: YAML would make 90 of 1:30.
    """

    low_ms: int
    high_ms: int
    none: str = ""
    """How None is written; empty: not at all."""

    @property
    def takes_null(self) -> bool:
        """Whether null is a value here."""
        return self.none == NULL

    @property
    def expected(self) -> str:
        """What should stand there."""
        bounds = f"a time from {show_ms(self.low_ms)} to {show_ms(self.high_ms)}"
        return or_none(bounds, self.none)

    def read(self, node: yaml.Node, place: KeyPlace) -> Any:
        """Return milliseconds, None for null, or UNSET."""
        if self.takes_null and is_null(node):
            return None
        if not isinstance(node, yaml.ScalarNode):
            return place.wrong(node, unexpected(node, self.expected))
        try:
            return self._milliseconds(node)
        except WrongValueError as wrong:
            return place.wrong(node, str(wrong))

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        kind = ["string", "null"] if self.takes_null else "string"
        return {"type": kind, "pattern": _PATTERN}

    def write(self, value: int | None) -> str | None:
        """Return a time with its unit."""
        return None if value is None else show_ms(value)

    def _milliseconds(self, node: yaml.ScalarNode) -> int:
        written = node.value
        found = _DURATION.fullmatch(written)
        if not found:
            raise WrongValueError(_without_unit(written) or self._wrong(node))
        if node.tag != TAG + "str":
            raise WrongValueError(wrong_tag(node))
        exact = Decimal(found["amount"]) * UNITS_MS[found["unit"]]
        if not self.low_ms <= exact <= self.high_ms:
            raise WrongValueError(unexpected(node, self.expected))
        if exact != exact.to_integral_value():
            raise WrongValueError(f"{written} is not a whole number of milliseconds")
        return int(exact)

    def _wrong(self, node: yaml.ScalarNode) -> str:
        meant_ms = _meant_ms(node.value)
        if meant_ms is not None and self.low_ms <= meant_ms <= self.high_ms:
            return f"{unexpected(node, self.expected)}; write {show_ms(meant_ms)}"
        units = f"; units are {', '.join(UNITS_MS)}" if node.value[:1].isdecimal() else ""
        return unexpected(node, self.expected) + units


def _without_unit(written: str) -> str | None:
    if not _BARE.fullmatch(written):
        return None
    shown = cut(written, _SHOWN_LENGTH)
    return f"{shown} has no unit; write {shown}ms, {shown}s or {shown}m"


def _meant_ms(written: str) -> int | None:
    """Return what a person probably means by 1:30, 5 sec, 1,5s or 1m 30s."""
    text = written.replace(",", ".").lower()
    clock = _CLOCK.fullmatch(text)
    if clock:
        hours, minutes, seconds = (int(part or 0) for part in clock.groups())
        return ((hours * 60 + minutes) * 60 + seconds) * 1_000
    parts = _PARTS.findall(text)
    if not parts or _PARTS.sub("", text) or any(unit not in _UNIT_WORDS for _, unit in parts):
        return None
    exact = sum(Decimal(amount) * UNITS_MS[_UNIT_WORDS[unit]] for amount, unit in parts)
    return int(exact) if exact == int(exact) else None


def show_ms(duration_ms: int) -> str:
    """Write a time with the largest unit that it is a whole number of."""
    if not duration_ms:
        return "0s"
    unit = max((u for u in UNITS_MS if duration_ms % UNITS_MS[u] == 0), key=UNITS_MS.__getitem__)
    return f"{duration_ms // UNITS_MS[unit]}{unit}"
