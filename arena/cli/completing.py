"""`arena completion`: the script that makes a shell complete what is typed after `arena`."""

from __future__ import annotations

import click

from arena.cli.output import examples

VARIABLE = "_ARENA_COMPLETE"
"""Set when a shell asks what could be meant: then nothing but the answer is to be done."""
_SHELLS = ("bash", "zsh", "fish")


@click.command(
    epilog=examples(
        "arena completion bash > ~/.local/share/bash-completion/completions/arena",
        "arena completion zsh > ~/.zfunc/_arena",
        "arena completion fish > ~/.config/fish/completions/arena.fish",
    )
)
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands in a shell.

    Once it is there, Tab completes commands, options, configs, bots, the bots and games of the
    config that was typed, and options of the game.

    \b
    bash  eval "$(arena completion bash)" in ~/.bashrc, or the file below if the package
          bash-completion is installed
    zsh   eval "$(arena completion zsh)" in ~/.zshrc, after compinit; or the file below in a
          folder of $fpath, before compinit
    fish  the file below

    It takes effect in shells that are started afterwards.
    """  # noqa: D301 - click wants the character itself
    from arena.cli.completion.shells import script

    click.echo(script(context.find_root().command, shell), nl=False)


def answer(cli: click.Group, instruction: str) -> int:
    """Answer a shell; whatever goes wrong there is nothing to be told."""
    from arena.cli.completion.shells import answer as tell

    tell(cli, instruction)
    return 0
