"""All processes of a bot are found, measured and killed, wherever they went."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from processes import MARK, marked, wait_until

from arena.runtime import tree
from arena.runtime.isolation import confined
from arena.runtime.isolation.marks import limits_of, number_of, number_on, worker_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only there a tree can be walked")

NUMBER = number_of(os.getpid(), 3, 1)
DETACHED = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve(sys.executable, [sys.executable, "-S", "-c", "import time; time.sleep(1000)"], {})
    os._exit(0)
"""
"""Leaves a process behind that nothing but its mark tells whose it is."""


@pytest.fixture(autouse=True)
def adopted() -> Iterator[None]:
    with tree.adopting():
        yield
    assert tree.children(os.getpid()) == []


def start(mark: str, code: str, number: int = NUMBER) -> subprocess.Popen[bytes]:
    chain = confined.words(limits_of(number), no_new_privileges=False, dies_with_parent=False)
    words = [*chain, sys.executable, "-S", "-c", code]
    return subprocess.Popen(words, env={MARK: mark}, start_new_session=True)


def end(process: subprocess.Popen[bytes], number: int = NUMBER) -> None:
    tree.kill_all(lambda: tree.of_bot(process.pid, number))
    process.wait()


def state_of(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return "gone"


def living(pids: Sequence[int]) -> list[int]:
    return [pid for pid in pids if state_of(pid) not in {"Z", "X", "gone"}]


def test_a_number_is_that_of_one_process_of_one_seat_of_one_worker() -> None:
    numbers = {
        number_of(worker, seat, start)
        for worker in (1, 2, 4_194_303)
        for seat in range(8)
        for start in (1, 2, 1_000_000)
    }
    assert len(numbers) == 3 * 8 * 3
    assert worker_of(number_of(4711, 1, 17)) == 4711


def test_no_mark_can_be_made_into_another_without_raising_a_limit() -> None:
    marks = [limits_of(number) for number in (0, 1, 2, NUMBER, number_of(4_194_303, 7, 1_048_575))]
    for one in marks:
        for other in marks:
            can_become = all(one[limit] >= other[limit] for limit in one)
            assert can_become == (one == other)


def test_a_process_and_its_children_bear_the_mark(mark: str) -> None:
    sleep = "import time; time.sleep(1000)"
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', {sleep!r}])"
    process = start(mark, child)
    assert wait_until(lambda: len(marked(mark)) == 2)
    assert {number_on(pid) for pid in marked(mark)} == {NUMBER}
    assert sorted(tree.of_bot(process.pid, NUMBER)) == sorted(marked(mark))
    end(process)


def test_whoever_bears_no_mark_has_no_number() -> None:
    assert number_on(os.getpid()) is None
    assert number_on(2**22 + 1) is None


def test_a_spoilt_mark_is_nobodys(mark: str) -> None:
    spoil = "import resource, time; resource.setrlimit(resource.RLIMIT_RTTIME, (5, 5)); print(1)"
    process = start(mark, f"{spoil}; time.sleep(1000)")
    assert wait_until(lambda: number_on(process.pid) is None)
    end(process)


def test_a_detached_process_without_environment_is_found_by_its_mark(mark: str) -> None:
    process = start(mark, DETACHED + "time.sleep(1000)")
    assert wait_until(lambda: len(living(tree.of_bot(process.pid, NUMBER))) == 2)
    found = tree.of_bot(process.pid, NUMBER)
    end(process)
    assert wait_until(lambda: not living(found))


def test_what_another_bot_left_behind_is_not_touched(mark: str) -> None:
    other = number_of(os.getpid(), 4, 1)
    left = start(mark, DETACHED, other)
    left.wait()
    process = start(mark, "import time; time.sleep(1000)")
    assert wait_until(lambda: len(living(tree.of_bot(left.pid, other))) == 1)
    (survivor,) = living(tree.of_bot(left.pid, other))
    end(process)
    assert living([survivor]) == [survivor]


def test_nothing_that_was_adopted_outlives_the_end() -> None:
    with tree.adopting():
        process = start("", DETACHED)
        process.wait()
        assert wait_until(lambda: bool(tree.children(os.getpid())))
        left = tree.children(os.getpid())
    assert not living(left)


def test_a_bot_that_forks_as_fast_as_it_can_is_killed(mark: str) -> None:
    breed = """
import os, time
for _ in range(40):
    if os.fork() == 0:
        os.setsid()
        os.fork()
        time.sleep(1000)
time.sleep(1000)
"""
    process = start(mark, breed)
    assert wait_until(lambda: len(marked(mark)) > 20)
    end(process)
    assert wait_until(lambda: not marked(mark))


def test_those_that_ended_are_buried(mark: str) -> None:
    leave = "import os, time\nfor _ in range(5):\n    os.fork() or os.fork() or os._exit(0)\n"
    process = start(mark, leave + "time.sleep(1000)")
    assert wait_until(lambda: bool(marked(mark)))

    def zombies() -> list[int]:
        tree.reap({process.pid})
        return [pid for pid in tree.children(os.getpid()) if pid not in living([pid])]

    assert wait_until(lambda: not zombies())
    end(process)


def test_a_load_is_that_of_the_whole_tree(mark: str) -> None:
    fork = "import os, threading, time\nx = b'x' * 30_000_000\nos.fork()\n"
    thread = "threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()\n"
    process = start(mark, fork + thread + "time.sleep(1000)")
    assert wait_until(lambda: tree.load(tree.of_bot(process.pid, NUMBER)).processes == 4)
    pids = tree.of_bot(process.pid, NUMBER)
    assert tree.load(pids).memory_bytes > 60_000_000
    assert 30_000_000 < tree.proportional_memory(pids) < 60_000_000, "shared memory counts once"
    end(process)


def test_cpu_time_is_that_of_children_too(mark: str) -> None:
    burn = "t = time.process_time()\nwhile time.process_time() < t + 0.2: pass\n"
    code = f"import os, time\nif os.fork() == 0:\n  exec({burn!r}); os._exit(0)\nos.wait()\n"
    process = start(mark, code + "time.sleep(1000)")
    assert wait_until(lambda: tree.load(tree.of_bot(process.pid, NUMBER)).cpu_us >= 190_000)
    end(process)


def test_who_has_gone_takes_nothing() -> None:
    assert tree.load([2**22 + 1]) == tree.Load(0, 0, 0)
    assert tree.proportional_memory([2**22 + 1]) == 0
    tree.send([2**22 + 1], signal.SIGKILL)


def test_stopped_processes_stand_still_until_they_are_let_go_on(mark: str, tmp_path: Path) -> None:
    tick = f"open({str(tmp_path / 'ticks')!r}, 'a').write('.')"
    ticking = f"import os, time\nos.fork()\nwhile True: {tick}"
    process = start(mark, ticking)
    assert wait_until(lambda: (tmp_path / "ticks").exists() and len(marked(mark)) == 2)
    tree.stop_all(lambda: tree.of_bot(process.pid, NUMBER))

    def all_stopped() -> bool:
        states = [state_of(pid) for pid in marked(mark)]
        return states == ["T", "T"]

    assert wait_until(all_stopped)
    before = (tmp_path / "ticks").stat().st_size
    time.sleep(0.05)
    assert (tmp_path / "ticks").stat().st_size == before
    tree.send(tree.of_bot(process.pid, NUMBER), signal.SIGCONT)
    assert wait_until(lambda: (tmp_path / "ticks").stat().st_size > before)
    end(process)
