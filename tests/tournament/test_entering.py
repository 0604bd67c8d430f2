"""From a config to bots that can be started: versions, the secret, and what is refused."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import UserError
from arena.runtime.executor import Limits
from arena.store.store import Store
from arena.tournament.config import Config, load_config
from arena.tournament.entering import Field, enter, known_tournament, match_identity

BOTS = ("a", "b", "c")


class Entering:
    """A folder with bots, a config and an open store."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for bot in BOTS:
            (folder / f"{bot}.py").write_text(f"print({bot!r})\n")
        self.store = Store.open(folder / "results" / "tour")

    def config(self, *bots: object, **keys: object) -> Config:
        path = self.folder / "tour.yaml"
        path.write_text(json.dumps({"seed": 5, "bots": bots or ["a.py", "b.py"], **keys}))
        return load_config(path)

    def enter(self, *bots: object, **keys: object) -> Field:
        return enter(self.config(*bots, **keys), self.store)

    def current(self) -> list[str]:
        return sorted(str(bot) for bot in self.store.bots() if bot.current)


@pytest.fixture
def entering(tmp_path: Path) -> Iterator[Entering]:
    entering = Entering(tmp_path)
    yield entering
    entering.store.close()


def test_bots_enter_in_the_order_of_the_config(entering: Entering) -> None:
    field = entering.enter("b.py", "a.py")
    assert list(field.specs) == list(field.hashes) == ["b@1", "a@1"]
    assert [str(bot) for bot in entering.store.bots()] == ["b@1", "a@1"]


def test_what_a_worker_needs_of_a_bot(entering: Entering) -> None:
    long = {
        "name": "x",
        "path": "a.py",
        "command": ["./run", "-f"],
        "params": {"n": 1},
        "env": {"E": "1"},
        "limits": {"move": "2s"},
    }
    specs = entering.enter(long, "b.py").specs
    assert specs["b@1"].argv == (sys.executable, "-u", "b.py")
    x = specs["x@1"]
    assert (x.argv, x.params, x.env, x.limits.move_ms) == (
        ("./run", "-f"),
        {"n": 1},
        {"E": "1"},
        2000,
    )
    assert specs["b@1"].limits == Limits()
    assert (x.version, x.name) == ("x@1", "x")


def test_what_plays_is_a_copy(entering: Entering) -> None:
    spec = entering.enter().specs["a@1"]
    (entering.folder / "a.py").write_text("changed")
    assert (Path(spec.folder) / "a.py").read_text() == "print('a')\n"
    assert Path(spec.folder).is_relative_to(entering.folder / "results" / "tour" / "snapshots")


def test_a_changed_bot_is_the_next_version_and_an_old_one_returns(entering: Entering) -> None:
    first = entering.enter()
    (entering.folder / "b.py").write_text("changed")
    second = entering.enter()
    assert list(second.specs) == ["a@1", "b@2"]
    assert second.hashes["b@2"] != first.hashes["b@1"]
    told = "b changed: it plays as b@2 now; the games of b@1 are kept, but do not count"
    assert (first.changes, second.changes) == ((), (told,))
    (entering.folder / "b.py").write_text("print('b')\n")
    third = entering.enter()
    assert (third.specs, third.hashes) == (first.specs, first.hashes)
    assert third.changes[0].startswith("b changed: it plays as b@1 now; the games of b@2 ")
    assert entering.enter().changes == ()
    assert entering.current() == ["a@1", "b@1"]
    (entering.folder / "b.py").write_text("changed again")
    assert list(entering.enter().specs) == ["a@1", "b@3"]


@pytest.mark.parametrize(
    "change",
    [{"params": {"n": 1}}, {"env": {"E": "1"}}, {"limits": {"move": "2s"}}, {"command": ["x"]}],
)
def test_all_that_makes_a_bot_play_otherwise_makes_a_version(
    entering: Entering, change: dict[str, object]
) -> None:
    entering.enter("a.py", "b.py")
    assert list(entering.enter("a.py", {"path": "b.py", **change}).specs) == ["a@1", "b@2"]


def test_bots_that_are_not_there_any_more_are_not_current(entering: Entering) -> None:
    entering.enter("a.py", "b.py", "c.py")
    entering.enter("a.py", "c.py")
    assert entering.current() == ["a@1", "c@1"]


def test_the_secret_is_the_seed_or_drawn_once(entering: Entering, tmp_path: Path) -> None:
    tournament = entering.enter().tournament
    assert (tournament.secret, tournament.drawn) == (b"5", False)
    drawn = Entering(_folder(tmp_path / "drawn"))
    keys = {"bots": ["a.py", "b.py"]}
    (drawn.folder / "tour.yaml").write_text(json.dumps(keys))
    config = load_config(drawn.folder / "tour.yaml")
    first, again = (enter(config, drawn.store).tournament for _ in range(2))
    assert first == again
    assert (len(first.secret), first.drawn) == (32, True)
    drawn.store.close()


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def test_seeds_come_from_names_and_hashes(entering: Entering) -> None:
    field = entering.enter()
    identity = match_identity(field.hashes, ("a@1", "b@1"))
    assert identity == [("a", field.hashes["a@1"]), ("b", field.hashes["b@1"])]
    assert len(bytes.fromhex(identity[0][1])) == hashlib.sha256().digest_size


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"seed": "5 "}, 'seed was "5", is now "5 "'),
        ({"limits": {"grace": "0ms"}}, "limits.grace was 50 ms (the default), is now 0 ms"),
        ({"options": {"deck_size": 32}}, "options.deck_size was 24 (the default), is now 32"),
    ],
)
def test_other_conditions_are_refused_before_anything_is_stored(
    entering: Entering, keys: dict[str, object], said: str
) -> None:
    entering.enter()
    snapshots = sorted((entering.folder / "results/tour/snapshots").iterdir())
    with pytest.raises(UserError, match=re.escape(said)):
        entering.enter("a.py", "b.py", "c.py", **keys)
    assert entering.current() == ["a@1", "b@1"]
    assert sorted((entering.folder / "results/tour/snapshots").iterdir()) == snapshots


def test_all_differences_are_named(entering: Entering) -> None:
    entering.enter()
    with pytest.raises(UserError) as refusal:
        entering.enter(seed=6, limits={"move": "3s"})
    assert str(refusal.value) == (
        "tour has results that were played under other conditions:\n"
        "  limits.move was 1000 ms (the default), is now 3000 ms\n"
        '  seed was "5", is now "6"\n'
        "change them back, or begin anew with --fresh, which keeps the old results"
    )


def test_conditions_written_in_another_way_are_the_same(entering: Entering) -> None:
    entering.enter(seed=5, options={"deck_size": 24}, limits={"move": "1000ms"})
    entering.enter(seed="5", limits={"game": "1m"})


def test_another_config_is_refused(entering: Entering) -> None:
    entering.enter()
    shutil.copy(entering.folder / "tour.yaml", entering.folder / "other.yaml")
    with pytest.raises(
        UserError, match=r"holds the results of another config, .*/tour\.yaml; give"
    ):
        enter(load_config(entering.folder / "other.yaml"), entering.store)


def test_a_config_that_has_moved_keeps_its_results(entering: Entering) -> None:
    before = entering.enter()
    moved = (entering.folder / "tour.yaml").rename(entering.folder / "other.yaml")
    config = load_config(moved)
    assert known_tournament(config, entering.store).secret == before.tournament.secret
    assert enter(config, entering.store).hashes == before.hashes
    stored = entering.store.tournament()
    assert stored is not None
    assert stored.config_path == str(moved.resolve())
    (entering.folder / "tour.yaml").write_text("")
    assert known_tournament(config, entering.store).config_path == stored.config_path


def test_a_copy_of_results_under_another_name_can_be_read_but_not_played_in(
    entering: Entering,
) -> None:
    entering.enter()
    shutil.copy(entering.folder / "tour.yaml", entering.folder / "kept.yaml")
    config = load_config(entering.folder / "kept.yaml")
    assert known_tournament(config, entering.store).name == "tour"
    with pytest.raises(UserError, match="holds the results of another config"):
        enter(config, entering.store)


def test_reading_needs_results_of_this_very_tournament(entering: Entering) -> None:
    config = entering.config()
    with pytest.raises(UserError, match="tour has no results yet: run `arena tournament "):
        known_tournament(config, entering.store)
    field = entering.enter()
    assert known_tournament(config, entering.store) == field.tournament
    with pytest.raises(UserError, match="other conditions"):
        known_tournament(entering.config(seed=6), entering.store)


def test_one_bot_is_no_field(entering: Entering) -> None:
    config = entering.config("a.py", submissions="subs")
    with pytest.raises(UserError, match="needs two bots"):
        enter(config, entering.store)
    assert entering.store.tournament() is None


def test_a_bot_that_cannot_be_copied_begins_nothing(entering: Entering) -> None:
    (entering.folder / "team").mkdir()
    (entering.folder / "team" / "bot.py").touch()
    (entering.folder / "team" / "link").symlink_to("/etc/passwd")
    with pytest.raises(UserError, match="is a link"):
        entering.enter("a.py", {"path": "team"})
    assert entering.store.tournament() is None
    assert entering.store.bots() == ()
