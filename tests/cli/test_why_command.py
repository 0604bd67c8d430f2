"""`arena why`: what a bot lost in a real tournament."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import Tournament, arena, call, games_of, new_tournament

from arena.report.why import CostlyDeal, Decision, FaultGroup, Situation, Why

FIRST = "from arena.sdk import run\nrun(lambda view, legal: legal[0])\n"
LAST = "from arena.sdk import run\nrun(lambda view, legal: legal[-1])\n"
WRONG = """
from arena.sdk import run
def choose(view, legal):
    if view.points[view.seat] > 2:
        raise KeyError(view.points)
    return legal[0]
run(choose)
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    """Some boards of bots that differ, of which one faults when it is ahead."""
    tournament = new_tournament(tmp_path_factory.mktemp("played"))
    sources = {"first": FIRST, "last": LAST, "wrong": WRONG}
    bots = [tournament.add_bot(name, source) for name, source in sources.items()]
    tournament.configure(*bots, boards=6, options={"target_score": 5})
    assert arena("tournament", tournament.config, folder=tournament.folder).code == 0
    return tournament


def test_what_is_told(played: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "why", played.config, "WRONG", "--deals", "2")
    assert (done.code, done.err) == (0, "")
    head, faults, deals, *costly = done.out.split("\n\n")
    assert head.startswith("wrong@1: 24 games, ")
    summary, fault, got, command = faults.splitlines()
    lost = summary.removesuffix(" games lost by faults")
    assert fault.split(": ")[0] == f"{lost:>5}  crash"
    assert "got: KeyError: " in got
    assert " points a deal" in deals.splitlines()[0]
    assert len(costly) == 2
    for words in (command, costly[0].splitlines()[-1]):
        shown = call(capfd, *words.split()[1:])
        assert shown.code == 0
        assert "Deal " in shown.out


def test_the_fault_s_command_shows_the_fault(
    played: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    (fault,) = json.loads(call(capfd, "why", played.config, "wrong", "--json").out)["faults"]
    shown = call(capfd, *fault["replay"].split()[1:]).out
    assert "wrong is at fault (crash): the bot gave the game up at decision " in shown


def test_as_json_it_is_what_the_games_say(
    played: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    found = json.loads(call(capfd, "why", played.config, "first", "--json", "--deals", "99").out)
    assert set(found) == set(Why.__struct_fields__)
    assert found["schema"] == "arena.why/1"
    for rows, kind in (
        (found["faults"], FaultGroup),
        (found["situations"], Situation),
        (found["costliest"], CostlyDeal),
        ([deal["decision"] for deal in found["costliest"]], Decision),
    ):
        assert all(set(row) == set(kind.__struct_fields__) for row in rows)
    games = games_of(call(capfd, "export", played.config).out)
    own = [game for game in games if "first@1" in game["seats"]]
    assert found["games"] == len(own)
    assert found["won"] == sum(game["seats"][game["winner"]] == "first@1" for game in own)
    ranked = json.loads(call(capfd, "rankings", played.config, "--json").out)["bots"]
    (row,) = [bot for bot in ranked if bot["name"] == "first"]
    assert row["paired_deals"] == found["paired"] > 0
    by_id = {game["id"]: game for game in games}
    for deal in found["costliest"]:
        seat, other = deal["seat"], 1 - deal["seat"]
        for game, points in ((deal["game"], deal["points"]), (deal["other_game"], None)):
            made = by_id[game]["deals"][deal["deal"]]["points"]
            assert made[seat] - made[other] == (deal["other_points"] if points is None else points)
        assert by_id[deal["game"]]["seats"][seat] == "first@1"
        assert by_id[deal["other_game"]]["seats"][seat] == deal["other"]


def test_only_against_one(played: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    words = ("why", played.config, "first", "--against", "last", "--deals", "99", "--json")
    found = json.loads(call(capfd, *words).out)
    assert (found["against"], found["games"]) == ("last@1", 12)
    assert {deal["other"] for deal in found["costliest"]} == {"last@1"}
    compared = json.loads(call(capfd, "compare", played.config, "first", "last", "--json").out)
    assert found["ahead"] / (2 * found["paired"]) == pytest.approx(
        compared["points"]["per_deal"], abs=1e-3
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["frist"], 'no bot "frist" in these results; did you mean "first"?'),
        (["first", "--against", "nobody"], "there are first@1, last@1, wrong@1"),
        (["first", "--against", "first"], "first@1 does not play against first@1"),
        (["first", "--deals", "-1"], "is not in the range"),
    ],
)
def test_what_cannot_be_told(
    words: list[str], told: str, played: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    done = call(capfd, "why", played.config, *words)
    assert (done.code, done.out) == (2, "")
    assert told in done.err


def test_results_without_actions_and_an_old_version(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = new_tournament(tmp_path)
    bots = [tournament.add_bot("first", FIRST), tournament.add_bot("last", LAST)]
    keys = {"boards": 3, "options": {"target_score": 5}, "output": {"records": "results"}}
    tournament.configure(*bots, **keys)
    call(capfd, "tournament", tournament.config)
    before = call(capfd, "why", tournament.config, "first").out
    if "lost to" in before:
        assert "the games were kept without their actions (output.records: results)" in before
    assert "first decision that differed" not in before
    tournament.add_bot("first", f"{FIRST}# changed\n")
    tournament.configure(*bots, **{**keys, "boards": 1})
    call(capfd, "tournament", tournament.config)
    assert call(capfd, "why", tournament.config, "first@1").out.startswith("first@1: 2 games, ")
    tournament.configure(*bots, **keys)
    assert call(capfd, "why", tournament.config, "first@1").out == before
    assert call(capfd, "why", tournament.config, "first").out.startswith("first@2: 2 games, ")
    done = call(capfd, "why", tournament.config, "first@1", "--against", "nobody@1")
    assert done.code == 2


def test_who_has_not_played_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    assert call(capfd, "why", tournament.config, "a").code == 2
    call(capfd, "tournament", tournament.config)
    tournament.configure("a.py", "b.py", tournament.add_bot("c"), boards=1)
    words = ("why", tournament.config, "a", "--against")
    assert 'no bot "c" in these results' in call(capfd, *words, "c").err
