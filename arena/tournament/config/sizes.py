"""Sizes as people write them, 512MB or 2GiB: the reader of all keys that are amounts of memory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import yaml

from arena.tournament.config.document import KeyPlace, cut
from arena.tournament.config.readers import Reader
from arena.tournament.config.yaml_nodes import unexpected
from arena.tournament.config.yaml_scalars import TAG, WrongValueError, wrong_tag

UNITS = {
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "TB": 10**12,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
    "TiB": 2**40,
}
"""Bytes by unit."""

_SHOWN_LENGTH = 30
_PATTERN = r"^[0-9]+(\.[0-9]+)? ?[KMGT]i?B$"
"""For the JSON Schema, whose regular expressions have no names."""
_SIZE = re.compile(r"(?P<amount>[0-9]+(\.[0-9]+)?) ?(?P<unit>[KMGT]i?B)")
_BARE = re.compile(r"[0-9]+(\.[0-9]*)?")
_LOOSE = re.compile(r"([0-9]{1,12}(?:[.,][0-9]{1,9})?) ?([kmgt])(i?)b?(?:ytes)?", re.IGNORECASE)


@dataclass(frozen=True)
class Size(Reader):
    """An amount of memory with its unit, in bytes between two bounds."""

    low: int
    high: int

    @property
    def expected(self) -> str:
        """What should stand there."""
        return f"a size from {show_bytes(self.low)} to {show_bytes(self.high)}"

    def read(self, node: yaml.Node, place: KeyPlace) -> Any:
        """Return bytes or UNSET."""
        if not isinstance(node, yaml.ScalarNode):
            return place.wrong(node, unexpected(node, self.expected))
        try:
            return self._bytes(node)
        except WrongValueError as wrong:
            return place.wrong(node, str(wrong))

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {"type": "string", "pattern": _PATTERN}

    def write(self, value: int) -> str:
        """Return a size with its unit."""
        return show_bytes(value)

    def _bytes(self, node: yaml.ScalarNode) -> int:
        written = node.value
        found = _SIZE.fullmatch(written)
        if not found:
            raise WrongValueError(self._without_unit(written) or self._wrong(node))
        if node.tag != TAG + "str":
            raise WrongValueError(wrong_tag(node))
        exact = Decimal(found["amount"]) * UNITS[found["unit"]]
        if not self.low <= exact <= self.high:
            raise WrongValueError(unexpected(node, self.expected))
        if exact != exact.to_integral_value():
            raise WrongValueError(f"{written} is not a whole number of bytes")
        return int(exact)

    def _wrong(self, node: yaml.ScalarNode) -> str:
        meant = _meant(node.value)
        if meant is not None and self.low <= meant <= self.high:
            return f"{unexpected(node, self.expected)}; write {show_bytes(meant)}"
        units = f"; units are {', '.join(UNITS)}" if node.value[:1].isdecimal() else ""
        return unexpected(node, self.expected) + units

    def _without_unit(self, written: str) -> str | None:
        """Refuse a bare number; one that may be bytes is written with a unit for its author."""
        if not _BARE.fullmatch(written):
            return None
        shown = cut(written, _SHOWN_LENGTH)
        is_bytes = len(written) <= len(str(self.high)) and self.low <= Decimal(written) <= self.high
        better = show_bytes(int(Decimal(written))) if is_bytes else f"{shown}MB or {shown}GB"
        return f"{shown} has no unit; write {better}"


def _meant(written: str) -> int | None:
    """Return what a person probably means by 512mb, 512 M or 1,5g."""
    found = _LOOSE.fullmatch(written)
    if not found:
        return None
    amount, letter, binary = found.groups()
    unit = f"{letter.upper()}{binary.lower()}B"
    return int(Decimal(amount.replace(",", ".")) * UNITS[unit])


def show_bytes(size: int) -> str:
    """Write a size with the largest unit that it is a whole number of, or as few thousands."""
    fitting = [unit for unit in UNITS if size % UNITS[unit] == 0]
    if not fitting:
        return f"{Decimal(size) / UNITS['KB']}KB"
    unit = max(fitting, key=UNITS.__getitem__)
    return f"{size // UNITS[unit]}{unit}"
