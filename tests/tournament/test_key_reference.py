"""The table of keys in configs/README.md is what the types say.

    python tests/tournament/test_key_reference.py

writes it anew after a change of arena/tournament/config/keys.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena.tournament.config.keys import BotKeys, ConfigKeys
from arena.tournament.config.mappings import KeyField, Keys, key_fields

FILE = Path(__file__).parents[2] / "configs/README.md"
PART = re.compile(r"(<!-- made by \S+ -->\n\n).*?(\n<!-- end -->)", re.DOTALL)
HEAD = "| key | what it is | default | meaning | a change later |\n|---|---|---|---|---|\n"


def table() -> str:
    """The table as its file holds it."""
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows(ConfigKeys))


def rows(
    struct: type[msgspec.Struct], above: str = "", defaults: object = None, change: str = ""
) -> Iterator[tuple[str, ...]]:
    """All keys as documents write them; a key with keys of its own stands for these."""
    for one in key_fields(struct).values():
        name = above + one.name
        default = getattr(defaults, one.attribute, one.default)
        if isinstance(one.reader, Keys) and above != "bots[].":
            yield from rows(one.reader.struct, f"{name}.", default, one.doc.change)
            continue
        what, means = one.reader.expected, one.doc.means
        yield f"`{name}`", what, shown(one, default), means, one.doc.change or change
        if name == "bots":
            yield from rows(BotKeys, "bots[].")


def shown(one: KeyField, default: object) -> str:
    if one.is_required:
        return "required"
    return one.doc.shown or f"`{written(one, default)}`"


def written(one: KeyField, default: object) -> str:
    value = one.reader.write(default)
    return value if isinstance(value, str) else json.dumps(value)


def generated() -> str:
    """The file with the table as it should be."""
    text, number = PART.subn(lambda found: found[1] + table() + found[2], FILE.read_text("utf-8"))
    assert number == 1
    return text


def test_the_table_is_what_the_types_say() -> None:
    assert FILE.read_text("utf-8") == generated(), f"run: python {Path(__file__).name}"


def test_every_key_is_explained() -> None:
    found = list(rows(ConfigKeys))
    assert len({row[0] for row in found}) == len(found) > 25
    assert all(all(row) for row in found)
    assert ("`limits.game`", "`1m`") in [(row[0], row[2]) for row in found]


if __name__ == "__main__":
    FILE.write_text(generated(), "utf-8")
