"""`arena completion`: what shells are told, in real ones where they are installed."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
import pytest
from commands import BOTS, arena, new_tournament
from terminal import Terminal, terminal

from arena.cli.completion.kinds import completer_of, metavar, takes_text
from arena.cli.completion.lines import unfinished
from arena.cli.main import cli

BREAKS = " \t\n\"'><=;|&(:@"
"""As bash breaks words if nobody says otherwise."""
PROGRAM = Path(sys.executable).with_name("arena")
MANY = """
import os, sys
from arena.cli.main import cli
from arena.cli.completing import answer
for line in sys.argv[2:]:
    os.environ["COMP_LINE"] = line
    print("##", flush=True)
    answer(cli, sys.argv[1])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament that was played, and other files of all kinds."""
    found = tmp_path_factory.mktemp("completion")
    tournament = new_tournament(found, "a", "b", boards=2)
    assert arena("-q", "tournament", "tour.yaml", folder=found).code == 0
    (found / "my tour.yml").write_text(tournament.config.read_text())
    (found / "broken.yaml").write_text("bots: [")
    (found / "bot.yaml").write_text("command: ./x\n")
    (found / "games.jsonl").touch()
    (found / "a.play.json").touch()
    (found / ".hidden.yaml").touch()
    (found / "bad\nname.yaml").touch()
    shutil.copy(BOTS / "rules_bot.py", found)
    (found / "sub").mkdir()
    (found / "sub" / "bot.py").touch()
    (found / "program").write_text("#!/bin/sh\n")
    (found / "program").chmod(0o755)
    return found


def told(folder: Path, *lines: str, shell: str = "fish") -> list[list[str]]:
    """What a shell is told of each line, asked one after the other."""
    done = subprocess.run(
        [sys.executable, "-c", MANY, f"{shell}_complete", *lines],
        cwd=folder,
        env={**os.environ, "COMP_WORDBREAKS": BREAKS},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return [part.splitlines() for part in done.stdout.split("##\n")[1:]]


def asked(folder: Path, line: str, shell: str, **env: str) -> subprocess.CompletedProcess[str]:
    """What one is told by the program itself."""
    return subprocess.run(
        [sys.executable, "-m", "arena"],
        cwd=folder,
        env={**os.environ, "COMP_LINE": line, "_ARENA_COMPLETE": f"{shell}_complete", **env},
        capture_output=True,
        text=True,
        check=False,
    )


def contents(folder: Path) -> dict[str, tuple[int, int]]:
    found = [path for path in folder.rglob("*") if "__pycache__" not in path.parts]
    return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in found}


# a line


@pytest.mark.parametrize(
    ("line", "words", "last", "kept"),
    [
        ("arena ", [], "", ""),
        ("arena pl", [], "pl", ""),
        ("arena play ", ["play"], "", ""),
        ("arena play my\\ b", ["play"], "my b", ""),
        ("arena play 'my b", ["play"], "my b", ""),
        ('arena play "my b', ["play"], "my b", ""),
        ("arena play 'my b' x", ["play", "my b"], "x", ""),
        ("arena replay x a@1:b", ["replay", "x"], "a@1:b", "a@1:"),
        ("arena replay x a@1:b@", ["replay", "x"], "a@1:b@", "a@1:b"),
        ("arena replay x a:", ["replay", "x"], "a:", "a:"),
        ("arena replay x 'a:b", ["replay", "x"], "a:b", ""),
        ("arena replay x a\\:b", ["replay", "x"], "a:b", ""),
        ("arena replay x my\\ a:b\\ c", ["replay", "x"], "my a:b c", "my a:"),
        ("arena --color=al", [], "--color=al", "--color="),
        ("arena play --option deck_size=2", ["play", "--option"], "deck_size=2", "deck_size="),
    ],
)
def test_a_line_is_taken_apart(line: str, words: list[str], last: str, kept: str) -> None:
    assert unfinished(line, BREAKS) == (words, last, kept)


# what could be meant


def parameters(group: click.Group) -> Iterator[tuple[str, click.Parameter]]:
    yield from (("", one) for one in group.params)
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from parameters(command)
        yield from ((name, one) for one in command.params)


@pytest.mark.parametrize(("command", "parameter"), list(parameters(cli)))
def test_it_is_known_of_every_parameter_what_it_takes(
    command: str, parameter: click.Parameter
) -> None:
    """A new kind of thing needs a line in arena/cli/completion/kinds.py, if only for none."""
    is_known = not takes_text(parameter) or completer_of(parameter, command) is not None
    assert is_known, f"arena {command}: {parameter.opts} takes a {metavar(parameter)}"


QUESTIONS: Mapping[str, Sequence[str]] = {
    "arena ": sorted(cli.commands),
    "arena reset --": ["--yes", "--help"],
    "arena config ": ["check", "schema", "show"],
    "arena --color=a": ["--color=auto", "--color=always"],
    "arena tournament ": ["broken.yaml", "my tour.yml", "results/", "sub/", "tour.yaml"],
    "arena tournament .": [".hidden.yaml"],
    "arena -C sub tournament ../t": ["../tour.yaml"],
    "arena config show t": ["tour.yaml"],
    "arena tournament none/": [],
    "arena play ": ["a.py", "b.py", "program", "results/", "rules_bot.py", "sub/"],
    "arena play --hints sub/": ["sub/bot.py"],
    "arena play --continue ": ["a.play.json", "results/", "sub/"],
    "arena play --option deck": ["deck_size="],
    "arena play --option deck_size=2": ["deck_size=24", "deck_size=25"],
    "arena play --option=stick_the_dealer=": [
        "--option=stick_the_dealer=true",
        "--option=stick_the_dealer=false",
    ],
    "arena play --option target_score=": [],
    "arena play --seed ": [],
    "arena match a": ["a.py"],
    "arena match a.py b": ["b.py"],
    "arena compare tour.yaml ": ["a", "b", "a@1", "b@1"],
    "arena compare tour.yaml a b@": ["b@1"],
    "arena -C .. compare none.yaml ": [],
    "arena compare broken.yaml ": [],
    "arena replay ": [
        *("broken.yaml", "my tour.yml", "results/", "sub/", "tour.yaml"),
        *("games.jsonl",),
    ],
    "arena replay tour.yaml ": ["a:b/"],
    "arena replay tour.yaml a@": ["a@1:b@1/"],
    "arena replay tour.yaml a:b/": ["a:b/0/", "a:b/1/"],
    "arena replay tour.yaml a:b/1/": ["a:b/1/0", "a:b/1/1"],
    "arena replay tour.yaml a:x/": [],
    "arena replay games.jsonl ": [],
    "arena replay tour.yaml a:b/1/0 --to a": ["a", "a@1", "a.py"],
    "arena why tour.yaml ": ["a", "b", "a@1", "b@1"],
    "arena why tour.yaml a --against b": ["b", "b@1"],
    "arena explain a101": ["A101"],
    "arena check a.py b": ["b.py"],
    "arena submit b.py --to t": ["tour.yaml"],
    "arena nonsense x": [],
    "arena completion ": ["bash", "zsh", "fish"],
}


def test_what_could_be_meant(folder: Path) -> None:
    before = contents(folder)
    found = told(folder, *QUESTIONS)
    values = [[line.partition("\t")[0] for line in lines] for lines in found]
    assert dict(zip(QUESTIONS, map(unique, values), strict=True)) == dict(QUESTIONS)
    assert contents(folder) == before


def unique(values: list[str]) -> list[str]:
    return list(dict.fromkeys(values))


def test_bash_replaces_the_end_of_a_word_only(folder: Path) -> None:
    lines = (
        "arena replay tour.yaml a@1:b@",
        "arena play --option=deck_size=3",
        "arena rankings my",
    )
    assert told(folder, *lines, shell="bash") == [
        ["part,@1/"],
        ["plain,32", "plain,33"],
        ["path,my tour.yml"],
    ]


def test_zsh_and_fish_show_what_a_value_means(folder: Path) -> None:
    lines = ("arena sto", "arena play --option play_", "arena tournament res")
    assert told(folder, *lines, shell="zsh") == [
        ["plain\tstop\tStop the run of a tournament, wherever it..."],
        [
            "part\tplay_out=\tWhether all five tricks are played once the points cannot change.",
        ],
        ["folder\tresults/\t"],
    ]
    (fish,) = told(folder, "arena sto")
    assert fish == ["stop\tStop the run of a tournament, wherever it..."]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_cursor_may_stand_within_the_line(folder: Path, shell: str) -> None:
    done = asked(folder, "arena to more", shell, COMP_POINT="8")
    assert "tournament" in done.stdout
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "env", [{"COMP_POINT": "x"}, {"_ARENA_COMPLETE": "tcsh_complete"}, {"_ARENA_COMPLETE": ""}]
)
def test_nobody_is_told_of_an_error(folder: Path, env: dict[str, str]) -> None:
    done = asked(folder, "arena ", "bash", **env)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_little_is_loaded_for_what_is_known_anyway(folder: Path) -> None:
    script = f"{MANY}\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", script, "bash_complete", "arena to", "arena play a"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert not loaded & {"msgspec", "yaml", "zmq", "numpy", "sqlite3", "rich", "tabulate"}


# real shells


SETUP = {
    "bash": 'eval "$(arena completion bash)"; PS1="> "',
    "zsh": 'autoload -U compinit; compinit -D -u; eval "$(arena completion zsh)"; PS1="> "',
    "fish": "arena completion fish | source; function fish_prompt; echo '> '; end",
}
START = {
    "bash": ("bash", "--norc", "--noprofile", "-i"),
    "zsh": ("zsh", "-f", "-i"),
    "fish": ("fish", "--no-config", "-i"),
}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_lines(folder: Path, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed here")
    env = {"PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "HOME": str(folder)}
    with terminal(*START[shell], folder=folder, env=env) as shown:
        shown.type(f"{SETUP[shell]}; echo set''-up\r")
        assert shown.comes(lambda: "set-up" in shown.lines), shown.lines
        completes(shown, "arena tourn\t", "arena tournament")
        completes(shown, "t\t", "arena tournament tour.yaml")
        begin_again(shown)
        completes(shown, "arena rankings my\t", r"arena rankings my\ tour.yml")
        begin_again(shown)
        completes(shown, "arena compare tour.yaml b@\t", "arena compare tour.yaml b@1")
        begin_again(shown)
        completes(shown, "arena replay tour.yaml a@\t", "arena replay tour.yaml a@1:b@1/")
        completes(shown, "1\t0", "arena replay tour.yaml a@1:b@1/1/0")
        begin_again(shown)
        completes(shown, "arena play --option deck\t25", "arena play --option deck_size=25")


def completes(shown: Terminal, keys: str, line: str) -> None:
    """Press keys, and wait for what the shell makes of the line."""
    shown.type(keys)
    assert shown.comes(lambda: shown.lines[-1].removeprefix("> ") == line), shown.lines


def begin_again(shown: Terminal) -> None:
    shown.type("\x15")
    assert shown.comes(lambda: shown.lines[-1] == ">"), shown.lines


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one(folder: Path, shell: str) -> None:
    script = arena("completion", shell, folder=folder)
    assert (script.code, script.err) == (0, "")
    assert "_arena_completion" in script.out
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script.out, text=True, check=True)


def test_another_shell_is_not_known(folder: Path) -> None:
    done = arena("completion", "tcsh", folder=folder)
    assert done.code == 2
    assert "'bash', 'zsh', 'fish'" in done.err


def test_the_program_is_where_the_shells_find_it() -> None:
    assert PROGRAM.exists(), shlex.quote(str(PROGRAM))
