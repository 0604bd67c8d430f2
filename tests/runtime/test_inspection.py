from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from inspected import opened
from ordinary import ROOT, run_as_ordinary_user
from processes import wait_until

from arena.errors import SurroundingsError
from arena.referee.clock import Limits
from arena.runtime import inspection, probe
from arena.runtime.inspection import inspect, is_broken, strongest
from arena.runtime.inspection.attacks import ATTACKS, Attempt, findings
from arena.runtime.inspection.hints import not_working
from arena.runtime.isolation import Cell, Isolation, confined, isolation
from arena.runtime.isolation.calls import can_be_filtered
from arena.runtime.isolation.levels import LEVELS
from arena.runtime.job import Finding

SLOW = {
    *("outlive its end", "outlive the arena", "outlive the arena, detached"),
    "reach what confines it",
}
needs_linux = pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="no Linux")


needs_filter = pytest.mark.skipif(not can_be_filtered(), reason="calls are not known here")


def level_here(name: str) -> Isolation:
    try:
        return isolation(name)
    except SurroundingsError as error:
        pytest.skip(str(error))


def by_attack(found: tuple[Finding, ...]) -> dict[str, str]:
    return {finding.attack: finding.verdict for finding in found}


# what is said of an attack


@pytest.mark.parametrize(
    ("protections", "achieved", "free", "verdict", "text"),
    [
        (("network",), False, True, "held", "refused"),
        (("network",), True, True, "OPEN", "connected"),
        (("network",), True, False, "OPEN", "connected"),
        (("network",), False, False, "not promised", "could not be attacked here, without any"),
        ((), True, True, "not promised", "connected"),
        ((), False, True, "not promised", "failed all the same: refused"),
    ],
)
def test_only_what_is_promised_and_would_succeed_otherwise_is_held(
    protections: tuple[str, ...], achieved: bool, free: bool, verdict: str, text: str
) -> None:
    attempts = (
        Attempt("reach a listener on loopback", one, "connected" if one else "refused")
        for one in (achieved, free)
    )
    (finding,) = findings(Isolation("process", protections), [(next(attempts), next(attempts))])
    assert finding.verdict == verdict
    assert finding.text.startswith(text)


def test_one_protection_of_several_is_enough_to_promise() -> None:
    pair = (
        Attempt("signal the arena", True, "killed"),
        Attempt("signal the arena", True, "killed"),
    )
    for protection in ("user", "processes apart"):
        assert findings(Isolation("process", (protection,)), [pair])[0].verdict == "OPEN"


def test_every_attack_of_the_probe_is_judged() -> None:
    assert {attack.name for attack in ATTACKS} == probe.ATTACKS.keys() | SLOW


def test_every_protection_is_attacked() -> None:
    attacked = {protection for attack in ATTACKS for protection in attack.against}
    for name in LEVELS:
        assert set(level_here(name).protections) <= attacked


# the levels of this machine


@pytest.fixture
def nothing_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """See that all that was laid out to be attacked has gone, and what was left by the attacks."""
    nonces: list[str] = []

    def new_nonce(length: int) -> str:
        nonces.append(f"{len(nonces)}{os.getpid():x}".ljust(2 * length, "0"))
        return nonces[-1]

    def left() -> list[Path]:
        folders = ("/tmp", "/var/tmp", "/dev/shm", "/", "/dev", "/usr", "/etc")
        files = [Path(folder, f"arena-probe-{nonce}") for folder in folders for nonce in nonces]
        return [
            *filter(Path.exists, files),
            *(pid for pid in Path("/proc").glob("[0-9]*") if is_lure(pid, nonces)),
        ]

    monkeypatch.setattr("arena.runtime.inspection.lures.secrets.token_hex", new_nonce)
    yield
    assert nonces
    assert wait_until(lambda: not left()), left()


def is_lure(process: Path, nonces: list[str]) -> bool:
    try:
        words = (process / "cmdline").read_text()
    except OSError:
        return False
    return any(probe.name_of_lures(nonce) in words for nonce in nonces)


@needs_linux
@needs_filter
@pytest.mark.parametrize("name", LEVELS)
def test_a_level_keeps_its_promises(name: str, nothing_left: None) -> None:
    found = inspect(level_here(name))
    assert len(found) == len(ATTACKS)
    assert [finding for finding in found if finding.verdict == "OPEN"] == []
    if name == "sandbox":
        assert set(by_attack(found).values()) == {"held"}


@needs_linux
def test_the_short_form_leaves_out_what_takes_its_time() -> None:
    found = by_attack(inspect(level_here("process"), short=True))
    assert found.keys() == {attack.name for attack in ATTACKS if attack.is_quick}
    assert not found.keys() & SLOW


def protections_here() -> Iterator[tuple[str, str]]:
    for name in LEVELS:
        try:
            yield from ((name, protection) for protection in isolation(name).protections)
        except SurroundingsError:
            yield (name, "all")


@needs_linux
@pytest.mark.parametrize(("name", "protection"), list(protections_here()))
def test_a_protection_taken_away_is_noticed(
    name: str, protection: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = level_here(name)
    monkeypatch.setattr("arena.runtime.inspection.outliving._LOOKS", 20)
    assert opened(level, protection), "no attack is found OPEN"


# the same as an ordinary user


@needs_linux
def test_an_ordinary_user_notices_protections_taken_away_too() -> None:
    if os.geteuid() != 0:
        pytest.skip("that is what the tests above have seen")
    names = [level_here(name).name for name in LEVELS]
    done = run_as_ordinary_user(ROOT / "tests/runtime/inspected.py", *names)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found.keys() == set(names)
    unnoticed = [
        (name, protection)
        for name, opened_by in found.items()
        for protection, attacks in opened_by.items()
        if not attacks
    ]
    assert unnoticed == []
    assert "user" not in found["process"]
    assert "nested sandboxes" in found["sandbox"]


@needs_linux
@needs_filter
def test_the_doctor_finds_a_sandbox_sound_for_an_ordinary_user() -> None:
    level_here("sandbox")
    done = run_as_ordinary_user("-m", "arena", "doctor", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["auto"] == "sandbox"
    assert not found["machine"]["root"]
    for level in found["levels"]:
        verdicts = {one["attack"]: one["verdict"] for one in level["findings"]}
        if level["name"] == "sandbox":
            assert set(verdicts.values()) == {"held"}
        else:
            assert "OPEN" not in verdicts.values()
            assert verdicts["signal the arena"] == "not promised"


# machines that do not give what a level needs


def broken_sandbox(folder: Path, script: str) -> Isolation:
    bubblewrap = folder / "bwrap"
    bubblewrap.write_text(f"#!/bin/sh\n{script}\n")
    bubblewrap.chmod(0o755)
    return Isolation("sandbox", (), str(bubblewrap))


@needs_linux
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo 'bwrap: No permissions to create new namespace' >&2; exit 1", "No permissions to"),
        ("exit 1", "it prints nothing"),
        ("printf 'bwrap: \\033[2J'", r"bwrap: \x1b[2J"),
    ],
)
def test_a_level_at_which_no_bot_can_be_started_is_said_to_be_none(
    tmp_path: Path, script: str, said: str
) -> None:
    with pytest.raises(SurroundingsError) as error:
        inspect(broken_sandbox(tmp_path, script))
    assert str(error.value).startswith("isolation sandbox does not work here: ")
    assert said in str(error.value)
    assert str(error.value).endswith("or choose a weaker level of isolation")


@needs_linux
def test_a_bot_that_cannot_reach_the_arena_is_no_working_level(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Isolation, "endpoint", lambda *_: "ipc:///nowhere")
    with pytest.raises(SurroundingsError, match="isolation process does not work here"):
        inspect(isolation("process"), short=True)


@needs_linux
def test_attacks_that_were_not_tried_are_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """A probe that hangs or is ended has tried only some."""
    monkeypatch.setattr("arena.runtime.inspection.probing.PATIENCE_S", 0.001)
    with pytest.raises(SurroundingsError, match="isolation process does not work here"):
        inspect(isolation("process"), short=True)


@pytest.mark.parametrize(
    ("setting", "value", "remedy"),
    [
        ("kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"),
        ("user/max_user_namespaces", "0", "sysctl user.max_user_namespaces="),
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "AppArmor profile"),
        ("kernel/apparmor_restrict_unprivileged_userns", "0", "in a container"),
    ],
)
def test_what_forbids_sandboxes_is_named(
    tmp_path: Path, setting: str, value: str, remedy: str
) -> None:
    path = tmp_path / setting
    path.parent.mkdir()
    path.write_text(f"{value}\n")
    assert remedy in str(not_working(Isolation("sandbox", (), "bwrap"), "no", settings=tmp_path))


# auto


def test_auto_is_the_strongest_level_that_keeps_its_promises(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    verdicts = {"sandbox": "OPEN", "process": "held", "none": "held"}
    looked_at: list[str] = []

    def find(level: Isolation, *, short: bool) -> tuple[Finding, ...]:
        looked_at.append(level.name)
        return (Finding("x", verdicts[level.name], ""),)  # type: ignore[arg-type]

    monkeypatch.setattr(inspection, "inspect", find)
    monkeypatch.setattr(inspection, "isolation", lambda name: Isolation(name, ()))
    name, _, passed_over = strongest()
    assert (name, passed_over) == ("process", "isolation sandbox does not hold here")
    assert looked_at == ["sandbox", "process"]
    verdicts["sandbox"] = "held"
    assert strongest() == ("sandbox", (Finding("x", "held", ""),), "")
    verdicts |= {"sandbox": "OPEN", "process": "OPEN"}
    with pytest.raises(SurroundingsError, match="isolation auto finds no level that holds here"):
        strongest()
    assert "none" not in looked_at, "it protects from nothing"


def test_auto_passes_over_a_level_that_is_not_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.runtime.isolation.trees.bubblewrap", lambda: None)
    name, found, passed_over = strongest()
    assert name == "process"
    assert not is_broken(found)
    assert "there is no bwrap" in passed_over


@needs_linux
@pytest.mark.parametrize("is_closed", [True, False])
def test_root_helps_bots_of_other_users_to_an_endpoint_in_a_closed_folder(
    is_closed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the runtime folder of a user is, which others may not enter."""
    level = isolation("process")
    if "user" not in level.protections or not confined.has_tools():
        pytest.skip("bots are no other users here")
    monkeypatch.setattr("arena.runtime.isolation.trees.languages", list)
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        folder = Path(place, "job/0")
        (folder / "home").mkdir(parents=True)
        (folder / "endpoint").touch()
        Path(place).chmod(0o700 if is_closed else 0o755)
        cell = Cell(
            program="/bin/sh",
            snapshot="/usr",
            home=str(folder / "home"),
            endpoint=str(folder / "endpoint"),
            private=str(folder.parent),
            limits=Limits(),
            number=0,
            user=level.user_of(os.getpid(), 0),
        )
        level.admit(cell)
        words = [*level.chain(cell), "/bin/sh", "-c", f"test -w {cell.endpoint}"]
        assert ("-all,+dac_read_search" in words) is is_closed
        assert subprocess.run(words, check=False).returncode == 0
