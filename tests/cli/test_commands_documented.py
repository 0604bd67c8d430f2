"""Every command and option is explained: in its own help, and on a page for people.

A page explains a command in the sections that write it out, as in `arena stop CONFIG`. One of these
must name each of its options, and so that it is seen whose option it is: in the code of a command,
as in `arena list --json`, or where the section writes out no other command that has it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from arena.cli.main import cli

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "bots/README.md", "configs/README.md", "arena/ratings/README.md")


def walk(group: click.Group, above: str = "arena") -> Iterator[tuple[str, click.Command]]:
    """All commands that do something, by what is typed to run them."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from walk(command, f"{above} {name}")
        else:
            yield f"{above} {name}", command


COMMANDS = dict(walk(cli))
EVERY = pytest.mark.parametrize("words", COMMANDS)


def options(command: click.Command) -> list[click.Option]:
    return [one for one in command.params if isinstance(one, click.Option) and not one.hidden]


def sections() -> list[str]:
    """The parts of all pages between their headings; a # in a block of commands is a comment."""
    found = []
    for page in PAGES:
        begins, in_block = [0], False
        text = (ROOT / page).read_text("utf-8")
        for line in re.finditer(r"^(```|#+ ).*\n", text, re.MULTILINE):
            in_block ^= line[1] == "```"
            if line[1] != "```" and not in_block:
                begins.append(line.start())
        found += [text[a:b] for a, b in zip(begins, [*begins[1:], None], strict=True)]
    return found


def writes_out(words: str, text: str) -> bool:
    return bool(re.search(rf"\b{words}(?![\w-])", text))


def explaining(words: str) -> list[str]:
    """All sections that write out a command."""
    return [one for one in sections() if writes_out(words, one)]


def code(section: str) -> list[str]:
    """The lines of its blocks, and what stands between backticks."""
    blocks = re.findall(r"^```.*\n((?:.*\n)*?)```$", section, re.MULTILINE)
    inline = re.findall(r"(?<!`)`([^`]+)`(?!`)", section)
    return [*(line for block in blocks for line in block.splitlines()), *inline]


def names_option_of(words: str, option: click.Option, section: str) -> bool:
    """Whether a section names an option, and as one of this command."""
    short = words.removeprefix("arena ")
    own = [line for line in code(section) if re.match(rf"(.*\barena )?{short}(?![\w-])", line)]
    if any(is_named(option, line) for line in own):
        return True
    others = (one for name, one in COMMANDS.items() if name != words and writes_out(name, section))
    if any(is_named(option, name) for one in others for name in names_of(options(one))):
        return False
    for line in code(section):
        if not line.startswith("-"):  # some other program's
            section = section.replace(line, "")
    return is_named(option, section)


def names_of(some: list[click.Option]) -> list[str]:
    return [name for one in some for name in (*one.opts, *one.secondary_opts)]


def examples(command: click.Command) -> list[str]:
    """The commands in the end of a help."""
    _, found, lines = (command.epilog or "").partition("Examples:\n")
    return [line.strip() for line in lines.splitlines()] if found else []


def is_named(option: click.Option, text: str) -> bool:
    """Whether the text has one of the ways to write the option."""
    names = names_of([option])
    return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) for name in names)


@EVERY
def test_help_says_what_a_command_and_its_options_do(words: str) -> None:
    command = COMMANDS[words]
    assert command.help, words
    assert r"\b" not in command.help, "click wants the character, not how it is written"
    assert not [one.name for one in options(command) if not one.help]


@EVERY
def test_help_ends_with_examples_that_are_right(words: str) -> None:
    assert any(example.startswith(words) for example in examples(COMMANDS[words]))
    for example in examples(COMMANDS[words]):
        first, *others = shlex.split(re.split(r" [|>]|&&", example)[0])
        assert first == "arena"
        parse(cli, others, click.Context(cli, **cli.context_settings))


def parse(command: click.Command, given: list[str], context: click.Context) -> None:
    """Fail with a usage error if there is no such command, option or argument."""
    left = command.make_parser(context).parse_args(given)[1]
    if isinstance(command, click.Group):
        _, found, rest = command.resolve_command(context, left)
        assert found is not None
        parse(found, rest, click.Context(found, parent=context))


@EVERY
def test_a_page_has_a_section_that_explains_it(words: str) -> None:
    assert explaining(words), f"no page writes out `{words}`"


@EVERY
def test_every_option_is_named_in_such_a_section(words: str) -> None:
    found = explaining(words)
    missing = [
        one.opts
        for one in options(COMMANDS[words])
        if not any(names_option_of(words, one, section) for section in found)
    ]
    assert not missing, f"no section about `{words}` names these options as its own"


@pytest.mark.parametrize(
    ("section", "is_so"),
    [
        ("`arena match A B --json`", True),
        ("`arena match A\nB --json`", True),
        ("```sh\narena match A B\narena match A B --json\n```\n", True),
        ("`arena match A B`\n\n| `--json` | prints an object |", True),
        ("`arena match A B`: with --json an object", True),
        ("`arena match A B` is like `arena compare A B`, and `match --json`", True),
        ("`arena match A B`", False),
        ("`arena match A B` is like `arena compare --json`", False),
        ("`arena match A B` is like `arena compare A B`\n\n| `--json` | prints an object |", False),
        ("```sh\narena match A B\narena list --json\n```\n", False),
        ("```sh\narena match A B\npython other.py --json\n```\n", False),
        ("`arena match A B` is like `other.py --json`", False),
    ],
)
def test_an_option_that_is_named_for_another_command_is_not_explained(
    section: str, *, is_so: bool
) -> None:
    (option,) = (one for one in options(COMMANDS["arena match"]) if "--json" in one.opts)
    assert names_option_of("arena match", option, section) is is_so


def test_every_global_option_is_named_on_a_page() -> None:
    text = "\n".join(sections())
    assert not [one.opts for one in options(cli) if not is_named(one, text)]
