"""`arena tournament`: a run, the same again, and what happens when the config or a bot changes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from commands import RANDOM_BOT, Done, Tournament, arena, call, cells, games_of, new_tournament

CHANGED_BOT = RANDOM_BOT.replace("self.random.choice(legal)", "legal[-1]")


@pytest.fixture(scope="module")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tournament, Done]:
    """Two bots, three boards, played by the program; only to be looked at."""
    tournament = new_tournament(tmp_path_factory.mktemp("pair"), "a", "b")
    return tournament, arena("tournament", "tour.yaml", folder=tournament.folder)


@pytest.fixture
def finished(first_run: tuple[Tournament, Done], tmp_path: Path) -> Tournament:
    """The same, to be changed."""
    return first_run[0].copy(tmp_path)


@pytest.fixture
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever wants to play a game fails."""
    monkeypatch.setattr("arena.runtime.worker_process.start_worker", None)


def test_a_run_prints_the_table_to_stdout(first_run: tuple[Tournament, Done]) -> None:
    _, done = first_run
    assert done.code == 0
    head, *rows = done.out.splitlines()
    wanted = ["rank", "bot", "Elo", "±95%", "P(>next)", "games", "won-lost", "score", "faults"]
    assert cells(head) == [*wanted, "pts/deal ±95%", "ms/decision"]
    assert sorted(row.split()[1] for row in rows) == ["a", "b"]
    assert [cells(row)[5] for row in rows] == ["6", "6"]


def test_a_run_prints_everything_else_to_stderr(first_run: tuple[Tournament, Done]) -> None:
    _, done = first_run
    head, commitment, inspected, verdict, *_, results = done.err.splitlines()
    assert head.startswith("tour: 2 bots, 1 match x 3 boards = 6 games, ")
    assert commitment == f"cards committed: {hashlib.sha256(b'7').hexdigest()}"
    assert inspected.startswith("isolation: process, ")
    assert verdict.startswith("No bot is first: ")
    assert results == "results: results/tour"
    assert not set("\r\x1b") & set(done.err)


def test_the_same_command_again_plays_nothing_and_prints_the_same(
    first_run: tuple[Tournament, Done],
    finished: Tournament,
    no_worker: None,
    capfd: pytest.CaptureFixture[str],
) -> None:
    rows = finished.rows(times=True)
    again = call(capfd, "tournament", finished.config)
    assert (again.code, again.out) == (0, first_run[1].out)
    assert finished.rows(times=True) == rows


def test_more_boards_are_played_and_the_old_stay(
    finished: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = finished.rows(times=True)
    finished.configure("a.py", "b.py", boards=4)
    assert call(capfd, "tournament", finished.config).code == 0
    after = finished.rows(times=True)
    assert after[:6] == rows
    assert len(after) == 8


def test_fewer_boards_are_counted_and_none_is_lost(
    first_run: tuple[Tournament, Done],
    finished: Tournament,
    no_worker: None,
    capfd: pytest.CaptureFixture[str],
) -> None:
    exported = call(capfd, "export", finished.config).out
    finished.configure("a.py", "b.py", boards=2)
    fewer = call(capfd, "tournament", finished.config)
    assert [cells(row)[5] for row in fewer.out.splitlines()[1:]] == ["4", "4"]
    assert games_of(call(capfd, "export", finished.config).out) == games_of(exported)[:4]
    finished.configure("a.py", "b.py")
    assert call(capfd, "tournament", finished.config).out == first_run[1].out
    assert call(capfd, "export", finished.config).out == exported


def test_a_bot_that_is_added_plays_its_own_matches_only(
    finished: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = finished.rows(times=True)
    old_match = games_of(call(capfd, "export", finished.config).out)
    finished.configure("a.py", "b.py", finished.add_bot("c"))
    done = call(capfd, "tournament", finished.config)
    assert (done.code, len(done.out.splitlines())) == (0, 4)
    after = finished.rows(times=True)
    assert after[:6] == rows
    assert len(after) == 18
    exported = games_of(call(capfd, "export", finished.config).out)
    assert [game for game in exported if game["match"] == ["a@1", "b@1"]] == old_match


def test_a_changed_bot_is_a_new_version_and_the_old_one_may_return(
    first_run: tuple[Tournament, Done], finished: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    exported = call(capfd, "export", finished.config).out
    rows = finished.rows(times=True)
    finished.add_bot("b", CHANGED_BOT)
    changed = call(capfd, "tournament", finished.config)
    assert changed.code == 0
    assert {
        game["id"].split("/")[0] for game in games_of(call(capfd, "export", finished.config).out)
    } == {"a@1:b@2"}
    assert [cells(row)[5] for row in changed.out.splitlines()[1:]] == ["6", "6"]
    assert set(rows) < set(finished.rows(times=True))
    finished.add_bot("b")
    before = finished.rows(times=True)
    back = call(capfd, "tournament", finished.config)
    assert (back.code, back.out) == (0, first_run[1].out)
    assert finished.rows(times=True) == before
    assert call(capfd, "export", finished.config).out == exported


def test_copies_of_a_bot_are_noticed(
    tmp_path: Path, first_run: tuple[Tournament, Done], capfd: pytest.CaptureFixture[str]
) -> None:
    notice = (
        "a and b play exactly alike: on 3 of 3 boards both games went card for card the same. "
        "Are they copies?"
    )
    assert "copies" not in first_run[1].err
    tournament = new_tournament(tmp_path, "a", "b")
    for name in "ab":
        tournament.add_bot(name, CHANGED_BOT)
    played = call(capfd, "tournament", tournament.config)
    assert notice in played.err
    assert "+0.000 ±     -" in played.out
    ranked = json.loads(call(capfd, "rankings", "--json", tournament.config).out)
    assert notice in ranked["notices"]
    assert [bot["points_per_deal_error"] for bot in ranked["bots"]] == [None, None]


@pytest.mark.parametrize(
    ("keys", "difference"),
    [
        ({"seed": 8}, 'seed was "7", is now "8"'),
        ({"seed": None}, 'seed was "7", is now drawn'),
        ({"limits": {"move": "2s"}}, "limits.move was 1000 ms (the default), is now 2000 ms"),
        ({"limits": {"game": None}}, "limits.game was 60000 ms (the default), is now none"),
        ({"options": {"target_score": 3}}, "options.target_score was 2, is now 3"),
        ({"options": {}}, "options.target_score was 2, is now 10 (the default)"),
        (
            {"options": {"target_score": 2, "stick_the_dealer": True}},
            "options.stick_the_dealer was false (the default), is now true",
        ),
    ],
)
def test_other_conditions_are_refused_and_nothing_is_lost(
    first_run: tuple[Tournament, Done],
    finished: Tournament,
    no_worker: None,
    capfd: pytest.CaptureFixture[str],
    keys: dict[str, object],
    difference: str,
) -> None:
    finished.configure("a.py", "b.py", **keys)
    if keys.get("seed", 0) is None:
        finished.config.write_text(finished.config.read_text().replace('"seed": null, ', ""))
    for command in ("tournament", "rankings", "export"):
        refused = call(capfd, command, finished.config)
        assert (refused.code, refused.out) == (2, "")
        assert f"  {difference}\n" in refused.err
        assert refused.err.count("error:") == 1
    finished.configure("a.py", "b.py")
    assert call(capfd, "tournament", finished.config).out == first_run[1].out


def test_what_is_no_condition_may_change(
    first_run: tuple[Tournament, Done],
    finished: Tournament,
    no_worker: None,
    capfd: pytest.CaptureFixture[str],
) -> None:
    finished.configure(
        "b.py",
        "a.py",
        description="the same",
        tables=16,
        run={"workers": 1, "finish": "1s"},
        options={"target_score": 2, "deck_size": 24},
    )
    done = call(capfd, "tournament", finished.config)
    assert (done.code, done.out) == (0, first_run[1].out)


def test_another_config_of_the_same_name_is_refused(
    finished: Tournament, no_worker: None, capfd: pytest.CaptureFixture[str]
) -> None:
    other = finished.folder / "other.yaml"
    other.write_text(finished.config.read_text().replace("{", '{"name": "tour", ', 1))
    rows = finished.rows(times=True)
    for command in ("tournament", "rankings", "export"):
        refused = call(capfd, command, other)
        assert (refused.code, refused.out) == (2, "")
        assert f"holds the results of another config, {finished.config}" in refused.err
    assert finished.rows(times=True) == rows


def test_a_drawn_secret_stays_the_same_and_is_not_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    text = tournament.config.read_text().replace('"seed": 7, ', "")
    tournament.config.write_text(text)
    first = call(capfd, "tournament", tournament.config)
    again = call(capfd, "tournament", tournament.config)
    said = again.err.replace("2 of 2 games are settled already, nothing is left to play\n", "")
    looked_at = [line for line in first.err.splitlines() if "(inspection " in line]
    assert len(looked_at) == 1, "only where something is played"
    assert first.err.replace(f"{looked_at[0]}\n", "") == said != again.err
    exported = call(capfd, "export", tournament.config).out
    commitment = first.err.split("cards committed: ")[1].split()[0]
    assert f'"commitment":"{commitment}"' in exported
    assert '"secret":null' in exported
