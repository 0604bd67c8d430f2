"""`rankings`, `export` and `verify`: what they print of finished and unfinished tournaments."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from commands import (
    RANDOM_BOT,
    Tournament,
    arena,
    call,
    games_of,
    last_of,
    new_tournament,
)

from arena.errors import ReplayError
from arena.referee.record import GameId, Void
from arena.store.store import Store

NOTING_BOT = RANDOM_BOT.replace("return self", 'self.note("so be it")\n        return self')
DATA = Path(__file__).parents[1] / "data/rules"
VERSIONS = ("a@1", "b@1", "c@1")
MATCHES = (("a@1", "b@1"), ("a@1", "c@1"), ("b@1", "c@1"))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    """Three bots, one of which takes notes; only to be looked at."""
    tournament = new_tournament(tmp_path_factory.mktemp("trio"), *"abc", tables=4)
    tournament.add_bot("b", NOTING_BOT)
    assert arena("tournament", "tour.yaml", folder=tournament.folder).code == 0
    return tournament


@pytest.fixture
def export(finished: Tournament, capfd: pytest.CaptureFixture[str]) -> str:
    done = call(capfd, "export", finished.config)
    assert (done.code, done.err) == (0, "")
    return done.out


@pytest.fixture
def written(export: str, tmp_path: Path) -> Path:
    """The export in a file."""
    path = tmp_path / "g.jsonl"
    path.write_text(export)
    return path


# export


def test_games_are_in_schedule_order(export: str) -> None:
    assert [game["id"] for game in games_of(export)] == [
        str(GameId(match, board, seating))
        for board, match, seating in product(range(3), MATCHES, (0, 1))
    ], "three boards are three blocks"


def test_lines_are_canonical(export: str) -> None:
    for line in export.splitlines():
        value = json.loads(line)
        assert line == json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def test_what_a_game_shows(export: str) -> None:
    game = games_of(export)[0]
    assert game["format"] == "arena-game/1"
    assert (game["variant"], game["options"]) == ("two_handed", {"target_score": 2})
    assert not {"times_us", "cpu_us", "lag_us"} & game.keys()
    assert "notes" not in game


def test_the_last_line(export: str) -> None:
    last = last_of(export)
    assert (last["format"], last["games"], last["complete"]) == ("arena-end/1", 18, True)
    assert (last["secret"], last["isolation"]) == (b"7".hex(), ["process"])
    assert sorted(last["bots"]) == list(VERSIONS)
    assert all(len(bytes.fromhex(digest)) == 32 for digest in last["bots"].values())


def test_times_and_notes_are_added_if_asked_for(
    finished: Tournament, export: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    full = call(capfd, "export", "--times", "--notes", finished.config).out
    cpu_us = 0
    for game, plain in zip(games_of(full), games_of(export), strict=True):
        actions = [action for deal in game["deals"] for action in deal["actions"]]
        assert len(game.pop("times_us")) == len(actions)
        cpu_us += sum(game.pop("cpu_us"))
        assert game.pop("lag_us") >= 0
        noted = {number for number, note in game.pop("notes") if note == "so be it"}
        assert noted == {
            number for number, (seat, _) in enumerate(actions) if game["seats"][seat] == "b@1"
        }
        assert game == plain
    assert cpu_us > 0
    (tmp_path / "full").write_text(full)
    assert call(capfd, "verify", "--seed", tmp_path / "full").code == 0


def test_both_seatings_of_a_board_have_the_same_cards(export: str) -> None:
    boards: dict[tuple[str, ...], list[object]] = {}
    for game in games_of(export):
        first = {key: game["deals"][0][key] for key in ("dealer", "hands", "upcard", "stock")}
        boards.setdefault((*game["match"], game["board"]), []).append(first)
    assert all(one == other for one, other in boards.values())
    assert len({json.dumps(cards) for cards in boards.values()}) == 9


def test_a_record_that_breaks_the_rules_is_not_exported(
    finished: Tournament, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ReplayError("action 3: no", action=3)

    monkeypatch.setattr("arena.tools.export.exported", refuse)
    done = call(capfd, "export", finished.config)
    assert (done.code, done.out, done.err) == (1, "", "error: action 3: no\n")


# verify


def test_an_export_is_accepted_and_its_deals_derived(
    written: Path, export: str, capfd: pytest.CaptureFixture[str]
) -> None:
    deals = sum(len(game["deals"]) for game in games_of(export))
    right = f"ok: 18 games, {deals} deals follow the rules"
    assert call(capfd, "verify", written).out == f"{right}\n"
    assert call(capfd, "verify", "--seed", written).out == (
        f"{right}, every deal derived from the secret\n"
    )
    shown = json.loads(call(capfd, "verify", "--seed", "--json", written).out)
    assert shown == {
        "schema": "arena.verify/1",
        "games": 18,
        "deals": deals,
        "derived": True,
        "complete": True,
        "not_replayed": 0,
        "findings": [],
    }


@pytest.mark.parametrize(
    "source",
    ["- < {}", "/dev/stdin < {}", "<(cat {})", "- < <(cat {})"],
    ids=["stdin", "its file", "a pipe by name", "a pipe"],
)
def test_streams_that_can_be_read_once_only(written: Path, source: str) -> None:
    command = f"{sys.executable} -m arena verify --seed {source.format(written)}"
    ended = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("ok: 18 games, ")


def test_each_spoiled_game_is_refused_by_game_and_deal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    cases = [json.loads(line) for line in (DATA / "spoiled_games.jsonl").read_text().splitlines()]
    spoiled = tmp_path / "spoiled.jsonl"
    for case in cases:
        spoiled.write_text(json.dumps(case["game"]))
        done = call(capfd, "verify", spoiled)
        place = "" if case["deal"] is None else f"deal {case['deal']}: "
        assert done.code == 1
        assert done.out.startswith(f"line 1: game {case['game']['id']}: {place}")
    assert len(cases) == 36


def test_only_the_first_findings_are_shown_and_all_are_counted(
    written: Path, export: str, capfd: pytest.CaptureFixture[str]
) -> None:
    written.write_text(export.splitlines(keepends=True)[0] + "?\n" * 30)
    done = call(capfd, "verify", written)
    assert done.code == 1
    assert len(done.out.splitlines()) == 21
    assert done.out.splitlines()[-1] == "30 findings, the first 20 are shown; 1 game read"
    shown = json.loads(call(capfd, "verify", "--json", written).out)
    assert (shown["games"], len(shown["findings"])) == (1, 30)
    assert shown["findings"][0]["line"] == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "there is no game in this file"),
        (b"\n \n", "there is no game in this file"),
        (b"a: 1\nb: 2\n", "this is no export of arena"),
        (None, "No such file or directory"),
    ],
)
def test_files_that_cannot_be_verified(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], content: bytes | None, said: str
) -> None:
    file = tmp_path / "f"
    if content is not None:
        file.write_bytes(content)
    done = call(capfd, "verify", file)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert done.err.startswith("error: ")


def test_a_folder_cannot_be_verified(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "verify", tmp_path)
    assert (done.code, done.err) == (2, f"error: {tmp_path}: Is a directory\n")


def test_without_its_last_line_a_seed_cannot_be_verified(
    written: Path, export: str, capfd: pytest.CaptureFixture[str]
) -> None:
    written.write_text("".join(export.splitlines(keepends=True)[:-1]))
    assert call(capfd, "verify", written).code == 0
    done = call(capfd, "verify", "--seed", written)
    assert (done.code, done.out) == (2, "")
    assert "the last line is not an arena-end/1 line" in done.err


def test_a_wrong_secret_is_a_finding(
    written: Path, export: str, capfd: pytest.CaptureFixture[str]
) -> None:
    written.write_text(export.replace(f'"secret":"{b"7".hex()}"', '"secret":"00"'))
    done = call(capfd, "verify", "--seed", written)
    assert done.code == 1
    assert done.out.splitlines() == [
        "line 19: the secret is not the one that was committed to",
        "1 finding; 18 games read",
    ]


# rankings


def test_rankings_print_what_ended_the_run(
    finished: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    run = call(capfd, "tournament", finished.config)
    shown = call(capfd, "rankings", finished.config)
    assert (shown.code, shown.out) == (0, run.out)
    *remarks, committed = shown.err.splitlines(keepends=True)
    assert "".join(remarks) in run.err
    assert remarks
    assert committed == f"cards committed: {hashlib.sha256(b'7').hexdigest()}\n"
    assert committed in run.err


def test_rankings_as_json(finished: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "rankings", "--json", finished.config)
    assert (done.code, done.err, done.out.count("\n")) == (0, "", 1)
    shown = json.loads(done.out)
    assert (shown["schema"], shown["tournament"]) == ("arena.rankings/1", "tour")
    assert (shown["games"], shown["scheduled"], shown["complete"]) == (18, 18, True)
    assert [bot["games"] for bot in shown["bots"]] == [12, 12, 12]


@pytest.mark.parametrize("command", ["rankings", "export"])
def test_before_the_first_run_there_is_nothing_to_read(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    tournament = new_tournament(tmp_path, "a", "b")
    done = call(capfd, command, tournament.config)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"error: no results in {tournament.results}: run the tournament first\n"
    assert not tournament.results.exists()
    Store.open(tournament.results).close()
    done = call(capfd, command, tournament.config)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: tour has no results yet: run `arena tournament ")


def test_a_void_for_good_is_said_and_ends_with_a_finding(
    finished: Tournament, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = finished.copy(tmp_path)
    tournament.configure("a.py", "b.py", "c.py", boards=4)
    lost = GameId(MATCHES[0], 3, 1)
    with Store.open(tournament.results) as store:
        store.add(voids=[Void(lost, "arena_stall")] * 4)
    done = call(capfd, "tournament", tournament.config)
    assert done.code == 1
    assert "void for good, so not counted: 1 of 24 games" in done.err
    shown = json.loads(call(capfd, "rankings", "--json", tournament.config).out)
    assert (shown["games"], shown["void"], shown["complete"]) == (23, 1, True)
    exported = call(capfd, "export", tournament.config).out
    assert str(lost) not in [game["id"] for game in games_of(exported)]
    assert (last_of(exported)["games"], last_of(exported)["complete"]) == (23, True)
    voids = call(capfd, "export", "--void", tournament.config).out
    assert [json.loads(line) for line in voids.splitlines()] == [
        {"format": "arena-void/1", "id": str(lost), "cause": "arena_stall", "listed": listed}
        for listed in (False, False, False, True)
    ]


def test_voids_go_with_no_other_option(
    finished: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    done = call(capfd, "export", "--void", "--all", finished.config)
    assert (done.code, done.out) == (2, "")
    assert "--void goes with no other option" in done.err


def test_games_that_do_not_count_are_added_if_asked_for(
    finished: Tournament, export: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Of an old version, and of boards that are no longer played."""
    tournament = finished.copy(tmp_path)
    tournament.configure("a.py", "b.py", "c.py", boards=2)
    tournament.add_bot("c", RANDOM_BOT + "# another version\n")
    assert call(capfd, "tournament", tournament.config).code == 0
    plain = call(capfd, "export", tournament.config).out
    full = call(capfd, "export", "--all", tournament.config).out
    assert len(games_of(plain)) == 12
    assert games_of(full)[:12] == games_of(plain)
    rest = games_of(full)[12:]
    assert [game["id"] for game in rest] == [
        str(GameId(match, board, seating))
        for match, boards in ((MATCHES[0], [2]), (MATCHES[1], [0, 1, 2]), (MATCHES[2], [0, 1, 2]))
        for board, seating in product(boards, (0, 1))
    ]
    assert all(game["counts"] is False for game in rest)
    assert not any("counts" in game for game in games_of(plain))
    assert sorted(last_of(full)["bots"]) == [*VERSIONS, "c@2"]
    assert sorted(last_of(plain)["bots"]) == ["a@1", "b@1", "c@2"]
    (tmp_path / "full").write_text(full)
    assert call(capfd, "verify", "--seed", tmp_path / "full").code == 0


def test_results_can_be_read_when_the_bots_have_gone(
    finished: Tournament, export: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = finished.copy(tmp_path)
    for name in "abc":
        (tmp_path / f"{name}.py").unlink()
    assert call(capfd, "export", tournament.config).out == export
    shown = json.loads(call(capfd, "rankings", "--json", tournament.config).out)
    assert len(shown["bots"]) == 3
