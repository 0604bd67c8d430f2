"""A drawn secret: committed to from the start, published once, and nothing is played after that."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import pytest
from commands import Tournament, arena, call, last_of, new_tournament
from terminal import CTRL_C, terminal

from arena.store.lock import Lock
from arena.store.store import LOCK_NAME


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    """A finished tournament that drew its cards; only to be copied."""
    tournament = new_tournament(tmp_path_factory.mktemp("secret"), "a", "b", seed=None)
    del_seed(tournament)
    assert arena("tournament", "tour.yaml", folder=tournament.folder).code == 0
    return tournament


def del_seed(tournament: Tournament, **keys: object) -> None:
    config = json.loads(tournament.config.read_text())
    config.pop("seed", None)
    tournament.config.write_text(json.dumps(config | keys))


@pytest.fixture
def drawn(secret: Tournament, tmp_path: Path) -> Tournament:
    return secret.copy(tmp_path)


def test_a_revealed_secret_is_the_one_that_was_committed_to_and_gives_every_deal(
    drawn: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    before = call(capfd, "export", drawn.config)
    assert last_of(before.out)["secret"] is None
    refused = call(capfd, "verify", "--seed", write(drawn, before.out))
    assert refused.code == 2
    assert "arena export --reveal" in refused.err
    shown = call(capfd, "rankings", drawn.config)
    revealed = call(capfd, "export", "--reveal", drawn.config)
    assert revealed.code == 0
    assert revealed.err == ("tour is closed: its secret is in the last line of this export\n")
    end = last_of(revealed.out)
    assert hashlib.sha256(bytes.fromhex(end["secret"])).hexdigest() == end["commitment"]
    assert f"cards committed: {end['commitment']}\n" in shown.err
    assert revealed.out.splitlines()[:-1] == before.out.splitlines()[:-1]
    verified = call(capfd, "verify", "--seed", write(drawn, revealed.out))
    assert (verified.code, verified.err) == (0, "")
    assert "every deal derived from the secret" in verified.out


def write(tournament: Tournament, export: str) -> Path:
    path = tournament.folder / "g.jsonl"
    path.write_text(export)
    return path


def test_a_closed_tournament_plays_no_more_but_can_be_read(
    drawn: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    table = call(capfd, "tournament", drawn.config).out
    assert call(capfd, "export", "--reveal", drawn.config).code == 0
    # Again, and without the option: the secret stays public.
    again = call(capfd, "export", "--reveal", drawn.config)
    assert (again.code, again.err) == (0, "")
    assert call(capfd, "export", drawn.config).out == again.out
    assert call(capfd, "tournament", drawn.config).out == table
    shown = call(capfd, "rankings", drawn.config)
    assert "; revealed, so this tournament is closed" in shown.err
    assert json.loads(call(capfd, "rankings", "--json", drawn.config).out)["closed"]
    stored = drawn.rows(times=True)
    for keys in ({"boards": 4}, {"bots": ["a.py", "b.py", drawn.add_bot("c")]}):
        del_seed(drawn, **keys)
        done = call(capfd, "tournament", drawn.config)
        assert (done.code, done.out) == (2, "")
        assert "error: tour is closed: its secret is revealed" in done.err
        assert "--fresh" in done.err
    assert drawn.rows(times=True) == stored


def test_nothing_can_be_submitted_to_a_closed_tournament(
    drawn: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    del_seed(drawn, submissions="in")
    assert call(capfd, "tournament", drawn.config).code == 0
    assert call(capfd, "export", "--reveal", drawn.config).code == 0
    bot = drawn.folder / drawn.add_bot("new")
    done = call(capfd, "submit", bot, "--to", drawn.config)
    assert (done.code, done.out) == (2, "")
    assert "tour is closed" in done.err
    assert not (drawn.folder / "in").exists()


def test_a_tournament_with_games_left_is_closed_only_by_a_clear_yes(
    drawn: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    del_seed(drawn, boards=5)
    refused = arena("export", "--reveal", "tour.yaml", folder=drawn.folder)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == (
        "error: tour has 4 games left to play, which then never can be;"
        " add --yes to reveal its secret all the same\n"
    )
    assert last_of(call(capfd, "export", drawn.config).out)["secret"] is None
    done = arena("export", "--reveal", "--yes", "tour.yaml", folder=drawn.folder)
    assert done.code == 0
    assert last_of(done.out)["secret"] is not None


@pytest.mark.parametrize(("keys", "code"), [("y\r", 0), ("n\r", 1), (CTRL_C, 130)])
def test_it_asks_on_a_terminal(
    drawn: Tournament, capfd: pytest.CaptureFixture[str], keys: str, code: int
) -> None:
    del_seed(drawn, boards=5)
    words = (sys.executable, "-m", "arena", "export", "--reveal", "tour.yaml")
    with terminal(*words, folder=drawn.folder, stdout=drawn.folder / "g.jsonl") as shown:
        assert shown.shows("4 games left to play", "Reveal its secret all the same? [y/N]:")
        shown.type(keys)
        assert shown.end() == code
        last = shown.lines[-1]
    is_known = last_of(call(capfd, "export", drawn.config).out)["secret"] is not None
    assert is_known == (code == 0)
    assert is_known or last == "nothing was revealed"


def test_yes_to_nothing(drawn: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "export", "--yes", drawn.config)
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith("Error: --yes goes with --reveal only\n")


def test_a_submission_that_has_not_played_yet_is_not_shut_out_unasked(
    drawn: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    del_seed(drawn, submissions="in")
    (drawn.folder / "in").mkdir()
    (drawn.folder / "in/late.py").write_text("late")
    done = call(capfd, "export", "--reveal", drawn.config)
    assert (done.code, done.out) == (2, "")
    assert "tour has bots that have not played yet (late), which then never can be" in done.err
    assert last_of(call(capfd, "export", drawn.config).out)["secret"] is None


def test_a_running_tournament_is_not_revealed(
    drawn: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    lock = Lock(drawn.results / LOCK_NAME)
    try:
        done = arena("export", "--reveal", "tour.yaml", folder=drawn.folder)
    finally:
        lock.release()
    assert (done.code, done.out) == (4, "")
    assert "another arena" in done.err
    assert last_of(call(capfd, "export", drawn.config).out)["secret"] is None


def test_a_seed_is_public_already_and_closes_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    assert call(capfd, "export", "--reveal", tournament.config).code == 2
    assert not tournament.results.exists()
    assert call(capfd, "tournament", tournament.config).code == 0
    done = call(capfd, "export", "--reveal", tournament.config)
    assert (done.code, done.err) == (0, "")
    assert last_of(done.out)["secret"] == b"7".hex()
    assert not json.loads(call(capfd, "rankings", "--json", tournament.config).out)["closed"]
