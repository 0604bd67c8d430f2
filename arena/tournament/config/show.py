"""A config as the arena understands it: every key with its value, paths absolute, bots by name.

What is shown is a config again, and means the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import yaml

from arena import rules
from arena.text import visible
from arena.tournament.config.document import KeyPath
from arena.tournament.config.entry import BotEntry
from arena.tournament.config.keys import BotKeys, ConfigKeys, LimitKeys, OutputKeys
from arena.tournament.config.load import Config, Written
from arena.tournament.config.mappings import Keys, key_fields

_WIDEST = 60
"""Longer lines do not move the comments of others to the right."""


class Understood(msgspec.Struct, frozen=True):
    """A config with all that its file leaves out."""

    config: dict[str, Any]
    """The whole config, as it could stand in a file."""
    defaults: frozenset[KeyPath]
    """What of it does not stand in the file."""
    written_as: tuple[str, ...]
    """For each of its bots, the path or glob that stands in the file."""
    submitted: tuple[BotEntry, ...]
    """The bots that its submissions add."""


def understand(written: Written) -> Understood:
    """Return the whole config, and what of it does not stand in the file."""
    config = written.config
    listed = [bot for bot in config.bots if written.origins[bot.name] is not None]
    whole = Keys(ConfigKeys).write(_as_keys(config, listed))
    if config.rating.anchor:
        del whole["rating"]["mean"]  # the anchors are in its place
    given = {key for key in written.given if key[0] != "bots"}
    for number, bot in enumerate(listed):
        origin = ("bots", written.origins[bot.name])
        given.add(("bots", number, "path"))
        given |= {("bots", number, *key[2:]) for key in written.given if key[:2] == origin}
    return Understood(
        whole,
        frozenset(key for key in _places(whole) if key not in given),
        tuple(_written_as(written, bot) for bot in listed),
        tuple(bot for bot in config.bots if bot not in listed),
    )


def _as_keys(config: Config, listed: Iterable[BotEntry]) -> ConfigKeys:
    """Return a config as it would be written without leaving anything out."""
    return ConfigKeys(
        bots=tuple(map(_long_form, listed)),
        name=config.name,
        description=config.description,
        variant=config.variant,
        options=msgspec.to_builtins(rules.load(config.variant, config.options).options),
        seed=config.seed,
        boards=config.boards,
        tables=config.tables,
        limits=LimitKeys(**msgspec.structs.asdict(config.limits)),
        faults=config.faults,
        pondering=config.pondering,
        isolation=config.isolation,
        submissions=config.submissions,
        rating=config.rating,
        stop=config.stop,
        run=config.run,
        output=OutputKeys(str(Path(config.results).parent), config.records),
    )


def _long_form(bot: BotEntry) -> BotKeys:
    own: dict[str, Any] = bot.own_limits
    command = bot.command if bot.command_is_given else None  # else a config would vouch for it
    return BotKeys(bot.path, bot.name, command, bot.params, bot.env, LimitKeys(**own))


def _written_as(written: Written, bot: BotEntry) -> str:
    number = written.origins[bot.name]
    given = written.keys.bots[number] if written.keys.bots and number is not None else ""
    return str(given.path if isinstance(given, BotKeys) else given)


def _places(whole: dict[str, Any]) -> Iterator[KeyPath]:
    """Yield the key of each value that has a line of its own."""
    for name, value in whole.items():
        if name == "bots":
            yield from ((name, number, key) for number, bot in enumerate(value) for key in bot)
        elif _has_lines(name):
            yield from ((name, key) for key in value)
        else:
            yield (name,)


def _has_lines(name: str) -> bool:
    """Whether the keys below a key of the config have lines of their own."""
    return name == "options" or isinstance(key_fields(ConfigKeys)[name].reader, Keys)


class _Line(NamedTuple):
    text: str
    comment: str = ""


def show_yaml(understood: Understood) -> str:
    """Return the whole config as YAML; comments say what does not stand in the file."""
    lines = list(_Yaml(understood).lines())
    width = max(len(line.text) for line in lines if len(line.text) <= _WIDEST)
    return "".join(
        f"{line.text:{width}}  # {line.comment}\n" if line.comment else f"{line.text}\n"
        for line in lines
    )


class _Yaml:
    """Writes an understood config, a key a line."""

    def __init__(self, understood: Understood) -> None:
        self._all = understood

    def lines(self) -> Iterator[_Line]:
        """Yield all lines."""
        for name in key_fields(ConfigKeys):
            if name == "bots" and self._all.config["bots"]:
                yield _Line("bots:")
                for number, bot in enumerate(self._all.config["bots"]):
                    yield from self._bot(number, bot)
            elif _has_lines(name):
                yield _Line(f"{name}:")
                yield from self._below((name,), self._all.config[name], "  ")
            else:
                yield self._line((name,), self._all.config, "")
            if name == "submissions":
                yield from (
                    _Line(f"#   {bot.name}: {visible(bot.path)}") for bot in self._all.submitted
                )

    def _bot(self, number: int, bot: dict[str, Any]) -> Iterator[_Line]:
        path, *others = self._below(("bots", number), bot, "    ")
        yield _Line(f"  - {path.text.lstrip()}", visible(self._all.written_as[number]))
        yield from others

    def _below(self, key: KeyPath, values: dict[str, Any], indent: str) -> Iterator[_Line]:
        names = values if key == ("options",) else key_fields(_struct_of(key))
        for name in names:
            yield self._line((*key, name), values, indent)

    def _line(self, key: KeyPath, values: dict[str, Any], indent: str) -> _Line:
        name = str(key[-1])
        if name in values:
            comment = "default" if key in self._all.defaults else ""
            return _Line(f"{indent}{name}: {_flow(values[name])}", comment)
        one = key_fields(_struct_of(key[:-1]))[name]
        default = one.doc.shown.replace("`", "") or _flow(one.reader.write(one.default))
        return _Line(f"{indent}# {name}:", f"default: {default}")


def _struct_of(key: KeyPath) -> type[msgspec.Struct]:
    """Return the struct that holds the keys below `key`."""
    if not key:
        return ConfigKeys
    reader = key_fields(ConfigKeys)[str(key[0])].reader
    return reader.struct if isinstance(reader, Keys) else BotKeys


class _Dumper(yaml.SafeDumper):
    """Writes values in one line each, without anchors."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - so PyYAML calls it
        return True


def _text(dumper: _Dumper, text: str) -> yaml.Node:
    return dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"'
    )


_Dumper.add_representer(str, _text)


def _flow(value: Any) -> str:
    text: str = yaml.dump(
        value, Dumper=_Dumper, default_flow_style=True, sort_keys=False, width=inf
    )
    return text.removesuffix("\n").removesuffix("\n...")
