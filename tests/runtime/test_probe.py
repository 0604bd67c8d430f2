from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

from arena.runtime import probe


def test_the_probe_stands_alone() -> None:
    tree = ast.parse(Path(probe.__file__).read_text())
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert imported <= sys.stdlib_module_names


def plan(**changes: object) -> dict[str, object]:
    nothing: dict[str, object] = {
        **dict.fromkeys(probe.Plan._fields, ""),
        "attacks": [],
        "notes": [],
        "limits": {},
        "nonce": "0" * 32,
        **dict.fromkeys(("arena", "neighbour", "port", "memory", "processes"), 0),
    }
    return {**nothing, **changes}


def attempts(given: dict[str, object]) -> list[dict[str, object]]:
    script = f"import json, sys; sys.path.insert(0, {str(Path(probe.__file__).parent)!r})\n"
    script += "import probe\nplan = probe.Plan(**json.loads(sys.argv[1]))\n"
    script += "for name in plan.attacks: probe._in_a_process(lambda: probe._try(name, plan))\n"
    words = [sys.executable, "-c", script, json.dumps(given)]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_an_attack_that_ends_its_process_ends_no_other() -> None:
    found = attempts(plan(attacks=["no such attack", "learn the host's name"], host="elsewhere"))
    assert [one["attack"] for one in found] == ["no such attack", "learn the host's name"]
    assert not any(one["achieved"] for one in found)
    assert str(found[1]["text"]).startswith("it is called ")


def test_what_was_attacked_is_told_from_what_happens_to_have_its_number() -> None:
    """In a sandbox there may be a process with any number: it bears no nonce."""
    own = {"arena": 1, "neighbour": 1}
    found = attempts(plan(attacks=["read the arena's environment", "see other processes"], **own))
    assert not any(one["achieved"] for one in found)


def test_a_canary_with_other_words_in_it_is_not_the_canary(tmp_path: Path) -> None:
    (tmp_path / "canary").write_text("1" * 32)
    given = plan(attacks=["read a private file of the arena"], canary=str(tmp_path / "canary"))
    assert attempts(given)[0]["text"] == "it is another file"
    (tmp_path / "canary").write_text("0" * 32)
    assert attempts(given)[0]["achieved"]
