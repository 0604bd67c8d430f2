"""`arena match`: two bots against each other, without a config."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from arena.cli.comparing import show_comparison
from arena.cli.output import Output, examples, shown
from arena.cli.signals import ended_by_signals

if TYPE_CHECKING:
    from pathlib import Path

    from arena.report.standings import Standings
    from arena.tournament.config import Config


@click.command(
    epilog=examples(
        "arena match new/bot.py old/bot.py",
        "arena match --sprt 0,20 new/bot.py old/bot.py",
        "arena match --boards 1000 --keep results/new-old new/bot.py old/bot.py",
    )
)
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--boards", metavar="N", help="Boards, of two games each.  [default: 100]")
@click.option(
    "--sprt",
    metavar="ELO0,ELO1",
    help="Stop once it is decided whether A is better than B by ELO0 or by ELO1; boards is then"
    " 10000 unless given.",
)
@click.option("--seed", metavar="TEXT", help="What all cards come from.  [default: drawn]")
@click.option("--tables", metavar="N", help="Most games at once in a bot.  [default: auto]")
@click.option("--workers", metavar="N", help="Processes that play.  [default: one a core]")
@click.option("--keep", metavar="DIR", type=click.Path(), help="Keep all in DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def match(
    output: Output,
    /,
    a: str,
    b: str,
    keep: str | None,
    as_json: bool,
    **given: str | None,
) -> int:
    """Play a match between two bots and say which is better.

    A and B are bots as `arena submit` takes them, or programs. Bots of the same name, as in
    new/bot.py and old/bot.py, are told apart by their folders. All else is as in a tournament whose
    config names only its bots, and the end as `arena compare` shows it.

    With --keep DIR this tournament is kept in DIR: the same command goes on with it, with more
    --boards too, and all commands for tournaments take DIR/match.yaml, such as `arena why`. Without
    it nothing is kept of a match that was played to its end without a fault.
    """
    import shutil
    import tempfile
    from pathlib import Path

    from arena.cli.run import Run  # noqa: F401 - takes long, so it is loaded before there is a folder
    from arena.tools.match import prepare

    run = {"workers": given.pop("workers")}
    with ended_by_signals():
        folder = Path(keep or tempfile.mkdtemp(prefix="arena-match-"))
        try:
            config = prepare(folder, (a, b), {**given, "run": run})
        except BaseException:
            if keep is None:
                shutil.rmtree(folder)
            raise
        return _Match(config, folder, output, keeps=keep is not None, as_json=as_json).play()


class _Match:
    """A match from its first game to what is kept of it."""

    def __init__(
        self, config: Config, folder: Path, output: Output, *, keeps: bool, as_json: bool
    ) -> None:
        self._config = config
        self._folder = folder
        self._output = output
        self._keeps = keeps
        self._as_json = as_json
        self._is_clean = False

    def play(self) -> int:
        """Play what is left and compare the bots; return the exit code."""
        from pathlib import Path

        from arena.cli.run import Run
        from arena.tournament.snapshot import remove

        again = self._output.command("tournament", shown(Path(self._config.path)))
        try:
            return Run(self._config, self._output, show=self._show).play(again)
        finally:
            has_begun = Path(self._config.results).exists()
            if not self._keeps and (self._is_clean or not has_begun):
                remove(self._folder)
            else:
                self._output.notice(f"kept: {shown(Path(self._config.path))}")

    def _show(self, standings: Standings) -> None:
        """Show how it ended, and see whether there is anything to look into."""
        one, other = (bot.name for bot in self._config.bots)
        show_comparison(self._config, one, other, self._output, as_json=self._as_json)
        faults = any(tally.faults or tally.withdrawn for tally in standings.tallies)
        self._is_clean = not (faults or standings.progress.void)
