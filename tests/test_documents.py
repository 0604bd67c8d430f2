"""The documentation does not lie: its commands run, its bots play, its links lead somewhere."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from arena.referee.replay import ExportedGame
from arena.report.answers import Answer, Answers
from arena.report.comparison import (
    Compared,
    ComparedMatch,
    ComparedPoints,
    ComparedRatings,
)
from arena.report.endings import SprtRow, StopRow
from arena.report.progress.events import Event
from arena.report.rankings import BotRow, DifferenceRow, MatchRow, MisfitRow, Rankings
from arena.report.replay import Replayed, ReplayedDeal, Step
from arena.report.why import CostlyDeal, Decision, FaultGroup, Situation, Why
from arena.tools.check.codes import Codes, Explained
from arena.tools.check.findings import Checked, Finding, Looked, Report, Times
from arena.tools.listing import Listed, Listing
from arena.tools.verify import ExportEnd, Verified
from arena.tools.verify import Finding as Discrepancy

ROOT = Path(__file__).parents[1]
PAGES = [
    "README.md",
    "CHANGELOG.md",
    *(f"{folder}/README.md" for folder in ("arena", "arena/ratings", "bots", "configs")),
    *("tests/README.md", "tests/benchmarks/README.md"),
]
FIELDS_OF_EVENTS = [
    f"{kind.__struct_config__.tag}.{field}"
    for kind in get_args(Event)
    for field in kind.__struct_fields__
]
RUN_BY_CI = {
    "python3 -m venv .venv",
    '.venv/bin/pip install -e ".[dev]"',
    ".venv/bin/arena tournament configs/quick.yaml",
    ".venv/bin/python -m pytest -n 2 --dist loadfile",
}
"""README's own two commands, which .ci/run takes from README.md and runs."""
RUN_BY_THEMSELVES = (
    *("python -m pytest", "python -m tests.benchmarks"),
    *("python -m tests.soak.", "python -m tests.ratings.simulation"),
)


def blocks(page: str, language: str) -> list[str]:
    """All fenced blocks of a page in one language."""
    text = (ROOT / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands(page: str) -> list[str]:
    """All commands of a page's shell blocks, comments taken off."""
    lines = "\n".join(blocks(page, "sh")).splitlines()
    cut = (re.sub(r"\s+# .*", "", line) for line in lines)
    return [part.strip() for line in cut for part in line.split("&&") if part.strip()]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a user has, with the pages' bots saved as they say, and a tournament already played."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("bots", "configs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("results"))
    (bot,) = blocks("README.md", "python")
    (folder / "cautious.py").write_text(bot, "utf-8")
    bot, *_ = blocks("bots/README.md", "python")
    (folder / "three_trumps.py").write_text(bot, "utf-8")
    (table,) = blocks("configs/README.md", "csv")
    (folder / "games.csv").write_text(table, "utf-8")
    league = folder / "configs" / "league.yaml"
    league.write_text(re.sub("boards: .*", "boards: 3", league.read_text("utf-8")), "utf-8")
    quick = folder / "configs" / "quick.yaml"
    quick.write_text(re.sub("boards: .*", "boards: 3", quick.read_text("utf-8")), "utf-8")
    run(folder, "arena tournament configs/quick.yaml")
    return folder


def run(folder: Path, command: str) -> str:
    """Run one documented command as a shell would and return what it prints."""
    arena = f"{shlex.quote(sys.executable)} -m arena "
    line = re.sub(r"^(\.venv/bin/)?arena ", lambda _: arena, command)
    done = subprocess.run(
        ["bash", "-euc", line], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_every_command_of_readme_runs_in_its_order(checkout: Path) -> None:
    for command in commands("README.md"):
        if command not in RUN_BY_CI:
            assert command.startswith("arena "), command
            run(checkout, command)
    assert "cautious" in run(checkout, "arena rankings configs/league.yaml")


@pytest.mark.parametrize("page", ["bots/README.md", "configs/README.md"])
def test_every_command_of_the_other_pages_runs(checkout: Path, page: str) -> None:
    assert commands(page)
    for command in commands(page):
        assert command.startswith("arena "), command
        run(checkout, command)


@pytest.mark.parametrize("page", ["tests/README.md", "tests/benchmarks/README.md"])
def test_commands_of_this_folder_are_known(page: str) -> None:
    assert commands(page)
    assert all(command.startswith(RUN_BY_THEMSELVES) for command in commands(page))


@pytest.mark.parametrize("page", PAGES)
def test_every_block_says_what_it_is(page: str) -> None:
    """A command in a block of no language would not be run here."""
    fences = re.findall(r"^```(.*)$", (ROOT / page).read_text("utf-8"), re.MULTILINE)
    assert all(fences[::2]), "a block without a language"
    assert not any(fences[1::2])
    assert "arena " not in {
        line[:6] for block in blocks(page, "text") for line in block.split("\n")
    }


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_still_to_be_filled_in(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert not re.findall(r"^[^\w\n]*[A-Z_]{2,}[^\w\n]*$", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("heading", "fields"),
    [
        (
            "key of the rankings",
            {
                *Rankings.__struct_fields__,
                *(f"bots[].{field}" for field in BotRow.__struct_fields__),
                *(f"matches[].{field}" for field in MatchRow.__struct_fields__),
                *(f"differences[].{field}" for field in DifferenceRow.__struct_fields__),
                *(f"misfits[].{field}" for field in MisfitRow.__struct_fields__),
                *(f"stop.{field}" for field in StopRow.__struct_fields__),
                *(f"sprt.{field}" for field in SprtRow.__struct_fields__),
            },
        ),
        (
            "key of the list",
            {
                *Listing.__struct_fields__,
                *(f"tournaments[].{field}" for field in Listed.__struct_fields__),
            },
        ),
        (
            "key of a comparison",
            {
                *Compared.__struct_fields__,
                *(f"match.{field}" for field in ComparedMatch.__struct_fields__),
                *(f"ratings.{field}" for field in ComparedRatings.__struct_fields__),
                *(f"points.{field}" for field in ComparedPoints.__struct_fields__),
            },
        ),
        (
            "key of a replay",
            {
                *Replayed.__struct_fields__,
                *(f"deals[].{field}" for field in ReplayedDeal.__struct_fields__),
                *(f"deals[].steps[].{field}" for field in Step.__struct_fields__),
            },
        ),
        (
            "key of a replay to a bot",
            {
                *Answers.__struct_fields__,
                *(f"answers[].{field}" for field in Answer.__struct_fields__),
            },
        ),
        (
            "key of a why",
            {
                *Why.__struct_fields__,
                *(f"faults[].{field}" for field in FaultGroup.__struct_fields__),
                *(f"situations[].{field}" for field in Situation.__struct_fields__),
                *(f"costliest[].{field}" for field in CostlyDeal.__struct_fields__),
                *(f"costliest[].decision.{field}" for field in Decision.__struct_fields__),
            },
        ),
        (
            "key of a check",
            {
                *Report.__struct_fields__,
                *(f"bots[].{field}" for field in Checked.__struct_fields__),
                *(f"checks[].{field}" for field in Looked.__struct_fields__),
                *(f"findings[].{field}" for field in Finding.__struct_fields__),
                *(f"times.{field}" for field in Times.__struct_fields__),
            },
        ),
        (
            "key of an explanation",
            {*Codes.__struct_fields__, *(f"codes[].{one}" for one in Explained.__struct_fields__)},
        ),
        ("key of a game", {*ExportedGame.__struct_fields__}),
        ("key of an event", {"event", *FIELDS_OF_EVENTS}),
        ("key of the last line", {*ExportEnd.__struct_fields__}),
        (
            "key of a verification",
            {
                *Verified.__struct_fields__,
                *(f"findings[].{field}" for field in Discrepancy.__struct_fields__),
            },
        ),
    ],
)
def test_every_field_that_is_printed_is_explained(heading: str, fields: set[str]) -> None:
    text = "\n\n".join((ROOT / page).read_text("utf-8") for page in PAGES)
    rows = text.partition(f"| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]
    written = [name for row in rows for name in re.findall(r"`([^`]+)`", row.split(" | ")[0])]
    assert sorted(written) == sorted(fields)


def test_every_key_of_a_deal_is_explained(checkout: Path) -> None:
    game = json.loads(run(checkout, "arena export configs/quick.yaml").splitlines()[0])
    text = (ROOT / "configs/README.md").read_text("utf-8")
    (row,) = re.findall(r"^\| `deals` \|(.*)", text, re.MULTILINE)
    assert set(game["deals"][0]) <= set(re.findall(r"`(\w+)`", row))


def test_ci_runs_readme_own_commands() -> None:
    first, second, *_ = blocks("README.md", "sh")
    assert {part.strip() for part in first.split("&&")} | {second.strip()} == RUN_BY_CI


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    for target, place in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", text):
        if not target.startswith("https://"):
            file = (ROOT / page).parent / target if target else ROOT / page
            assert file.exists(), target
            assert not place or place in headings(file), f"{target}#{place}"


def headings(page: Path) -> list[str]:
    """Return the headings of a page as links name them."""
    found = re.findall(r"^#+ (.*)", page.read_text("utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in found]


def test_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 150
