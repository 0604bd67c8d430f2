"""Who may import whom, read from the syntax trees: the layers never mix."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PLAIN = ("errors", "logs", "text")
GAMES = ("rules", "referee", "protocol", "runtime")
RESULTS = ("store", "ratings", "report", "tournament")

MAY_IMPORT: Mapping[str, tuple[str, ...]] = {
    "arena": (),
    "cards": (),
    "errors": (),
    "logs": (),
    "text": (),
    "rules": ("cards", *PLAIN),
    "protocol": PLAIN,
    "referee": ("rules.base", "cards", *PLAIN),
    "runtime": ("referee", "protocol", "rules", *PLAIN),
    "store": ("referee.record", *PLAIN),
    "ratings": (),
    "tournament": ("runtime.executor", "referee.record", "rules", "store", "ratings", *PLAIN),
    "report": ("ratings", "store", "rules", "referee.record", "logs", "text"),
    "tools": ("cards", *PLAIN, *GAMES, *RESULTS, "templates"),
    "sdk": ("protocol", "cards", "rules", "text"),
    "templates": ("sdk",),
    "cli": ("cards", *PLAIN, *GAMES, *RESULTS, "tools", "templates"),
    "__main__": ("cli",),
}
"""By layer, that is, by the first name below `arena`; every layer may import itself and the root,
which holds the version. Nothing but the entry imports cli; nothing of ours imports sdk, but for the
bots in templates, which are copied and not imported."""

ONLY_IN: Mapping[str, tuple[str, ...]] = {
    "zmq": ("arena.runtime", "arena.sdk.bot", "arena.templates"),
    "sqlite3": ("arena.store",),
    "rich": ("arena.report.progress",),
}
"""Libraries that have one home."""

NO_CLOCK = ("rules", "protocol", "referee", "runtime", "sdk")
"""Layers in which no module reads a clock, but for this one:"""
GAME_CLOCK = "arena.runtime.loop"
CPU_CLOCK = "arena.runtime.tree"
"""Reads how much CPU time processes took, which says nothing of the time that goes by."""

WALL_CLOCK = ("arena.report.progress.log", "arena.tools.listing")
"""Where the time of day is read, for people: no limit may hang on a clock that can be set."""
STEADY = (
    *("monotonic", "monotonic_ns", "perf_counter", "sleep"),
    *("clock_gettime_ns", "CLOCK_BOOTTIME"),
)
"""What everybody may use of the module `time`."""

HEAVY = ("rich", "tabulate", "numpy", "scipy", "sqlite3", "yaml")
"""What only the commands that need it load, and no worker."""


def modules(root: Path) -> dict[str, Path]:
    """Return all modules of the package `arena` below `root` by their names."""
    found = {}
    for path in sorted((root / "arena").rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(name: str, path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    """Yield the full name of each module that a module imports, wherever the statement stands."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                source = ".".join(filter(None, (*above, source)))
            for alias in node.names:
                full = f"{source}.{alias.name}"
                yield full if full in known else source


def is_within(name: str, places: tuple[str, ...]) -> bool:
    return any(name == place or name.startswith(f"{place}.") for place in places)


def layer_of(name: str) -> str:
    return name.split(".")[1] if "." in name else name


def violations(root: Path) -> list[str]:
    """Return what is imported against the rules, as ``who -> what``, sorted."""
    known = modules(root)
    found = set()
    for name, path in known.items():
        for imported in imports(name, path, known):
            if not is_allowed(name, imported):
                found.add(f"{name} -> {imported}")
    return sorted(found)


def is_allowed(name: str, imported: str) -> bool:
    layer = layer_of(name)
    if imported == "arena":
        return True
    if is_within(imported, ("arena",)):
        allowed = (layer, *MAY_IMPORT.get(layer, ()))
        return is_within(imported, tuple(f"arena.{one}" for one in allowed))
    library = imported.partition(".")[0]
    if library == "time" and layer in NO_CLOCK:
        return name in {GAME_CLOCK, CPU_CLOCK}
    return library not in ONLY_IN or is_within(name, ONLY_IN[library])


def times_of_day(path: Path) -> list[str]:
    """Return what a module uses of `time` and `datetime` that can jump."""
    used = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.ImportFrom(module="time"):
                used += [alias.name for alias in node.names]
            case ast.Attribute(value=ast.Name(id="time")):
                used.append(node.attr)
            case ast.ImportFrom(module="datetime"):
                used.append("datetime")
            case ast.Import():
                used += [alias.name for alias in node.names if alias.name == "datetime"]
    return [name for name in used if name not in STEADY]


def test_only_what_people_read_has_the_time_of_day() -> None:
    used = {name for name, path in modules(ROOT).items() if times_of_day(path)}
    assert used == set(WALL_CLOCK)


@pytest.mark.parametrize(
    "code",
    [
        "import time\ntime.time()",
        "from time import time_ns",
        "import datetime",
        "def f():\n    from datetime import datetime",
    ],
)
def test_a_planted_time_of_day_is_found(tmp_path: Path, code: str) -> None:
    module = tmp_path / "module.py"
    module.write_text(f"from time import monotonic\nmonotonic()\n{code}\n")
    assert len(times_of_day(module)) == 1


def test_every_import_goes_in_the_direction_of_its_layer() -> None:
    assert violations(ROOT) == []


def test_every_module_belongs_to_a_layer() -> None:
    found = {layer_of(name) for name in modules(ROOT)}
    assert found == set(MAY_IMPORT)


def test_the_one_home_of_a_library_is_there() -> None:
    known = modules(ROOT)
    for home in {GAME_CLOCK, *(place for places in ONLY_IN.values() for place in places)}:
        assert home in known


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a small package that keeps to all rules."""
    files = {
        "__init__": "__version__ = '1'",
        "errors": "",
        "rules/__init__": "from arena.errors import ArenaError\nfrom arena.rules import base",
        "rules/base": "import arena\nfrom . import trick\nfrom .trick import suit",
        "rules/trick": "",
        "referee/__init__": "",
        "referee/referee": "from arena.rules.base import State\nfrom ..rules import base",
        "runtime/loop": "import time\nimport zmq\nfrom arena import rules",
        "store/store": "import sqlite3\nfrom datetime import datetime\nimport time",
        "cli/__init__": "from arena.runtime import loop",
        "__main__": "from arena.cli import main",
    }
    for name, text in files.items():
        path = tmp_path / "arena" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert violations(tmp_path) == []
    return tmp_path


@pytest.mark.parametrize(
    ("module", "statement", "imported"),
    [
        ("referee.referee", "from arena import rules", "arena.rules"),
        ("referee.referee", "import arena.rules.trick", "arena.rules.trick"),
        ("referee.referee", "from arena.rules import trick", "arena.rules.trick"),
        ("referee.referee", "from arena.rules import names", "arena.rules"),
        ("referee.referee", "from ..rules.trick import suit", "arena.rules.trick"),
        ("referee.referee", "from .. import runtime", "arena.runtime"),
        ("referee.referee", "from time import monotonic_ns", "time"),
        ("referee.referee", "def f():\n    import zmq.asyncio", "zmq.asyncio"),
        ("rules.base", "if TYPE_CHECKING:\n    from arena.referee import x", "arena.referee"),
        ("rules.base", "from arena.cli import main", "arena.cli"),
        ("errors", "from arena.rules import base", "arena.rules.base"),
        ("runtime.loop", "import sqlite3", "sqlite3"),
        ("runtime.loop", "from rich.console import Console", "rich.console"),
        ("runtime.loop", "import arena.sdk", "arena.sdk"),
        ("store.store", "from arena.referee import referee", "arena.referee.referee"),
        ("cli", "from arena.sdk.bot import run", "arena.sdk.bot"),
        ("unknown", "import arena.errors", "arena.errors"),
    ],
)
def test_a_planted_import_is_found(tree: Path, module: str, statement: str, imported: str) -> None:
    (tree / "arena/runtime/__init__.py").touch()
    path = modules(tree).get(f"arena.{module}", tree / f"arena/{module}.py")
    before = path.read_text() if path.exists() else ""
    path.write_text(f"{before}\n{statement}\n")
    assert violations(tree) == [f"arena.{module} -> {imported}"]


@pytest.mark.parametrize("words", [["--help"], ["tournament", "--help"], ["--version"]])
def test_the_command_loads_nothing_heavy_until_it_is_needed(words: list[str]) -> None:
    script = (
        "import atexit, sys\n"
        "loaded = lambda: {name.partition('.')[0] for name in sys.modules}\n"
        "atexit.register(lambda: print(*loaded(), file=sys.stderr))\n"
        f"sys.argv = ['arena', *{words!r}]\n"
        "from arena.cli import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stderr.split())
    assert "arena" in loaded
    assert not loaded & {*HEAVY, "zmq", "msgspec", "pathlib", "tempfile", "dataclasses", "difflib"}


@pytest.mark.parametrize(
    "module", ["cli.run", "tools.listing", "tools.reset", "tools.export", "tools.verify"]
)
def test_who_computes_no_ratings_yet_does_not_load_what_that_takes(module: str) -> None:
    script = f"import sys, arena.{module}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not {"numpy", "scipy", "rich"} & set(done.stdout.split())


def test_a_worker_loads_nothing_heavy() -> None:
    script = "import sys, arena.runtime.worker; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "arena.runtime.loop" in loaded
    assert not loaded & {*HEAVY, "click", "asyncio", "email", "http", "arena.sdk", "arena.store"}
