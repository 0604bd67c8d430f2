"""`arena check` and `arena explain`: whether a bot is fit to play, and what a finding means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from arena.cli.output import Output, examples, print_json
from arena.cli.signals import ended_by_signals
from arena.text import count, did_you_mean, visible, visible_lines

if TYPE_CHECKING:
    from arena.tools.check.codes import Code
    from arena.tools.check.findings import Checked, Finding
    from arena.tools.check.setting import Part

_FOUND = 1
_WORDS = {"ok": "ok", "warning": "warn", "failure": "FAIL", "skipped": "-"}
_PARTS = ("positions", "games", "tables", "repeat", "ends")
_WIDTH = 100


@click.command(
    epilog=examples(
        "arena check bots/rules_bot.py",
        "arena check --config configs/league.yaml bots/*.py",
        "arena check bots/rules_bot.py --position 29",
        "arena check --format github bots/*.py",
    )
)
@click.argument("bots", metavar="BOT...", nargs=-1, required=True)
@click.option("--config", metavar="CONFIG", help="Check for this tournament: its options, limits.")
@click.option("--only", "part", type=click.Choice(_PARTS), help="Make this check only.")
@click.option("--position", metavar="N", type=click.IntRange(1), help="Put this position only.")
@click.option("--game", metavar="N", type=click.IntRange(1), help="Play this game only.")
@click.option(
    "--seed", metavar="TEXT", default="check", show_default=True, help="Deal other cards."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "github"]),
    default="text",
    help="github: notes that a workflow there shows at the bot's file.",
)
@click.pass_obj
def check(
    output: Output,
    *,
    bots: tuple[str, ...],
    config: str | None,
    part: Part | None,
    position: int | None,
    game: int | None,
    seed: str,
    as_json: bool,
    style: str,
) -> int:
    """See whether bots are fit to play, or what is wrong.

    BOT is a Python file, a folder with a bot.py, or a program. Each is started, put to fixed
    positions and to games with every option, alone and many at once, asked the same twice, and
    left alone. Each finding has a code, which `arena explain` explains, and the command that
    shows it again. The exit code is 1 if there is a failure; warnings alone are none.
    """
    from arena.tools.check.findings import Report
    from arena.tools.check.looking import check as look
    from arena.tools.check.setting import wanted

    _refuse_both("--json", as_json, "--format github", style == "github")
    _refuse_both("--only", part, "--position", position)
    _refuse_both("--only", part, "--game", game)
    _refuse_both("--position", position, "--game", game)
    found: list[Checked] = []
    with ended_by_signals():
        setting = wanted(
            config=config,
            part=part,
            position=position,
            game=game,
            seed=seed,
            command=output.command("check"),
        )
        setting.require(bots)
        for bot in bots:
            one = look(bot, setting, output.notice)
            found.append(one)
            if not as_json:
                lines = _annotations(one) if style == "github" else _lines(one)
                click.echo("".join(f"{line}\n" for line in lines), nl=False)
    failures, warnings = sum(one.failures for one in found), sum(one.warnings for one in found)
    if as_json:
        print_json(Report(tuple(found), failures, warnings))
    elif style == "text":
        click.echo(f"{count(failures, 'failure')}, {count(warnings, 'warning')}")
    return _FOUND if failures else 0


def _refuse_both(one: str, given: object, other: str, also_given: object) -> None:
    if given and also_given:
        raise click.UsageError(f"{one} and {other} exclude each other")


# what is printed


def _lines(checked: Checked) -> Iterator[str]:
    """Yield what a person is told of one bot; what is found again is told once."""
    yield visible(checked.bot)
    for looked in checked.checks:
        findings = [one for one in checked.findings if one.check == looked.check]
        if not findings:
            yield f"  {_WORDS[looked.outcome]:<5} {looked.check:<12} {visible(looked.text)}"
        for finding in findings:
            yield f"  {_WORDS[finding.severity]:<5} {finding.code} {finding.title}"
            yield from (f"        {line}" for line in _details(finding))
            explain = f"explain: arena explain {finding.code}"
            yield f"        reproduce: {visible(finding.reproduce)}     {explain}"


def _details(finding: Finding) -> Iterator[str]:
    """Yield where and why, what was expected and what came."""
    if finding.where or finding.text:
        yield visible(": ".join(filter(None, (finding.where, finding.text))))
    first, *rest = visible_lines(finding.got).split("\n")
    times = f"   ({finding.times} times)" if finding.times > 1 else ""
    yield f"expected: {visible(finding.expected)}   got: {first or 'nothing'}{times}"
    yield from (f"  {line}" for line in rest)


def _annotations(checked: Checked) -> Iterator[str]:
    """Yield workflow commands of GitHub, one for each finding."""
    for finding in checked.findings:
        kind = "error" if finding.severity == "failure" else "warning"
        title = _escaped(f"{finding.code} {finding.title}", of_property=True)
        file = _escaped(checked.bot, of_property=True)
        text = "\n".join((*_details(finding), f"reproduce: {finding.reproduce}"))
        yield f"::{kind} file={file},title={title}::{_escaped(text)}"


def _escaped(text: str, *, of_property: bool = False) -> str:
    """Escape text for a workflow command, so that it cannot become another one."""
    marks = {"%": "%25", "\r": "%0D", "\n": "%0A"}
    marks |= {":": "%3A", ",": "%2C"} if of_property else {}
    return "".join(marks.get(c, c) for c in text)


# what findings mean


@click.command(epilog=examples("arena explain", "arena explain A103"))
@click.argument("code", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def explain(code: str | None, as_json: bool) -> None:
    """Say what a finding of `arena check` means.

    CODE is what stands before the finding, such as A103; without it all are listed.
    """
    from arena.tools.check.codes import CODES, Codes

    known = CODES.get((code or "").upper())
    if code is not None and known is None:
        hint = did_you_mean(code.upper(), CODES) or "`arena explain` lists all"
        raise click.UsageError(f'there is no code "{visible(code)}"; {hint}')
    shown = tuple(CODES.values()) if known is None else (known,)
    if as_json:
        print_json(Codes(tuple(one.explained() for one in shown)))
    elif known is not None:
        click.echo("\n".join(_explained(known)))
    else:
        for one in shown:
            click.echo(f"{one.code}  {one.severity:<8} {one.title}")


def _explained(code: Code) -> Iterator[str]:
    import textwrap

    yield f"{code.code}: it {code.title}   ({code.severity})"
    yield ""
    yield textwrap.fill(code.explanation, _WIDTH)
    yield ""
    yield textwrap.fill(f"What to do: {code.remedy}", _WIDTH)
