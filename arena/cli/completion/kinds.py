"""What could be meant, by the kind of thing that a parameter takes: its metavar says which.

So each command has it without a word about it, as long as it calls the same things the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from arena.cli.completion.paths import base, can_be_run, named, paths

if TYPE_CHECKING:
    _ParamType = click.ParamType[str]
else:
    _ParamType = click.ParamType  # older versions of click have no parameter here

Items = list["CompletionItem[str]"]
Completer = Callable[[click.Context, str], Items]

_CONFIGS = (".yaml", ".yml")
_NO_CONFIG = "bot.yaml"
_EXPORTS = (".jsonl",)
_SAVED = (".json",)


def _nothing(_context: click.Context, _begun: str) -> Items:
    return []


def _files(context: click.Context, begun: str) -> Items:
    return paths(context, begun, lambda _entry: True)


def _folders(context: click.Context, begun: str) -> Items:
    return paths(context, begun, lambda _entry: False)


def _configs(context: click.Context, begun: str) -> Items:
    is_config = named(*_CONFIGS)
    return paths(context, begun, lambda one: is_config(one) and one.name != _NO_CONFIG)


def _configs_and_exports(context: click.Context, begun: str) -> Items:
    return [*_configs(context, begun), *paths(context, begun, named(*_EXPORTS))]


def _saved(context: click.Context, begun: str) -> Items:
    return paths(context, begun, named(*_SAVED))


def _bots(context: click.Context, begun: str) -> Items:
    """Return files that are bots, and folders, which may be."""
    return paths(context, begun, lambda one: one.name.endswith(".py") or can_be_run(one))


def _bots_of_config(context: click.Context, begun: str) -> Items:
    from arena.cli.completion.results import bots

    return _begun(_until_error(bots(_config(context))), begun)


def _bots_anywhere(context: click.Context, begun: str) -> Items:
    return [*_bots_of_config(context, begun), *_bots(context, begun)]


def _games(context: click.Context, begun: str) -> Items:
    from arena.cli.completion.results import games

    return _begun(_until_error(games(_config(context), begun)), begun)


def _config(context: click.Context) -> Path:
    """Return the config that stands before, in the same command.

    Where the value of an option is to be completed, click has not read what stands before it: then
    the words of the line, which are the context's object, must do.
    """
    words = (word for word in context.obj if word.endswith(_CONFIGS))
    path = context.params.get("path") or next(words, "")
    return Path(base(context), os.path.expanduser(path))  # noqa: PTH111


def _codes(_context: click.Context, begun: str) -> Items:
    from arena.tools.check.codes import CODES

    folded = begun.upper()
    return [
        CompletionItem(code, help=explained.title)
        for code, explained in CODES.items()
        if code.startswith(folded)
    ]


def _options(_context: click.Context, begun: str) -> Items:
    """Return options of the game, or the values that one of them may have."""
    from arena.cli.completion.options import offered

    key, equals, _ = begun.partition("=")
    if equals:
        of_key = (one.values for one in offered() if one.key == key)
        return _begun((f"{key}={value}" for values in of_key for value in values), begun)
    return [
        CompletionItem(f"{one.key}=", type="part", help=one.text)
        for one in offered()
        if one.key.startswith(begun)
    ]


def _begun(values: Iterator[str], begun: str) -> Items:
    """Return the values that begin so; one that ends in a slash goes on."""
    return [
        CompletionItem(value, type="part" if value.endswith("/") else "plain")
        for value in values
        if value.startswith(begun)
    ]


def _until_error(values: Iterator[str]) -> Iterator[str]:
    """Yield values as long as they can be had: what there is may help."""
    with suppress(Exception):
        yield from values


_BY_METAVAR: dict[str, Completer] = {
    "BOT": _bots,
    "CODE": _codes,
    "CONFIG": _configs,
    "DIR": _folders,
    "FILE": _files,
    "FOLDER": _folders,
    "GAME": _games,
    "KEY=VALUE": _options,
    "OTHER": _bots_of_config,
    **dict.fromkeys(("ELO0,ELO1", "N", "NAME", "NAME=ELO", "TEXT"), _nothing),
}
_BY_COMMAND: dict[tuple[str, str], Completer] = {
    ("check", "BOT"): _bots_anywhere,
    ("compare", "A"): _bots_of_config,
    ("compare", "B"): _bots_of_config,
    ("match", "A"): _bots,
    ("match", "B"): _bots,
    ("play", "--continue"): _saved,
    ("replay", "CONFIG"): _configs_and_exports,
    ("replay", "--to"): _bots_anywhere,
    ("why", "BOT"): _bots_of_config,
}
"""By command and metavar or option, where it is not what the metavar says elsewhere."""


class Completed(_ParamType):
    """A parameter's type while something is completed: whatever is written is right."""

    name = "text"

    def __init__(self, completer: Completer) -> None:
        """Let `completer` say what could be meant."""
        self._completer = completer

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
        """Return what could be meant."""
        del param
        return self._completer(ctx, incomplete)


def give_completers(group: click.Group) -> None:
    """Give each parameter of all commands what says which values it could have."""
    for parameter in group.params:
        _give_completer(parameter, "")
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            give_completers(command)
        for parameter in command.params:
            _give_completer(parameter, name)


def _give_completer(parameter: click.Parameter, command: str) -> None:
    if takes_text(parameter):
        parameter.type = Completed(completer_of(parameter, command) or _nothing)


def takes_text(parameter: click.Parameter) -> bool:
    """Whether a parameter has a value of which its own type cannot say what it may be."""
    is_flag = isinstance(parameter, click.Option) and (parameter.is_flag or parameter.count)
    return not (is_flag or isinstance(parameter.type, click.Choice))


def completer_of(parameter: click.Parameter, command: str) -> Completer | None:
    """Return what says which values a parameter could have; None: its kind is not known here."""
    kind = metavar(parameter)
    for word in (*parameter.opts, kind):
        if (command, word) in _BY_COMMAND:
            return _BY_COMMAND[command, word]
    is_number = isinstance(parameter.type, click.IntRange | click.FloatRange)
    return _BY_METAVAR.get(kind, _nothing if is_number else None)


def metavar(parameter: click.Parameter) -> str:
    """Return what a parameter is called in help, without what says how often it may be given."""
    return (parameter.metavar or parameter.name or "").strip("[].").upper()
