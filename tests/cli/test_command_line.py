"""The command itself: help, global options, streams that are closed, full or not read."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Tournament, arena, call, new_tournament

import arena as package

HEAVY = {"rich", "tabulate", "zmq", "numpy", "scipy", "sqlite3", "yaml"}
COMMANDS = [
    "check",
    "compare",
    "completion",
    "config",
    "doctor",
    "explain",
    "export",
    "init",
    "list",
    "match",
    "new-bot",
    "play",
    "rankings",
    "rate",
    "replay",
    "reset",
    "stop",
    "submit",
    "tournament",
    "verify",
    "why",
]
ARENA = f"{sys.executable} -m arena"

FULL = "No space left on device; free some space"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    """A finished tournament, only to be looked at, whose export fills more than one pipe."""
    tournament = new_tournament(tmp_path_factory.mktemp("read"), "a", "b", boards=60)
    assert arena("tournament", "tour.yaml", folder=tournament.folder).code == 0
    return tournament


def shell(script: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        encoding=env.get("PYTHONIOENCODING", "utf-8"),
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_names_every_command(capfd: pytest.CaptureFixture[str], flag: str) -> None:
    done = call(capfd, flag)
    assert (done.code, done.err) == (0, "")
    listed = done.out.split("Commands:\n")[1].splitlines()
    assert [line.split()[0] for line in listed] == list(COMMANDS)
    assert "..." not in done.out.split("Commands:\n")[1], "each fits in its line"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(capfd: pytest.CaptureFixture[str], command: str) -> None:
    done = call(capfd, command, "--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"Usage: arena {command} ")


def test_help_loads_nothing_heavy() -> None:
    program = (
        "import sys, arena.cli\n"
        "try: arena.cli.main(['--help'])\n"
        "finally: print(*sys.modules, file=sys.stderr)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not HEAVY & set(ended.stderr.split())


def test_an_interruption_while_a_library_is_loaded_is_one(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(*_: object, **__: object) -> None:
        raise ImportError("initialization failed") from KeyboardInterrupt()

    monkeypatch.setattr("arena.tournament.config.load_config", load)
    done = call(capfd, "rankings", "tour.yaml")
    assert (done.code, done.out, done.err) == (130, "", "")


def test_an_interruption_while_the_command_is_loaded_is_one() -> None:
    program = (
        "import sys\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'click': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "from arena.__main__ import main\n"
        "main()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_the_version(capfd: pytest.CaptureFixture[str]) -> None:
    assert call(capfd, "--version").out == f"arena {package.__version__}\n"


def test_without_a_command_the_help_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Usage: arena ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rankigs", "x.yaml"), "No such command 'rankigs'. Did you mean 'rankings'?"),
        (("rankings", "--jsn", "x.yaml"), "No such option '--jsn'."),
        (("rankings",), "Missing argument 'CONFIG'."),
        (("submit", "x.py"), "Missing option '--to'."),
        (
            ("config", "chek", "x"),
            "No such command 'chek'. (Did you mean one of: 'check', 'schema'?)",
        ),
        (("-C", "/no/such/folder", "rankings", "x"), "Directory '/no/such/folder' does not exist."),
        (("--color", "blue", "rankings", "x"), "'blue' is not one of 'auto', 'always', 'never'."),
    ],
)
def test_wrong_usage(
    capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    done = call(capfd, *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err.splitlines()[-1]


def test_another_folder(finished: Tournament, tmp_path: Path) -> None:
    elsewhere = arena("-C", finished.folder, "rankings", "tour.yaml", folder=tmp_path)
    assert elsewhere.code == 0
    assert elsewhere.out == arena("rankings", "tour.yaml", folder=finished.folder).out


def test_quiet_keeps_the_result_and_errors(
    finished: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    loud, quiet = (call(capfd, *q, "tournament", finished.config) for q in ((), ("-q",)))
    assert quiet.out == loud.out
    assert (loud.err != "", quiet.err) == (True, "")
    assert call(capfd, "-q", "rankings", "none.yaml").err == "error: none.yaml: no such file\n"


def test_an_internal_error_shows_a_traceback_only_if_asked_to(
    finished: Tournament, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.tools.rankings.rate", None)
    short = call(capfd, "rankings", finished.config)
    assert (short.code, short.out) == (3, "")
    first, second = short.err.splitlines()
    assert first.startswith("internal error: TypeError: ")
    assert "arena -v" in second
    long = call(capfd, "-v", "rankings", finished.config)
    assert long.code == 3
    assert "Traceback (most recent call last)" in long.err


@pytest.mark.parametrize("command", ["export tour.yaml", "rankings tour.yaml", "--help"])
@pytest.mark.parametrize(
    ("stdout", "code", "said"),
    [
        (">&-", "0", ""),
        (">/dev/full", "4", f"error: the output cannot be used: {FULL}\n"),
    ],
)
def test_stdout_closed_or_full(
    finished: Tournament, command: str, stdout: str, code: str, said: str
) -> None:
    ended = shell(f"{ARENA} -q {command} {stdout}; echo $? >&2", finished.folder)
    assert ended.stderr == f"{said}{code}\n"


def test_a_reader_that_goes_away(finished: Tournament) -> None:
    ended = shell(f"{ARENA} export tour.yaml | head -1; echo ${{PIPESTATUS[0]}}", finished.folder)
    game, code = ended.stdout.splitlines()
    assert game.startswith('{"board":0')
    assert (code, ended.stderr) == ("141", "")


@pytest.mark.parametrize("stderr", ["2>&-", "2>/dev/full"])
def test_a_run_to_whose_notices_nobody_listens(tmp_path: Path, stderr: str) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    ended = shell(f"{ARENA} tournament tour.yaml {stderr}", tmp_path)
    assert ended.returncode == 0
    assert ended.stdout.startswith(" rank")
    assert tournament.stored() == 2
    assert shell(f"{ARENA} tournament missing.yaml {stderr}", tmp_path).returncode == 2


def test_a_run_leaves_one_file_of_results_and_a_log(tmp_path: Path) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    assert arena("tournament", "tour.yaml", folder=tmp_path).code == 0
    names = sorted(path.name for path in tournament.results.iterdir())
    assert names == ["arena.log", "results.lock", "results.sqlite", "snapshots"]


def test_letters_that_the_terminal_lacks(
    finished: Tournament, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = new_tournament(tmp_path, "Бот", "b", boards=1)
    assert call(capfd, "tournament", tournament.config).code == 0
    ended = shell(f"{ARENA} -q rankings tour.yaml", tmp_path, PYTHONIOENCODING="latin-1")
    assert ended.returncode == 0
    assert "±95%" in ended.stdout
    assert r"\u0411\u043e\u0442" in ended.stdout


def colors(words: str, **env: str) -> bool:
    """Whether a command thinks that its stderr, a terminal, gets colour."""
    program = (
        "from arena.cli import main, output; import click\n"
        "from arena.cli.main import cli\n"
        "@cli.command()\n"
        "@click.pass_obj\n"
        "def probe(output): click.echo(output.colored)\n"
        "main()"
    )
    controller, terminal = pty.openpty()
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    ended = subprocess.run(
        [sys.executable, "-c", program, *words.split(), "probe"],
        stdout=subprocess.PIPE,
        stderr=terminal if "PIPE" not in env else subprocess.DEVNULL,
        env={**kept, **env},
        check=True,
        text=True,
    )
    os.close(controller)
    os.close(terminal)
    return {"True\n": True, "False\n": False}[ended.stdout]


def test_colour_by_option_then_environment_then_terminal() -> None:
    assert colors("")
    assert not colors("", PIPE="")
    assert not colors("", NO_COLOR="1", FORCE_COLOR="1")
    assert colors("", NO_COLOR="", PIPE="", FORCE_COLOR="1")
    assert colors("--color always", NO_COLOR="1", PIPE="")
    assert not colors("--color never", FORCE_COLOR="1")


@pytest.mark.parametrize("command", ["rankings", "tournament", "check", "play", "new-bot", "init"])
def test_a_name_of_any_length_is_a_mistake_that_is_told_in_short(
    capfd: pytest.CaptureFixture[str], command: str
) -> None:
    done = call(capfd, command, "x" * 5_000)
    assert done.code == 2
    assert done.err.startswith("error: ")
    assert "xxx" in done.err
    assert len(done.err) < 1_000
