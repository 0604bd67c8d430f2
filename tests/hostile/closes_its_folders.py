"""Closes folders in its home, and its home if that is its own, to everybody, itself too.

forfeits: none
"""

import os
from pathlib import Path

import raw

home = Path(os.environ["HOME"])
(home / "a/b").mkdir(parents=True)
(home / "a/b/c").touch()
(home / "a/b").chmod(0)
(home / "a").chmod(0)
raw.is_refused(home.chmod, 0)
raw.play(raw.nothing)
