"""The registry of variants: name to `Rules`. No rule of any game may stand here.

A variant is any module of this package that defines ``VARIANT`` (a `base.Variant`): a new one is
new files only. Modules are imported when a variant is first asked for.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
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
    modules = [
        importlib.import_module(f"{__name__}.{found.name}")
        for found in pkgutil.iter_modules(__path__)
    ]
    variants: list[Variant] = [m.VARIANT for m in modules if hasattr(m, "VARIANT")]
    return {variant.name: variant for variant in variants}
