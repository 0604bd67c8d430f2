"""The registry of variants: name to `Rules`. No rule of any game may stand here.

A variant is any module of this package that defines ``VARIANT`` (a `base.Variant`): a new one is
new files only. Modules are imported when a variant is first asked for.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Mapping
from functools import cache

import msgspec

from arena.errors import UserError
from arena.rules.base import OptionProblem, Outcome, Place, Rules, State, Variant
from arena.rules.options import problems
from arena.text import did_you_mean

__all__ = ["OptionProblem", "Outcome", "Place", "Rules", "State", "check", "load", "names"]


def names() -> tuple[str, ...]:
    """Return the names of all variants, sorted."""
    return tuple(sorted(_variants()))


def check(name: str, options: Mapping[str, object]) -> tuple[OptionProblem, ...]:
    """Return all that is wrong with `options` of the variant, in the order they were given.

    Raises `UserError` if there is no variant `name`.
    """
    variant = _variant(name)
    wrong = problems(variant.options_type, options)
    return wrong or variant.conflicts(msgspec.convert(options, variant.options_type))


def load(name: str, options: Mapping[str, object] | None = None) -> Rules:
    """Return the rules of the variant `name` with `options`, the others at their defaults.

    Raises `UserError` for an unknown variant and for options that `check` finds wrong.
    """
    given = options or {}
    wrong = check(name, given)
    if wrong:
        raise UserError("\n".join(f"option {one.key}: {one.text}" for one in wrong))
    variant = _variant(name)
    return variant.rules(msgspec.convert(given, variant.options_type))


def _variant(name: str) -> Variant:
    variants = _variants()
    if name not in variants:
        hint = did_you_mean(name, variants) or f"variants are {', '.join(names())}"
        raise UserError(f"there is no variant {name!r}; {hint}")
    return variants[name]


@cache
def _variants() -> dict[str, Variant]:
    """Find every ``VARIANT`` in the modules of this package, by its name."""
    modules = [importlib.import_module(f"{__name__}.{found}") for found in sorted(_modules())]
    variants: list[Variant] = [m.VARIANT for m in modules if hasattr(m, "VARIANT")]
    return {variant.name: variant for variant in variants}


def _modules() -> Iterator[str]:
    """Yield the names of the modules of this package, as `pkgutil` does.

    That would load what takes long, and each bot process would pay for it.
    """
    for folder in __path__:
        for name in os.listdir(folder):  # noqa: PTH208 - strings are enough
            stem, _, ending = name.partition(".")
            # Not os.access: for another user than root it knows of no right to read all.
            is_package = os.path.exists(f"{folder}/{name}/__init__.py")  # noqa: PTH110 - as above
            if is_package or (ending == "py" and stem != "__init__"):
                yield stem
