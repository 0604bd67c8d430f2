"""How a shell asks what could be meant and is answered, and the scripts that make it ask.

Each script hands over the line up to the cursor in ``COMP_LINE``. The answer has a line for each
value; its kind says what the shell adds: a blank after ``plain``, nothing after ``part``; ``path``
and ``folder`` are the same for names of files, which have to be quoted.
"""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stderr, suppress
from typing import Any, ClassVar

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
)

from arena.cli.completing import VARIABLE
from arena.cli.completion.lines import unfinished

PROGRAM = "arena"
_MOST_HELP = 100

_BASH = """\
%(complete_func)s() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("${line#*,}")
        case ${line%%%%,*} in
            part) compopt -o nospace 2>/dev/null ;;
            path) compopt -o filenames 2>/dev/null ;;
            folder) compopt -o filenames -o nospace 2>/dev/null ;;
        esac
    done < <(COMP_LINE=$COMP_LINE COMP_POINT=$COMP_POINT COMP_WORDBREAKS=$COMP_WORDBREAKS \\
        %(complete_var)s=bash_complete "${1/#\\~/$HOME}" 2>/dev/null)
}

complete -o nosort -F %(complete_func)s %(prog_name)s 2>/dev/null ||
    complete -F %(complete_func)s %(prog_name)s
"""

_ZSH = """\
#compdef %(prog_name)s

%(complete_func)s() {
    local -a plain part folders paths described
    local kind value help
    while IFS=$'\\t' read -r kind value help; do
        case $kind in
            plain)
                if [[ -n $help ]]; then
                    described+=("${value//:/\\\\:}:$help")
                else
                    plain+=("$value")
                fi ;;
            part) part+=("$value") ;;
            path) paths+=("$value") ;;
            folder) folders+=("$value") ;;
        esac
    done < <(COMP_LINE="${(j: :)words[1,CURRENT-1]} $PREFIX" \\
        %(complete_var)s=zsh_complete ${(Q)words[1]} 2>/dev/null)
    (( $#described )) && _describe -V %(prog_name)s described -U
    (( $#plain )) && compadd -U -V %(prog_name)s -a plain
    (( $#part )) && compadd -U -S '' -V %(prog_name)s -a part
    (( $#paths )) && compadd -U -f -V %(prog_name)s -a paths
    (( $#folders )) && compadd -U -f -S '' -V %(prog_name)s -a folders
    return 0
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
"""

_FISH = """\
function %(complete_func)s
    set -l line (commandline -cp | string collect)
    set -l words (commandline -opc)
    env COMP_LINE="$line" %(complete_var)s=fish_complete $words[1] 2>/dev/null
end

complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s)"
"""


class _OfLine(ShellComplete):
    """What all shells have in common."""

    _kept = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the finished words of the line, and the one to be completed."""
        raw = os.environb[b"COMP_LINE"]
        point = int(os.environ.get("COMP_POINT", len(raw)))
        line = os.fsdecode(raw[:point])
        found = unfinished(line, os.environ.get("COMP_WORDBREAKS", ""))
        self._kept = found.kept
        self.ctx_args = {"obj": found.words}
        return found.words, found.last

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        """Return whole words, also where an option and its value are one."""
        begun, equals, _ = incomplete.partition("=")
        items = super().get_completions(args, incomplete)
        if begun.startswith("-") and equals:
            for item in items:
                item.value = f"{begun}={item.value}"
        return items

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Return the line for one value."""
        return f"{item.type}\t{item.value}\t{_help(item)}"


class _Bash(_OfLine, BashComplete):
    source_template: ClassVar[str] = _BASH

    def source(self) -> str:
        """Return the script, whatever bash this is to be for."""
        return ShellComplete.source(self)

    def format_completion(self, item: CompletionItem[Any]) -> str:
        return f"{item.type},{item.value.removeprefix(self._kept)}"


class _Zsh(_OfLine, ZshComplete):
    source_template: ClassVar[str] = _ZSH

    def format_completion(self, item: CompletionItem[Any]) -> str:
        return _OfLine.format_completion(self, item)


class _Fish(_OfLine, FishComplete):
    source_template: ClassVar[str] = _FISH

    def format_completion(self, item: CompletionItem[Any]) -> str:
        return f"{item.value}\t{_help(item)}".rstrip("\t")


_SHELLS: dict[str, type[_OfLine]] = {"bash": _Bash, "fish": _Fish, "zsh": _Zsh}


def _help(item: CompletionItem[Any]) -> str:
    return " ".join((item.help or "").split())[:_MOST_HELP]


def script(cli: click.Command, shell: str) -> str:
    """Return the script that makes a shell complete the words of `cli`."""
    return _SHELLS[shell](cli, {}, PROGRAM, VARIABLE).source()


def answer(cli: click.Group, instruction: str) -> None:
    """Print what could be meant by the last word of the line that a shell asks about.

    Whatever goes wrong, nothing is printed then: `instruction` is the value of `VARIABLE`.
    """
    from arena.cli.completion.kinds import give_completers

    shell = _SHELLS.get(instruction.removesuffix("_complete"))
    if shell is None:
        return
    with suppress(Exception, KeyboardInterrupt), open(os.devnull, "w") as nowhere:  # noqa: PTH123
        with redirect_stderr(nowhere):
            give_completers(cli)
            text = shell(cli, {}, PROGRAM, VARIABLE).complete()
        sys.stdout.buffer.write(os.fsencode(f"{text}\n" if text else ""))
        sys.stdout.flush()
