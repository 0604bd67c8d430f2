"""What single YAML values mean, and which of them look otherwise to people than to YAML."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from decimal import Decimal

import yaml

from arena.tournament.config.document import cut

MAX_WHOLE = 2**63 - 1
"""Largest whole number, so that every language's bots can read it."""

Scalar = str | int | float | bool | None

TAG = "tag:yaml.org,2002:"
_SHOWN_LENGTH = 60
_TRUE = ("true", "yes", "on")
_DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9_]*)")
_OCTAL = re.compile(r"([-+]?)0[0-7_]+")
_NUMBER = re.compile(r"[-+]?\d{1,20}(\.\d{0,20})?(e[-+]?\d{1,2})?", re.ASCII | re.IGNORECASE)
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d*)?", re.ASCII)
_MOST_DIGITS = 15
_LONGEST_REAL = 100
"""Characters; a number that somebody means has far fewer."""


class WrongValueError(ValueError):
    """A value that cannot stand where it does; the text says why."""


class OtherwiseReadError(WrongValueError):
    """A value that YAML reads otherwise than it looks: its author can hardly mean it so."""

    def __init__(self, written: str, read_as: str, better: str | None = None) -> None:
        """`written` is read as `read_as`; `better`: how to write the number that was meant."""
        self.what = f"YAML reads {cut(written, _SHOWN_LENGTH)} as {read_as}"
        self.better = better
        self.quoted = f'"{cut(written, _SHOWN_LENGTH)}"'
        ways = f"{better}, or {self.quoted} for text" if better else self.quoted
        super().__init__(f"{self.what}; write {ways}")


def scalar(node: yaml.ScalarNode) -> Scalar:
    """Return what a single value is in YAML 1.1.

    Raises `OtherwiseReadError` for what its author can hardly mean so, `WrongValueError` for what
    no value may be.
    """
    match node.tag.removeprefix(TAG):
        case "str":
            return _sound_text(node.value)
        case "int" | "float" as kind:
            return _number(node.value, _whole if kind == "int" else _real)
        case "bool":
            return node.value.lower() in _TRUE
        case "null":
            return None
        case "timestamp":
            raise OtherwiseReadError(node.value, "a date")
        case "value" | "merge":
            raise OtherwiseReadError(node.value, "a mark of its own")
        case _:
            raise WrongValueError(wrong_tag(node))


def refuse_number_as_text(node: yaml.ScalarNode) -> None:
    """Raise `OtherwiseReadError` for what looks like a number and is text: 1e3, 08."""
    if node.tag == TAG + "str" and is_unquoted(node) and _NUMBER.fullmatch(node.value):
        raise OtherwiseReadError(node.value, "text", show_number(Decimal(node.value)))


def number_meant(node: yaml.ScalarNode) -> Decimal | None:
    """Return the number that a person probably means by 1e3, 08, 1,000, 95% or "5"."""
    written = node.value.strip().replace("_", "")
    if _THOUSANDS.fullmatch(written):
        written = written.replace(",", "")
    if not _NUMBER.fullmatch(written.removesuffix("%")):
        return None
    number = Decimal(written.removesuffix("%"))
    return number / 100 if written.endswith("%") else number


def show_number(number: Decimal) -> str:
    """Write a number so that YAML reads it as one."""
    if abs(number.adjusted()) > _MOST_DIGITS:
        return str(yaml.safe_dump(float(number))).partition("\n")[0]
    if number == number.to_integral_value():
        return str(int(number))
    return format(number.normalize(), "f")


def is_unquoted(node: yaml.ScalarNode) -> bool:
    """Whether a value stands there as it is, neither in quotes nor behind | or >."""
    return not node.style


def _sound_text(text: str) -> str:
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise WrongValueError("text may hold neither zero characters nor halves of surrogate pairs")
    return text


def _number(text: str, read: Callable[[str], float]) -> float:
    """Return a number; what is none in spite of its tag or its colons is refused like others."""
    try:
        return read(text)
    except WrongValueError:
        raise
    except (ValueError, OverflowError) as error:  # 0x_ and 1: lack digits
        raise OtherwiseReadError(text, "no number") from error


def _whole(text: str) -> int:
    if len(text) > len(str(MAX_WHOLE)) + 1:
        raise OtherwiseReadError(text, "too large a number")
    plain = text.replace("_", "")
    if not _DECIMAL.fullmatch(text):
        number = _odd_whole(plain)
        octal = _OCTAL.fullmatch(text)
        raise OtherwiseReadError(text, number, str(int(plain)) if octal else number)
    if abs(int(plain)) > MAX_WHOLE:
        raise OtherwiseReadError(text, "too large a number")
    return int(plain)


def _odd_whole(text: str) -> str:
    """Return what YAML makes of a whole number to another base than ten; `text` without _."""
    plain = text.lower()
    sign = "-" if plain.startswith("-") else ""
    digits = plain.lstrip("+-")
    if ":" in digits:
        return sign + str(_sixties(digits))
    base = {"0b": 2, "0x": 16}.get(digits[:2], 8)
    return sign + str(int(digits, base))


def _sixties(text: str) -> float:
    total: float = 0
    for part in text.split(":"):
        total = 60 * total + (float(part) if "." in part else int(part))
    return total


def _real(text: str) -> float:
    if len(text) > _LONGEST_REAL:
        raise OtherwiseReadError(text, "too long a number")
    plain = text.replace("_", "")
    if ":" in plain:
        value = f"{_sixties(plain.lstrip('+-')):.15g}"
        raise OtherwiseReadError(text, f"-{value}" if plain.startswith("-") else value)
    try:
        number = float(plain)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise OtherwiseReadError(text, "no finite number")
    return number


def wrong_tag(node: yaml.Node) -> str:
    """Say that a value may not have the tag it has."""
    return f"the tag {cut(node.tag.replace(TAG, '!!'), _SHOWN_LENGTH)} is not allowed"


def got(node: yaml.Node) -> str:
    """Name what stands in the file, for behind "expected ..., got"."""
    if isinstance(node, yaml.MappingNode):
        return "a mapping"
    if isinstance(node, yaml.SequenceNode):
        return "a list"
    if is_null(node):
        return "nothing"
    text = cut(node.value, _SHOWN_LENGTH)
    return json.dumps(text, ensure_ascii=False) if node.tag == TAG + "str" else text


def is_null(node: yaml.Node) -> bool:
    """Whether nothing or null stands there."""
    return bool(node.tag == TAG + "null")
