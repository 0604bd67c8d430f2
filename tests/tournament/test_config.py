"""Right configs: defaults, forms of a bot, globs, submissions, and where results go."""

from __future__ import annotations

import json
import math
import os
import unicodedata
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from arena.errors import ConfigError, UserError
from arena.protocol import messages
from arena.ratings.rate import rate
from arena.ratings.scores import MatchScore
from arena.runtime.executor import Limits
from arena.tournament.config import Config, Faults, Rating, Run, load_config
from arena.tournament.config.entry import BotEntry
from arena.tournament.config.keys import MAX_TABLES, SprtKeys, StopKeys
from arena.tournament.config.names import is_bot_name
from arena.tournament.config.schema import config_schema
from arena.tournament.config.sizes import show_bytes

SCHEMA = Draft202012Validator(config_schema())


def load(folder: Path, text: str, name: str = "tour.yaml") -> Config:
    """Write a config and load it; what is right is so by the schema too."""
    (folder / name).write_text(text)
    config = load_config(folder / name)
    SCHEMA.validate(yaml.safe_load(text))
    return config


def touch(folder: Path, *names: str) -> None:
    """Make empty files and the folders they are in."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    touch(tmp_path, "bots/a.py", "bots/b.py")
    return tmp_path


def plain(folder: Path, name: str, path: str) -> BotEntry:
    """The entry of a bot that has nothing of its own."""
    return BotEntry(name, str(folder / path), Path(path).name, None, {}, {}, Limits(), {})


def test_the_minimal_config(folder: Path) -> None:
    assert load(folder, "bots: [bots/a.py, bots/b.py]\n") == Config(
        path=str(folder / "tour.yaml"),
        name="tour",
        description="",
        variant="two_handed",
        options={},
        seed=None,
        boards=100,
        tables=None,
        limits=Limits(1_000, 60_000, 10_000, 50),
        faults=Faults("withdraw", 20),
        pondering="allow",
        isolation="process",
        bots=(plain(folder, "a", "bots/a.py"), plain(folder, "b", "bots/b.py")),
        submissions=None,
        rating=Rating(1500.0, 0.95, {}),
        stop=StopKeys(),
        run=Run(None, 30_000),
        results=str(folder / "results" / "tour"),
        records="all",
    )


def test_every_key(folder: Path) -> None:
    touch(folder, "theirs/main.c")
    config = load(
        folder,
        """
name: autumn
description: Week 9
variant: two_handed
options: {deck_size: 24, stick_the_dealer: true}
seed: 20261129
boards: 7
tables: 4
limits: {move: 1.5s, game: null, start: 1m, grace: 0ms, memory: 1.5GB, processes: 8}
faults: {no_start: stop, withdraw_after: null}
pondering: allow
isolation: sandbox
bots:
  - bots/a.py
  - {name: monte, path: bots/b.py, params: {worlds: 30, deep: [1, {x: null}], f: 0.5}}
  - name: theirs
    path: theirs
    command: [./their_bot, --fast]
    env: {THREADS: "1", NONE: ""}
    limits: {move: 250 ms, game: 1h, memory: 64 MiB}
submissions: subs
rating: {anchor: {monte: 1000}, confidence: 0.9}
stop:
  sprt: {a: theirs, b: a, elo0: -1.5, elo1: 10, alpha: 0.1, beta: 0.2, model: normalized}
  rating_error: 15
  after: 30m
run: {workers: 3, finish: 0s}
output: {dir: ../elsewhere, records: results}
""",
    )
    limits = Limits(1_500, None, 60_000, 0, 1_500_000_000, 8)
    params = {"worlds": 30, "deep": [1, {"x": None}], "f": 0.5}
    assert config == Config(
        path=str(folder / "tour.yaml"),
        name="autumn",
        description="Week 9",
        variant="two_handed",
        options={"deck_size": 24, "stick_the_dealer": True},
        seed="20261129",
        boards=7,
        tables=4,
        limits=limits,
        faults=Faults("stop", None),
        pondering="allow",
        isolation="sandbox",
        bots=(
            BotEntry("a", str(folder / "bots/a.py"), "a.py", None, {}, {}, limits, {}),
            BotEntry("monte", str(folder / "bots/b.py"), "b.py", None, params, {}, limits, {}),
            BotEntry(
                "theirs",
                str(folder / "theirs"),
                "theirs",
                ("./their_bot", "--fast"),
                {},
                {"THREADS": "1", "NONE": ""},
                Limits(250, 3_600_000, 60_000, 0, 64 * 2**20, 8),
                {"move_ms": 250, "game_ms": 3_600_000, "memory_bytes": 64 * 2**20},
                command_is_given=True,
            ),
        ),
        submissions=str(folder / "subs"),
        rating=Rating(1500.0, 0.9, {"monte": 1000.0}),
        stop=StopKeys(
            SprtKeys("theirs", "a", -1.5, 10.0, 0.1, 0.2, "normalized"), 15.0, 30 * 60_000
        ),
        run=Run(3, 0),
        results=str(folder.parent / "elsewhere" / "autumn"),
        records="results",
    )


def test_globs_take_bots_in_order_and_nothing_else(folder: Path) -> None:
    touch(folder, "bots/__init__.py", "bots/.x.py", "bots/README.md", "bots/run", "bots/deep/z.py")
    (folder / "bots/run").chmod(0o755)
    config = load(folder, "bots: ['bots/*', 'bots/**/z.py']\n")
    assert [bot.name for bot in config.bots] == ["a", "b", "run", "z"]


def test_magic_letters_in_folders_are_no_globs(tmp_path: Path) -> None:
    folder = tmp_path / "[ab]*"
    touch(folder, "bots/a.py", "bots/b[1].py")
    config = load(
        folder, "bots: ['bots/*.py', {name: c, path: 'bots/b[1].py'}]\n".replace("*", "a*")
    )
    assert [bot.name for bot in config.bots] == ["a", "c"]


def test_a_file_that_looks_like_a_glob(folder: Path) -> None:
    touch(folder, "bots/[x].py")
    with pytest.raises(ConfigError, match=r'"\[x\]" is no bot name'):
        load(folder, "bots: [bots/a.py, 'bots/[x].py']\n")


def test_a_long_form_may_be_a_folder_with_bot_py(folder: Path) -> None:
    touch(folder, "team/bot.py", "team/deep.py")
    config = load(folder, "bots: [bots/a.py, {path: team}]\n")
    assert (config.bots[1].name, config.bots[1].main) == ("team", "bot.py")


def test_a_folder_is_named_by_its_whole_name(folder: Path) -> None:
    """What looks like an ending may be a version."""
    touch(folder, "team.v1.2/bot.py", "subs/team.v1.3/bot.py", "subs/x.v2.py")
    config = load(folder, "bots: [{path: team.v1.2}]\nsubmissions: subs\n")
    assert [bot.name for bot in config.bots] == ["team.v1.2", "team.v1.3", "x.v2"]


def test_submissions_take_part_and_a_missing_folder_is_empty(folder: Path) -> None:
    text = "bots: [bots/a.py]\nsubmissions: subs\n"
    config = load(folder, text)
    assert [bot.name for bot in config.bots] == ["a"]
    with pytest.raises(UserError, match=r"two bots and there is one; add to bots or to .*subs$"):
        config.require_field()
    touch(
        folder, "subs/z.py", "subs/team/bot.py", "subs/none/x.py", "subs/.hidden.py", "subs/r.txt"
    )
    (folder / "subs/link.py").symlink_to(folder / "bots/b.py")
    config = load(folder, text)
    assert [bot.name for bot in config.bots] == ["a", "team", "z"]
    config.require_field()


def test_submissions_alone_may_be_none(folder: Path) -> None:
    config = load(folder, "bots: []\nsubmissions: subs\n")
    with pytest.raises(UserError, match="there is none"):
        config.require_field()


@pytest.mark.parametrize(
    ("text", "seed"), [("5", "5"), ('"5"', "5"), ("'0'", "0"), ("ä b", "ä b"), ("-7", "-7")]
)
def test_a_seed_is_its_text(folder: Path, text: str, seed: str) -> None:
    assert load(folder, f"bots: [bots/a.py, bots/b.py]\nseed: {text}\n").seed == seed


@pytest.mark.parametrize(
    ("text", "duration_ms"),
    [("1ms", 1), ("0.25s", 250), ("1.001s", 1_001), ("90 s", 90_000), ('"1h"', 3_600_000)],
)
def test_durations(folder: Path, text: str, duration_ms: int) -> None:
    config = load(folder, f"bots: [bots/a.py, bots/b.py]\nlimits: {{move: {text}}}\n")
    assert config.limits.move_ms == duration_ms


@pytest.mark.parametrize(
    ("text", "size"),
    [("512MB", 512_000_000), ("1.5 GB", 1_500_000_000), ("32MiB", 2**25), ("1TB", 10**12)],
)
def test_sizes(folder: Path, text: str, size: int) -> None:
    config = load(folder, f"bots: [bots/a.py, bots/b.py]\nlimits: {{memory: {text}}}\n")
    assert config.limits.memory_bytes == size


@pytest.mark.parametrize("size", [32_000_000, 2**25, 1_024_000_000, 123_456_789, 10**12])
def test_a_size_that_is_shown_is_read_as_the_same(folder: Path, size: int) -> None:
    shown = show_bytes(size)
    config = load(folder, f"bots: [bots/a.py, bots/b.py]\nlimits: {{memory: {shown}}}\n")
    assert config.limits.memory_bytes == size


def test_aliases_and_a_byte_order_mark_are_fine(folder: Path) -> None:
    text = "\ufeffbots:\n- {path: bots/a.py, params: &p {x: 1}}\n- {path: bots/b.py, params: *p}\n"
    config = load(folder, text)
    assert [bot.params for bot in config.bots] == [{"x": 1}, {"x": 1}]


def test_the_config_is_the_same_file_by_any_path(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = load(folder, "bots: [bots/a.py, bots/b.py]\n")
    (folder / "other").mkdir()
    (folder / "other" / "link.yaml").symlink_to(folder / "tour.yaml")
    monkeypatch.chdir(folder / "bots")
    assert load_config("../tour.yaml") == config
    assert load_config("../other/link.yaml") == config


def test_decomposed_file_names_are_composed(folder: Path) -> None:
    touch(folder, "bots/" + unicodedata.normalize("NFD", "élan") + ".py")
    assert load(folder, "bots: ['bots/*.py']\n").bots[-1].name == "élan"


MARKED = ("हिन्दी", "ภาษาไทย", "தமிழ்", "বাংলা.v2", "x\u030c_1")
"""Names that cannot be written without marks."""


@pytest.mark.parametrize(
    "name", ["a", "7", "007", "Бот", "ボット", "a_b.c-d", "x" * 40, "٣", *MARKED]
)
def test_names_of_any_script(name: str) -> None:
    assert is_bot_name(name)


LOOSE = ("\u0308a", "1\u0308", "a_\u0308")
"""Names with a mark that has no letter before it."""


@pytest.mark.parametrize(
    "name", ["", "-a", ".a", "_a", "a b", "a/b", "a:b", "a@1", "x" * 41, "½", *LOOSE]
)
def test_no_names(name: str) -> None:
    assert not is_bot_name(name)


@given(st.text(min_size=1, max_size=5))
def test_a_name_can_be_seen(name: str) -> None:
    """Default ignorable code points by their blocks, so from another source than the code's."""
    if is_bot_name(name):
        assert all(unicodedata.category(c)[0] in "LMN" or c in "_.-" for c in name)
        assert not any("FILLER" in unicodedata.name(c, "") for c in name)
        assert not any("VARIATION SELECTOR" in unicodedata.name(c, "") for c in name)


@pytest.mark.parametrize(
    "hidden",
    [
        *("\u00ad", "\u034f", "\u061c", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u180b", "\u180e"),
        *("\u200b", "\u200c", "\u200d", "\u202e", "\u2060", "\u2064", "\u206f", "\u3164", "\ufe00"),
        *(
            "\ufe0f",
            "\ufeff",
            "\uffa0",
            "\ufff0",
            "\U0001bca0",
            "\U0001d173",
            "\U000e0041",
            "\U000e0100",
        ),
    ],
)
def test_no_name_has_what_nobody_can_see(hidden: str) -> None:
    assert not any(
        is_bot_name(name) for name in (hidden, f"a{hidden}", f"{hidden}a", f"a{hidden}b")
    )


@given(st.text(min_size=1))
def test_a_name_fits_into_game_ids_and_file_names(name: str) -> None:
    if is_bot_name(name):
        assert not set(name) & set(":/@|=\n\0 ")
        assert len(name.encode()) <= 255 - len(".stderr.log")


PIECES = st.sampled_from(
    [
        *(
            "bots",
            "name",
            "limits",
            "move",
            "options",
            "deck_size",
            "rating",
            "anchor",
            "run",
            "env",
        ),
        *(
            ": ",
            ":\n",
            "\n",
            "\n  ",
            "- ",
            ", ",
            "[",
            "]",
            "{",
            "}",
            "? ",
            "<<: ",
            "&a ",
            "*a",
            "!!x ",
        ),
        *(
            "bots/a.py",
            "bots/*.py",
            "bots",
            "no",
            "010",
            "1:30",
            "1e3",
            ".inf",
            "1s",
            "5",
            "~",
            "''",
        ),
        *(
            "2026-11-29",
            "!!int a",
            "!!float b",
            "!!binary c",
            '"\\0"',
            "|\n x\n",
            "'",
            "#",
            "---\n",
        ),
        *("9" * 5000, "0" * 5000, "0x" + "f" * 5000, "1:" * 3000 + "1", "ü", "名"),
    ]
)


@settings(deadline=None)
@given(raw=st.one_of(st.binary(), st.lists(PIECES).map(lambda parts: "".join(parts).encode())))
def test_whatever_stands_in_a_file_it_is_a_config_or_a_clear_error(
    raw: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    touch(path.parent, "bots/a.py", "bots/b.py")
    path.write_bytes(raw)
    assert said_of(path).startswith(str(path))


def said_of(path: Path) -> str:
    """The path of a right config, the error of a wrong one; any other exception passes."""
    try:
        return load_config(path).path
    except UserError as error:
        return str(error)


ELO = st.floats(-3e6, 3e6) | st.sampled_from([0.0, 5000.0, -5000.0, 1e6, -1e6])
RATINGS = st.fixed_dictionaries(
    {},
    optional={
        "mean": ELO,
        "anchor": st.dictionaries(st.sampled_from("ab"), ELO),
        "confidence": st.floats(0, 1) | st.sampled_from([0.5, 0.999, 1 - 2**-53, 5e-324]),
    },
)


@settings(deadline=None, max_examples=150)
@given(RATINGS)
def test_whatever_is_right_under_rating_can_be_computed(
    tmp_path_factory: pytest.TempPathFactory, keys: dict[str, object]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    touch(folder, "bots/a.py", "bots/b.py")
    text = json.dumps({"bots": ["bots/a.py", "bots/b.py"], "rating": keys})
    try:
        rating = load(folder, text, "rating.yaml").rating
    except ConfigError:
        return
    rated = rate(
        [MatchScore("a", "b", won_both=3, split=5, lost_both=4)],
        "ab",
        mean=rating.mean,
        anchors=rating.anchor,
        confidence=rating.confidence,
    )
    assert all(math.isfinite(bot.elo or 0) and math.isfinite(bot.error or 0) for bot in rated.bots)


def test_the_arena_and_the_protocol_have_the_same_most_tables() -> None:
    """Neither of the two layers may import the other."""
    assert MAX_TABLES == messages.MAX_TABLES


def test_paths_that_are_no_text(tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    odd.mkdir()
    for name in ("a.py", "b.py"):
        (odd / name).touch()
    config = odd / "x.yaml"
    config.write_text("bots: [a.py, b.py]\n")
    with pytest.raises(UserError, match="its path is not UTF-8 text"):
        load_config(config)
    beside = tmp_path / "x.yaml"
    beside.write_text("bots: ['*/a.py', '*/b.py']\n")
    with pytest.raises(ConfigError) as wrong:
        load_config(beside)
    assert [p.text for p in wrong.value.problems] == ["leads to a path that is not UTF-8 text"] * 2


def test_a_pipe_is_no_config(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.yaml")
    with pytest.raises(UserError, match="is neither a file nor a folder"):
        load_config(tmp_path / "x.yaml")


def test_more_games_than_a_tournament_may_have(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"b{number}.py").touch()
    config = tmp_path / "x.yaml"
    config.write_text("boards: 263158\nbots: ['*.py']\n")
    with pytest.raises(ConfigError) as wrong:
        load_config(config)
    (problem,) = wrong.value.problems
    assert (problem.line, problem.key) == (1, "boards")
    assert "makes 100000040 games of 20 bots" in problem.text
    config.write_text("boards: 263157\nbots: ['*.py']\n")
    assert load_config(config).boards == 263_157


def test_who_only_reads_needs_no_bots(folder: Path) -> None:
    """Their files may have moved or gone: only what is written is read and checked."""
    text = """
boards: 7
bots: [gone/a.py, 'gone/*.py', {name: b, path: gone/b}, bots/a.py, {name: a, path: bots}]
submissions: bots/a.py
rating: {anchor: {c: 1000}}
"""
    (folder / "tour.yaml").write_text(text)
    config = load_config(folder / "tour.yaml", playing=False)
    assert (config.bots, config.boards) == ((), 7)
    assert config.results == str(folder / "results" / "tour")
    with pytest.raises(ConfigError):
        load_config(folder / "tour.yaml")


def test_who_only_reads_is_told_what_is_wrong_with_the_text(folder: Path) -> None:
    text = "bots: [gone/a.py, {name: -x, path: gone/b, command: [], env: {A-B: x}}]\nboards: 0\n"
    (folder / "tour.yaml").write_text(text)
    with pytest.raises(ConfigError) as wrong:
        load_config(folder / "tour.yaml", playing=False)
    keys = ["bots[1].name", "bots[1].command", "bots[1].env.A-B", "boards"]
    assert [problem.key for problem in wrong.value.problems] == keys
