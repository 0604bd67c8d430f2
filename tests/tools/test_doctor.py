from __future__ import annotations

import json
import os
from collections.abc import Mapping

import pytest

from arena.cli import doctor as command
from arena.cli import main
from arena.errors import SurroundingsError
from arena.runtime.isolation import Isolation
from arena.runtime.isolation.levels import LEVELS
from arena.runtime.job import Finding, Verdict
from arena.tools import doctor
from arena.tools.doctor import diagnose, is_ill

ATTACK = "signal the arena"


def inspected(
    monkeypatch: pytest.MonkeyPatch,
    verdicts: Mapping[str, Verdict],
    missing: tuple[str, ...] = (),
) -> None:
    """Let each level come out as it is wanted; those not named are held."""

    def take(name: str) -> Isolation:
        if name in missing:
            raise SurroundingsError(f"isolation {name} is not to be had here: there is no bwrap")
        return Isolation(name, ())

    def inspect(level: Isolation) -> tuple[Finding, ...]:
        return (Finding(ATTACK, verdicts.get(level.name, "held"), "killed \x1b[2J"),)

    monkeypatch.setattr(doctor, "isolation", take)
    monkeypatch.setattr(doctor, "inspect", inspect)


def called(capture: pytest.CaptureFixture[str], *words: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["doctor", *words])
    return end.value.code, *capture.readouterr()


def test_the_command_knows_all_levels() -> None:
    assert command._LEVELS == LEVELS


@pytest.mark.parametrize(
    ("verdicts", "missing", "auto", "ill"),
    [
        ({}, (), "sandbox", False),
        ({}, ("sandbox",), "process", False),
        ({"sandbox": "OPEN"}, (), "process", True),
        ({"process": "OPEN"}, ("sandbox",), None, True),
        ({"process": "not promised", "none": "not promised"}, ("sandbox",), "process", False),
        (dict.fromkeys(LEVELS, "OPEN"), (), None, True),
    ],
)
def test_auto_is_the_strongest_sound_level_and_a_broken_promise_is_ill(
    monkeypatch: pytest.MonkeyPatch,
    verdicts: Mapping[str, Verdict],
    missing: tuple[str, ...],
    auto: str | None,
    ill: bool,
) -> None:
    inspected(monkeypatch, verdicts, missing)
    found = diagnose()
    assert [level.name for level in found.levels] == list(LEVELS)
    assert found.auto == auto
    assert is_ill(found, None) is ill


def test_a_level_that_is_asked_for_must_be_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    inspected(monkeypatch, {}, ("sandbox",))
    code, out, _ = called(capsys, "--level", "sandbox")
    assert code == 4
    assert "isolation sandbox is not to be had here: there is no bwrap" in out
    assert "auto" not in out
    code, out, _ = called(capsys, "--level", "sandbox", "--json")
    assert code == 4
    (level,) = json.loads(out)["levels"]
    assert level["problem"].endswith("there is no bwrap")
    assert called(capsys)[0] == 0


def test_a_broken_promise_is_said_and_ends_with_4(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    inspected(monkeypatch, {"process": "OPEN"})
    code, out, err = called(capsys)
    assert code == 4
    assert "OPEN" in out
    assert r"killed \x1b[2J" in out
    assert err == "isolation process is broken here: a bot can signal the arena\n"
    assert "isolation auto takes: sandbox" in out


def test_what_cannot_be_attacked_for_want_of_room_is_no_crash(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def inspect(_: Isolation) -> tuple[Finding, ...]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(doctor, "inspect", inspect)
    code, out, _ = called(capsys, "--level", "none")
    assert code == 4
    assert "it could not be attacked: No space left on device; free some space" in out


def test_the_machine_is_described(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    inspected(monkeypatch, {})
    code, out, _ = called(capsys, "--json")
    assert code == 0
    found = json.loads(out)
    assert found["schema"] == "arena.doctor/1"
    assert found["auto"] == "sandbox"
    machine = found["machine"]
    assert machine["root"] == (os.geteuid() == 0)
    assert 1 <= machine["cores"] <= (os.cpu_count() or 1)
    assert len(machine["load"]) == 3
    assert 0 < machine["clock"]["resolution_ns"] < 1_000_000_000
    assert [disk["keeps"] for disk in machine["disks"]] == ["results", "private folders"]
    assert all(0 <= disk["free_bytes"] <= disk["total_bytes"] for disk in machine["disks"])
    assert machine["libraries"].keys() == {"pyzmq", "libzmq", "msgspec", "SQLite"}
    assert machine["tools"].keys() == {"bubblewrap", "util-linux"}
    _, text, _ = called(capsys)
    for version in (machine["python"], machine["arena"], *machine["libraries"].values()):
        assert version in text


def test_a_real_level_is_shown_with_all_that_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = called(capsys, "--level", "process")
    assert (code, err) == (0, "")
    assert "take too much memory" in out
    assert "not promised" in out
    assert "OPEN" not in out
