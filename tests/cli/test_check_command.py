"""`arena check` and `arena explain`: what is printed, in each form, and the exit codes."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from commands import RANDOM_BOT, Done, call

from arena.tools.check.codes import CODES

ROOT = Path(__file__).parents[2]
WRONG = ROOT / "tests/tools/wrong_bots"
TRAP = "follows_the_printed_suit.py"
PRINTS = "prints_its_thoughts.py"
PATIENT = ("--config", "patient.yaml")
"""No bot that tries is late, however busy the machine is."""
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a good bot, one that fails, one that is only warned."""
    (tmp_path / "good.py").write_text(RANDOM_BOT)
    for name in (TRAP, PRINTS):
        shutil.copy(WRONG / name, tmp_path)
    patient = {"bots": ["good.py", TRAP], "limits": {"move": "30s", "start": "60s"}}
    (tmp_path / "patient.yaml").write_text(json.dumps(patient))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_trap_is_told_as_the_page_says_and_reproduced(bots: Path, capfd: Capture) -> None:
    done = call(capfd, "check", TRAP, "--only", "positions", *PATIENT)
    assert done.code == 1
    assert done.err == ""
    page = (ROOT / "bots/README.md").read_text("utf-8")
    block = page.partition(f"```text\n{TRAP}\n")[2].partition("```")[0]
    told = [line for line in block.splitlines() if line[:8] in ("  FAIL  ", " " * 8)][:2]
    assert len(told) == 2
    assert [line for line in told if line not in done.out.splitlines()] == []

    (command,) = re.findall(r"reproduce: arena (.*?)     ", done.out)
    again = call(capfd, *command.split())
    assert again.code == 1
    assert all(line in again.out.splitlines() for line in told)
    (explain,) = re.findall(r"explain: arena (.*)", done.out)
    assert "left bower" in call(capfd, *explain.split()).out


def test_several_bots_and_a_warning_alone_is_no_failure(bots: Path, capfd: Capture) -> None:
    given = ("good.py", PRINTS, *PATIENT, "--only", "repeat")
    done = call(capfd, "check", *given)
    assert done.code == 0
    lines = done.out.splitlines()
    assert (lines[0], lines[-1]) == ("good.py", "0 failures, 1 warning")
    assert f"  warn  A201 {CODES['A201'].title}" in lines[lines.index(PRINTS) :]
    assert "\x1b" not in done.out
    assert f"{PRINTS} --only repeat --config patient.yaml" in done.out


def test_a_bot_of_the_config_has_its_params(bots: Path, capfd: Capture) -> None:
    (bots / "needy.py").write_text(
        "from arena.sdk import Bot, run\nclass Needy(Bot):\n"
        "    def choose(self, view, legal):\n        return legal[self.params['place']]\n"
        "run(Needy)\n"
    )
    entry = {"name": "first", "path": "needy.py", "params": {"place": 0}}
    config = {"bots": ["good.py", entry], "limits": {"move": "30s", "start": "60s"}}
    (bots / "both.yaml").write_text(json.dumps(config))
    given = ("--config", "both.yaml", "--position", "1")
    assert call(capfd, "check", "first", *given).code == 0
    done = call(capfd, "check", "needy.py", *given)
    assert done.code == 1
    assert "A117" in done.out
    assert "KeyError: 'place'" in done.out


def test_json_has_one_object_and_github_a_command_for_each_finding(
    bots: Path, capfd: Capture
) -> None:
    done = call(capfd, "check", TRAP, "good.py", "--position", "29", "--json", *PATIENT)
    assert done.code == 1
    found = json.loads(done.out)
    assert (found["schema"], found["failures"], found["warnings"]) == ("arena.check/1", 1, 0)
    trap, good = found["bots"]
    assert [trap["bot"], good["bot"], good["findings"]] == [TRAP, "good.py", []]
    (finding,) = trap["findings"]
    assert (finding["code"], finding["got"], finding["times"]) == ("A103", "play:9C", 1)
    assert finding["expected"] == "one of play:9S play:KS"

    done = call(capfd, "check", TRAP, "good.py", "--position", "29", "--format", "github", *PATIENT)
    assert done.code == 1
    (line,) = done.out.splitlines()
    head, _, text = line.removeprefix("::").partition("::")
    assert head == f"error file={TRAP},title=A103 {CODES['A103'].title}"
    assert text.startswith("position 29, the left bower is led: ")
    assert text.endswith(f"%0Areproduce: arena check {TRAP} --position 29 --config patient.yaml")


def test_no_text_of_a_bot_becomes_a_command_of_a_workflow(bots: Path, capfd: Capture) -> None:
    trap = "\\n::error::100%,x:y\\r"
    (bots / "trap.py").write_text(
        f'from arena.sdk import run\ndef choose(view, legal):\n    return "{trap}"\nrun(choose)\n'
    )
    done = call(capfd, "check", "trap.py", "--position", "1", "--format", "github", *PATIENT)
    (line,) = done.out.splitlines()
    assert line.startswith("::error file=trap.py,title=A101 ")
    assert "100%25" in line


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (("gone.py",), "gone.py: no such file"),
        (("good.py", "gone.py"), "gone.py: no such file"),
        (("goud.py",), 'did you mean "good.py"?'),
        ((), "Missing argument"),
        (("good.py", "--position", "999"), "there is no position 999: the last one is"),
        (("good.py", "--game", "999"), "there is no game 999"),
        (
            ("good.py", "--position", "21", "--config", "patient.yaml"),
            "there is no position 21: cannot be met in that tournament",
        ),
        (("good.py", "--position", "1", "--game", "1"), "exclude each other"),
        (("good.py", "--only", "ends", "--game", "1"), "exclude each other"),
        (("good.py", "--json", "--format", "github"), "exclude each other"),
        (("good.py", "--config", "gone.yaml"), "gone.yaml"),
    ],
)
def test_wrong_usage(bots: Path, capfd: Capture, given: tuple[str, ...], text: str) -> None:
    done = call(capfd, "check", *given)
    assert (done.code, done.out) == (2, "")
    assert text in done.err
    assert "Traceback" not in done.err


def explain(capfd: Capture, *given: str) -> Done:
    return call(capfd, "explain", *given)


def test_codes_are_listed_and_explained(capfd: Capture) -> None:
    listed = explain(capfd)
    assert [line[:4] for line in listed.out.splitlines()] == list(CODES)
    one = explain(capfd, "a112")
    assert one.code == 0
    assert one.out.startswith(f"A112: it {CODES['A112'].title}   (failure)\n")
    assert "What to do: " in one.out
    found = json.loads(explain(capfd, "A112", "--json").out)
    assert (found["schema"], len(found["codes"])) == ("arena.codes/1", 1)
    assert found["codes"][0]["remedy"] == CODES["A112"].remedy


def test_an_unknown_code_has_a_hint(capfd: Capture) -> None:
    done = explain(capfd, "A11")
    assert done.code == 2
    assert re.search(r'there is no code "A11"; did you mean "A11\d"\?', done.err)
    assert "lists all" in explain(capfd, "nonsense").err
