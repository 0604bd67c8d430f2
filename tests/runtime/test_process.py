"""One bot process: started, watched, its output bounded, its whole group killed."""

from __future__ import annotations

import errno
import os
import select
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import MARK, PATIENCE_S, marked, wait_until

from arena.errors import SurroundingsError
from arena.referee.clock import Limits
from arena.runtime.isolation import Cell, isolation, scrubbed_environment
from arena.runtime.isolation.marks import number_of
from arena.runtime.process import (
    KEPT_BYTES,
    BotProcess,
    CannotRunError,
    OutputTail,
    printable,
    resolved,
)

PATH = os.environ["PATH"]
CELL = Cell(
    "/bin/true", "/", "/tmp", "/tmp/endpoint", "/tmp", Limits(), number_of(os.getpid(), 0, 1)
)


def started(folder: Path, mark: str, *argv: str) -> BotProcess:
    environment = {"PATH": PATH, MARK: mark}
    return BotProcess(resolved(argv, folder, PATH), folder=folder, environment=environment)


def shell(folder: Path, mark: str, script: str) -> BotProcess:
    return started(folder, mark, "sh", "-c", script)


def ended(process: BotProcess) -> str:
    """Wait for the end of a process, then say how it ended and clear it away."""
    assert wait_until(process.has_ended)
    how = process.how_it_ended()
    end(process)
    return how


def end(process: BotProcess) -> None:
    process.kill()
    process.bury()


# what a process printed


def tail(*chunks: bytes) -> OutputTail:
    output = OutputTail()
    for chunk in chunks:
        output.add(chunk)
    return output


def test_a_little_output_is_kept_as_it_is() -> None:
    assert tail().text() == ""
    assert tail(b"one\n", b"two\tthree\n").text() == "one\ntwo\tthree\n"


@pytest.mark.parametrize("size", [KEPT_BYTES - 1, KEPT_BYTES, KEPT_BYTES + 1, 2 * KEPT_BYTES])
def test_nothing_is_cut_up_to_twice_what_is_kept(size: int) -> None:
    assert tail(b"x" * size).text() == "x" * size


def test_of_more_the_beginning_and_the_end_are_kept_and_the_cut_is_said() -> None:
    text = tail(b"a" * KEPT_BYTES, b"b" * 1000, b"c" * KEPT_BYTES).text()
    assert text == "a" * KEPT_BYTES + "\n[... 1000 bytes cut ...]\n" + "c" * KEPT_BYTES


@given(st.lists(st.integers(0, 40_000), max_size=12))
def test_whatever_the_pieces_the_same_is_kept(sizes: list[int]) -> None:
    chunks = [bytes([97 + number]) * size for number, size in enumerate(sizes)]
    whole = b"".join(chunks).decode()
    cut = len(whole) - 2 * KEPT_BYTES
    kept = whole[:KEPT_BYTES] + f"\n[... {cut} bytes cut ...]\n" + whole[-KEPT_BYTES:]
    assert tail(*chunks).text() == (kept if cut > 0 else whole)


def test_what_is_held_stays_small_however_much_is_printed() -> None:
    output = OutputTail()
    for _ in range(200):
        output.add(b"x" * KEPT_BYTES)
    assert len(output.text()) < 2 * KEPT_BYTES + 100
    assert sum(map(len, output._last)) <= 2 * KEPT_BYTES


def test_a_letter_across_the_border_of_what_is_kept_stays_whole() -> None:
    text = "x" * (KEPT_BYTES - 1) + "\u00e9\u2663" + "y" * 100
    assert tail(text.encode()).text() == text


def test_the_last_lines_are_as_much_as_one_wants_to_see() -> None:
    output = tail(b"".join(b"line %d\n" % number for number in range(100)))
    assert output.last_lines() == "\n".join(f"line {number}" for number in range(80, 100))
    assert tail(b"x" * 5000).last_lines() == "x" * 2000
    assert tail().last_lines() == ""


def test_nothing_printed_can_do_anything_to_a_terminal() -> None:
    raw = b"\x1b[2J\rbell\x07 nul\x00 \xff " + "\u202e \u2663 \u00e9\n\t".encode()
    shown = printable(raw)
    assert shown == r"\x1b[2J\rbell\x07 nul\x00 " + "\ufffd " + r"\u202e " + "\u2663 \u00e9\n\t"


@given(st.binary(max_size=60))
def test_shown_output_is_printable_and_can_be_stored(raw: bytes) -> None:
    shown = printable(raw)
    assert all(c.isprintable() or c in "\n\t" for c in shown)
    shown.encode()


# a process


def test_both_streams_are_kept_in_their_order(tmp_path: Path, mark: str) -> None:
    process = shell(tmp_path, mark, "echo one; echo two >&2; printf three")
    assert ended(process) == "exited 0"
    assert process.output.text() == "one\ntwo\nthree"


def test_a_process_that_prints_without_end_is_drained_and_never_waits(
    tmp_path: Path, mark: str
) -> None:
    process = shell(tmp_path, mark, "head -c 3000000 /dev/zero | tr '\\0' x; echo done")
    assert wait_until(lambda: not process.drain())
    assert ended(process) == "exited 0"
    text = process.output.text()
    assert len(text) < 2 * KEPT_BYTES + 100
    assert f"[... {3_000_005 - 2 * KEPT_BYTES} bytes cut ...]" in text
    assert text.endswith("xxx" + "done\n")


def test_a_process_gets_its_environment_its_folder_and_nothing_else(
    tmp_path: Path, mark: str
) -> None:
    with (tmp_path / "open").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)
        process = shell(tmp_path, mark, "env | sort; pwd; ls /proc/self/fd | wc -l; cat")
        assert ended(process) == "exited 0"
    lines = process.output.text().splitlines()
    ours = [line for line in lines if line.partition("=")[0] not in {"_", "OLDPWD", "SHLVL"}]
    environment = [f"{MARK}={mark}", f"PATH={PATH}", f"PWD={tmp_path}"]
    assert ours == [*environment, str(tmp_path), "4"], "0, 1, 2 and the folder that ls reads"


def test_a_process_has_a_session_of_its_own(tmp_path: Path, mark: str) -> None:
    process = shell(tmp_path, mark, "sleep 1000")
    assert os.getsid(process.pid) == os.getpgid(process.pid) == process.pid
    assert not process.has_ended()
    assert process.how_it_ended() == "still running"
    end(process)


@pytest.mark.parametrize(
    ("script", "how"),
    [
        ("exit 0", "exited 0"),
        ("exit 3", "exited 3"),
        ("kill -SEGV $$", "killed by SIGSEGV"),
        ("kill -KILL $$", "killed by SIGKILL"),
        ("kill -40 $$", "killed by signal 40"),
    ],
)
def test_it_is_said_how_a_process_ended(tmp_path: Path, mark: str, script: str, how: str) -> None:
    assert ended(shell(tmp_path, mark, script)) == how


def test_the_end_of_a_process_is_announced(tmp_path: Path, mark: str) -> None:
    process = shell(tmp_path, mark, "exit 0")
    assert process.exit_fd is not None
    assert select.select([process.exit_fd], [], [], PATIENCE_S)[0]
    assert process.has_ended()
    end(process)
    assert process.has_ended()


@pytest.mark.parametrize(
    "script",
    [
        "sleep 1000",
        "sleep 1000 & sleep 1000 & wait",
        "trap '' TERM INT HUP; sleep 1000; sleep 1000",
        "(sleep 1000 &) ; kill -STOP $$",
        "sleep 1000 & exec >/dev/null 2>&1 </dev/null; sleep 1000",
    ],
    ids=["plain", "children", "ignores signals", "stopped", "closed streams"],
)
def test_killing_a_process_leaves_nothing_of_its_group(
    tmp_path: Path, mark: str, script: str
) -> None:
    process = shell(tmp_path, mark, script)
    wanted = 3 if "& sleep 1000 &" in script else 2 if "&" in script else 1
    assert wait_until(lambda: len(marked(mark)) >= wanted)
    end(process)
    end(process)
    assert wait_until(lambda: not marked(mark))


def test_a_child_that_outlives_its_parent_is_killed_too(tmp_path: Path, mark: str) -> None:
    process = shell(tmp_path, mark, "sleep 1000 & exit 7")
    assert wait_until(process.has_ended)
    assert marked(mark)
    assert process.how_it_ended() == "exited 7"
    end(process)
    assert wait_until(lambda: not marked(mark))


def program(path: Path, text: str, mode: int = 0o755) -> None:
    path.write_text(text)
    path.chmod(mode)


@pytest.mark.parametrize("word", ["bot", "./bot"])
def test_a_program_is_looked_up_in_its_own_folder_first(
    tmp_path: Path, mark: str, word: str
) -> None:
    program(tmp_path / "bot", '#!/bin/sh\necho "own $1"\n')
    process = started(tmp_path, mark, word, "--fast")
    assert ended(process) == "exited 0"
    assert process.output.text() == "own --fast\n"


@pytest.mark.parametrize(
    ("argv", "text"),
    [
        (("no-such-program",), "cannot run 'no-such-program': no such program"),
        (("./nothing",), "cannot run './nothing': no such program"),
        (("plain.txt",), "cannot run 'plain.txt': the file is not executable"),
        (("folder",), "cannot run 'folder': no such program"),
    ],
)
def test_what_cannot_be_run_is_said(tmp_path: Path, argv: Sequence[str], text: str) -> None:
    program(tmp_path / "plain.txt", "hello", mode=0o644)
    (tmp_path / "folder").mkdir()
    with pytest.raises(CannotRunError, match=text):
        resolved(argv, tmp_path, PATH)


@pytest.mark.parametrize("variables", [{"LONG": "x" * 8_000_000}, {"NUL": "a\0b"}])
def test_what_a_bot_is_given_may_make_it_impossible_to_run(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    with pytest.raises(CannotRunError, match="cannot run: "):
        BotProcess(["/bin/sh"], folder=tmp_path, environment={"PATH": PATH, **variables})


@pytest.mark.parametrize("shortage", [errno.EAGAIN, errno.ENOMEM, errno.EMFILE])
def test_a_shortage_of_the_machine_is_not_the_bots_doing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shortage: int
) -> None:
    def popen(*_: object, **__: object) -> None:
        raise OSError(shortage, os.strerror(shortage))

    monkeypatch.setattr("subprocess.Popen", popen)
    with pytest.raises(SurroundingsError, match="no bot process can be started: "):
        BotProcess(["/bin/sh"], folder=tmp_path, environment={"PATH": PATH})


# what stands between a bot and the machine


def test_a_bots_environment_is_an_allow_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_SECRET", "s")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    monkeypatch.setenv("LANG", "C.UTF-8")
    found = scrubbed_environment(endpoint="ipc:///e", token="t", home=str(tmp_path))
    assert found.keys() <= {
        *("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "HOME", "TMPDIR"),
        *("PYTHONHASHSEED", "PYTHONNOUSERSITE", "PYTHONDONTWRITEBYTECODE"),
        *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
        *("ARENA_ENDPOINT", "ARENA_TOKEN"),
    }
    assert found["LANG"] == "C.UTF-8"
    assert found["HOME"] == found["TMPDIR"] == str(tmp_path)
    assert (found["ARENA_ENDPOINT"], found["ARENA_TOKEN"]) == ("ipc:///e", "t")


@pytest.fixture(params=["setpriv", "launch.py"])
def chain(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Sequence[str]:
    """Return what goes before a bot's command line, with and without `setpriv`."""
    if sys.platform != "linux":
        pytest.skip("there is no launcher elsewhere")
    with monkeypatch.context() as patched:
        if request.param == "launch.py":
            patched.setattr("arena.runtime.isolation.confined.tool", lambda _: None)
        found = isolation("none").chain(CELL)
    assert any(word.endswith(request.param) for word in found)
    return found


def test_a_bot_dies_with_the_process_that_started_it(
    tmp_path: Path, mark: str, chain: Sequence[str]
) -> None:
    words = [*chain, shutil.which("sleep"), "1000"]
    script = (
        "import subprocess, time\n"
        f"bot = subprocess.Popen({words!r}, start_new_session=True)\n"
        "time.sleep(1000)\n"
    )
    parent = started(tmp_path, mark, sys.executable, "-c", script)
    assert wait_until(lambda: any(program_of(pid) == "sleep" for pid in marked(mark)))
    os.kill(parent.pid, signal.SIGKILL)
    assert wait_until(lambda: not marked(mark))
    end(parent)


def test_a_bot_finds_no_signal_ignored(tmp_path: Path, mark: str, chain: Sequence[str]) -> None:
    words = resolved(["grep", "SigIgn", "/proc/self/status"], tmp_path, PATH)
    environment = {"PATH": PATH, MARK: mark}
    process = BotProcess(words, folder=tmp_path, environment=environment, chain=chain)
    assert ended(process) == "exited 0"
    assert int(process.output.text().split()[1], 16) == 0


def program_of(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()


def test_a_copy_that_has_gone_is_no_fault_of_the_bot(tmp_path: Path) -> None:
    with pytest.raises(SurroundingsError, match="gone has gone; run the command again"):
        resolved(["./bot"], tmp_path / "gone", PATH)
