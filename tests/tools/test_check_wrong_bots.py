"""Bots with one mistake each are told which one it is; the bots in bots/ make none.

A wrong bot's first line names the codes that are to be found, and no others.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.errors import UserError
from arena.runtime.executor import Limits
from arena.tools.bots import bot_at
from arena.tools.check.codes import CODES
from arena.tools.check.findings import Checked
from arena.tools.check.fitness import require_fit
from arena.tools.check.looking import check
from arena.tools.check.setting import PARTS, Part, Setting, wanted
from arena.tournament.config import load_config

ROOT = Path(__file__).parents[2]
WRONG = sorted((ROOT / "tests/tools/wrong_bots").glob("*.py"))
SHIPPED = sorted(
    [*(ROOT / "bots").glob("*.py"), *(one.parent for one in ROOT.glob("bots/*/bot.py"))]
)
PATIENT = Limits(move_ms=30_000, game_ms=None, start_ms=60_000)
"""No bot that tries is late, however busy the machine is."""
ALL_BUT_ENDS: tuple[Part, ...] = ("positions", "games", "tables", "repeat")
PLAYED: tuple[Part, ...] = ("positions", "games", "tables")
BARE = "from arena.sdk import Bot, run\nrun(Bot)"
SLOW = "sleeps_over_a_discard"
ENDLESS = "does_not_know_bye"


def codes(file: Path) -> list[str]:
    return re.findall(r"A\d{3}", file.read_text().splitlines()[0])


def looked_at(file: Path, setting: Setting) -> Checked:
    if file.stem == SLOW:
        limits = Limits(move_ms=300, game_ms=None, start_ms=60_000)
        return check(str(file), Setting(parts=("positions",), position=8, limits=limits))
    return check(str(file), setting)


@pytest.mark.parametrize("file", WRONG, ids=lambda file: file.stem)
def test_a_wrong_bot_is_told_its_mistake_and_no_other(file: Path) -> None:
    is_illegal = all(code < "A2" for code in codes(file))
    parts = PARTS if file.stem == ENDLESS else PLAYED if is_illegal else ALL_BUT_ENDS
    checked = looked_at(file, Setting(parts=parts, limits=PATIENT, patience_s=120))
    assert sorted(one.code for one in checked.findings) == codes(file)
    wrong = [code for code in codes(file) if CODES[code].severity == "failure"]
    assert (checked.failures, checked.warnings) == (len(wrong), len(codes(file)) - len(wrong))
    for one in checked.findings:
        assert one.title == CODES[one.code].title
        assert one.got or one.code in {"A301", "A303"}
        assert one.got.isprintable() or "\n" in one.got


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        ({"json.py": BARE}, ["json.py"]),
        ({"zmq.py": BARE}, ["zmq.py"]),
        ({"bot.py": "import queue\nqueue.Queue", "queue.py": ""}, ["queue.py"]),
        ({"bot.py": "import random\nrandom.Random", "random/__init__.py": ""}, ["random"]),
        ({"bot.py": "import random\nrandom.X", "random.x/__init__.py": "", "json/a": ""}, []),
        ({"bot.py": "open('queue/x')", "queue.py": ""}, []),
    ],
    ids="-".join,
)
def test_a_file_in_place_of_a_module_is_named(
    tmp_path: Path, folder: dict[str, str], said: list[str]
) -> None:
    bot = tmp_path / "bot"
    for name, text in folder.items():
        (bot / name).parent.mkdir(parents=True, exist_ok=True)
        (bot / name).write_text(text)
    given = bot if "bot.py" in folder else bot / next(iter(folder))
    (found,) = check(str(given), Setting(parts=("positions",), limits=PATIENT)).findings
    _, *hints = found.text.split("; ")
    assert [hint.partition(" is imported in place of ")[0] for hint in hints] == said


@pytest.mark.parametrize(
    ("name", "part", "where"),
    [
        ("keeps_its_first_hand", "games", "--game 34"),
        ("answers_the_first_table", "tables", "--only tables"),
        ("prints_its_thoughts", "repeat", "--only repeat"),
    ],
)
def test_the_command_shows_the_finding_again(name: str, part: Part, where: str) -> None:
    """Those of positions are tested with the command itself."""
    file = str(ROOT / f"tests/tools/wrong_bots/{name}.py")
    (first,) = check(file, Setting(parts=(part,), limits=PATIENT, patience_s=120)).findings
    assert first.reproduce.removeprefix(f"arena check {shlex.quote(file)} ") == where
    option, value = where.removeprefix("--").split()
    given: dict[str, Any] = dict.fromkeys(("config", "part", "position", "game"))
    given |= {"game": int(value)} if option == "game" else {"part": value}
    setting = wanted(**given, seed="check", command="arena check")
    narrowed = msgspec.structs.replace(setting, limits=PATIENT, patience_s=120)
    (again,) = check(file, narrowed).findings
    assert (again.code, again.where, again.got) == (first.code, first.where, first.got)


def test_there_are_enough_of_them() -> None:
    found = {code for file in WRONG for code in codes(file)}
    assert len(WRONG) >= 12
    assert {code for code in CODES if code.startswith("A1")} <= found


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_bots_that_are_shipped_make_no_mistake(file: Path) -> None:
    is_quick = file.is_file()
    patience_s = 120 if is_quick else 1
    setting = Setting(parts=ALL_BUT_ENDS, limits=PATIENT, patience_s=patience_s, positions_s=120)
    checked = check(str(file), setting)
    assert checked.findings == ()
    assert [one.outcome for one in checked.checks] == ["ok"] * len(checked.checks)
    assert checked.decisions > (1_000 if is_quick else 62)


SANDBOX = pytest.param(
    "sandbox", marks=pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap here")
)


@pytest.mark.parametrize("level", ["none", "process", SANDBOX])
def test_a_bot_is_asked_again_at_every_level(level: str) -> None:
    """In a shell, which a sandbox has too."""
    checked = check(
        str(ROOT / "bots/random_bot.py"),
        Setting(parts=("repeat",), options={"target_score": 1}, level=level, limits=PATIENT),
    )
    assert {one.check: one.outcome for one in checked.checks} == {
        "starts": "ok",
        **dict.fromkeys(("time", "memory", "repeat", "output"), "ok"),
    }


@pytest.fixture
def league(tmp_path: Path) -> str:
    """A config whose games have no joker, and are not stuck."""
    (tmp_path / "bots").mkdir()
    for name in ("one", "two"):
        shutil.copy(ROOT / "bots/random_bot.py", tmp_path / f"bots/{name}.py")
    path = tmp_path / "league.yaml"
    limits = {"move": "30s", "game": None, "start": "60s"}
    path.write_text(json.dumps({"bots": ["bots/*.py"], "limits": limits}))
    return str(path)


@pytest.mark.parametrize(
    ("name", "code"),
    [("names_the_suit_turned_down", "A112"), ("passes_when_stuck", None), ("knows_24_cards", None)],
)
def test_a_tournament_refuses_only_who_would_lose_games_there(
    name: str, code: str | None, league: str, tmp_path: Path
) -> None:
    config = load_config(league)
    file = ROOT / f"tests/tools/wrong_bots/{name}.py"
    spec = bot_at(str(file), tmp_path / "taken", config.limits, level="none")
    given = (spec, "mine.py", config, "league.yaml")
    if code is None:
        require_fit(*given, level="none", command="arena check")
        return
    with pytest.raises(UserError) as refusal:
        require_fit(*given, level="none", command="arena check")
    first, second, _, last = str(refusal.value).splitlines()
    assert first == f"{name} is not fit to play: 1 failure"
    assert second == f"    {code} {CODES[code].title}"
    assert "reproduce: arena check mine.py --position 12 --config league.yaml" in last


def test_what_was_broken_off_says_so() -> None:
    checked = check(
        str(ROOT / "bots/random_bot.py"),
        Setting(parts=("positions", "games"), limits=PATIENT, patience_s=0, positions_s=0),
    )
    told = {one.check: one.text for one in checked.checks}
    assert told["positions"] == "only 0 of 62 positions"
    assert told["games"] == "only 0 of 36 games, 0 decisions"
    assert checked.times is None


def test_what_was_not_seen_of_an_end_is_not_called_right(tmp_path: Path) -> None:
    """The bot cannot be started as a child of a shell."""
    refuses = "import os\nassert open(f'/proc/{os.getppid()}/comm').read() != 'sh\\n'\n"
    file = tmp_path / "alone.py"
    file.write_text(refuses + (ROOT / "bots/random_bot.py").read_text())
    checked = check(str(file), Setting(parts=("ends",), level="none", limits=PATIENT))
    (ends,) = [one for one in checked.checks if one.check == "ends"]
    assert ends.outcome == "skipped"
    assert "does not start from a shell" in ends.text
