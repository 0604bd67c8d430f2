"""The benchmarks measure, judge and say what they found. How fast anything is, is not judged."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.benchmarks import __main__ as suite
from tests.benchmarks import machine, rounds
from tests.benchmarks.figures import SCHEMA, Bound, Reading, rows
from tests.benchmarks.length import Look, first_and_last_tenth, growth_bytes
from tests.benchmarks.rounds import Round
from tests.benchmarks.tournament import TournamentSpeed

README = Path(__file__).with_name("benchmarks") / "README.md"


def run(*words: str) -> Result:
    return CliRunner().invoke(suite.main, words, catch_exceptions=False)


def ratios(monkeypatch: pytest.MonkeyPatch, *found: float, bound: Bound | None) -> None:
    """Let target 6 be measured as these ratios, one a round."""
    left = iter(found)

    def measure(_: Round) -> Iterator[Reading]:
        yield Reading("6", "a row", 12_345.6, "things/s", next(left), bound)

    monkeypatch.setitem(suite.TARGETS, "6", suite.Target("nothing", measure))


@pytest.mark.parametrize("words", [("--rounds", "0"), ("--scale", "0")])
def test_nothing_is_not_measured_and_held(words: tuple[str, str]) -> None:
    done = run("--only", "6", *words)
    assert done.exit_code == 2
    assert words[0] in done.output


@pytest.mark.parametrize(
    ("bound", "code"),
    [
        (Bound("least", 2.0), 0),
        (Bound("least", 2.1), 1),
        (Bound("most", 2.0), 0),
        (Bound("most", 1.9), 1),
        (None, 0),
    ],
)
def test_the_median_of_the_rounds_is_judged(
    monkeypatch: pytest.MonkeyPatch, bound: Bound | None, code: int
) -> None:
    ratios(monkeypatch, 9.0, 1.0, 2.0, bound=bound)
    assert run("--only", "6").exit_code == code
    ratios(monkeypatch, 9.0, 1.0, 2.0, bound=bound)
    assert run("--only", "6", "--report-only").exit_code == 0


def test_the_table_shows_what_was_measured_and_what_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ratios(monkeypatch, 1.5, 2.5, bound=Bound("least", 2.25))
    done = run("--only", "6", "--rounds", "2")
    *_, line = done.stdout.splitlines()
    cells = ["6", "a row", "12,346 things/s", "2", "at least 2.25", "1.5-2.5", "MISSED"]
    assert re.split(r"\s{2,}", line) == cells
    assert done.stderr.splitlines() == [f"round {n} of 2: 6, nothing" for n in (1, 2)]


def test_what_cannot_be_measured_is_missed_and_does_not_end_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def measure(_: Round) -> Iterator[Reading]:
        yield Reading("3", "a row", 1.0, "s", 1.0, None)
        raise TimeoutError("no bots")

    monkeypatch.setitem(suite.TARGETS, "3", suite.Target("nothing", measure))
    ratios(monkeypatch, 1.0, bound=None)
    done = run("--only", "3", "--only", "6", "--rounds", "1", "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["held"], found["failed"]) == (1, False, ["3"])
    assert [row["target"] for row in found["rows"]] == ["3", "6"]
    assert "target 3 could not be measured: no bots" in done.stderr


def test_json_says_the_same_and_its_keys_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    ratios(monkeypatch, 1.5, 2.5, bound=Bound("least", 2.25))
    found = json.loads(run("--only", "6", "--rounds", "2", "--json").stdout)
    (row,) = found["rows"]
    assert (found["schema"], found["rounds"], found["held"]) == (SCHEMA, 2, False)
    assert (row["ratio"], row["ratios"], row["held"]) == (2.0, [1.5, 2.5], False)
    assert row["bound"] == {"at": "least", "value": 2.25}
    keys = {*found, *(f"machine.{key}" for key in found["machine"])}
    keys |= {f"rows[].{key}" for key in row}
    table = README.read_text("utf-8").partition("| key |")[2].partition("\n\n")[0]
    assert {key for line in table.splitlines() for key in line_keys(line)} == keys


def line_keys(line: str) -> list[str]:
    return re.findall(r"`([^`]+)`", line.partition(" | ")[0])


def test_the_machine_is_described_without_telling_whose_it_is() -> None:
    assert set(machine.Machine.__struct_fields__) == {
        *("cores", "cpu", "kernel", "python", "pyzmq", "libzmq", "msgspec", "load_average")
    }


def test_each_target_can_be_chosen_and_is_explained() -> None:
    assert set(suite.TARGETS) == {"1", "1b", "2", "3", "4", "5", "6", "7"}
    text = README.read_text("utf-8")
    assert all(f"\n| {key} | " in text for key in suite.TARGETS)
    assert run("--only", "8").exit_code == 2


def test_readings_of_a_row_come_together_whatever_lies_between() -> None:
    first, second = Bound("most", 1), Bound("least", 1)
    found = rows(
        [
            Reading("2", "x", 1.0, "s", 10.0, first),
            Reading("1", "y", 5.0, "s", 50.0, second),
            Reading("2", "x", 3.0, "s", 20.0, first),
        ]
    )
    assert [(row.target, row.measured, row.ratio) for row in found] == [
        ("1", 5.0, 50.0),
        ("2", 2.0, 15.0),
    ]


def test_memory_of_the_last_tenth_is_held_to_that_of_the_second() -> None:
    seen = [Look(float(n), n, 100 + (50 if n == 5 else n)) for n in range(101)]
    assert growth_bytes(seen) == 200 - 120
    assert growth_bytes([Look(0.0, 0, 1), Look(1.0, 100, 9)]) is None
    assert growth_bytes([]) is None


def test_the_last_tenth_of_games_is_timed_like_the_first() -> None:
    steady = [Look(float(n), n, 0) for n in range(101)]
    assert first_and_last_tenth(steady) == pytest.approx((1.0, 1.0))
    slower = [*steady[:91], *(Look(90.0 + 2 * n, 90 + n, 0) for n in range(1, 11))]
    first, last = first_and_last_tenth(slower) or (0.0, 0.0)
    assert first == pytest.approx(1.0)
    assert last == pytest.approx(0.5, abs=0.06)
    assert first_and_last_tenth(steady[:1]) is None


def test_a_real_tournament_is_measured() -> None:
    done = run("--only", "3", "--rounds", "1", "--scale", "0.0001", "--json")
    (row,) = json.loads(done.stdout)["rows"]
    assert row["ratio"] > 1  # nobody has thought longer than it took
    assert done.exit_code == (not row["held"])


def test_a_round_measures_the_same_thing_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "play_two_bots", lambda *_: TournamentSpeed(8_000.0, 60.0, 5_000.0))
    this = Round(0.0001)
    found = this.two_bots(64, workers=2)
    assert found.times_raw == 8_000 / found.raw_per_s > 0
    assert this.two_bots(64, workers=2) is found
    assert this.two_bots(64, workers=1) is not found


def test_what_others_take_is_without_what_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    cores = os.cpu_count() or 1
    taken, own, now = iter([10.0, 10.0 + 5 * cores]), iter([4.0, 4.0 + 2 * cores]), iter([0.0, 6.0])
    monkeypatch.setattr(machine, "_taken_s", lambda: next(taken))
    monkeypatch.setattr(machine, "_own_s", lambda: next(own))
    monkeypatch.setattr(machine, "monotonic", lambda: next(now))
    assert machine.Others().share() == pytest.approx(0.5)


def test_what_the_system_tells_of_its_cores_is_read() -> None:
    assert machine._taken_s() > machine._own_s() > 0
