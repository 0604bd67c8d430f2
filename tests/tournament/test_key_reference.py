"""The tables of keys in configs/README.md and bots/README.md are what the types say.

    python tests/tournament/test_key_reference.py

writes them anew after a change of arena/tournament/config/keys.py or bot_yaml.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from arena.tournament.config.bot_yaml import BotYaml
from arena.tournament.config.keys import BotKeys, ConfigKeys
from arena.tournament.config.mappings import KeyField, Keys, key_fields

ROOT = Path(__file__).parents[2]
PART = re.compile(r"(<!-- made by \S+ -->\n\n).*?(\n<!-- end -->)", re.DOTALL)
HEADINGS = ("key", "what it is", "default", "meaning", "a change later")


def config_table() -> str:
    """The table of a config's keys."""
    return table(HEADINGS, rows(ConfigKeys))


def bot_yaml_table() -> str:
    """The table of the keys of a `bot.yaml`: part of a bot, so any change is a new version."""
    return table(HEADINGS[:-1], (row[:-1] for row in rows(BotYaml)))


def table(headings: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A table as its file holds it."""
    rule = "|" + "---|" * len(headings)
    return "\n".join((row_of(headings), rule, *map(row_of, lines), ""))


def row_of(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


TABLES = {"configs/README.md": config_table, "bots/README.md": bot_yaml_table}


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


def generated(page: str) -> str:
    """A page with its table as it should be."""
    old = (ROOT / page).read_text("utf-8")
    text, number = PART.subn(lambda found: found[1] + TABLES[page]() + found[2], old)
    assert number == 1
    return text


@pytest.mark.parametrize("page", TABLES)
def test_the_table_is_what_the_types_say(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert text == generated(page), f"run: python {Path(__file__).name}"


def test_every_key_is_explained() -> None:
    found = list(rows(ConfigKeys))
    assert len({row[0] for row in found}) == len(found) > 25
    assert all(all(row) for row in found)
    assert ("`limits.game`", "`1m`") in [(row[0], row[2]) for row in found]


if __name__ == "__main__":
    for written_page in TABLES:
        (ROOT / written_page).write_text(generated(written_page), "utf-8")
